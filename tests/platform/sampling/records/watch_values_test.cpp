#include "platform/sampling/records/watch_values.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

SampleRecord record(unsigned registers, std::uint64_t errorCode) {
  SampleRecord record{};
  record.registerCount = registers;
  record.errorCode = errorCode;
  return record;
}

}  // namespace

TEST_CASE("A mark has exactly the measured values") {
  MarkRecord record{};
  record.number = 7;
  record.time = 1000;
  record.thread = 42;
  record.process = {.minorFaults = 30,
                    .majorFaults = 2,
                    .zeroedPages = 5,
                    .zeroedLargePages = 4,
                    .faultTime = 900,
                    .timedFaults = 31,
                    .reclaimTime = 90,
                    .compactionTime = 80,
                    .freedPages = 6};
  record.own = {.minorFaults = 20,
                .majorFaults = 1,
                .zeroedPages = 3,
                .zeroedLargePages = 2,
                .faultTime = 400,
                .timedFaults = 21,
                .reclaimTime = 9,
                .compactionTime = 8,
                .freedPages = 1};
  const FrameMark bare = frameMarkOf(record, {.pageBytes = 4096});
  CHECK(bare.number == 7);
  CHECK(bare.time == MonotonicTime{1us});
  CHECK(bare.values.minorFaults() == 30);
  CHECK(bare.values.get(FrameMetric::ThreadMajorFaults) == 1U);
  CHECK_FALSE(bare.values.has(FrameMetric::ZeroedBytes));
  CHECK_FALSE(bare.values.has(FrameMetric::ThreadFaultTime));
  CHECK_FALSE(bare.values.has(FrameMetric::TimedFaults));
  const FrameMark whole = frameMarkOf(record, {.groups = {FrameGroup::Zeroing, FrameGroup::Timing}, .pageBytes = 4096});
  CHECK(whole.values.get(FrameMetric::ZeroedBytes) == 5U * 4096);
  CHECK(whole.values.get(FrameMetric::ThreadZeroedBytes) == 3U * 4096);
  CHECK(whole.values.get(FrameMetric::ZeroedLargeBytes) == 4U * 4096);
  CHECK(whole.values.get(FrameMetric::ThreadZeroedLargeBytes) == 2U * 4096);
  CHECK_FALSE(whole.values.has(FrameMetric::FaultTimeInReclaim));
  CHECK(whole.values.time(FrameMetric::FaultTime) == 900ns);
  CHECK(whole.values.time(FrameMetric::ThreadFaultTime) == 400ns);
  CHECK(whole.values.get(FrameMetric::TimedFaults) == 31U);
  CHECK_FALSE(whole.values.threadTime());
  record.ownParts = {.onProcessor = 300, .waiting = 60, .blocked = 40, .forDisk = 30};
  record.ownWaiting = 70;
  record.ownSleeping = 80;
  const FrameMark parted = frameMarkOf(record, {.groups = {FrameGroup::Parts}, .pageBytes = 4096});
  CHECK(parted.values.threadTime() == ThreadTime{.inFaults = {300ns, 60ns, 40ns}, .waiting = 70ns, .sleeping = 80ns});
  CHECK(parted.values.time(FrameMetric::ThreadFaultTimeOnDisk) == 30ns);
  const FrameMark reclaiming = frameMarkOf(record, {.groups = {FrameGroup::Efforts}, .pageBytes = 4096});
  CHECK(reclaiming.values.time(FrameMetric::FaultTimeInReclaim) == 90ns);
  CHECK(reclaiming.values.time(FrameMetric::ThreadFaultTimeInReclaim) == 9ns);
  CHECK(reclaiming.values.time(FrameMetric::FaultTimeInCompaction) == 80ns);
  CHECK(reclaiming.values.time(FrameMetric::ThreadFaultTimeInCompaction) == 8ns);
  CHECK_FALSE(whole.values.time(FrameMetric::TeardownTime));
  record.teardown = 600;
  record.ownTeardown = 500;
  const FrameMark givenBack = frameMarkOf(record, {.groups = {FrameGroup::Teardown}, .pageBytes = 4096});
  CHECK(givenBack.values.time(FrameMetric::TeardownTime) == 600ns);
  CHECK(givenBack.values.time(FrameMetric::ThreadTeardownTime) == 500ns);
  CHECK_FALSE(givenBack.values.has(FrameMetric::FreedBytes));
  const FrameMark freed = frameMarkOf(record, {.groups = {FrameGroup::Freeing}, .pageBytes = 4096});
  CHECK(freed.values.get(FrameMetric::FreedBytes) == 6U * 4096);
  CHECK(freed.values.get(FrameMetric::ThreadFreedBytes) == 1U * 4096);
}

TEST_CASE("The kind of access is read from the error codes of both processors") {
  CHECK(faultSampleOf(record(17, 0x6)).access == FaultAccess{.write = true});
  CHECK(faultSampleOf(record(17, 0x7)).access == FaultAccess{.write = true, .present = true});
  CHECK(faultSampleOf(record(17, 0x14)).access == FaultAccess{.execute = true});
  CHECK(faultSampleOf(record(33, 0x92000046)).access == FaultAccess{.write = true});
  CHECK(faultSampleOf(record(33, 0x9200004f)).access == FaultAccess{.write = true, .present = true});
  CHECK(faultSampleOf(record(33, 0x82000006)).access == FaultAccess{.execute = true});
}

TEST_CASE("A mapping has its name, bounds and access rights") {
  SampleRecord sample = record(17, 0);
  CHECK_FALSE(faultSampleOf(sample).mapping);
  sample.flags = kSampleMapped | kSampleMajor | kSampleInKernel;
  sample.mappingBegin = 0x1000;
  sample.mappingEnd = 0x2000;
  sample.mappingFlags = 0x2 | 0x8;
  CHECK(faultSampleOf(sample).mapping ==
        FaultMapping{.begin = 0x1000, .end = 0x2000, .writable = true, .shared = true, .name = {}});
  CHECK(faultSampleOf(sample).major);
  CHECK(faultSampleOf(sample).inKernel);
  sample.mappingKind = kMappingHeap;
  CHECK(faultSampleOf(sample).mapping->name == "[heap]");
  sample.mappingKind = kMappingStack;
  CHECK(faultSampleOf(sample).mapping->name == "[stack]");
  sample.mappingKind = kMappingFile;
  std::memset(sample.fileName, 'x', sizeof sample.fileName);  // not ended: as long as it may be
  CHECK(faultSampleOf(sample).mapping->file);
  CHECK(faultSampleOf(sample).mapping->name == std::string(kFileNameBytes, 'x'));
  sample.mappingKind = kMappingDevice;
  CHECK(faultSampleOf(sample).mapping->file);
  CHECK(faultSampleOf(sample).mapping->name == "/dev/" + std::string(kFileNameBytes, 'x'));
}

TEST_CASE("Sizes beyond those of a record are clamped") {
  SampleRecord sample = record(1000, 0);
  sample.stackBytes = 1'000'000;
  CHECK(faultSampleOf(sample).registers.size() == kMostRegisters);
  CHECK(faultSampleOf(sample).stack.size() == kSentStackBytes);
}

}  // namespace faultline::test
