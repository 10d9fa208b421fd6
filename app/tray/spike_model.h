// SpikeModel: Monitor's spikes as a list, newest first. A row is announced when its spike grew or ended.
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

class SpikeModel : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit SpikeModel(const Monitor& monitor, QObject* parent = nullptr);

  void refresh();
  void clear();    // leaves out all that is listed; Monitor keeps it
  void restore();  // what the last clear() left out
  [[nodiscard]] bool anyCleared() const { return !m_cleared.empty(); }

  [[nodiscard]] const Spike& spike(int row) const { return m_spikes[static_cast<std::size_t>(row)]; }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  struct Cleared {
    std::uint64_t id = 0;
    MonotonicTime start;
    bool last = false;  // by the last clear()
  };
  using Listed = std::vector<const Spike*>;

  [[nodiscard]] const Spike* known(std::uint64_t id, MonotonicTime start) const;
  [[nodiscard]] Listed listed() const;
  void removeForgotten();
  void insertNew(const Listed& now);
  void updateChanged(const Listed& now);

  const Monitor& m_monitor;
  std::vector<Spike> m_spikes;     // newest first
  std::vector<Cleared> m_cleared;  // oldest first
};

}  // namespace faultline
