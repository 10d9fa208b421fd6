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

  [[nodiscard]] const Spike& spike(int row) const { return m_spikes[static_cast<std::size_t>(row)]; }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  void removeForgotten();
  void insertNew();
  void updateChanged();

  const Monitor& m_monitor;
  std::vector<Spike> m_spikes;  // newest first
};

}  // namespace faultline
