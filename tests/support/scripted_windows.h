// A scripted Windows behind NtFunctions. Requires the same buffer sizes as the real system.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "platform/sampling/nt/functions.h"
#include "tests/support/nt_kernel.h"

namespace faultline::test {

// Must outlive the users of functions().
class ScriptedWindows {
 public:
  std::vector<NtProcessScript> processes;
  NtPerformanceScript performance{.available = 1000, .committed = 2000, .commitLimit = 4000, .faults = 1};
  std::optional<NtBytes> memoryLists;  // absent: the query fails
  std::optional<std::uint64_t> bootTime = 1'000'000;
  bool mayOpen = false;                           // whether the threads of process 4 can be opened
  std::map<std::uint32_t, std::uint64_t> cycles;  // by thread; queries of other threads fail
  std::optional<std::uint64_t> ownCycles;
  std::optional<std::uint64_t> listBytes;  // by PDH
  int listReads = 0;

  std::function<std::uint32_t()> failure = [] { return kNtSuccess; };  // status of the next query
  int queries = 0;
  int opened = 0;
  std::set<std::uintptr_t> handles;  // open now; the thread's id times 16

  ScriptedWindows() = default;
  ScriptedWindows(const ScriptedWindows&) = delete;
  ScriptedWindows& operator=(const ScriptedWindows&) = delete;

  // From now on queries return their last answers, and allocate no memory.
  void freeze() { m_frozen = true; }

  [[nodiscard]] NtProcessScript& process(std::uint32_t pid) {
    return *std::ranges::find(processes, pid, &NtProcessScript::pid);
  }

  [[nodiscard]] NtFunctions functions() {
    return {.query = [this](NtClass what, std::span<std::byte> out,
                            std::uint32_t& length) { return query(what, out, length); },
            .openThread = [this](std::uint32_t thread) { return open(thread); },
            .threadCycles = [this](std::uintptr_t handle) { return cyclesOf(handle); },
            .ownCycles = [this] { return ownCycles; },
            .listBytes =
                [this] {
                  ++listReads;
                  return listBytes;
                },
            .close = [this](std::uintptr_t handle) { m_closedTwice = m_closedTwice || handles.erase(handle) != 1; }};
  }
  [[nodiscard]] bool closedTwice() const { return m_closedTwice; }

 private:
  std::uint32_t query(NtClass what, std::span<std::byte> out, std::uint32_t& length) {
    ++queries;
    if (const std::uint32_t status = failure(); status != kNtSuccess) return status;
    NtBytes& answer = m_answers[what];
    if (!m_frozen && !make(what, out, answer)) return 0xC0000022;  // STATUS_ACCESS_DENIED
    length = static_cast<std::uint32_t>(answer.size());
    const bool exact = what == NtClass::MemoryLists || what == NtClass::TimeOfDay;
    if (out.size() < answer.size() || (exact && out.size() != answer.size())) return kNtLengthMismatch;
    std::ranges::copy(answer, out.begin());
    return kNtSuccess;
  }

  bool make(NtClass what, std::span<std::byte> out, NtBytes& answer) const {
    switch (what) {
      case NtClass::Processes:
        answer = ntProcessList(processes, std::bit_cast<std::uintptr_t>(out.data()));
        return true;
      case NtClass::Performance:
        answer = ntPerformance(performance);
        return true;
      case NtClass::MemoryLists:
        if (memoryLists) answer = *memoryLists;
        return memoryLists.has_value();
      case NtClass::TimeOfDay:
        answer.assign(48, std::byte{0});
        if (bootTime) putAt(answer, 0, *bootTime);
        return bootTime.has_value();
    }
    return false;
  }

  std::optional<std::uintptr_t> open(std::uint32_t thread) {
    if (!mayOpen) return std::nullopt;
    ++opened;
    const std::uintptr_t handle = std::uintptr_t{thread} * 16;
    handles.insert(handle);
    return handle;
  }

  std::optional<std::uint64_t> cyclesOf(std::uintptr_t handle) const {
    const auto known = cycles.find(static_cast<std::uint32_t>(handle / 16));
    if (!handles.contains(handle) || known == cycles.end()) return std::nullopt;
    return known->second;
  }

  std::map<NtClass, NtBytes> m_answers;
  bool m_frozen = false;
  bool m_closedTwice = false;
};

// Sets up a process 4 with zero-page threads and other threads, and two programs.
inline void boot(ScriptedWindows& windows, std::size_t zeroThreads = 1) {
  NtProcessScript idle{.pid = 0, .threads = {{.id = 0, .basePriority = 0, .priority = 0}}};
  NtProcessScript system{
      .pid = 4, .name = u"System", .faults = 1500, .workingSet = 200 << 10, .privateBytes = 40 << 10};
  system.threads.push_back({.id = 12, .createTime = 1'000'010, .kernelTime = 7, .switches = 70});
  for (std::uint32_t i = 0; i < zeroThreads; ++i)
    system.threads.push_back({.id = 100 + 4 * i,
                              .createTime = 1'000'020 + i,
                              .kernelTime = 1'000,
                              .basePriority = 0,
                              .priority = static_cast<std::int32_t>(i % 2),  // raised when woken
                              .switches = 50});
  NtProcessScript game{.pid = 4096,
                       .parent = 4000,
                       .name = u"game.exe",
                       .createTime = 30'000'000,
                       .kernelTime = 500,
                       .userTime = 250,
                       .faults = 100'000,
                       .hardFaults = 40,
                       .workingSet = 64 << 20,
                       .privateWorkingSet = 48 << 20,
                       .pagefile = 90 << 20,
                       .privateBytes = 96 << 20};
  game.threads = {{.id = 4100, .basePriority = 0, .switches = 9}, {.id = 4104}};
  NtProcessScript shell = game;
  shell.pid = 4000;
  shell.parent = 2222;  // an ended process
  shell.name = u"explorer.exe";
  shell.createTime = 20'000'000;
  windows.processes = {idle, system, game, shell};
}

}  // namespace faultline::test
