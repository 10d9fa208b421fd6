// SpikeModel: Monitor's spikes as a list, with one row per habit: pinned processes first, then the newest. A row keeps
// its place while its habit repeats, and emits dataChanged() when it grows.
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <vector>

#include "app/tray/processes/pins.h"
#include "app/tray/spikes/mutes.h"
#include "core/monitor/monitor.h"
#include "core/spikes/groups.h"

namespace faultline {

// One habit, or a single spike.
struct SpikeRow {
  Spike latest;
  Spike typical;
  std::uint64_t first = 0;  // id
  std::size_t ordinal = 0;  // number of earlier habits of this name
  std::size_t times = 1;
  std::vector<std::uint64_t> ids;  // of its spikes, oldest first
  std::size_t processes = 1;
  std::string habit;  // "22 times, every 5.00 s"
  std::string each;   // "26 350 minor faults each"
  bool pinned = false;

  bool operator==(const SpikeRow&) const = default;
};

class SpikeModel : public QAbstractListModel {
  Q_OBJECT
 public:
  SpikeModel(const Monitor& monitor, const Pins& pins, const SpikeMutes& mutes, QObject* parent = nullptr);

  void refresh();
  void clear();    // hides all listed spikes; Monitor keeps them
  void restore();  // undoes the last clear()
  void setFilter(const QString& text);
  [[nodiscard]] bool anyCleared() const { return !m_cleared.empty(); }
  [[nodiscard]] bool dated() const;         // times need a date, because history is longer than a day
  [[nodiscard]] std::size_t found() const;  // all spikes so far, including those that Monitor has dropped
  [[nodiscard]] std::size_t kept() const { return m_monitor.spikes().size(); }
  [[nodiscard]] bool spikesKnown() const { return m_monitor.spikesKnown(); }
  [[nodiscard]] bool anyHidden() const { return m_hidden; }  // by the filter

  [[nodiscard]] const SpikeRow& row(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
  [[nodiscard]] const Spike& spike(int row) const { return this->row(row).latest; }
  [[nodiscard]] const Spike* find(std::uint64_t id) const;  // null if Monitor has dropped the spike
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  struct Cleared {
    std::uint64_t id = 0;
    MonotonicTime start;
    bool last = false;  // by the last clear()
  };

  [[nodiscard]] bool known(const Cleared& gone) const;
  [[nodiscard]] bool shown(const Spike& spike) const;
  [[nodiscard]] std::vector<SpikeRow> rowsNow();
  void removeGone(const std::vector<SpikeRow>& now);
  void insertNew(const std::vector<SpikeRow>& now);
  void updateChanged(const std::vector<SpikeRow>& now);

  const Monitor& m_monitor;
  const Pins& m_pins;
  const SpikeMutes& m_mutes;
  QStringList m_words;
  bool m_hidden = false;
  std::vector<SpikeRow> m_rows;
  std::vector<Cleared> m_cleared;  // oldest first
};

}  // namespace faultline
