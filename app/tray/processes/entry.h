// One row of the process table: the values shown, and the calmer ones that it is sorted by.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <string>

#include "app/tray/processes/columns.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

enum class Presence : std::uint8_t {
  Running,
  Ended,    // gone, its row is still there: its last values
  NotThen,  // pinned, and not running at the instant shown
};

// Values are in the column's unit (per second, count or bytes), absent where nobody knows. `calm` is a slow moving
// average of rates and the plain value of everything else; `settled` is what `calm` was at the last sorting, so that
// rows keep their places in between.
struct ProcessEntry {
  using Numbers = std::array<std::optional<double>, kColumnCount>;

  ProcessKey key;
  std::string rawName;
  QString name;  // printable
  QString command;
  QString user;
  QString parent;                          // "make (1234)"
  std::optional<std::uint64_t> parentPid;  // as last seen live
  Numbers values;
  Numbers calm;
  Numbers settled;
  std::optional<ProcessKey> above;  // in a tree: the nearest of its ancestors that has a row
  int depth = 0;
  bool inTree = false;
  bool folds = false;                 // in a tree: others stand below it
  bool folded = false;                // and are not shown
  Numbers last;                       // as last seen live
  std::optional<std::size_t> colour;  // pinned
  Presence presence = Presence::Running;
  MonotonicTime seen;       // when it last had a sample
  MonotonicTime lastFault;  // when a rate was last above zero
  bool active = false;      // it was, within the last minute
};

// Why a number is absent depends on what is shown.
struct CellContext {
  const Hello& hello;
  bool standing = false;  // an instant of the past is shown
};

[[nodiscard]] QString cellSpoken(const ProcessEntry& entry, Column column, const CellContext& context);  // to be heard
[[nodiscard]] QString treePrefix(const ProcessEntry& entry);  // indent, and the triangle of a family
[[nodiscard]] QString cellText(const ProcessEntry& entry, Column column, const CellContext& context);
[[nodiscard]] QString cellToolTip(const ProcessEntry& entry, Column column, const CellContext& context);
// Zeros and unknowns step back, so that the eye finds what moves.
[[nodiscard]] bool cellIsDim(const ProcessEntry& entry, Column column);

// Marks the times of its faults as not measured.
void forgetFaultTimes(ProcessEntry& entry);

}  // namespace faultline
