// TaskTable with synthetic sweeps and ends.
#include "platform/sampling/linux/bpf/tables/task_table.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string_view>

#include "core/model/unnamed_ended.h"
#include "tests/support/mapped_pages.h"

using namespace faultline;
using test::kPage;

namespace {

constexpr std::uint64_t kTick = 10'000'000;

ThreadRecord thread(unsigned tid, unsigned pid, unsigned long long faults, unsigned long long dead = 0) {
  return {
      .tid = tid, .pid = pid, .minorFaults = faults, .majorFaults = 0, .deadMinorFaults = dead, .deadMajorFaults = 0};
}
ProcessRecord process(const ThreadRecord& leader, unsigned long long start = kTick, std::string_view name = "one") {
  ProcessRecord record{};
  record.thread = leader;
  record.startTime = start;
  name.copy(record.name, sizeof record.name);
  return record;
}

EndedSum sumOf(unsigned parent, unsigned lastPid, unsigned long long faults, unsigned long long count = 1,
               unsigned long long lastTick = 9) {
  return {.parent = parent,
          .lastPid = lastPid,
          .lastEnd = kTick * lastTick,
          .count = count,
          .minorFaults = faults,
          .majorFaults = 0,
          .totals = {}};
}

struct VisitedTable {
  TaskTable table{kPage};
  std::vector<std::byte> records;
  Snapshot snapshot;
  TaskCounts counts{.zeroing = true, .faultTime = true};

  template <class Record>
  VisitedTable& visit(const Record& record) {
    records.resize(records.size() + sizeof record);
    std::memcpy(records.data() + records.size() - sizeof record, &record, sizeof record);
    return *this;
  }
  void sweep() {
    table.visited(records);
    table.sample(counts, snapshot);
    records.clear();
  }
  [[nodiscard]] std::uint64_t faults(std::size_t index = 0) const {
    return snapshot.processes.at(index).values.get(ProcessMetric::MinorFaults).value_or(0);
  }
};

}  // namespace

TEST_CASE("A process has the faults of all its threads, including ended threads once") {
  VisitedTable machine;
  SECTION("Threads have higher ids than the first") {
    machine.visit(process(thread(10, 10, 5, 100))).visit(thread(11, 10, 7, 100)).visit(thread(12, 10, 9, 100));
    machine.sweep();
    CHECK(machine.faults() == 121);
  }
  SECTION("A thread with a lower id dies between its own visit and the first thread's") {
    machine.visit(thread(4, 10, 50, 100)).visit(process(thread(10, 10, 5, 150)));
    machine.sweep();
    CHECK(machine.faults() == 155);
  }
  SECTION("Other processes are in between") {
    machine.visit(thread(4, 20, 1)).visit(process(thread(10, 10, 5))).visit(process(thread(20, 20, 2)));
    machine.visit(thread(21, 10, 3)).visit(thread(22, 20, 4)).visit(thread(23, 30, 99));
    machine.sweep();
    REQUIRE(machine.snapshot.processes.size() == 2);
    CHECK(machine.faults(0) == 8);
    CHECK(machine.faults(1) == 7);
  }
}

TEST_CASE("The faults of a thread that dies before its visit are kept") {
  VisitedTable machine;
  machine.visit(process(thread(10, 10, 5))).visit(thread(11, 10, 70)).sweep();
  CHECK(machine.faults() == 75);
  machine.visit(process(thread(10, 10, 6))).sweep();
  CHECK(machine.faults() == 75);
  machine.visit(process(thread(10, 10, 6, 72))).sweep();
  CHECK(machine.faults() == 78);
}

TEST_CASE(
    "Keys are those of /proc: the start is rounded down to a tick, and a pid reused within a tick is 1 ns later") {
  VisitedTable machine;
  machine.visit(process(thread(10, 10, 5), 3 * kTick + 17)).sweep();
  CHECK(machine.snapshot.processes.at(0).key == ProcessKey{10, 3 * kTick});

  machine.table.ended(process(thread(10, 10, 6), 3 * kTick + 17));
  machine.table.ended(process(thread(10, 10, 1), 3 * kTick + 18));
  machine.visit(process(thread(10, 10, 2), 3 * kTick + 19)).sweep();
  REQUIRE(machine.snapshot.exited.size() == 2);
  CHECK(machine.snapshot.exited[0].key == ProcessKey{10, 3 * kTick});
  CHECK(machine.snapshot.exited[1].key == ProcessKey{10, 3 * kTick + 1});
  REQUIRE(machine.snapshot.processes.size() == 1);
  CHECK(machine.snapshot.processes[0].key == ProcessKey{10, 3 * kTick + 2});

  machine.visit(process(thread(10, 10, 2), 3 * kTick + 19)).sweep();
  CHECK(machine.snapshot.exited.empty());
  CHECK(machine.snapshot.processes.at(0).key == ProcessKey{10, 3 * kTick + 2});
}

TEST_CASE("An ended process is reported once, with its final totals, and not among living processes") {
  VisitedTable machine;
  ProcessRecord last = process(thread(10, 10, 30, 12));
  last.totals.zeroedPages = 3;
  machine.table.ended(process(thread(10, 10, 20, 12)));
  machine.table.ended(last);
  machine.visit(process(thread(10, 10, 19))).sweep();
  CHECK(machine.snapshot.processes.empty());
  REQUIRE(machine.snapshot.exited.size() == 1);
  const ProcessValues& values = machine.snapshot.exited[0].values;
  CHECK(values.get(ProcessMetric::MinorFaults) == 42U);
  CHECK(values.get(ProcessMetric::ZeroedBytes) == 3 * kPage);
  CHECK_FALSE(values.has(ProcessMetric::ResidentBytes));

  machine.table.ended(last);
  machine.sweep();
  CHECK(machine.snapshot.exited.empty());
}

TEST_CASE("A process that gives its memory back after its end lives until it has done so") {
  VisitedTable machine;
  machine.counts.freeing = machine.counts.teardown = true;
  const ProcessRecord alive = process(thread(10, 10, 30));
  machine.visit(alive).sweep();
  CHECK(machine.snapshot.processes.at(0).values.has(ProcessMetric::ResidentBytes));

  ProcessRecord first = process(thread(10, 10, 0, 42));
  first.leaving = 1;
  ProcessRecord last = first;
  last.leaving = 0;
  last.totals.unmappedPages = 1000;
  last.totals.teardownTime = 70'000;
  const auto checkEnd = [&](std::uint64_t pages) {
    CHECK(machine.snapshot.processes.empty());
    REQUIRE(machine.snapshot.exited.size() == 1);
    const ProcessValues& values = machine.snapshot.exited[0].values;
    CHECK(values.get(ProcessMetric::MinorFaults) == 42U);
    CHECK(values.get(ProcessMetric::FreedBytes) == pages * kPage);
    machine.sweep();
    CHECK(machine.snapshot.processes.empty());
    CHECK(machine.snapshot.exited.empty());
  };

  SECTION("Both reports come before one sweep, in either order of reading") {
    machine.table.ended(last);
    machine.table.ended(first);
    machine.sweep();
    CHECK(machine.snapshot.exited.at(0).values.get(ProcessMetric::TeardownTime) == 70'000U);
    checkEnd(1000);
  }
  SECTION("The sweep visits it in between, with a part of its memory given back, and without numbers of memory") {
    machine.table.ended(first);
    for (const unsigned pages : {300U, 600U}) {
      ProcessRecord visited = process(thread(10, 10, 0, 42));
      visited.leaving = 1;
      visited.totals.unmappedPages = pages;
      machine.visit(visited).sweep();
      CHECK(machine.snapshot.exited.empty());
      REQUIRE(machine.snapshot.processes.size() == 1);
      CHECK(machine.snapshot.processes[0].values.get(ProcessMetric::FreedBytes) == pages * kPage);
      CHECK_FALSE(machine.snapshot.processes[0].values.has(ProcessMetric::ResidentBytes));
    }
    machine.table.ended(last);
    machine.sweep();
    checkEnd(1000);
  }
  SECTION("The sweep misses it, and the last report comes later") {
    machine.table.ended(first);
    machine.sweep();
    CHECK(machine.snapshot.processes.size() == 1);
    machine.table.ended(last);
    machine.sweep();
    checkEnd(1000);
  }
  SECTION("The last report never comes: the process ends when the sweep has missed it twice") {
    machine.table.ended(first);
    machine.sweep();
    CHECK(machine.snapshot.processes.size() == 1);
    machine.sweep();
    checkEnd(0);
  }
}

TEST_CASE("Values that are not measured are absent, and memory below zero counts as zero") {
  VisitedTable machine;
  machine.counts = {};
  ProcessRecord record = process(thread(10, 10, 1));
  record.anonPages = -3;
  record.filePages = 5;
  machine.visit(record).sweep();
  const ProcessValues& values = machine.snapshot.processes.at(0).values;
  CHECK_FALSE(values.has(ProcessMetric::ZeroedBytes));
  CHECK_FALSE(values.has(ProcessMetric::FaultTime));
  CHECK(values.get(ProcessMetric::ResidentBytes) == 5 * kPage);
  CHECK(values.get(ProcessMetric::TouchedPrivateBytes) == 0U);
}

TEST_CASE("Living processes have pages in swap, and a count below zero counts as zero") {
  VisitedTable machine;
  ProcessRecord record = process(thread(10, 10, 1));
  record.swapPages = 7;
  machine.visit(record).sweep();
  CHECK(machine.snapshot.processes.at(0).values.get(ProcessMetric::SwappedBytes) == 7 * kPage);
  record.swapPages = -3;
  machine.visit(record).sweep();
  CHECK(machine.snapshot.processes.at(0).values.get(ProcessMetric::SwappedBytes) == 0U);
}

TEST_CASE("A name of sixteen bytes has no terminator, and half a record is ignored") {
  VisitedTable machine;
  machine.visit(process(thread(10, 10, 1), kTick, "sixteen-bytes-xx")).visit(process(thread(11, 11, 1)));
  machine.records.resize(machine.records.size() - 8);
  machine.sweep();
  REQUIRE(machine.snapshot.processes.size() == 1);
  CHECK(machine.snapshot.processes[0].name == "sixteen-bytes-xx");
}

namespace {

struct Ends {
  std::uint64_t named = 0;
  std::uint64_t faults = 0;
};

Ends endsIn(const Snapshot& snapshot) {
  Ends ends;
  for (const ProcessSample& process : snapshot.exited) {
    if (process.name != kUnnamedEnded) ++ends.named;
    ends.faults += process.values.get(ProcessMetric::MinorFaults).value_or(0);
  }
  return ends;
}

}  // namespace

TEST_CASE("Ends that are reported twice keep as many names as others") {
  VisitedTable machine;
  for (unsigned pid = 1000; pid < 9000; ++pid) {
    ProcessRecord record = process(thread(pid, pid, 3), kTick * 5);
    record.leaving = 1;
    machine.table.ended(record);
    record.leaving = 0;
    machine.table.ended(record);
  }
  machine.sweep();
  CHECK(endsIn(machine.snapshot).named == 8000);
}

TEST_CASE("In a storm of ends a process that will be reported again is counted once") {
  VisitedTable machine;
  std::uint64_t faults = 0;
  for (unsigned pid = 1000; pid < 21'000; ++pid) {
    ProcessRecord record = process(thread(pid, pid, 3), kTick * 5);
    record.leaving = pid % 1000 == 0;
    machine.table.ended(record);
    faults += 3;
  }
  for (unsigned pid = 1000; pid < 21'000; pid += 1000) machine.table.ended(process(thread(pid, pid, 3), kTick * 5));
  machine.sweep();
  std::uint64_t told = 0;
  for (const ProcessSample& process : machine.snapshot.exited)
    told += process.values.get(ProcessMetric::MinorFaults).value_or(0);
  CHECK(told == faults);
  CHECK(machine.snapshot.processes.empty());
}

TEST_CASE("In a storm of ends some thousand processes keep their names, and the sums include all") {
  VisitedTable machine;
  machine.visit(process(thread(10, 10, 500))).sweep();
  machine.table.ended(process(thread(10, 10, 507)));
  std::uint64_t faults = 507;
  for (unsigned pid = 1000; pid < 101'000; ++pid) {
    ProcessRecord record = process(thread(pid, pid, pid % 7 + 1, 2), kTick * 5);
    record.parent = pid % 2000;
    machine.table.ended(record);
    faults += pid % 7 + 3;
  }
  machine.sweep();
  const Ends ends = endsIn(machine.snapshot);
  CHECK(ends.faults == faults);
  CHECK(ends.named >= 4096);
  CHECK(machine.snapshot.exited.size() < 10'000);
  CHECK(machine.table.unnamedEnds() == 100'001 - ends.named);
  CHECK(machine.snapshot.exited.front().key.pid == 10);  // a process that the reader knows keeps its own row
  machine.sweep();
  CHECK(machine.snapshot.exited.empty());
}

TEST_CASE("Reported counts of a living process are subtracted from its own parent's sum, and from no other sum") {
  VisitedTable machine;
  std::array<EndedSum, kEndedSums> sums{};
  machine.table.endedUnnamed(sums);
  ProcessRecord told = process(thread(11, 11, 40));
  told.parent = 4;
  machine.visit(told).sweep();
  sums[2] = sumOf(5, 12, 100);
  sums[7] = sumOf(4, 11, 44);
  machine.table.endedUnnamed(sums);
  machine.sweep();
  REQUIRE(machine.snapshot.exited.size() == 2);
  for (const ProcessSample& sum : machine.snapshot.exited)
    CHECK(sum.values.get(ProcessMetric::MinorFaults) ==
          (sum.values.get(ProcessMetric::ParentPid) == 5U ? std::uint64_t{100} : std::uint64_t{4}));
}

TEST_CASE("A debt waits until its parent's sum grows, and is not subtracted from another parent's sum") {
  VisitedTable machine;
  std::array<EndedSum, kEndedSums> sums{};
  machine.table.endedUnnamed(sums);
  ProcessRecord told = process(thread(11, 11, 40));
  told.parent = 4;
  machine.visit(told).sweep();
  sums[2] = sumOf(5, 12, 100);
  machine.table.endedUnnamed(sums);  // 11 ends after this, before the sweep
  machine.sweep();
  CHECK(endsIn(machine.snapshot).faults == 100);
  sums[7] = sumOf(4, 11, 44);
  machine.table.endedUnnamed(sums);
  machine.sweep();
  CHECK(endsIn(machine.snapshot).faults == 4);
}

TEST_CASE("Counts in the sums of the kernel count once, also those told while the process lived") {
  VisitedTable machine;
  std::array<EndedSum, kEndedSums> sums{};
  machine.table.endedUnnamed(sums);
  ProcessRecord first = process(thread(10, 10, 500));
  ProcessRecord second = process(thread(11, 11, 40));
  first.parent = second.parent = 3;
  machine.visit(first).visit(second).sweep();
  // 10 ends with 520 and two others with 30 together; 11 ends with 44 after the sums have been read.
  sums[7] = sumOf(3, 12, 550, 3);
  machine.table.endedUnnamed(sums);
  machine.sweep();
  REQUIRE(machine.snapshot.exited.size() == 1);
  const ProcessSample sum = machine.snapshot.exited[0];
  CHECK(sum.key == ProcessKey{12, kTick * 9});
  CHECK(sum.values.get(ProcessMetric::ParentPid) == 3U);
  sums[7] = sumOf(3, 11, 594, 4, 10);
  machine.table.endedUnnamed(sums);
  machine.sweep();
  CHECK(sum.values.get(ProcessMetric::MinorFaults).value_or(0) + endsIn(machine.snapshot).faults == 20 + 30 + 4);
  CHECK(machine.table.unnamedEnds() == 4);
}
