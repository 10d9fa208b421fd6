// The screen of `top` as lines of text. Makes no system call.
#pragma once

#include <string>
#include <vector>

#include "app/cli/top/table.h"

namespace faultline {

struct TopState {
  SortBy sort;
  std::string filter;
  bool typing = false;  // keys go to the filter
  bool paused = false;
  bool help = false;                    // the keys are shown in place of the table
  bool commands = false;                // users, services and command lines are shown in place of names
  std::size_t first = 0;                // first visible row of the table
  std::optional<std::size_t> mostRows;  // absent: as many as fit
};

struct TopScene {
  const Monitor& monitor;
  const Moment& moment;               // the moment shown; while paused, an earlier moment
  std::optional<double> ownCpuShare;  // of one core, 1 = all of it; absent in the first second
  std::string trouble;                // the collector's last message on standard error
  // User and command line of a process, printable; empty if they are not known. Absent where no process is of this
  // machine.
  TopTable::Command command{};
};

// At most size.rows lines of at most size.columns.
[[nodiscard]] std::vector<std::string> topScreen(const TopScene& scene, const TopState& state, TerminalSize size,
                                                 const Paint& paint);
// One table for a pipe or a log: figures, spikes, header, rows and a blank line.
[[nodiscard]] std::string topPlainText(const TopScene& scene, const TopState& state, int columns);
[[nodiscard]] std::size_t tableHeight(TerminalSize size);

// One line each. Figures beyond `columns` are omitted.
[[nodiscard]] std::string figuresLine(const TopScene& scene, const Paint& paint, int columns);
[[nodiscard]] std::string qualityLine(const Hello& hello);

}  // namespace faultline
