// The picture that top draws, as lines of text. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/cli/top/process_table.h"

namespace faultline {

struct TopState {
  SortBy sort = SortBy::Minor;
  std::string filter;
  bool typing = false;  // the filter
  bool paused = false;
  std::size_t first = 0;  // row at the top of the table
  std::optional<std::size_t> mostRows;
};

struct TopScene {
  const Monitor& monitor;
  const Moment& moment;  // what is shown; an earlier one while paused
  std::optional<double> ownCpuShare;
  std::string trouble;  // the last thing the collector complained about
};

// At most size.rows lines of at most size.columns.
[[nodiscard]] std::vector<std::string> topScreen(const TopScene& scene, const TopState& state, TerminalSize size,
                                                 const Paint& paint);
// The same for a pipe or a log: figures, header and rows, and a blank line.
[[nodiscard]] std::string topFrame(const TopScene& scene, const TopState& state, int columns);
[[nodiscard]] std::size_t tableHeight(TerminalSize size);

// One line each. The figures that do not fit are left out, from the right.
[[nodiscard]] std::string figuresLine(const TopScene& scene, const Paint& paint, int columns);
[[nodiscard]] std::string qualityLine(const Hello& hello);

}  // namespace faultline
