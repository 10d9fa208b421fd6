#include "app/cli/text/doctor_report.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "app/cli/text/width.h"
#include "tests/app/cli/staged_monitor.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

Findings staged() {
  return {.collector = {.program = "/opt/faultline-collector",
                        .why = "No copy with capabilities is installed.",
                        .enable = "sudo grant it"},
          .hello = test::stagedHello(),
          .achievedInterval = 1001ms,
          .scan = 2ms,
          .collectorCpuShare = 0.002,
          .processes = 3,
          .sweeps = 4,
          .missedDeadlines = 1,
          .droppedSnapshots = 0,
          .frames = {}};
}

FrameFindings frames(const std::string& title, const Quality& zeroed) {
  WatchedGame game;
  for (const FrameQuality& row : kFrameQualities) game.*row.quality = exact("counted");
  game.zeroed = zeroed;
  return {.title = title, .game = game, .why = {}};
}

}  // namespace

TEST_CASE("Doctor's report, to the letter") {
  const std::string report = reportText(staged(), Paint(false), 80);
  CHECK(report.substr(0, report.find("\nOf the machine")) ==
        "Machine     Testux 1.0\n"
        "            4 × Abacus, 8.00 GiB, pages of 4.00 KiB\n"
        "Collector   /opt/faultline-collector, version 0.1.0, clock CLOCK_TEST\n"
        "            No copy with capabilities is installed.\n"
        "            To measure more: sudo grant it\n"
        "Interval    1.00 s asked for, 1.00 s achieved over 4 sweeps; 1 late, 0 dropped\n"
        "Own cost    0.2 % of one core; a sweep of 3 processes takes 2.00 ms\n"
        "\n"
        "Of each process\n"
        "  ✓ Minor faults            exact        counted\n"
        "  ✓ Major faults            exact        counted\n"
        "  ≈ Commit                  estimated    data and stack\n"
        "  ✓ Resident                exact        counted\n"
        "  ✓ Touched private         exact        counted\n"
        "  ✓ Threads                 exact        counted\n"
        "  – Zeroed                  unavailable  needs a privilege\n"
        "    To enable: Give the collector its capabilities.\n"
        "  ✓ Zeroed, large           exact        counted\n"
        "  ✓ Zeroing time            exact        counted\n"
        "  ✓ Zeroing, sampled        exact        counted\n"
        "  – Fault time              unavailable  needs a privilege\n"
        "    To enable: Give the collector its capabilities.\n"
        "  ✓ Major fault time        exact        counted\n"
        "  ✓ Timed faults            exact        counted\n"
        "  ✓ Timed major faults      exact        counted\n"
        "  ✓ Parent                  exact        counted\n"
        "  ✓ Children's minor faults exact        counted\n"
        "  ✓ Children's major faults exact        counted\n"
        "  ✓ Swapped out             exact        counted\n"
        "  ✓ Fault time, running     exact        counted\n"
        "  ✓ Fault time, waiting     exact        counted\n"
        "  ✓ Fault time, blocked     exact        counted\n"
        "  ✓ Fault time, disk        exact        counted\n"
        "  ✓ Fault time, reclaim     exact        counted\n"
        "  ✓ Fault time, compaction  exact        counted\n"
        "  ✓ Freed                   exact        counted\n"
        "  ✓ Giving back             exact        counted\n"
        "  ✓ Freed, discarded        exact        counted\n"
        "  ✓ Reclaimed               exact        counted\n"
        "  ✓ Mappings                exact        counted\n"
        "  ✓ Zeroing time, large     exact        counted\n");
}

TEST_CASE("Doctor's report has the settings of memory, and a warning where one makes memory dearer") {
  Findings findings = staged();
  findings.costWarning = "Memory is dear.";
  CHECK(reportText(findings, Paint(false), 80).find("\nMemory      Memory is dear.\nInterval") != std::string::npos);
  findings.costSettings = "large pages never";
  CHECK(reportText(findings, Paint(false), 80)
            .find("\nMemory      large pages never\n            Memory is dear.\nInterval") != std::string::npos);
  CHECK(reportJson(findings).find("\"memory_settings\": \"large pages never\"") != std::string::npos);
  CHECK(reportJson(findings).find("\"memory_warning\": \"Memory is dear.\"") != std::string::npos);
}

TEST_CASE("Doctor's report says which numbers frames have, and why not, for each way in which they end") {
  Findings findings = staged();
  const Quality no = unavailable("needs a privilege", "Grant it.");
  findings.frames = {frames("By marks", no), frames("By calls", no), frames("By both", exact("counted"))};
  findings.frames.push_back({.title = "By chance", .game = {}, .why = "No game."});
  const std::string report = reportText(findings, Paint(false), 80);
  CHECK(report.substr(report.find("\nOf frames")) ==
        "\nOf frames. By marks\n"
        "  ✓ Faults                  exact        counted\n"
        "  – Zeroed                  unavailable  needs a privilege\n"
        "    To enable: Grant it.\n"
        "  ✓ Fault time              exact        counted\n"
        "  ✓ Its parts               exact        counted\n"
        "  ✓ Reclaim, compaction     exact        counted\n"
        "  ✓ Giving memory back      exact        counted\n"
        "  ✓ Freed                   exact        counted\n"
        "  ✓ Awaited threads         exact        counted\n"
        "  ✓ Single faults           exact        counted\n"
        "\nOf frames. By calls\n"
        "  The same numbers\n"
        "\nOf frames. By both\n"
        "  ✓ Faults                  exact        counted\n"
        "  ✓ Zeroed                  exact        counted\n"
        "  ✓ Fault time              exact        counted\n"
        "  ✓ Its parts               exact        counted\n"
        "  ✓ Reclaim, compaction     exact        counted\n"
        "  ✓ Giving memory back      exact        counted\n"
        "  ✓ Freed                   exact        counted\n"
        "  ✓ Awaited threads         exact        counted\n"
        "  ✓ Single faults           exact        counted\n"
        "\nOf frames. By chance\n"
        "  – All numbers             unavailable  No game.\n"
        "\nThe whole text of a number: faultline-cli doctor zeroed\n");
}

TEST_CASE("A command to type is on one line of 80 columns, whole") {
  Findings findings = staged();
  const std::string command = "sudo sysctl kernel.perf_event_paranoid=2";
  for (const std::string before : {"", "Do: ", "A line that is full before the command comes, so that it moves: "}) {
    findings.hello.quality(ProcessMetric::ZeroedBytes) = {
        Grade::Unavailable, "refused", before + command + " (until the next start; every user may then do more).", 64};
    std::istringstream report(reportText(findings, Paint(false), 80));
    bool whole = false;
    for (std::string line; std::getline(report, line);) {
      CHECK(textWidth(line) <= 80);
      whole = whole || line.find(command) != std::string::npos;
    }
    CHECK(whole);
  }
}

TEST_CASE("Several numbers unavailable for one reason are told once") {
  Findings findings = staged();
  Hello& hello = findings.hello;
  hello.quality(ProcessMetric::ZeroedLargeBytes) = hello.quality(ProcessMetric::ZeroedBytes);
  CHECK(reportText(findings, Paint(false), 80)
            .find("    To enable: Give the collector its capabilities.\n"
                  "  – Zeroed, large           unavailable  for the same reason\n"
                  "  ✓ Zeroing time            exact        counted\n") != std::string::npos);
}

TEST_CASE("A number that this system has not got is not told, and no reason refers to it") {
  Findings findings = staged();
  Hello& hello = findings.hello;
  const Quality denied{Grade::Unavailable, "needs a privilege", "", 64};
  hello.quality(SystemMetric::LostExits) = denied;
  hello.quality(SystemMetric::ProcessesLeftOut) = denied;
  markMissing(Systems::Linux, hello);
  hello.quality(SystemMetric::FreeListBytes) = denied;
  const std::string report = reportText(findings, Paint(false), 80);
  CHECK(report.find("Demand-zero") == std::string::npos);
  CHECK(report.find("no such number") == std::string::npos);
  CHECK(report.find("  – Lost exits              unavailable  needs a privilege\n"
                    "  – Left out                unavailable  for the same reason\n"
                    "  – Free list               unavailable  for the same reason\n") != std::string::npos);
  CHECK(reportJson(findings).find("demand_zero_faults") != std::string::npos);
}

TEST_CASE("Doctor's JSON holds the same findings, null where there is none") {
  Findings findings = staged();
  findings.collectorCpuShare.reset();
  const std::string report = reportJson(findings);
  CHECK(report.find("\"collector_cpu_share\": null") != std::string::npos);
  CHECK(report.find("\"achieved_interval_ns\": 1001000000") != std::string::npos);
  CHECK(report.find("\"collector\": \"/opt/faultline-collector\"") != std::string::npos);
  CHECK(report.find("\"collector_enable\": \"sudo grant it\"") != std::string::npos);
  CHECK(report.find("\"missed_deadlines\": 1") != std::string::npos);
  CHECK(report.find("\"enable\": \"Give the collector its capabilities.\"") != std::string::npos);
}

TEST_CASE("A long reason has two lines among all numbers, and is whole where one number is asked for") {
  Findings findings = staged();
  findings.frames = {frames("By marks", exact("counted"))};
  const std::string because = "because of this and that and a third thing, too";
  for (std::string* how :
       {&findings.hello.quality(ProcessMetric::ZeroedBytes).how, &findings.frames[0].game->faults.how})
    for (int i = 0; i < 9; ++i) *how += (i == 0 ? "" : "; ") + because;
  const std::string all = reportText(findings, Paint(false), 110);
  const std::string::size_type zeroed = all.find("Zeroed ");
  CHECK(all.find(" ...\n", zeroed) < all.find("\n", all.find("\n", zeroed) + 1) + 1);
  const std::string one = numberText(findings, "zeroed", Paint(false), 110);
  CHECK(one.find(" ...\n") == std::string::npos);
  CHECK(std::ranges::count(one, ';') >= 8);
  CHECK(numberText(findings, "faults", Paint(false), 110).find("Of frames. By marks\n") != std::string::npos);
}

TEST_CASE("Doctor's summary has about ten lines, with the one to type") {
  Findings findings = staged();
  findings.frames = {frames("By marks", exact("counted")), {.title = "By calls", .game = {}, .why = "No."}};
  const std::string summary = summaryText(findings, 80);
  INFO(summary);
  CHECK(std::ranges::count(summary, '\n') <= 12);
  CHECK(summary.find("\nMissing     ") != std::string::npos);
  CHECK(summary.find(" Zeroed; Fault time: needs a privilege\n") != std::string::npos);
  CHECK(summary.find("\nType        sudo grant it\n") != std::string::npos);
  CHECK(summary.find("\nFrames      By marks\n            not: By calls\n") != std::string::npos);
  CHECK(summary.find("\nOwn cost    0.2 % of one core") != std::string::npos);
  findings.hello.quality(ProcessMetric::ChildMinorFaults) = unavailable(std::string(kNotNeeded));
  CHECK(summaryText(findings, 80).find("Not needed") == std::string::npos);
  std::string& why = findings.hello.quality(ProcessMetric::ZeroedBytes).how;
  while (why.size() < 300) why += " because";
  CHECK(std::ranges::count(summaryText(findings, 80), '\n') <= 13);
}

TEST_CASE("Doctor tells of one number by any part of its title or column") {
  const std::string zeroed = numberText(staged(), "zeroed_b", Paint(false), 80);
  CHECK(zeroed.starts_with("Of each process\n  – Zeroed                  unavailable  needs a privilege\n"));
  CHECK(numberText(staged(), "ZEROED", Paint(false), 80).find("Zeroed, large") != std::string::npos);
  CHECK(numberText(staged(), "no such", Paint(false), 80).empty());
}
