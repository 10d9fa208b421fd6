// One row of the process table: the values shown, and the calmer values for sorting.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <string>

#include "app/tray/processes/columns.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/text/fault_parts.h"

namespace faultline {

enum class Presence : std::uint8_t {
  Running,
  Ended,    // the row shows the last values
  NotThen,  // pinned, but not running at the instant shown
};

// Values are in the column's unit (per second, count or bytes), absent if not known. `calm` is a slow moving average of
// rates, and equals the value in other columns; `settled` is `calm` at the last sorting: the rows' order and, live, the
// numbers on show, so that they agree.
struct ProcessEntry {
  using Numbers = std::array<std::optional<double>, kColumnCount>;

  ProcessKey key;
  std::string rawName;
  QString name;  // printable
  QString command;
  QString user;
  std::string rawService;                  // as ProcessSample has it
  QString service;                         // printable: "ssh.service", "docker 3f2a9c0d1e4b"; empty: none or unknown
  QString parent;                          // "make (1234)"
  std::optional<std::uint64_t> parentPid;  // as last seen live
  Numbers values;
  Numbers calm;
  Numbers settled;
  std::optional<ProcessKey> above;  // in a tree: the nearest ancestor with a row
  int depth = 0;
  bool inTree = false;
  bool leads = false;                 // the others of its service stand below it
  bool folds = false;                 // in a tree: others stand below it
  bool folded = false;                // and are not shown
  Numbers last;                       // as last seen live
  FaultPartTimes faultParts;          // of the rate of fault time, ns per second
  std::optional<std::size_t> colour;  // pinned
  Presence presence = Presence::Running;
  MonotonicTime seen;       // last sample of the process
  MonotonicTime lastFault;  // last time with a fault rate above zero
  bool active = false;      // lastFault is within the last minute

  // `standing`: an instant of the past is shown, by its own values.
  [[nodiscard]] const std::optional<double>& shown(Column column, bool standing) const {
    return standing || presence != Presence::Running ? values[at(column)] : settled[at(column)];
  }
};

// Decides the reason for an absent number.
struct CellContext {
  const Hello& hello;
  bool standing = false;  // an instant of the past is shown
};

[[nodiscard]] QString cellSpoken(const ProcessEntry& entry, Column column,
                                 const CellContext& context);  // for screen readers
[[nodiscard]] QString treePrefix(const ProcessEntry& entry);   // indent, and the triangle of a family
[[nodiscard]] QString cellText(const ProcessEntry& entry, Column column, const CellContext& context);
[[nodiscard]] QString cellToolTip(const ProcessEntry& entry, Column column, const CellContext& context);
// Zeros and unknown values are drawn dim, so that active rows stand out.
[[nodiscard]] bool cellIsDim(const ProcessEntry& entry, Column column, const CellContext& context);

}  // namespace faultline
