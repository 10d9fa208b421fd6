#include "core/culprits/causes.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/some_samples.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("Causes have kind, memory, line and thread together, and tell how the pages lie") {
  CauseCount count;
  FaultSample earlier = sampleAt(1ms, 0x10);
  count.remember(earlier);
  FaultSample small = sampleAt(2ms, 0x11);  // in the same 64 KiB
  small.weight = 16;
  small.mapping->begin = 0;
  small.mapping->end = 1U << 20U;
  count.add(small, FaultKind::FirstTouch, "Level::load", 5us);
  FaultSample far = sampleAt(3ms, 0x1000);
  count.add(far, FaultKind::FirstTouch, "Level::load", 7us);
  far.thread = 78;
  count.add(far, FaultKind::FirstTouch, "Level::load", 1us);
  const auto causes = count.found();
  REQUIRE(causes.size() == 2);
  CHECK(causes[0] == FaultCause{.kind = FaultKind::FirstTouch,
                                .memory = MemoryKind::Anonymous,
                                .name = "anonymous memory",
                                .line = "Level::load",
                                .thread = 77,
                                .faults = 17,
                                .time = 12us,
                                .inKnownBlocks = 16,
                                .inSmallMappings = 16,
                                .ranges = 2});
  CHECK(causes[1].thread == 78);
}

TEST_CASE("A device is told from a file, from shared memory and from the heap") {
  const auto kind = [](const std::string& name, bool file, bool shared) {
    FaultSample sample = sampleAt(1ms);
    sample.mapping->name = name;
    sample.mapping->file = file;
    sample.mapping->shared = shared;
    return memoryKind(sample);
  };
  CHECK(kind("/dev/dri/renderD128", true, true) == MemoryKind::Device);
  CHECK(kind("/dmabuf:", true, true) == MemoryKind::Device);
  CHECK(kind("/dev/zero", true, false) == MemoryKind::Device);
  CHECK(kind("/dev/zero", true, true) == MemoryKind::Shared);
  CHECK(kind("/dev/shm/ring", true, true) == MemoryKind::Shared);
  CHECK(kind("/games/level.pak", true, false) == MemoryKind::File);
  CHECK(kind("[heap]", false, false) == MemoryKind::Heap);
  CHECK(kind("[stack]", false, false) == MemoryKind::Stack);
  FaultSample unmapped = sampleAt(1ms);
  unmapped.mapping.reset();
  CHECK(memoryKind(unmapped) == MemoryKind::Unknown);
}

}  // namespace faultline::test
