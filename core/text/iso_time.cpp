#include "core/text/iso_time.h"

#include <fmt/chrono.h>

namespace faultline {

std::string isoTime(WallTime time) {
  const std::chrono::sys_time<Nanoseconds> instant(time.sinceEpoch);
  const auto second = std::chrono::floor<std::chrono::seconds>(instant);
  return fmt::format("{:%FT%T}.{:09}Z", second, (instant - second).count());
}

}  // namespace faultline
