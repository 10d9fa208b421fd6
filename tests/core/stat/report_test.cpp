#include "core/stat/report.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

StatReport judged(const std::vector<TrialSample>& runs) {
  StatReport report{.qualities = runQualities(unavailable("No grant")), .programs = {{.name = "parser"}}};
  RunCounting counting;
  for (const TrialSample& run : runs) {
    addRun(report.programs.front(), run);
    counting.add(run);
  }
  judgeCounting(counting, report);
  return report;
}

}  // namespace

TEST_CASE("Runs that ended before a sample have no peak commit, and others have that of their samples") {
  constexpr std::size_t kCommit = statFigure("peak_commit_bytes");
  const StatReport without = judged({{.noGroup = "no"}});
  CHECK(without.programs.front().values[kCommit].empty());
  CHECK(without.qualities[kCommit].grade == Grade::Unavailable);
  const StatReport with = judged({{.noGroup = "no"}, {.noGroup = "no", .peakCommitBytes = 4096}});
  CHECK(with.programs.front().values[kCommit] == std::vector<double>{4096});
  CHECK(with.qualities[kCommit].grade == Grade::Estimated);
}

TEST_CASE("Page faults are exact unless nobody waited for a process, and their quality says how they were counted") {
  constexpr std::size_t kFaults = statFigure("faults");
  constexpr std::size_t kAll = statFigure("group_peak_bytes");
  const StatReport none = judged({{.minorFaults = 7, .noGroup = "there are none"}});
  CHECK(none.qualities[kFaults].grade == Grade::Exact);
  CHECK(none.qualities[kFaults].how.ends_with("ignores SIGCHLD: there are none"));
  CHECK(none.qualities[kAll].how == "A control group of the run's own would tell it, and there are none");
  const StatReport same = judged({{.minorFaults = 7, .unwaitedFaults = 0, .groupPeakBytes = 8192}});
  CHECK(same.qualities[kFaults].grade == Grade::Exact);
  CHECK(same.qualities[kFaults].how.ends_with("counted no more"));
  CHECK(same.programs.front().values[kAll] == std::vector<double>{8192});
  CHECK(same.qualities[kAll].grade == Grade::Estimated);
  const StatReport more = judged({{.minorFaults = 7, .unwaitedFaults = 0}, {.minorFaults = 9, .unwaitedFaults = 2}});
  CHECK(more.qualities[kFaults].grade == Grade::Estimated);
  CHECK(more.qualities[kAll].how.ends_with("this kernel does not tell it"));
}

TEST_CASE("A job of Windows counts all page faults as one, and a number that it does not tell is unavailable") {
  const StatReport told = judged({{.processor = Nanoseconds(20'000'000),
                                   .minorFaults = 70,
                                   .peakBytes = 4096,
                                   .peakCommitBytes = 8192,
                                   .processes = 3,
                                   .byJob = true}});
  const auto values = [&](std::string_view name) {
    const auto found = std::ranges::find(kStatFields, name, &StatField::name);
    return told.programs.front().values[static_cast<std::size_t>(found - kStatFields.begin())];
  };
  CHECK(values("faults") == std::vector<double>{70});
  CHECK(values("minor_faults").empty());
  CHECK(values("major_faults").empty());
  CHECK(values("processes") == std::vector<double>{3});
  CHECK(told.qualities[statFigure("faults")].grade == Grade::Exact);
  CHECK(told.qualities[statFigure("peak_commit_bytes")].grade == Grade::Exact);
  CHECK(told.qualities[statFigure("minor_faults")].grade == Grade::Unavailable);
  const StatReport silent = judged({{.processes = 1, .byJob = true}});
  CHECK(silent.programs.front().values[statFigure("faults")].empty());
  CHECK(silent.programs.front().values[statFigure("cpu_ns")].empty());
  CHECK(silent.qualities[statFigure("faults")].grade == Grade::Unavailable);
  CHECK(silent.qualities[statFigure("processes")].grade == Grade::Exact);
}
