#include "core/parse/meminfo.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

using namespace faultline;

TEST_CASE("A recorded meminfo is converted to bytes") {
  const MemInfo info = parseMemInfo(test::fixture("linux/meminfo"));
  CHECK(info.total == 24'682'416ULL * 1024);
  CHECK(info.swapTotal == 0U);
  CHECK(info.commitLimit == 12'341'208ULL * 1024);
  CHECK(info.free);
  CHECK(info.available);
  CHECK(info.committed);
}

TEST_CASE("Invalid values in meminfo are absent") {
  const MemInfo info = parseMemInfo(
      "MemTotal: 18446744073709551615 kB\nMemFree: 12\nMemAvailable: kB\nCommitted_AS: 3 kB\nSwapTotal: 1");
  CHECK_FALSE(info.total);
  CHECK_FALSE(info.free);
  CHECK_FALSE(info.available);
  CHECK_FALSE(info.swapTotal);
  CHECK(info.committed == 3072U);
}

TEST_CASE("meminfo cut at any byte, against a guard page, has no partial value") {
  const std::string text = test::fixture("linux/meminfo");
  const MemInfo whole = parseMemInfo(text);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const test::GuardedText cut(std::string_view(text).substr(0, size));
    const MemInfo info = parseMemInfo(cut.view());
    CHECK((!info.total || info.total == whole.total));
    CHECK((!info.committed || info.committed == whole.committed));
    CHECK((!info.commitLimit || info.commitLimit == whole.commitLimit));
  }
}
