#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "core/history/history.h"
#include "tests/support/heap_bytes.h"

using namespace faultline;
using faultline::test::heapBytes;
using namespace std::chrono_literals;

namespace {

// Processes, some of which work in every interval, and compilers that live for a second.
class Workload {
 public:
  Workload(std::uint32_t processes, std::uint32_t active, Nanoseconds interval, int compilersPerHour = 0)
      : m_processes(processes), m_active(active) {
    m_moment.interval = interval;
    m_moment.gap = Gap::None;
    m_momentsPerCompiler = compilersPerHour > 0 ? static_cast<int>(1h / interval / compilersPerHour) : 0;
  }
  Moment& next() {
    m_moment.time = m_moment.time + m_moment.interval;
    m_moment.rows.clear();
    for (std::uint32_t pid = 1; pid <= m_processes; ++pid) addRow(pid, pid <= m_active);
    ++m_count;
    if (m_momentsPerCompiler > 0 && m_count % m_momentsPerCompiler < 2) {
      addRow(1000 + static_cast<std::uint32_t>(m_count / m_momentsPerCompiler), true);
    }
    return m_moment;
  }
  void noMoreCompilers() { m_momentsPerCompiler = 0; }
  void runFor(Nanoseconds span, History& history) {
    for (const MonotonicTime end = m_moment.time + span; m_moment.time < end;) history.add(next());
  }
  [[nodiscard]] MonotonicTime time() const { return m_moment.time; }

 private:
  void addRow(std::uint32_t pid, bool active) {
    ProcessRow& row = m_moment.rows.emplace_back();
    row.key = {pid, 0};
    row.name = "a process";
    row.deltas.set(ProcessMetric::MinorFaults, active ? m_random() % 100'000 : 0);
    row.deltas.set(ProcessMetric::MajorFaults, active ? m_random() % 100 : 0);
    row.values.set(ProcessMetric::CommitBytes, active ? m_random() % 100'000 * 4096 : 4096);
    row.values.set(ProcessMetric::ResidentBytes, active ? m_random() % 100'000 * 4096 : 4096);
  }

  std::uint32_t m_processes;
  std::uint32_t m_active;
  int m_momentsPerCompiler = 0;
  int m_count = 0;
  Moment m_moment;
  std::minstd_rand m_random;
};

float highest(const std::vector<Bucket>& buckets) {
  return buckets.empty() ? 0 : std::ranges::max_element(buckets, {}, &Bucket::max)->max;
}

}  // namespace

TEST_CASE("History reports the memory that it takes") {
  const std::size_t before = heapBytes();
  if (before == 0) SKIP("this build's allocator does not report its memory");
  Workload workload(100, 30, 500ms, 1800);
  History history;
  workload.runFor(2h, history);
  const auto real = static_cast<double>(heapBytes() - before);
  const auto told = static_cast<double>(history.memoryBytes());
  CAPTURE(real, told);
  CHECK(told > real * 0.9);
  CHECK(told < real * 1.15);
}

TEST_CASE("Names of processes that come and go leave no memory behind") {
  History history({.budgetBytes = 1'000'000});
  Moment moment;
  moment.interval = 500ms;
  moment.gap = Gap::None;
  std::size_t early = 0;
  for (std::uint32_t i = 1; i <= 40'000; ++i) {
    moment.time = moment.time + moment.interval;
    moment.rows.assign(1, {{i, 0}, "kworker/u8:2-events_unbound", {}, {}, false, false});
    history.add(moment);
    if (i == 2000) early = history.memoryBytes();
  }
  CHECK(history.memoryBytes() < early + 100'000);
  CHECK(history.aliveBetween({}, moment.time).size() == 1 + 1'000'000 / 8 / 1024);
}

TEST_CASE("A spike of one sample at the beginning of a busy day is still visible at its end, at any zoom") {
  // 20 processes in a fifteenth of the default budget stand for 300 in the whole.
  Workload workload(20, 20, 500ms, 200);
  History history({.budgetBytes = HistoryOptions{}.budgetBytes / 15});
  workload.runFor(30s, history);
  Moment& moment = workload.next();
  moment.rows.at(3).deltas.set(ProcessMetric::MinorFaults, 123'456'789);
  moment.processTotal.set(ProcessMetric::MinorFaults, 123'456'789);
  const MonotonicTime when = moment.time;
  const auto peak = static_cast<float>(*moment.perSecond(123'456'789));
  history.add(moment);
  moment.processTotal = {};
  workload.runFor(24h, history);

  CHECK(history.memoryBytes() <= HistoryOptions{}.budgetBytes / 15);
  CHECK(*history.oldest() < when);
  for (const std::size_t columns : {1UL, 10UL, 1000UL, 100'000UL}) {
    CHECK(highest(history.process({4, 0}, ProcessMetric::MinorFaults, when - 15min, workload.time(), columns)) == peak);
    CHECK(highest(history.total(ProcessMetric::MinorFaults, when - 15min, workload.time(), columns)) == peak);
  }
  const auto minute = history.process({4, 0}, ProcessMetric::MinorFaults, when, when, 100);
  REQUIRE(minute.size() == 1);
  CHECK(minute.front().max == peak);
  CHECK(minute.front().end - minute.front().start < 1min);
}

TEST_CASE("The last ten minutes are kept sample by sample") {
  Workload workload(3, 3, 500ms);
  History history;
  workload.runFor(3h, history);
  const MonotonicTime now = workload.time();
  const auto buckets = history.process({1, 0}, ProcessMetric::MinorFaults, now - 10min, now, 10'000);
  CHECK(buckets.size() == 1201);
  CHECK(std::ranges::all_of(buckets, [](const Bucket& bucket) { return bucket.start == bucket.end; }));
}

TEST_CASE("A process that lived for a second leaves less than a kilobyte behind") {
  Workload workload(0, 0, 500ms, 3600);
  History history;
  workload.runFor(20min, history);
  const std::size_t early = history.memoryBytes();
  workload.runFor(1h, history);
  CHECK(history.memoryBytes() - early < std::size_t{3600} * 1024);
  CHECK(history.name({1001, 0}));
  workload.noMoreCompilers();
  workload.runFor(2h, history);  // drops tiers finer than a minute
  CAPTURE(history.memoryBytes());
  CHECK(history.memoryBytes() < std::size_t{4800} * 808);
  CHECK(history.process({1001, 0}, ProcessMetric::MinorFaults, {}, workload.time(), 100).size() == 1);
}

TEST_CASE("The budget is kept if it is enough for a few seconds of full resolution") {
  constexpr std::size_t kBudget = 1'200'000;
  Workload workload(20, 20, 10ms);
  History history({.budgetBytes = kBudget});
  std::size_t most = 0;
  for (int i = 0; i < 6000; ++i) {
    history.add(workload.next());
    most = std::max(most, history.memoryBytes());
  }
  CHECK(most <= kBudget);
  CHECK(history.oldest() == MonotonicTime{10ms});
  const MonotonicTime now = workload.time();
  CHECK(history.process({1, 0}, ProcessMetric::MinorFaults, now - 4s, now, 1000).size() == 401);
}

TEST_CASE("Millions of moments within seconds do not take all memory", "[slow]") {
  History history({.budgetBytes = std::size_t{1} << 30U});
  Moment moment;
  moment.interval = 1us;
  moment.gap = Gap::None;
  moment.time = {1h};
  for (int i = 0; i < 2'200'000; ++i) {
    moment.time = moment.time + 1us;
    history.add(moment);
  }
  CHECK(history.memoryBytes() < std::size_t{80} << 20U);
  CHECK(history.newest() == moment.time);
}

TEST_CASE("Dead processes are dropped before living processes lose anything") {
  Workload workload(5, 5, 500ms, 3600);
  History history({.budgetBytes = 1'000'000});
  workload.runFor(4h, history);
  CHECK(history.memoryBytes() <= 1'000'000);
  CHECK(history.oldest() == MonotonicTime{500ms});
  CHECK_FALSE(history.name({1001, 0}));
  CHECK(history.name({1000 + 4 * 3600 - 10, 0}));
  CHECK(history.aliveAt(workload.time()).size() <= 6);
}

TEST_CASE("A year of uptime stays within the budget, and the oldest buckets are dropped first", "[slow]") {
  Workload workload(4, 4, 60s);
  History history({.budgetBytes = 400'000});
  std::size_t most = 0;
  for (int day = 0; day < 365; ++day) {
    workload.runFor(24h, history);
    most = std::max(most, history.memoryBytes());
  }
  CHECK(most <= 400'000);
  const MonotonicTime now = workload.time();
  CHECK(now - *history.oldest() > 3 * 24h);
  CHECK(now - *history.oldest() < 365 * 24h);
  CHECK(history.process({1, 0}, ProcessMetric::MinorFaults, now - 10min, now, 1000).size() == 11);
  CHECK(history.process({1, 0}, ProcessMetric::MinorFaults, *history.oldest(), now, 500).size() > 200);
}

TEST_CASE("Idle processes take almost no memory, also at a hundred samples per second") {
  Workload workload(100, 0, 10ms);
  History history;
  workload.runFor(11min, history);
  CHECK(history.memoryBytes() < 6'000'000);
}
