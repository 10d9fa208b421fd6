// ProcessModel: one row per process, at present or at an instant of the past, sorted by key. It takes rates from
// Monitor and divides nothing by time. Who has ended keeps a row for a while if it was worth one. Rows come and go one
// by one; a cell is announced only when its value changed.
#pragma once

#include <QAbstractTableModel>
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "app/tray/processes/ended_processes.h"
#include "app/tray/processes/entry.h"
#include "app/tray/processes/identity.h"
#include "app/tray/processes/pins.h"
#include "core/monitor/monitor.h"

namespace faultline {

// Calm: rates that changed little keep their places.
enum class Settling : std::uint8_t { Calm, Exact };

class ProcessModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    KeyRole = Qt::UserRole,  // ProcessKey
    DimRole,                 // bool: a zero, an unknown, an ended process
    ColourRole,              // int: index into Theme::pins; absent when not pinned
  };

  ProcessModel(const Monitor& monitor, const Pins& pins, QObject* parent = nullptr);

  void refresh();                                          // after each ingest, or when shown again
  void showInstant(std::optional<MonotonicTime> instant);  // nullopt: live
  // Whether the processes on show run on this machine, so that the system can be asked who they are.
  void setHere(bool here);
  // As a tree each process has its own numbers and those of all that it started; ProcessFilter puts them below it.
  void setTree(bool tree);
  [[nodiscard]] bool tree() const { return m_tree; }
  void fold(const ProcessKey& key, bool folded);  // in a tree
  void settle(Settling settling);                 // lets the order follow the values of now

  [[nodiscard]] std::optional<MonotonicTime> instant() const { return m_instant; }
  [[nodiscard]] MonotonicTime shownTime() const;  // the instant, or the newest sample's
  [[nodiscard]] const ProcessEntry& entry(int row) const { return m_entries[static_cast<std::size_t>(row)]; }
  [[nodiscard]] std::size_t endedCount() const;  // rows of processes that have ended
  [[nodiscard]] bool shows(const ProcessKey& key) const { return find(key) != nullptr; }
  [[nodiscard]] const ProcessEntry* find(const ProcessKey& key) const;
  [[nodiscard]] ProcessKey keyAt(int row) const { return entry(row).key; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void collectEnded();
  void collectKeys();
  void removeGone();
  void insertNew();
  void updateAll(bool announceEach);
  void announce(std::size_t row, std::size_t firstColumn, std::size_t lastColumn);
  void fill(ProcessEntry& entry) const;
  [[nodiscard]] static bool neverTimed(const ProcessValues& values);
  void fillFromNow(ProcessEntry& entry, const ProcessRow& row) const;
  void fillFromHistory(ProcessEntry& entry, MonotonicTime time) const;
  void fillEnded(ProcessEntry& entry) const;
  void rename(ProcessEntry& entry, const std::string& rawName) const;
  void calm(ProcessEntry& entry) const;
  [[nodiscard]] std::optional<std::string> nameOf(const ProcessKey& key) const;

  const Monitor& m_monitor;
  const Pins& m_pins;
  std::optional<MonotonicTime> m_instant;
  std::vector<ProcessEntry> m_entries;  // sorted by key
  std::vector<ProcessKey> m_alive;      // at the time shown
  std::vector<ProcessKey> m_keys;       // those, the pinned and the ended ones: what the rows must become
  EndedProcesses m_ended;
  std::optional<MonotonicTime> m_lastTime;
  std::optional<MonotonicTime> m_sparklined;  // when sparklines were last announced
  bool m_sparklinesDue = true;
  ProcessIdentities m_identities;
  bool m_tree = false;
  std::set<ProcessKey> m_folded;
  double m_weight = 1;  // of the newest value in the moving average
};

}  // namespace faultline
