// ProcessModel: one row per process, sorted by key, live or at an instant of the past. Takes rates from Monitor.
// Inserts and removes single rows, and announces only cells whose value changed.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <set>
#include <vector>

#include "app/tray/processes/entry.h"
#include "app/tray/processes/identity.h"
#include "app/tray/processes/settling.h"
#include "app/tray/processes/shown_processes.h"
#include "core/monitor/monitor.h"

namespace faultline {

class ProcessModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    KeyRole = Qt::UserRole,  // ProcessKey
    DimRole,                 // bool: zero, unknown, or of an ended process
    ColourRole,              // int: index into Theme::pins; absent when not pinned
  };

  ProcessModel(const Monitor& monitor, const Pins& pins, QObject* parent = nullptr);

  void refresh();                                          // after each ingest, or when the table is shown again
  void showInstant(std::optional<MonotonicTime> instant);  // nullopt: live
  void setHere(bool here);  // true: the processes run on this machine, which tells command lines and users
  void setReplay(bool replay) { m_replay = replay; }  // a recording's moment is shown as it was, without averages
  // Flat: each process by itself. Families: below its parent, and the numbers of a process include those of all that it
  // started. Services: see placeInServices().
  enum class Tree : std::uint8_t { Flat, Families, Services };
  void setTree(Tree tree);
  [[nodiscard]] bool tree() const { return m_tree != Tree::Flat; }
  void fold(const ProcessKey& key, bool folded);  // in a tree
  void settle();                                  // updates the values that rows are sorted by, and show live

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
  void updateRows();
  void removeGone();
  void insertNew();
  void updateAll(bool announceEach);
  void announce(std::size_t row, std::size_t firstColumn, std::size_t lastColumn);
  void fill(ProcessEntry& entry) const;
  void rename(ProcessEntry& entry, const std::string& rawName) const;

  const Monitor& m_monitor;
  const Pins& m_pins;
  ShownProcesses m_shown;
  std::optional<MonotonicTime> m_instant;
  std::vector<ProcessEntry> m_entries;  // sorted by key
  std::optional<MonotonicTime> m_lastTime;
  std::optional<MonotonicTime> m_sparklined;  // when sparklines were last announced
  bool m_sparklinesDue = true;
  ProcessIdentities m_identities;
  bool m_replay = false;
  Tree m_tree = Tree::Flat;
  std::set<ProcessKey> m_folded;
  double m_weight = 1;  // of the newest value in the moving average
};

}  // namespace faultline
