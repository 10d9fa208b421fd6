#include "core/culprits/culprits.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/some_samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

FaultSample from(std::uint64_t place, std::uint64_t weight, Nanoseconds time = 1ms) {
  FaultSample sample = sampleAt(time, place);
  sample.registers = {place};
  sample.weight = weight;
  return sample;
}

// Samples: 1 loads a level; 2 is memset, called from a level; 3 is a decoder without symbols; 4 has no call stack.
FakeStackReader someReader() {
  FakeStackReader reader;
  const StackFrame main = codeOf("main", 9);
  StackFrame bare = codeOf("");
  reader.stacks[1] = {codeOf("Level::load", 212), main};
  reader.stacks[2] = {systemCodeOf("memset"), codeOf("Level::load", 212), main};
  reader.stacks[3] = {bare, main};
  return reader;
}

}  // namespace

TEST_CASE("Shares are by thread, memory, kind and line, largest first") {
  FakeStackReader reader = someReader();
  std::vector<FaultSample> samples{from(1, 16), from(2, 64), from(3, 16), from(4, 4)};
  samples[3].thread = 78;
  samples[3].threadName = "ren;der\n";
  samples[3].mapping.reset();
  const Culprits found = findCulprits(samples, &reader);
  CHECK(found.samples == 4);
  CHECK(found.faults == 100);
  CHECK_FALSE(found.timed);
  REQUIRE(found.threads.size() == 2);
  CHECK(found.threads[0] == CulpritShare{"loader", 77, 96, 0ns});
  CHECK(found.threads[1] == CulpritShare{"ren;der\\n", 78, 4, 0ns});
  REQUIRE(found.memory.size() == 2);
  CHECK(found.memory[0].name == "anonymous memory");
  CHECK(found.memory[1].name == "unknown");
  REQUIRE(found.lines.size() == 3);
  CHECK(found.lines[0].name == "Level::load (level.cpp:212)");
  CHECK(found.lines[0].faults == 80);
  CHECK(found.share(found.lines[0]) == Catch::Approx(0.8));
  CHECK(found.lines[1].name == "game+0x1234");
  CHECK(found.lines[2].name == "unknown");
}

TEST_CASE("On a path count the faults of its thread, and of other threads' the share for which the frame waited") {
  FakeStackReader reader = someReader();
  const auto found = [&](double ofOthers) {
    std::vector<FaultSample> samples{from(1, 16), from(2, 64), from(3, 40)};
    for (FaultSample& sample : samples) sample.took = 1us;
    samples[2].thread = 78;
    CulpritSearch search(&reader, FaultPath{.thread = 78, .ofOthers = ofOthers});
    for (const FaultSample& sample : samples) search.add(sample);
    return search.found();
  };
  const Culprits own = found(0);
  CHECK(own.faults == 120);
  CHECK(own.tree.faults == 120);  // all, as for a flame graph
  CHECK(own.listed.faults == 40);
  REQUIRE(own.ofAll.lines.size() == 2);
  CHECK(own.ofAll.lines[0].name == "Level::load (level.cpp:212)");
  CHECK(own.shareOfAll(own.ofAll.lines[0]) == Catch::Approx(80.0 / 120));
  REQUIRE(own.lines.size() == 1);
  CHECK(own.lines[0].name == "game+0x1234");
  CHECK(own.share(own.lines[0]) == 1);
  REQUIRE(own.threads.size() == 1);
  CHECK(own.threads[0].thread == 78);
  REQUIRE(own.causes.size() == 1);
  CHECK(culpritText(own, 120).ends_with(" in game+0x1234"));

  const Culprits some = found(0.25);
  CHECK(some.listed.faults == 60);
  REQUIRE(some.lines.size() == 2);
  CHECK(some.lines[1].name == "Level::load (level.cpp:212)");
  CHECK(some.share(some.lines[1]) == Catch::Approx(20.0 / 60));
  CHECK(culpritText(some, 120).starts_with("about 66.7"));
  Culprits unclear = some;
  unclear.path->clear = false;
  CHECK(culpritText(unclear, 120).starts_with("perhaps 66.7"));
}

TEST_CASE("Culprits of several frames are summed up by line and thread") {
  FakeStackReader reader = someReader();
  const auto found = [&](std::vector<FaultSample> samples) {
    return std::make_shared<const Culprits>(findCulprits(samples, &reader));
  };
  const std::vector all{found({from(1, 10), from(3, 30)}), found({from(2, 50)})};
  const Culprits sum = sumOf(all);
  CHECK(sum.samples == 3);
  CHECK(sum.faults == 90);
  REQUIRE(sum.lines.size() == 2);
  CHECK(sum.lines[0].name == "Level::load (level.cpp:212)");
  CHECK(sum.lines[0].faults == 60);
  REQUIRE(sum.threads.size() == 1);
  CHECK(sum.share(sum.threads[0]) == 1);
  CHECK(sumOf({}).lines.empty());
}

TEST_CASE("Allocators and copies are passed over for their caller, and a cut call stack says so") {
  FakeStackReader reader;
  const auto culprit = [&](CallStack stack) {
    reader.stacks[1] = std::move(stack);
    return findCulprits(std::vector{from(1, 1)}, &reader).lines.at(0).name;
  };
  const StackFrame load = codeOf("Level::load", 212);
  const StackFrame cut = systemCodeOf(std::string(kTruncatedStack));
  const StackFrame copy = systemCodeOf("__memcpy_avx_unaligned_erms");
  const std::string decode = lineName(systemCodeOf("png_read_row"));
  CHECK(culprit({codeOf("je_malloc", 3), codeOf("operator new", 4), load}) == "Level::load (level.cpp:212)");
  for (const char* const library :
       {"__rust_alloc", "alloc::raw_vec::RawVec<T,A>::grow_amortized",
        "<alloc::vec::Vec<T,A> as core::ops::Index>::index", "std::vector<Tile>::_M_realloc_insert", "runtime.mallocgc",
        "je_arena_malloc_hard", "_mi_malloc_generic"})
    CHECK(culprit({codeOf(library, 1), load}) == "Level::load (level.cpp:212)");
  CHECK(culprit({copy, systemCodeOf("png_read_row")}) == decode);
  CHECK(culprit({copy, systemCodeOf("png_read_row"), cut}) == decode + ", call stack cut");
  CHECK(culprit({systemCodeOf("sysmalloc"), systemCodeOf("malloc"), cut}) ==
        "a caller of " + lineName(systemCodeOf("malloc")) + ", call stack cut");
  CHECK(culprit({copy, load, cut}) == "Level::load (level.cpp:212)");
  CHECK(culprit({copy}) == lineName(copy));
  CHECK(culprit({cut}) == "unknown");
}

TEST_CASE("Call stacks make a tree from the thread inwards, and folded text") {
  FakeStackReader reader = someReader();
  std::vector<FaultSample> samples{from(1, 16), from(2, 64), from(3, 16), from(4, 4)};
  samples[3].threadName = "ren;der\n";
  const Culprits found = findCulprits(samples, &reader);
  CHECK(foldedText(found.tree) ==
        "loader;main;Level::load;memset 64\n"
        "loader;main;Level::load 16\n"
        "loader;main;game+0x1234 16\n"
        "ren:der\\n 4\n");
  CHECK(found.tree.faults == 100);
  const CallTree& load = found.tree.children[0].children[0].children[0];
  CHECK(load.name == "Level::load");
  CHECK(load.faults == 80);
  CHECK_FALSE(load.system);
  CHECK(load.children[0].system);
}

TEST_CASE("Major faults of a call stack have a line of their own in folded text") {
  CallTree tree;
  addStack(tree, "loader", {codeOf("Level::load", 212)}, {5, 0ns, 2});
  addStack(tree, "loader", {codeOf("Level::load", 213)}, {3, 0ns, 3});
  CHECK(foldedText(tree) == "loader;Level::load 3\nloader;Level::load;[major fault] 5\n");
}

TEST_CASE("Call trees of several frames are merged") {
  FakeStackReader reader = someReader();
  CallTree all;
  addTree(all, findCulprits(std::vector{from(1, 16), from(2, 64)}, &reader).tree);
  addTree(all, findCulprits(std::vector{from(2, 36), from(3, 1)}, &reader).tree);
  sortTree(all);
  CHECK(foldedText(all) ==
        "loader;main;Level::load;memset 100\n"
        "loader;main;Level::load 16\n"
        "loader;main;game+0x1234 1\n");
  CHECK(all.children[0].children[0].children[0].children[0].system);
}

TEST_CASE("A few evenly spaced samples stand for all") {
  FakeStackReader reader = someReader();
  std::vector<FaultSample> samples;
  samples.reserve(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) samples.push_back(from(i % 10 == 0 ? 3 : 1, 2, 1ms));
  const Culprits all = findCulprits(CulpritSearch(&reader), samples, 1000);
  CHECK(all.samples == 1000);
  const Culprits some = findCulprits(CulpritSearch(&reader), samples, 300);
  CHECK(some.samples == 250);
  CHECK(some.faults == all.faults);
  CHECK(some.lines[0].name == all.lines[0].name);
  const Culprits uneven = findCulprits(CulpritSearch(&reader), samples, 150);  // the last sample stands for fewer
  CHECK(uneven.samples == 143);
  CHECK(uneven.faults == all.faults);
  CHECK(findCulprits(CulpritSearch(&reader), {}, 10).samples == 0);
}

TEST_CASE("If all samples are timed, shares are of the time") {
  FakeStackReader reader = someReader();
  std::vector<FaultSample> samples{from(1, 1), from(3, 99)};
  samples[0].took = 99us;
  CHECK(findCulprits(samples, &reader).lines[0].name == "game+0x1234");
  samples[1].took = 10ns;
  const Culprits found = findCulprits(samples, &reader);
  CHECK(found.timed);
  CHECK(found.lines[0].name == "Level::load (level.cpp:212)");
  CHECK(found.share(found.lines[0]) == Catch::Approx(0.990099));
  samples[0].took = samples[1].took = 0ns;
  const Culprits timeless = findCulprits(samples, &reader);
  CHECK(timeless.share(timeless.threads[0]) == 1);
}

TEST_CASE("The kinds of faults are distinguished") {
  FaultKinds kinds;
  FaultSample sample = sampleAt(1ms);
  CHECK(kinds.next(sample) == FaultKind::FirstTouch);
  sample.time = {2ms};
  CHECK(kinds.next(sample) == FaultKind::TouchedAgain);
  sample.access->present = true;
  CHECK(kinds.next(sample) == FaultKind::CopyOnWrite);
  sample.major = true;
  CHECK(kinds.next(sample) == FaultKind::SwappedIn);
  sample.mapping->file = true;
  CHECK(kinds.next(sample) == FaultKind::CopyOnWrite);
  sample.access->present = false;
  CHECK(kinds.next(sample) == FaultKind::File);
  sample.mapping.reset();
  CHECK(kinds.next(sample) == FaultKind::Unknown);
  sample.mapping.emplace().name = "/memfd:mesa (deleted)";
  sample.mapping->file = sample.mapping->shared = true;
  sample.address += 4096;
  sample.major = false;
  CHECK(kinds.next(sample) == FaultKind::FirstTouch);
  FaultSample bare = sampleAt(3ms);
  bare.access.reset();
  CHECK(kinds.next(bare) == FaultKind::Unknown);
}

TEST_CASE("Two threads that wait for the same page are not counted as touching it again") {
  FaultKinds kinds;
  FaultSample sample = sampleAt(10us);
  CHECK(kinds.next(sample) == FaultKind::FirstTouch);
  sample.time = {11us};
  sample.took = 2us;
  CHECK(kinds.next(sample) == FaultKind::FirstTouch);
  sample.time = {20us};
  CHECK(kinds.next(sample) == FaultKind::TouchedAgain);
}

TEST_CASE("Earlier samples are remembered but not counted") {
  CulpritSearch search(nullptr);
  search.remember(sampleAt(1ms, 5));
  search.add(sampleAt(2ms, 5));
  search.add(sampleAt(2ms, 6));
  const Culprits found = search.found();
  CHECK(found.samples == 2);
  REQUIRE(found.kinds.size() == 2);
  CHECK(found.kinds[1].name == faultKindName(FaultKind::TouchedAgain));
}

TEST_CASE("Memory is named by its kind") {
  FaultSample sample = sampleAt(0ms);
  sample.mapping->name = "[heap]";
  CHECK(memoryName(sample) == "heap");
  sample.mapping->name = "[stack]";
  CHECK(memoryName(sample) == "stack");
  sample.mapping->name.clear();
  CHECK(memoryName(sample) == "anonymous memory");
  sample.registers.assign(17, 0);
  CHECK(memoryName(sample) == "stack");  // of a thread: contains the stack pointer
  sample.mapping->begin = 0x1000;
  CHECK(memoryName(sample) == "anonymous memory");
  sample.mapping->shared = true;
  CHECK(memoryName(sample) == "shared memory");
  sample.mapping->file = true;
  sample.mapping->name = "/games/a\nb.pak";
  CHECK(memoryName(sample) == "/games/a\\nb.pak");
}

TEST_CASE("The culprit's text shows whether it is an estimate") {
  FakeStackReader reader = someReader();
  CHECK(culpritText(findCulprits({}, &reader), 0).empty());
  CHECK(culpritText(findCulprits(std::vector{from(1, 16), from(3, 16)}, nullptr), 32) ==
        "about 100 % in thread loader");
  CHECK(culpritText(findCulprits(std::vector{from(1, 16)}, &reader), 16) ==
        "about 100 % in Level::load (level.cpp:212)");
  CHECK(culpritText(findCulprits(std::vector{from(1, 1)}, &reader), 1) == "100 % in Level::load (level.cpp:212)");
  CHECK(culpritText(findCulprits(std::vector{from(1, 1)}, &reader), 2) == "about 100 % in Level::load (level.cpp:212)");
}

TEST_CASE("Extreme values in a stream cause no overflow") {
  std::vector<FaultSample> samples(3, from(1, UINT64_MAX));
  for (FaultSample& sample : samples) sample.took = Nanoseconds::max();
  CHECK(findCulprits(samples, nullptr).time > 0ns);
}

}  // namespace faultline::test
