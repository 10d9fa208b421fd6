#include "platform/sampling/nt/thread_work.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/scripted_windows.h"

using namespace faultline;
using test::ScriptedWindows;

namespace {

// A Windows with two zeroing threads (100 and 104) and another thread (12), all of which work in the pause.
struct Worked {
  ScriptedWindows windows;
  explicit Worked(bool administrator) {
    test::boot(windows, 2);
    windows.mayOpen = administrator;
    windows.cycles = {{12, 1'000}, {100, 5'000}, {104, 6'000}};
  }
  Result<std::vector<ThreadWork>> look() {
    return threadWork(windows.functions(), [this] {
      auto& threads = windows.process(4).threads;
      threads[0].switches += 2;
      threads[1].switches += 30;
      threads[1].kernelTime += 156'250;
      threads[2].switches += 8;
      threads.push_back({.id = 900, .basePriority = 0, .switches = 77});  // new: nothing to compare with
      windows.cycles = {{12, 1'500}, {100, 14'000}, {104, 6'500}};
    });
  }
};

}  // namespace

TEST_CASE("The threads of process 4 that work during a stimulus are listed, busiest first") {
  Worked worked(true);
  const auto work = worked.look();
  REQUIRE(work);
  CHECK(*work == std::vector<ThreadWork>{{100, 0, 30, std::chrono::microseconds(15'625), 9'000},
                                         {104, 0, 8, Nanoseconds(0), 500},
                                         {12, 8, 2, Nanoseconds(0), 500}});
  CHECK(worked.windows.handles.empty());
  const std::string text = threadWorkText(*work);
  CHECK(text.find("base priority 0, which Faultline takes for the threads that zero, had 95 % of these cycles.") !=
        std::string::npos);
  CHECK(text.find("       100              0        30       15 ms            9000\n") != std::string::npos);
}

TEST_CASE("Without the right to open threads their switches count, and the text names the remedy") {
  Worked worked(false);
  const auto work = worked.look();
  REQUIRE(work);
  CHECK(work->front().thread == 100);
  CHECK_FALSE(work->front().cycles);
  const std::string text = threadWorkText(*work);
  CHECK(text.find("had 95 % of these switches.") != std::string::npos);
  CHECK(text.find("add --elevate") != std::string::npos);
}

TEST_CASE("Idle threads confirm nothing, and a system without process 4 has none") {
  CHECK(threadWorkText({}).find("no thread can be confirmed") != std::string::npos);
  ScriptedWindows wine;
  test::boot(wine, 1);
  std::erase_if(wine.processes, [](const auto& process) { return process.pid == 4; });
  const auto work = threadWork(wine.functions(), [] {});
  REQUIRE_FALSE(work);
  CHECK(work.error().message.find("Wine has no such process") != std::string::npos);
}
