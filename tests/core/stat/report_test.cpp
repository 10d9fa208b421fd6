#include "core/stat/report.h"

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
