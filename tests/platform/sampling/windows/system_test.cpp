// The words of this very Windows, or Wine, about itself.
#include <windows.h>

#include <catch2/catch_test_macros.hpp>

#include "platform/sampling/clock.h"
#include "platform/sampling/system_sampler.h"
#include "platform/sampling/windows/machine.h"
#include "platform/sampling/windows/nt_functions.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("the clocks are the performance counter and the time of day") {
  const Clock& clock = systemClock();
  LARGE_INTEGER frequency;
  LARGE_INTEGER before;
  LARGE_INTEGER after;
  QueryPerformanceFrequency(&frequency);
  QueryPerformanceCounter(&before);
  const MonotonicTime now = clock.now();
  QueryPerformanceCounter(&after);
  const auto seconds = [&](const LARGE_INTEGER& count) {
    return std::chrono::duration<double>(static_cast<double>(count.QuadPart) / static_cast<double>(frequency.QuadPart));
  };
  CHECK(now.sinceEpoch >= seconds(before) - 1us);
  CHECK(now.sinceEpoch <= seconds(after) + 1us);
  const Nanoseconds off = clock.wall().sinceEpoch - std::chrono::system_clock::now().time_since_epoch();
  CHECK(off > -60s);
  CHECK(off < 60s);
  CHECK(clock.suspended() == 0ns);
}

TEST_CASE("the functions of ntdll list the processes of this machine") {
  const auto functions = systemNtFunctions();
  REQUIRE(functions);
  std::vector<std::byte> buffer(8);
  std::uint32_t length = 0;
  CHECK(functions->query(NtClass::Processes, buffer, length) == kNtLengthMismatch);
  CHECK(length > buffer.size());
  buffer.resize(length + (1U << 16U));
  CHECK(functions->query(NtClass::Processes, buffer, length) == kNtSuccess);

  const auto thread = functions->openThread(GetCurrentThreadId());
  REQUIRE(thread);
  CHECK(functions->threadCycles(*thread).has_value() == (wineVersion() == nullptr));
  CHECK(functions->ownCycles().has_value() == (wineVersion() == nullptr));
  functions->close(*thread);
  CHECK_FALSE(functions->openThread(0xFFFF'FFF0));
}

TEST_CASE("the description of the machine is complete") {
  const NtHost host = systemNtHost();
  CHECK(host.ownPid == ownPid());
  CHECK(host.wine == (wineVersion() != nullptr));
  CHECK(host.machine.system.starts_with(host.wine ? "Wine " : "Windows "));
  CHECK((host.cyclesPerSecond > 0) == !host.wine);
  CHECK(host.machine.processors > 0);
  CHECK(host.machine.memoryBytes > 1 << 20);
}
