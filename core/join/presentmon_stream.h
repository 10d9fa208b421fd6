// PresentMonStream: the frames of one process in the CSV that a running PresentMon (1.x or 2.x) writes to its standard
// output with -qpc_time. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/join/frame_times.h"

namespace faultline {

class PresentMonStream {
 public:
  // `ticksPerSecond`: QueryPerformanceFrequency.
  PresentMonStream(std::uint32_t pid, double ticksPerSecond) : m_pid(pid), m_ticksPerSecond(ticksPerSecond) {}

  // Takes text in pieces of any length. Appends the frames of the rows that are complete: those of the swap chain with
  // the most frames, until it shows none while another goes on. Error: a sentence, if no such CSV comes.
  [[nodiscard]] Result<void> feed(std::string_view text, std::vector<FrameSpan>& frames);
  [[nodiscard]] bool begun() const { return !m_head.empty(); }  // the names of the columns have come

 private:
  [[nodiscard]] Result<void> takeHead();
  void choose(const std::vector<FrameTimes>& all);

  std::uint32_t m_pid;
  double m_ticksPerSecond;
  std::string m_rest;  // an incomplete line
  std::string m_head;
  std::string m_chain;                        // whose frames count
  std::map<std::string, std::size_t> m_seen;  // frames of each chain since the last one of m_chain
};

// Why PresentMon gives no frames, and the remedy. `how`: the predicate of the sentence, such as "ended with code 6".
// `errors`: what it wrote to standard error.
[[nodiscard]] std::string presentMonFailure(std::string_view program, std::string_view how, std::string_view errors);

}  // namespace faultline
