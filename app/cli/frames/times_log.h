// The log of another tool for `faultline-cli join`: which of its frames are taken, which rows are left out, and its
// columns, which the joined CSV keeps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/join/frame_times.h"

namespace faultline {

struct TimesLog {
  std::string text;             // CSV, as of timesText()
  std::vector<FrameTimes> all;  // as of parseFrameTimes()
};

// Error: a whole sentence.
[[nodiscard]] Result<TimesLog> readTimesLog(const std::string& file, std::optional<double> ticksPerSecond);

struct TimesWanted {
  std::uint32_t pid = 0;  // 0: any
  std::string swapChain;  // or the number of a run of CapFrameX; empty: the one with the most frames
};

// Those of the process, or of all processes if the log names it nowhere. Error: the log has no such swap chain.
[[nodiscard]] Result<const FrameTimes*> chooseTimes(const std::vector<FrameTimes>& all, const TimesWanted& wanted);
// A sentence for each kind of rows that the join leaves out: rows without a frame, and those of other processes and
// swap chains.
[[nodiscard]] std::vector<std::string> leftOutTexts(const TimesLog& log, const FrameTimes& chosen,
                                                    const TimesWanted& wanted);

// The rows of a log as they are, by the line of a frame. `text` outlives this object.
class LogColumns {
 public:
  LogColumns(std::string_view text, std::uint64_t headLine);
  [[nodiscard]] const std::string& names() const { return m_names; }  // CSV
  [[nodiscard]] std::string row(std::uint64_t line) const;            // CSV with as many fields

 private:
  [[nodiscard]] std::string fields(std::uint64_t line, std::size_t count) const;

  std::vector<std::string_view> m_lines;
  std::size_t m_count = 0;
  std::string m_names;
};

}  // namespace faultline
