// WindowsStory: a scripted Windows 11 whose numbers are known at each list of processes that it gives: the first, of
// number 0, at the start, and one for each sweep.
//   "administrator"  opens the zeroing threads, and reads the lists of pages
//   "late"           the same, but a third zeroing thread that cannot be opened lives from list 3 on
//   "user"           neither; PDH tells the sum of the lists
#pragma once

#include <string_view>

#include "tests/support/scripted_windows.h"

namespace faultline::test {

class WindowsStory {
 public:
  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::uint64_t kListPages = 8;  // on the zeroed list at the start

  explicit WindowsStory(std::string_view script)
      : m_administrator(script == "administrator" || script == "late"), m_late(script == "late") {
    boot(m_windows, 2);
    m_windows.mayOpen = m_administrator;
    tell(0);
  }

  // At list `n`.
  static constexpr std::uint64_t cycles(std::uint64_t n) { return 3'000'000 * n; }        // of both threads
  static constexpr std::uint64_t kernelTime(std::uint64_t n) { return 2 * 156'250 * n; }  // in 100 ns, likewise
  static constexpr std::uint64_t switches(std::uint64_t n) { return 14 * n; }
  static constexpr std::uint64_t zeroedPages(std::uint64_t n) { return n < kListPages ? kListPages - n : 0; }
  static constexpr std::uint64_t freePages(std::uint64_t n) { return 100 + 3 * n; }
  static constexpr std::uint64_t demandZero(std::uint64_t n) { return 7'000 * n; }
  static constexpr std::uint64_t gameFaults(std::uint64_t n) { return 50 * n; }
  static constexpr std::uint64_t gameHardFaults(std::uint64_t n) { return 2 * n; }

  [[nodiscard]] NtFunctions functions() {
    NtFunctions functions = m_windows.functions();
    functions.query = [this, query = functions.query](NtClass what, std::span<std::byte> out, std::uint32_t& length) {
      if (what == NtClass::Processes) tell(m_list);
      const std::uint32_t status = query(what, out, length);
      if (what == NtClass::Processes && status == kNtSuccess) ++m_list;
      return status;
    };
    return functions;
  }
  [[nodiscard]] NtHost host() const {
    return {.machine = {.system = "Windows 11, scripted",
                        .processor = "scripted",
                        .processors = 4,
                        .memoryBytes = std::uint64_t{16} << 30U,
                        .pageBytes = kPage},
            .ownPid = 4096,
            .cyclesPerSecond = 3'000'000'000,
            .debugPrivilege = m_administrator};
  }

 private:
  void tell(std::uint64_t n) {
    auto& threads = m_windows.process(4).threads;
    if (m_late && n == 3 && threads.size() == 3) {
      threads.push_back(threads.back());
      threads.back().id = 900;
      m_windows.mayOpen = false;
    }
    for (const std::size_t i : {1U, 2U}) {
      threads[i].kernelTime = kernelTime(n) / 2;
      threads[i].switches = static_cast<std::uint32_t>(switches(n) / 2);
    }
    m_windows.cycles = {{100, cycles(n) / 3}, {104, cycles(n) / 3 * 2}};
    m_windows.process(4).cycles = cycles(n) + 500 * n + 1;
    m_windows.performance.demandZero = static_cast<std::uint32_t>(demandZero(n));
    m_windows.performance.faults = static_cast<std::uint32_t>(1 + 10'000 * n);
    auto& game = m_windows.process(4096);
    game.faults = static_cast<std::uint32_t>(100'000 + gameFaults(n));
    game.hardFaults = static_cast<std::uint32_t>(40 + gameHardFaults(n));
    if (m_administrator) m_windows.memoryLists = ntMemoryLists(zeroedPages(n), freePages(n));
    else m_windows.listBytes = (zeroedPages(n) + freePages(n)) * kPage;
  }

  ScriptedWindows m_windows;
  std::uint64_t m_list = 0;
  bool m_administrator;
  bool m_late;
};

}  // namespace faultline::test
