#include "core/parse/proc_stat.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

using namespace faultline;
using faultline::test::fixture;
using faultline::test::GuardedText;

namespace {

std::string statWith(const std::string& name, const std::string& minorFaults = "81") {
  return "42 (" + name + ") S 1 42 42 0 -1 4194560 " + minorFaults + " 9 7 0 61 62 3 4 20 0 3 0 1234 8192 5 99\n";
}

}  // namespace

TEST_CASE("stat of an ordinary process") {
  const std::string text = statWith("sh");
  const auto stat = parseProcStat(text);
  REQUIRE(stat);
  CHECK(stat->pid == 42);
  CHECK(stat->name == "sh");
  CHECK_FALSE(stat->kernelThread);
  CHECK(stat->minorFaults == 81);
  CHECK(stat->majorFaults == 7);
  CHECK(stat->state == 'S');
  CHECK(stat->userTicks == 61);
  CHECK(stat->systemTicks == 62);
  CHECK(stat->virtualBytes == 8192);
  CHECK(stat->residentPages == 5);
  CHECK(stat->threads == 3);
  CHECK(stat->startTicks == 1234);
}

TEST_CASE("Recorded stat lines with misleading names") {
  struct Recorded {
    const char* file;
    const char* name;
    std::uint64_t minorFaults;
  };
  for (const Recorded& recorded :
       {Recorded{"stat_brackets", "we b) (x", 75}, Recorded{"stat_newline", "a\nb\\c", 80},
        Recorded{"stat_utf8", "\xc3\xa4\xe2\x82\xac u", 80}, Recorded{"stat_fifteen_bytes", "fifteen-bytes-x", 80},
        Recorded{"stat_nameless", "", 80}}) {
    CAPTURE(recorded.file);
    const std::string text = fixture(std::string("linux/") + recorded.file);
    const auto stat = parseProcStat(text);
    REQUIRE(stat);
    CHECK(stat->pid == 27798);
    CHECK(stat->name == recorded.name);
    CHECK(stat->minorFaults == recorded.minorFaults);
    CHECK(stat->threads == 1);
  }
}

TEST_CASE("stat distinguishes kernel threads from processes") {
  CHECK(parseProcStat(fixture("linux/stat_kernel_thread"))->kernelThread);
  CHECK_FALSE(parseProcStat(fixture("linux/stat_init"))->kernelThread);
}

TEST_CASE("stat cut at any byte, against a guard page, is complete or absent") {
  for (const char* file :
       {"linux/stat_brackets", "linux/stat_newline", "linux/stat_init", "linux/stat_kernel_thread"}) {
    const std::string text = fixture(file);
    const auto whole = parseProcStat(text);
    REQUIRE(whole);
    std::size_t nothing = 0;
    for (std::size_t size = 0; size <= text.size(); ++size) {
      const GuardedText cut(std::string_view(text).substr(0, size));
      const auto stat = parseProcStat(cut.view());
      if (!stat) ++nothing;
      else CHECK(*stat == *whole);
    }
    CHECK(nothing > 60);
    CHECK(nothing < text.size());
  }
}

TEST_CASE("stat with numbers at and beyond 64 bits") {
  CHECK(parseProcStat(statWith("x", "18446744073709551615"))->minorFaults == UINT64_MAX);
  CHECK_FALSE(parseProcStat(statWith("x", "18446744073709551616")));
  CHECK_FALSE(parseProcStat(statWith("x", std::string(400, '9'))));
  CHECK_FALSE(parseProcStat(statWith("x", "-1")));
  CHECK_FALSE(parseProcStat(statWith("x", "1x")));
  CHECK_FALSE(parseProcStat("99999999999 (x) S 1 42 42 0 -1 0 1 9 7 0 1 2 3 4 20 0 3 0 1234 8192 5 99\n"));
}

TEST_CASE("stat with single bytes changed is never read out of bounds and never throws") {
  const std::string text = fixture("linux/stat_brackets");
  std::mt19937 random(1);  // NOLINT: the same bytes every time
  for (int round = 0; round < 20'000; ++round) {
    std::string changed = text;
    for (int change = 0; change < 3; ++change) changed[random() % changed.size()] = static_cast<char>(random());
    const GuardedText guarded(changed);
    if (const auto stat = parseProcStat(guarded.view())) CHECK(stat->name.size() <= changed.size());
  }
}
