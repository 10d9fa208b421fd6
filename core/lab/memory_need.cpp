#include "core/lab/memory_need.h"

#include <fmt/format.h>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::uint64_t kReserve = std::uint64_t{256} << 20U;

}  // namespace

Result<void> enoughMemory(std::string_view experiment, std::uint64_t needs, std::optional<std::uint64_t> available) {
  if (!available || *available >= needs + kReserve) return {};
  return fail(
      fmt::format("Experiment {} needs {} of memory and leaves {} for other programs, but {} is available. End "
                  "other programs, or use --quick.",
                  experiment, formatBytes(needs), formatBytes(kReserve), formatBytes(*available)));
}

}  // namespace faultline
