#include "core/parse/proc_schedstat.h"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "tests/support/guard_page.h"

using namespace faultline;

TEST_CASE("schedstat of a process") {
  CHECK(parseProcSchedstat("70532 319217 7\n") == ProcSchedstat{.runNanoseconds = 70'532, .runs = 7});
}

TEST_CASE("schedstat is absent if the kernel keeps no statistics") {
  CHECK_FALSE(parseProcSchedstat("0 0 0\n"));
}

TEST_CASE("schedstat cut at any byte, against a guard page, is complete or absent") {
  constexpr std::string_view kText = "70532 319217 712\n";
  for (std::size_t size = 0; size < kText.size(); ++size) {
    const test::GuardedText cut(kText.substr(0, size));
    CHECK_FALSE(parseProcSchedstat(cut.view()));
  }
  CHECK(parseProcSchedstat(kText)->runs == 712);
}

TEST_CASE("schedstat with numbers beyond 64 bits is refused") {
  CHECK_FALSE(parseProcSchedstat("18446744073709551616 1 1\n"));
  CHECK_FALSE(parseProcSchedstat("1 1 -1\n"));
  CHECK_FALSE(parseProcSchedstat("x 1 1\n"));
}
