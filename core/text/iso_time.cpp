#include "core/text/iso_time.h"

#include <fmt/format.h>

namespace faultline {

std::string isoTime(WallTime time) {
  const std::chrono::sys_time<Nanoseconds> instant(time.sinceEpoch);
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<Nanoseconds> clock(instant - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

}  // namespace faultline
