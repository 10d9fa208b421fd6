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
  small.mapping->begin = 1U << 20U;
  small.mapping->end = 2U << 20U;
  count.add(small, FaultKind::FirstTouch, "Level::load", {16, 5us});
  FaultSample far = sampleAt(3ms, 0x1000);
  count.add(far, FaultKind::FirstTouch, "Level::load", {1, 7us});
  far.thread = 78;
  count.add(far, FaultKind::FirstTouch, "Level::load", {1, 1us});
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
                                .notOfMalloc = 16,
                                .ranges = 2});
  CHECK(causes[1].thread == 78);
}

TEST_CASE("Memory of malloc is told from the program's own mappings where their bounds tell") {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kBegin = 0x7f00'1234'5000;
  const auto served = [](std::uint64_t begin, std::uint64_t size, bool again, const std::string& name = "") {
    FaultSample sample = sampleAt(1ms);
    sample.mapping->begin = begin;
    sample.mapping->end = begin + size;
    sample.mapping->name = name;
    return servedByMalloc(sample, again);
  };
  CHECK(served(kBegin, 5 * kMiB, true, "[heap]") == true);
  CHECK(served(0x7f00'0000'0000, 132 * 4096, true) == true);      // a thread's arena
  CHECK(served(kBegin, 40 * kMiB, true) == false);                // no room for malloc's header
  CHECK(served(kBegin, 40 * kMiB + 4096, true) == std::nullopt);  // beyond the threshold
  CHECK(served(kBegin, kMiB + 4096, true) == false);              // malloc would take it from the heap
  CHECK(served(kBegin, kMiB + 4096, false) == std::nullopt);      // but not the first time
  CHECK(served(kBegin, kMiB + 4096, true, "[anon:pool]") == false);
  CHECK(served(kBegin, kMiB + 4096, true, "[anon: glibc: malloc]") == true);
  CHECK(served(kBegin, kMiB, true, "[stack]") == false);
  FaultSample shared = sampleAt(1ms);
  shared.mapping->shared = true;
  CHECK(servedByMalloc(shared, true) == false);
  shared.mapping.reset();
  CHECK(servedByMalloc(shared, true) == std::nullopt);
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
