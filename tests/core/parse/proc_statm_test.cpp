#include "core/parse/proc_statm.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

using namespace faultline;

TEST_CASE("statm of a process and of a kernel thread") {
  CHECK(parseProcStatm("765 438 410 5 0 123 0\n") == ProcStatm{.resident = 438, .shared = 410, .data = 123});
  CHECK(parseProcStatm("0 0 0 0 0 0 0\n") == ProcStatm{});
}

TEST_CASE("statm cut at any byte, against a guard page, is complete or absent") {
  const std::string text = test::fixture("linux/statm_init");
  const auto whole = parseProcStatm(text);
  REQUIRE(whole);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const test::GuardedText cut(std::string_view(text).substr(0, size));
    const auto statm = parseProcStatm(cut.view());
    CHECK((!statm || *statm == *whole));
    CHECK(statm.has_value() == (size + 2 >= text.size()));  // only the last field and the newline may be missing
  }
}

TEST_CASE("statm with numbers beyond 64 bits is refused") {
  CHECK_FALSE(parseProcStatm("1 18446744073709551616 3 4 5 6 7\n"));
  CHECK_FALSE(parseProcStatm("1 -2 3 4 5 6 7\n"));
  CHECK_FALSE(parseProcStatm("1  2 3 4 5 6 7\n"));
  CHECK_FALSE(parseProcStatm(""));
}
