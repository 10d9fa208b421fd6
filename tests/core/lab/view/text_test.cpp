#include "core/lab/view/text.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "core/lab/checks.h"
#include "core/lab/memory_need.h"
#include "core/lab/view/cells.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

LabRow row(std::string way, std::string phase, std::uint64_t faults, Nanoseconds time) {
  LabRow made{.way = std::move(way), .phase = std::move(phase), .pages = "4 KiB", .amount = 9766, .unit = "page"};
  made.samples = {{.wall = time, .processor = time, .faults = faults, .switches = 0}};
  return made;
}

// The figures of the post.
LabReport published() {
  LabReport report{.experiment = "eager", .title = "t", .machine = "m", .ownFaults = 40, .seenFaults = 40};
  report.rows = {row("lazy", "prepare", 0, 0ns),        row("lazy", "hot", 9785, 4556us),
                 row("prefetch", "prepare", 1, 10us),   row("prefetch", "hot", 9784, 4169us),
                 row("sentinel", "prepare", 9783, 4ms), row("sentinel", "hot", 2, 189us)};
  return report;
}

const LabCheck* find(const std::vector<LabCheck>& checks, std::string_view begin) {
  const auto found =
      std::ranges::find_if(checks, [&](const LabCheck& check) { return check.claim.starts_with(begin); });
  return found == checks.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("All claims about lazy mapping hold for the published figures") {
  const auto checks = labChecks(published());
  CHECK(checks.size() == 7);
  for (const LabCheck& check : checks) {
    INFO(check.claim << ": " << check.value);
    CHECK(check.verdict == LabVerdict::Held);
  }
}

TEST_CASE("A claim is not held if its value is off, and not measured without its rows") {
  LabReport report = published();
  report.rows[5].samples[0].faults = 5000;      // sentinel, hot
  report.rows[1].samples[0].processor = 200us;  // lazy, hot
  report.seenFaults = 41;
  auto checks = labChecks(report);
  CHECK(find(checks, "hot faults, sentinel")->verdict == LabVerdict::NotHeld);
  CHECK(find(checks, "hot time, lazy / sentinel")->verdict == LabVerdict::NotHeld);
  CHECK(find(checks, "faults seen by the monitor")->verdict == LabVerdict::NotHeld);

  report.rows.resize(4);
  report.seenFaults.reset();
  report.notSeen = "No collector.";
  checks = labChecks(report);
  CHECK(find(checks, "hot time, lazy / sentinel")->verdict == LabVerdict::NotMeasured);
  CHECK(find(checks, "faults seen by the monitor")->verdict == LabVerdict::NotMeasured);
  CHECK(find(checks, "faults seen by the monitor")->value == "No collector.");
}

TEST_CASE("The pages that a monitor counts as given back are those touched and unmapped, and the program's own") {
  LabReport report = published();
  const std::string claim = "pages that the monitor counts";
  const auto verdict = [&](std::uint64_t freed) {
    report.freed = LabFreed{.touched = 4096, .faults = 4200, .freed = freed};
    return find(labChecks(report), claim)->verdict;
  };
  CHECK(verdict(4096) == LabVerdict::Held);
  CHECK(verdict(4100) == LabVerdict::Held);
  CHECK(find(labChecks(report), claim)->value == "4096 of 4096, and 4 of the program's own with 104 faults");
  CHECK(verdict(4000) == LabVerdict::NotHeld);
  CHECK(verdict(4201) == LabVerdict::NotHeld);
  const auto back = parseLabJson(labJson({&report, 1}));
  REQUIRE(back);
  CHECK(back->front() == report);
  report.freed.reset();
  report.notFreed = "no permission";
  CHECK(find(labChecks(report), claim)->verdict == LabVerdict::NotMeasured);
  CHECK(find(labChecks(report), claim)->value == "no permission");
}

TEST_CASE(
    "Times of a run whose faults were watched are held to no claim, but counts are; one repetition has no spread") {
  LabReport report = published();
  report.lanes.push_back({.run = "lazy", .took = std::chrono::milliseconds(1), .sentence = "9 faults", .faults = 9});
  for (LabRow& row : report.rows) row.samples.resize(std::min<std::size_t>(row.samples.size(), 1));
  const auto checks = labChecks(report);
  CHECK(find(checks, "hot time, lazy / sentinel")->verdict == LabVerdict::NotMeasured);
  CHECK(std::ranges::count_if(checks, [](const LabCheck& check) { return check.verdict == LabVerdict::Held; }) > 0);
  CHECK(std::ranges::all_of(checks, [](const LabCheck& check) { return check.ofCounts || !check.value.empty(); }));
  CHECK(std::ranges::count(labNotes(report), "lazy: 9 faults.") == 1);
  for (const LabRow& row : report.rows) CHECK(labCells(row)[static_cast<std::size_t>(LabColumn::WallSpread)].empty());
  const auto back = parseLabJson(labJson({&report, 1}));
  REQUIRE(back);
  CHECK(back->front() == report);
}

TEST_CASE("Repetitions with another frequency at their end are told, and kept in the result") {
  LabReport report = published();
  report.rows[0].samples[0].frequency = 1.5;
  const auto notes = labNotes(report);
  CHECK(std::ranges::any_of(notes, [](const std::string& note) {
    return note.starts_with("The processor's frequency changed by more than 5 % in 1 of ");
  }));
  const auto back = parseLabJson(labJson({&report, 1}));
  REQUIRE(back);
  CHECK(back->front() == report);
}

TEST_CASE("Rows that name their faults by arithmetic must have them") {
  LabReport report = published();
  report.rows[1].expectedFaults = 9785;
  CHECK(find(labChecks(report), "faults = pages")->verdict == LabVerdict::Held);
  report.rows[1].expectedFaults = 9786;
  CHECK(find(labChecks(report), "faults = pages")->verdict == LabVerdict::NotHeld);
  CHECK(find(labChecks(report), "faults = pages")->value == "0 of 1; lazy, hot: 9785 instead of 9786");
}

TEST_CASE("A result of the lab reads back as it was written") {
  LabReport report = published();
  report.rows[0].samples[0].switches.reset();
  report.rows[0].samples[0].processor.reset();
  report.rows[2].samples.clear();
  report.rows[2].note = "refused, \"quoted\"";
  report.remarks = {"One.", "Two."};
  const auto read = parseLabJson(labJson(std::array{report, published()}));
  REQUIRE(read);
  CHECK(*read == std::vector{report, published()});
  CHECK_FALSE(parseLabJson("{}"));
  CHECK_FALSE(parseLabJson("no JSON"));
  CHECK_FALSE(parseLabJson(R"({"lab": [{"experiment": 7}]})"));
}

TEST_CASE("Table, Markdown and CSV have a line for each row, and say what is unavailable") {
  LabReport report = published();
  report.rows[2].samples.clear();
  report.rows[2].note = "refused, \"quoted\"";
  report.rows[1].published = "4.556 ms";
  const std::string table = labTable(std::array{report});
  CHECK(table.find("prefetch, prepare is unavailable here: refused") != std::string::npos);
  CHECK(table.find("4.556 ms") != std::string::npos);
  CHECK(table.find("held") != std::string::npos);
  CHECK(labMarkdown(std::array{report}).find("| lazy | hot | 4.56 ms |") != std::string::npos);

  std::istringstream csv(labCsv(std::array{report}));
  std::size_t lines = 0;
  for (std::string line; std::getline(csv, line); ++lines) {
    bool quoted = false;
    CHECK(std::ranges::count_if(line, [&](char byte) {
            quoted ^= byte == '"';
            return byte == ',' && !quoted;
          }) == 22);
  }
  CHECK(lines == 7);
}

TEST_CASE("A report says what disturbed it") {
  LabReport report = published();
  const auto disturbance = [&] {
    const auto notes = labNotes(report);
    return std::ranges::find(notes, "Other programs took the processor in 1 of 6 repetitions of one thread.") !=
           notes.end();
  };
  CHECK_FALSE(disturbance());
  report.rows[1].samples[0].switches = 2;
  CHECK(disturbance());
  report.rows[1].alone = false;  // waits by design
  CHECK_FALSE(disturbance());
}

TEST_CASE("An experiment that lacks memory says how much it needs") {
  CHECK(enoughMemory("pool", 1U << 30U, std::nullopt));
  CHECK(enoughMemory("pool", std::uint64_t{1} << 30U, std::uint64_t{2} << 30U));
  const auto refused = enoughMemory("pool", std::uint64_t{1} << 30U, std::uint64_t{1} << 30U);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("needs 1.00 GiB of memory") != std::string::npos);
}
