// faultline-cli guard with a program that touches as many pages as it is told.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <string>

#include "tests/app/cli/killed_linux.h"
#include "tests/app/cli/shell_linux.h"
#include "tests/support/plain.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

constexpr const char* kGuard = "faultline-cli guard --counts -r 3 -n it --baseline it.json ";

// Each time makes a baseline, and guards an equal program and one with a hundredth more pages. Prints a table.
void guardPlanted(const char* pages, const char* more, int times) {
  const Shell shell;
  int found = 0;
  int wrong = 0;
  for (int i = 0; i < times; ++i) {
    const auto run = [&](const std::string& options, const char* touched) {
      return shell.run(kGuard + options + " -- trial_subject pages " + touched + " 2>&1");
    };
    REQUIRE(run("--save", pages).code == 0);
    const Outcome equal = run("", pages);
    const Outcome planted = run("", more);
    INFO(equal.output << planted.output);
    CHECK((equal.code == 0 || equal.code == 4));
    CHECK((planted.code == 0 || planted.code == 4));
    wrong += equal.code == 4 ? 1 : 0;
    found += planted.code == 4 ? 1 : 0;
  }
  std::printf("%s pages, a hundredth more: found %d of %d; equal builds called worse: %d of %d\n", pages, found, times,
              wrong, times);
  CHECK(found == times);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("A hundredth more of page faults is found each time, and equal programs never are", "[slow]") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  const int times = test::killsAskedFor(4);
  guardPlanted("2000", "2020", times);
  guardPlanted("20000", "20200", times);
}

TEST_CASE("A guard says what grew, in each format, and its exit code is 4") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  const Shell shell;
  const std::string guard = kGuard;
  REQUIRE(shell.run(guard + "--save -- trial_subject pages 4000").code == 0);
  const Outcome worse = shell.run(
      guard + "--markdown it.md --json it.out --junit it.xml --github it.txt -- trial_subject pages 8096 2>&1");
  INFO(worse.output);
  CHECK(worse.code == 4);
  CHECK(worse.output.find("Page faults: ") != std::string::npos);
  CHECK(worse.output.find("it costs more memory work than its baseline.") != std::string::npos);
  const Outcome read = shell.run(
      "python3 -c 'import json, xml.etree.ElementTree as x\n"
      "root = x.parse(\"it.xml\").getroot()\n"
      "assert int(root.get(\"failures\")) == len(root.findall(\".//failure\")) > 0\n"
      "assert json.load(open(\"it.out\"))[\"guard\"][\"worse\"] is True\n"
      "assert open(\"it.txt\").read().startswith(\"::error title=Faultline%3A it::it: Page faults\")\n"
      "assert open(\"it.md\").read().startswith(\"**it costs more\")' 2>&1");
  INFO(read.output);
  CHECK(read.code == 0);
  CHECK(shell.run(guard + "--fail-over 200 -- trial_subject pages 8096").code == 0);
  const Outcome better = shell.run(guard + "-- trial_subject pages 1000 2>&1");
  CHECK(better.code == 0);
  CHECK(better.output.find(": better\n") != std::string::npos);
  CHECK(better.output.find("A figure is better. --save makes such runs the baseline.\n") != std::string::npos);
}

TEST_CASE("The lines that fault most are told, or why they are not") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  const Shell shell;
  const Outcome stat = shell.run("faultline-cli stat -r 1 --stacks -- trial_subject pages 4000");
  INFO(stat.output);
  CHECK(stat.code == 0);
  const bool told = stat.output.find("  Call sites are of ") != std::string::npos;
  CHECK(told != (stat.output.find("  Call sites are unavailable: ") != std::string::npos));
  CHECK(told == (stat.output.find("  call site ") != std::string::npos));
  const Outcome all = shell.run("faultline-cli stat --stacks -a 2>&1");
  CHECK(all.code == 2);
  CHECK(all.output.find("--stacks reads the call stacks of one process: name it with -p.") != std::string::npos);
}

TEST_CASE("A result of stat is a baseline, and one of another machine is judged by its counts alone") {
  const Shell shell;
  REQUIRE(shell.run("faultline-cli stat --counts -r 3 -w 1 -n it -f json -o it.json -- true").code == 0);
  CHECK(shell.run(kGuard + std::string("-- true")).code == 0);
  REQUIRE(shell.run("sed -i 's/\"allocator\": \"glibc/\"allocator\": \"other/' it.json").code == 0);
  const Outcome other = shell.run(kGuard + std::string("-- true"));
  INFO(other.output);
  CHECK(other.code == 0);
  CHECK(other.output.find("The baseline was made elsewhere: the allocator is another (was other ") !=
        std::string::npos);
}

TEST_CASE("Results of stat are compared with the first, and the exit code says if one of them is worse") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  const Shell shell;
  for (const std::string pages : {"2000", "4000"})
    REQUIRE(shell.run("faultline-cli stat --counts -r 3 -f json -o " + pages + ".json -- trial_subject pages " + pages)
                .code == 0);
  const Outcome worse = shell.run("faultline-cli compare 2000.json 4000.json");
  INFO(worse.output);
  CHECK(worse.code == 6);
  CHECK(worse.output.starts_with("Page faults: "));
  CHECK(shell.run("faultline-cli compare --times 4000.json 2000.json").code != 1);
  CHECK(shell.run("faultline-cli compare 2000.json 2000.json").code == 0);
  const Outcome several = shell.run("faultline-cli compare 2000.json 2000.json 4000.json");
  INFO(several.output);
  CHECK(several.code == 6);
  CHECK(several.output.find("\n4000.json against 2000.json:\nPage faults: ") != std::string::npos);
  CHECK(shell.run("faultline-cli compare -f csv 2000.json 4000.json 2000.json | cut -d, -f2,3,10 | tr -d '\\r'")
            .output.starts_with("file,number,verdict\n4000.json,Page faults,worse\n"));
  CHECK(shell
            .run("faultline-cli compare -f json 2000.json 2000.json 4000.json | "
                 "python3 -c 'import json, sys; print([r[\"worse\"] for r in "
                 "json.load(sys.stdin)[\"compare\"][\"results\"]])'")
            .output == "[False, True]\n");
  CHECK(shell.run("faultline-cli compare 2000.json 4000.json missing.json 2>&1").output ==
        "faultline-cli: missing.json cannot be opened.\n");
  shell.file("frames.csv", "frame,duration_ns\n");
  const Outcome mixed = shell.run("faultline-cli compare 2000.json frames.csv 2>&1");
  CHECK(mixed.code == 1);
  CHECK(mixed.output ==
        "faultline-cli: 2000.json holds a result of stat, and frames.csv holds the frames of a game. Compare files of "
        "one kind.\n");
}

TEST_CASE("Recordings and results of the lab are compared, and not judged", "[slow]") {
  const Shell shell;
  for (const std::string name : {"one", "two"}) {
    REQUIRE(shell.run("faultline-cli record -i 100ms -d 500ms -o " + name + ".faultline 2>&1").code == 0);
    REQUIRE(shell.run("faultline-cli lab eager --quick -f json >" + name + ".json").code == 0);
  }
  const Outcome sweeps = shell.run("faultline-cli compare one.faultline two.faultline");
  INFO(sweeps.output);
  CHECK(sweeps.code == 0);
  CHECK(sweeps.output.starts_with("All processes, in "));
  CHECK(sweeps.output.find("\n  Minor faults: ") != std::string::npos);
  CHECK(sweeps.output.find("\nNothing is judged: ") != std::string::npos);
  CHECK(shell.run("faultline-cli compare -f json one.faultline two.faultline | python3 -m json.tool >json").code == 0);
  const Outcome lab = shell.run("faultline-cli compare one.json two.json");
  INFO(lab.output);
  CHECK(lab.code == 0);
  CHECK(lab.output.find("after / before\n") != std::string::npos);
  CHECK(shell.run("faultline-cli compare one.json two.faultline 2>&1")
            .output.find("one.json holds results of the lab, and two.faultline holds sweeps of processes.") !=
        std::string::npos);
}

TEST_CASE("Wrong usage, no baseline, another program's baseline and a program that fails end guard with a sentence") {
  const Shell shell;
  const auto require = [&](const std::string& arguments, int code, const std::string& sentence) {
    const Outcome ended = shell.run("faultline-cli guard --counts " + arguments + " 2>&1");
    INFO(arguments << "\n" << ended.output);
    CHECK(ended.code == code);
    CHECK(ended.output.find(sentence) != std::string::npos);
  };
  require("-- true", 2, "--baseline is required");
  require("--baseline x.json", 2, "Name a program and its arguments after --.");
  require("--baseline x.json true", 2, "Put -- before a program, as in 'faultline-cli guard -- true'.");
  require("--baseline x.json --json x.json -- true", 2, "Two outputs name x.json. Give each its own.");
  require("--baseline none.json -- true", 1, "The baseline none.json cannot be opened. Make it with --save.");
  require("--baseline /no/where.json --save -- true", 1, "/no/where.json");
  require("--baseline it.json --save -- true", 0, "it.json is the baseline of true now, by 3 runs.");
  require("--baseline it.json -- sh -c true", 1, "The baseline is of another program (true), not of sh -c true.");
  require("--baseline it.json -n true -- sh -c 'exit 3'", 1, "true ended with code 3.");
  require("--baseline it.json -n true -- no-such-program", 127, "no-such-program could not be started");
  shell.file("bad.json", "{}");
  require("--baseline bad.json -- true", 1, "The baseline bad.json is no result of 'faultline-cli stat --format json'");
}

TEST_CASE("A folder in place of a file of guard, compare or join is an error, and so is a file without an end") {
  const Shell shell;
  for (const char* const command : {"guard --baseline . -- true", "compare . .", "frames compare . .", "join . .",
                                    "guard --baseline /dev/zero -- true", "join /dev/zero ."}) {
    const Outcome outcome = shell.run(std::string("faultline-cli ") + command + " 2>&1");
    INFO(command << ": " << outcome.output);
    CHECK((outcome.code == 1 || outcome.code == 2));
    CHECK(outcome.output.starts_with("faultline-cli: "));
  }
}
