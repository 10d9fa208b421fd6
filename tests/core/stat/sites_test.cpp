#include "core/stat/sites.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/stat/some_stat.h"

using namespace faultline;

namespace {

StackFrame frameOf(std::string function, std::string module, std::string file, int line, bool system = false) {
  StackFrame frame;
  frame.function = std::move(function);
  frame.module = std::move(module);
  frame.file = std::move(file);
  frame.line = line;
  frame.system = system;
  return frame;
}

const StackFrame kCopy = frameOf("__memmove_avx", "/lib/libc.so.6", "", 0, true);
const StackFrame kParse = frameOf("parse", "/b/app", "/src/in/parse.cpp", 7);
const StackFrame kMain = frameOf("main", "/b/app", "/src/in/main.cpp", 3);

std::string readLine(const std::string& file, int line) {
  return file + ":" + std::to_string(line);
}

FaultSample sampleOf(const CallStack& stack, std::uint64_t address, std::uint64_t weight = 1) {
  FaultSample sample;
  sample.time = {Nanoseconds(static_cast<std::int64_t>(address))};
  sample.address = address << 12U;
  sample.weight = weight;
  sample.access = FaultAccess{.write = true};
  sample.mapping.emplace();
  sample.mapping->end = std::uint64_t{1} << 40U;
  sample.mapping->writable = true;
  sample.calls = callsOf(stack);
  return sample;
}

}  // namespace

TEST_CASE("Faults count for the program's own line, whose file is named from the root") {
  SiteCount count("/src", readLine);
  for (std::uint64_t i = 0; i < 10; ++i) count.add(sampleOf({kCopy, kParse, kMain}, i, 16));
  FaultSample read = sampleOf({kMain}, 100);
  read.major = true;
  read.took = Nanoseconds(2000);
  count.add(read);
  count.add(sampleOf({}, 101));
  const CallSites found = count.found();
  CHECK(found.faults == 162);
  REQUIRE(found.sites.size() == 2);
  CHECK(found.sites.front() == CallSite{.function = "parse",
                                        .module = "app",
                                        .file = "in/parse.cpp",
                                        .line = 7,
                                        .source = "/src/in/parse.cpp:7",
                                        .caller = "main (main.cpp:3)",
                                        .faults = 160,
                                        .pages = 160});
  CHECK(found.sites.back().caller.empty());
  CHECK(found.sites.back().majors == 1);
  CHECK(found.sites.back().time == Nanoseconds(2000));
  const auto rows = siteRows(found, 4096);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1] == std::vector<std::string>{"≈ 160", "98.8 %", "≈ 0", "", "≥ 640 KiB", "parse (parse.cpp:7)",
                                            "/src/in/parse.cpp:7"});
  CHECK(siteRows(CallSites{}, 4096).front() == std::vector<std::string>{"page faults", "share", "call site", "line"});
}

TEST_CASE("Lines of other processes stand apart by the name of their program, and are not compared between builds") {
  SiteCount count("/src", readLine);
  for (std::uint64_t i = 0; i < 10; ++i) count.add(sampleOf({kParse, kMain}, i, 100));
  for (std::uint64_t i = 0; i < 20; ++i) count.add(sampleOf({kParse, kMain}, i, 100), "work\ner");
  const CallSites found = count.found();
  REQUIRE(found.sites.size() == 2);
  CHECK(found.sites.front().faults == 2000);
  CHECK(siteName(found.sites.front()) == "parse (parse.cpp:7) in work\\ner");
  CHECK(siteName(found.sites.back()) == "parse (parse.cpp:7)");
  CallSites none = found;
  none.sites.erase(none.sites.begin());
  CHECK(siteGrowths(found, none).empty());
}

TEST_CASE("Code without names counts by its file, as its places differ between builds") {
  SiteCount count("", readLine);
  for (std::uint64_t i = 0; i < 2; ++i)
    count.add(sampleOf({frameOf("", "/b/stripped", "/a.cpp", static_cast<int>(i) + 1)}, i));
  const CallSites found = count.found();
  REQUIRE(found.sites.size() == 1);
  CHECK(siteName(found.sites.front()) == "stripped");
}

TEST_CASE("Lines are the same where they move, and those that grew and shrank are told") {
  CHECK(siteGrowths(test::sitesOf(6000, 4000, 200), test::sitesOf(6004, 4000, 300)).empty());
  const auto moved = siteGrowths(test::sitesOf(6000, 4000, 200), test::sitesOf(1000, 9000, 300));
  REQUIRE(moved.size() == 2);
  CHECK(moved.front().faults == 5000);
  CHECK(moved.back().faults == -5000);
  CHECK(moved.back().site.line == 300);
  CHECK(test::withBlanks(growthText(moved, 4096, 0)) ==
        "5 000 more page faults in draw (draw.cpp:7); 5 000 fewer in parse (parse file.cpp:300), called by main "
        "(main.cpp:9): at least 19.5 MiB less touched");
  CallSites sampled = test::sitesOf(12'000, 4000);
  sampled.each = false;
  const auto estimated = siteGrowths(test::sitesOf(6000, 4000), sampled);
  REQUIRE(estimated.size() == 1);
  CHECK(test::withBlanks(growthText(estimated.front(), 4096)).starts_with("≈ 6 000 more page faults in parse"));
}
