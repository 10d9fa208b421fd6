#include "core/text/iso_time.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

namespace faultline {

TEST_CASE("Wall time is written as ISO 8601 in UTC") {
  const auto iso = [](std::int64_t ns) { return isoTime({Nanoseconds(ns)}); };
  CHECK(iso(0) == "1970-01-01T00:00:00.000000000Z");
  CHECK(iso(1'795'223'756'000'000'001) == "2026-11-21T01:15:56.000000001Z");
  CHECK(iso(951'782'399'999'999'999) == "2000-02-28T23:59:59.999999999Z");
  CHECK(iso(-1) == "1969-12-31T23:59:59.999999999Z");
  CHECK(iso(std::numeric_limits<std::int64_t>::max()) == "2262-04-11T23:47:16.854775807Z");
}

}  // namespace faultline
