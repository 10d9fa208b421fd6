#include "core/trial/progress.h"

#include <fmt/format.h>

#include <charconv>

namespace faultline {
namespace {

// Takes `before` and the number behind it from the line.
std::optional<std::size_t> takeNumber(std::string_view& line, std::string_view before) {
  if (!line.starts_with(before)) return std::nullopt;
  line.remove_prefix(before.size());
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return value;
}

}  // namespace

std::string trialProgressLine(const TrialProgress& progress) {
  return fmt::format("run {} of {}: {}", progress.run, progress.runs, progress.what);
}

std::optional<TrialProgress> parseTrialProgress(std::string_view line) {
  const auto run = takeNumber(line, "run ");
  const auto runs = run ? takeNumber(line, " of ") : std::nullopt;
  if (!runs || *run == 0 || *run > *runs || !line.starts_with(": ")) return std::nullopt;
  return TrialProgress{*run, *runs, std::string(line.substr(2))};
}

}  // namespace faultline
