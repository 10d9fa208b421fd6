// The lines that `faultline-cli try` writes to standard error for the window, and their meaning.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

// A run begins.
struct TrialProgress {
  std::size_t run = 0;   // from 1
  std::size_t runs = 0;  // in all, those that measure memory included; runs that are repeated do not count
  std::string what{};    // "Round 3 of 12: keep"

  bool operator==(const TrialProgress&) const = default;
};

[[nodiscard]] std::string trialProgressLine(const TrialProgress& progress);
// Absent: another line.
[[nodiscard]] std::optional<TrialProgress> parseTrialProgress(std::string_view line);

}  // namespace faultline
