#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "core/history/history.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr ProcessKey kAlways{1, 1};
constexpr ProcessKey kBrief{2, 2};

// Twice a second, `from` to `to` in seconds: one process has ten faults in each sample, another lives from 100 to 200
// s.
void fill(History& history, int from, int to) {
  Moment moment;
  for (int i = 2 * from; i <= 2 * to; ++i) {
    moment.time = {i * 500ms};
    moment.wallTime = {500'000h + i * 500ms};
    moment.interval = i == 2 * from ? 0ms : 500ms;
    moment.gap = i == 2 * from ? Gap::First : Gap::None;
    moment.rows.clear();
    const auto add = [&moment](const ProcessKey& key, const char* name) {
      ProcessRow& row = moment.rows.emplace_back();
      row.key = key;
      row.name = name;
    };
    add(kAlways, "always");
    if (i > 200 && i <= 400) add(kBrief, "brief");
    moment.processTotal = {};
    if (moment.gap == Gap::None) {
      for (ProcessRow& row : moment.rows) row.deltas.set(ProcessMetric::MinorFaults, 10);
      moment.processTotal.set(ProcessMetric::MinorFaults, 10 * moment.rows.size());
    }
    for (ProcessRow& row : moment.rows) row.values.set(ProcessMetric::CommitBytes, 4096);
    history.add(moment);
  }
}

std::optional<std::uint64_t> faults(const Growth& growth) {
  return growth.deltas.get(ProcessMetric::MinorFaults);
}

}  // namespace

TEST_CASE("Counters grow over a range by the differences of its samples") {
  History history;
  fill(history, 0, 300);
  CHECK(faults(history.growth(kAlways, {10'500ms}, {20s})) == 200);
  CHECK(history.growth(kAlways, {10'500ms}, {20s}).covered == 10s);
  CHECK(faults(history.totalGrowth({0s}, {300s})) == 600 * 10 + 200 * 10);
  CHECK(faults(history.growth(kBrief, {0s}, {300s})) == 200 * 10);
  CHECK_FALSE(history.totalGrowth({0s}, {300s}).deltas.get(ProcessMetric::CommitBytes));
}

TEST_CASE("A range without samples, or in which a process was not there, has no growth, which is not zero") {
  History history;
  fill(history, 0, 300);
  CHECK_FALSE(faults(history.growth(kBrief, {250s}, {260s})));
  CHECK_FALSE(faults(history.totalGrowth({400s}, {500s})));
  CHECK(history.totalGrowth({400s}, {500s}).covered == 0s);
  CHECK_FALSE(faults(history.growth({9, 9}, {0s}, {300s})));
  CHECK_FALSE(faults(history.totalGrowth({20s}, {10s})));
  CHECK_FALSE(faults(History().totalGrowth({0s}, {10s})));
}

TEST_CASE("Sums reach over all that is kept, in whole buckets where it is old") {
  History history;
  fill(history, 0, 20'000);
  CHECK(faults(history.totalGrowth({0s}, {20'000s})) == 40'000 * 10 + 200 * 10);
  const Growth minute = history.growth(kAlways, {130s}, {140s});
  CHECK(minute.covered == 60s);
  CHECK(faults(minute) == 1200);
}

TEST_CASE("A close-up answers for the time within it, and the whole for the rest") {
  History history;
  fill(history, 0, 20'000);
  CHECK(history.total(ProcessMetric::MinorFaults, {90s}, {110s}, 100).size() < 5);
  const auto lay = [&history] {
    History close;
    fill(close, 80, 300);
    history.lay(std::make_unique<History::CloseUp>(History::CloseUp{std::move(close), {81s}, {300s}}));
  };
  lay();
  CHECK(history.hasCloseUp());
  CHECK(history.total(ProcessMetric::MinorFaults, {90s}, {110s}, 100).size() > 35);
  CHECK(history.totalAt(ProcessMetric::MinorFaults, {100s}) == 20.F);
  CHECK(history.totalAt(ProcessMetric::MinorFaults, {100'500ms}) == 40.F);
  CHECK(faults(history.growth(kBrief, {100'500ms}, {101s})) == 20);
  CHECK(history.growth(kAlways, {130s}, {140s}).covered == 10'500ms);
  CHECK(history.aliveAt({99s}) == std::vector{kAlways});
  CHECK(history.aliveAt({150s}) == std::vector{kAlways, kBrief});
  CHECK(history.oldest() == MonotonicTime{0s});
  CHECK(history.newest() == MonotonicTime{20'000s});
  CHECK(faults(history.totalGrowth({0s}, {20'000s})) == 40'000 * 10 + 200 * 10);
  CHECK(history.takeCloseUp() != nullptr);
  CHECK_FALSE(history.hasCloseUp());
  CHECK(history.total(ProcessMetric::MinorFaults, {90s}, {110s}, 100).size() < 5);
  lay();
  history.clear();
  CHECK_FALSE(history.oldest());
  CHECK_FALSE(history.totalAt(ProcessMetric::MinorFaults, {100s}));
}

TEST_CASE("A process that only a close-up saw has its name") {
  History history;
  fill(history, 250, 300);
  CHECK_FALSE(history.name(kBrief));
  History close;
  fill(close, 150, 180);
  history.lay(std::make_unique<History::CloseUp>(History::CloseUp{std::move(close), {151s}, {180s}}));
  CHECK(history.name(kBrief) == "brief");
  CHECK(history.name(kAlways) == "always");
}
