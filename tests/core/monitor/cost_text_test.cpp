#include "core/monitor/cost_text.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

TEST_CASE("the cost in faults is told by its parts where they are measured") {
  FamilyCost cost;
  cost.family.set(ProcessMetric::MinorFaults, 65);
  cost.family.set(ProcessMetric::FaultTime, 2'170'000'000);
  cost.family.set(ProcessMetric::FaultTimeOnProcessor, 80'000'000);
  cost.family.set(ProcessMetric::FaultTimeWaiting, 2'050'000'000);
  CHECK(costText("cat", cost, {}) == "cat: 2.17 s in 65 page faults");
  cost.family.set(ProcessMetric::FaultTimeBlocked, 40'000'000);
  CHECK(costText("cat", cost, {}) ==
        "cat: 2.17 s in 65 page faults: 80.0 ms on a processor, 2.05 s waiting for a processor, 40.0 ms blocked");
  cost.family.set(ProcessMetric::FaultTimeOnDisk, 38'000'000);
  cost.family.set(ProcessMetric::FaultTimeInReclaim, 0);
  cost.family.set(ProcessMetric::FaultTimeInCompaction, 7'000'000);
  CHECK(costText("cat", cost, {}) ==
        "cat: 2.17 s in 65 page faults: 80.0 ms on a processor, 2.05 s waiting for a processor, 40.0 ms blocked "
        "(38.0 ms of it by the disk), including 7.00 ms of compaction");
  cost.family.set(ProcessMetric::FaultTimeInReclaim, 5'000'000);
  CHECK(costText("cat", cost, {}).ends_with("including 5.00 ms of reclaim and 7.00 ms of compaction"));
  FamilyCost calm;
  calm.family.set(ProcessMetric::MinorFaults, 65);
  for (const ProcessMetric part : kFaultParts) calm.family.set(part, 0);
  calm.family.set(ProcessMetric::FaultTime, 80'000);
  calm.family.set(ProcessMetric::FaultTimeOnProcessor, 80'000);
  CHECK(costText("cat", calm, {}) == "cat: 80.0 µs in 65 page faults: 80.0 µs on a processor");
}

TEST_CASE("the cost says how many faults were timed if not all were") {
  FamilyCost cost;
  cost.family.set(ProcessMetric::MinorFaults, 20'066);
  cost.family.set(ProcessMetric::FaultTime, 5'660'000);
  cost.family.set(ProcessMetric::TimedFaults, 65);
  CHECK(costText("sh", cost, helloOf(500ms)) == "sh: 5.66 ms in 65 timed of 20\u202f066 page faults");
  cost.family.set(ProcessMetric::TimedFaults, 20'066);
  CHECK(costText("sh", cost, helloOf(500ms)) == "sh: 5.66 ms in 20\u202f066 page faults");
}

TEST_CASE("the cost of a family omits unavailable values") {
  Hello hello = helloOf(500ms);
  FamilyCost cost;
  cost.family.set(ProcessMetric::MinorFaults, 12'345'674);
  CHECK(costText("sh", cost, hello) == "sh: 12\u202f345\u202f674 page faults");

  cost.started = 412;
  cost.ended = 398;
  cost.family.set(ProcessMetric::MajorFaults, 4);
  cost.family.set(ProcessMetric::FaultTime, 41'300'000'000);
  cost.family.set(ProcessMetric::ZeroedBytes, std::uint64_t{21} << 30U);
  CHECK(costText("ninja", cost, hello) ==
        "ninja and the 412 processes it started (398 ended): 41.3 s in 12\u202f345\u202f678 page faults, 4 of them "
        "major; 21.0 GiB zeroed");

  hello.quality(ProcessMetric::ZeroingTime).grade = Grade::Estimated;
  hello.quality(ProcessMetric::ZeroedBytes).grade = Grade::Estimated;
  cost.family.set(ProcessMetric::ZeroingTime, 9'800'000'000);
  cost.started = cost.ended = 1;
  CHECK(costText("a\nb", cost, hello) ==
        "a\\nb and the process it started (ended): 41.3 s in 12\u202f345\u202f678 page faults, 4 of them major; ≈ "
        "21.0 GiB zeroed (≈ 9.80 s)");
}

TEST_CASE("the cost has the memory that was given back, and the time of that") {
  Hello hello = helloOf(500ms);
  FamilyCost cost;
  cost.family.set(ProcessMetric::MinorFaults, 2);
  cost.family.set(ProcessMetric::FreedBytes, std::uint64_t{3} << 30U);
  CHECK(costText("sh", cost, hello) == "sh: 2 page faults; 3.00 GiB given back");
  cost.family.set(ProcessMetric::TeardownTime, 410'000'000);
  CHECK(costText("sh", cost, hello) == "sh: 2 page faults; 3.00 GiB given back (410 ms)");
  hello.quality(ProcessMetric::TeardownTime).grade = Grade::Estimated;
  CHECK(costText("sh", cost, hello) == "sh: 2 page faults; 3.00 GiB given back (≈ 410 ms)");
}

TEST_CASE("faults that are not counted are not told as none") {
  FamilyCost cost;
  CHECK(costText("wine", cost, {}) == "wine: page faults not counted");
  cost.family.set(ProcessMetric::MajorFaults, 0);
  CHECK(costText("wine", cost, {}) == "wine: 0 page faults");
}

TEST_CASE("faults between samples are counted separately") {
  FamilyCost cost;
  cost.family.set(ProcessMetric::MinorFaults, 131'700);
  cost.unseen = 131'557;
  CHECK(costText("sh", cost, helloOf(500ms)) == "sh: 131\u202f700 page faults, 131\u202f557 of them between samples");
}
