#include "platform/sampling/nt/zero_threads.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/scripted_windows.h"

using namespace faultline;

namespace {

struct Watching {
  test::ScriptedWindows windows;
  NtFunctions nt = windows.functions();
  ZeroThreads zero{nt};

  explicit Watching(std::size_t zeroThreads = 1) { test::boot(windows, zeroThreads); }

  // The threads of process 4, the first of which zeroes nothing.
  [[nodiscard]] std::vector<test::NtThreadScript>& threads() { return windows.process(4).threads; }
  [[nodiscard]] ZeroThreadTotals look() {
    const auto bytes = test::ntProcessList({windows.process(4)}, 0);
    NtProcessList list{.bytes = bytes};
    return zero.look(*takeNtProcess(list));
  }
};

}  // namespace

TEST_CASE("zero-page threads are recognized by their base priority, awake or not") {
  Watching watching(3);  // the second one's priority is 1
  const ZeroThreadTotals totals = watching.look();
  CHECK(totals.threads == 3);
  CHECK(totals.kernelTime == 3000);
  CHECK(totals.switches == 150);
  watching.threads()[1].startAddress = 0;  // Windows 11 24H2 shows none to most
  CHECK(watching.look() == totals);
  watching.threads()[1].basePriority = 1;
  CHECK(watching.look().threads == 2);
}

TEST_CASE("a process 4 without such threads has none") {
  Watching watching(0);
  CHECK(watching.look().threads == 0);
  CHECK(watching.look().kernelTime == 0);
}

TEST_CASE("the work of threads is added up across their starts and ends") {
  Watching watching(2);
  const ZeroThreadTotals first = watching.look();
  watching.threads()[1].kernelTime += 10;
  watching.threads()[2].kernelTime += 100;
  CHECK(watching.look().kernelTime == first.kernelTime + 110);

  watching.threads().erase(watching.threads().begin() + 1);  // its last work is nobody's
  watching.threads()[1].kernelTime += 5;
  ZeroThreadTotals now = watching.look();
  CHECK(now.threads == 1);
  CHECK(now.kernelTime == first.kernelTime + 115);

  watching.threads().push_back(
      {.id = 900, .createTime = 5'000'000, .kernelTime = 40, .basePriority = 0, .switches = 3});
  now = watching.look();
  CHECK(now.threads == 2);
  CHECK(now.kernelTime == first.kernelTime + 155);
  CHECK(now.switches == first.switches + 3);

  watching.threads().clear();
  now = watching.look();
  CHECK(now.threads == 0);
  CHECK(now.kernelTime == first.kernelTime + 155);
}

TEST_CASE("a reused thread id is another thread") {
  Watching watching(1);
  const ZeroThreadTotals first = watching.look();
  watching.threads()[1].createTime += 1;
  watching.threads()[1].kernelTime = 2000;
  CHECK(watching.look().kernelTime == first.kernelTime + 2000);
}

TEST_CASE("context switches wrap at 32 bits, their sum does not; a time that runs backwards adds nothing") {
  Watching watching(1);
  watching.threads()[1].switches = 0xFFFFFFF0;
  CHECK(watching.look().switches == 0xFFFFFFF0);
  watching.threads()[1].switches = 0x10;
  CHECK(watching.look().switches == 0x100000010);
  watching.threads()[1].kernelTime = 10;
  CHECK(watching.look().kernelTime == 1000);
  watching.threads()[1].kernelTime = 15;
  CHECK(watching.look().kernelTime == 1005);
}

TEST_CASE("cycles need a handle on each thread, opened once and closed with it") {
  Watching watching(2);
  watching.windows.mayOpen = true;
  watching.windows.cycles = {{100, 5'000}, {104, 70'000}, {12, 9}};
  CHECK(watching.look().cycles == 75'000);
  CHECK(watching.windows.handles == std::set<std::uintptr_t>{1600, 1664});
  watching.windows.cycles[104] += 1'000;
  CHECK(watching.look().cycles == 76'000);
  CHECK(watching.windows.opened == 2);

  watching.windows.cycles.erase(100);  // for once it cannot be asked: what the other one did comes later
  watching.windows.cycles[104] += 10;
  CHECK(watching.look().cycles == std::nullopt);
  watching.windows.cycles[100] = 5'500;
  CHECK(watching.look().cycles == 76'510);

  watching.threads().erase(watching.threads().begin() + 1);
  CHECK(watching.look().cycles == 76'510);
  CHECK(watching.windows.handles == std::set<std::uintptr_t>{1664});
}

TEST_CASE("a thread that cannot be opened makes the cycles absent, not too low") {
  Watching watching(1);
  watching.windows.mayOpen = true;
  watching.windows.cycles = {{100, 5'000}, {900, 77}};
  CHECK(watching.look().cycles == 5'000);
  watching.windows.mayOpen = false;
  watching.threads().push_back({.id = 900, .createTime = 5'000'000, .basePriority = 0});
  CHECK(watching.look().cycles == std::nullopt);
  CHECK(watching.look().threads == 2);
  watching.threads().pop_back();
  watching.windows.cycles[100] = 6'000;
  CHECK(watching.look().cycles == 6'000);
}

TEST_CASE("all handles are closed at the end, each once") {
  test::ScriptedWindows windows;
  test::boot(windows, 3);
  windows.mayOpen = true;
  windows.cycles = {{100, 1}};
  const NtFunctions nt = windows.functions();
  {
    ZeroThreads zero(nt);
    const auto bytes = test::ntProcessList({windows.process(4)}, 0);
    NtProcessList list{.bytes = bytes};
    static_cast<void>(zero.look(*takeNtProcess(list)));
    CHECK(windows.handles.size() == 3);
  }
  CHECK(windows.handles.empty());
  CHECK_FALSE(windows.closedTwice());
}
