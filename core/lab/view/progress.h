// The lines that `faultline-cli lab` writes to standard error while it runs, and their meaning for the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

struct LabProgress {
  std::string experiment{};
  std::string text{};                  // "turn 3 of 7", "warming up"
  std::optional<std::uint32_t> pid{};  // of the experiment's process, which has begun
  std::optional<double> done{};        // share of the turns that are over

  bool operator==(const LabProgress&) const = default;
};

[[nodiscard]] std::string labTurnText(int turn, int turns);   // of turn 1 to `turns`; 0: warms up
[[nodiscard]] std::string labProcessText(std::uint32_t pid);  // "process 4711"
[[nodiscard]] std::string labProgressLine(std::string_view experiment, std::string_view text);
// Absent: another line.
[[nodiscard]] std::optional<LabProgress> parseLabProgress(std::string_view line);

}  // namespace faultline
