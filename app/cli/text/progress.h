// A progress bar on standard error; draws nothing if standard error is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/units.h"

namespace faultline {

// "━━━━━━━━╸          47 %  1.2 of 2.6 GiB, 12 s left"; without a total: "1.2 GiB read". At most `columns` wide.
[[nodiscard]] std::string progressText(std::uint64_t done, std::optional<std::uint64_t> total, Nanoseconds elapsed,
                                       int columns);

class ProgressBar {
 public:
  explicit ProgressBar(std::optional<std::uint64_t> total);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::uint64_t done);  // draws at most 10 times a second, and nothing in the first half second
  void clear();                   // call before other output

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::uint64_t> m_total;
  Clock::time_point m_start = Clock::now();
  Clock::time_point m_next;
  bool m_wanted;
  bool m_drawn = false;
};

}  // namespace faultline
