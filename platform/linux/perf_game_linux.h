// PerfGame: the perf events of one game: its faults, and the calls of some functions, in all of its threads, those that
// it will have included. Hardware breakpoints stand at the functions: no other process meets them, threads inherit
// them, and they take no privilege in one's own processes. Errors: a sentence that says what else can be done.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/result.h"
#include "platform/frame_source.h"
#include "platform/linux/perf_fault_records.h"
#include "platform/linux/perf_ring_linux.h"

namespace faultline {

struct PerfPlan {
  std::uint32_t pid = 0;
  int folder = -1;                       // /proc/PID
  std::vector<std::uint64_t> functions;  // where they begin in the game's memory, the preferred ones first
  SampleMode samples = SampleMode::None;
};

enum class PerfKind : std::uint8_t { Minor, Major, Call, MinorWhole, MajorWhole };

// What an event means.
struct PerfMeaning {
  PerfKind kind = PerfKind::Minor;
  std::size_t function = 0;  // of a call
};

// The rings of one processor.
struct PerfProcessor {
  int number = 0;
  std::optional<PerfRing> faults;
  std::optional<PerfRing> calls;
  std::optional<PerfRing> whole;
  std::optional<MonotonicTime> lastFault;  // that was read; the reader's note
};

class PerfGame {
 public:
  [[nodiscard]] static Result<PerfGame> open(const PerfPlan& plan);

  // Nothing: it happened in another process, or it is told twice.
  [[nodiscard]] std::optional<PerfMeaning> meaning(const PerfNote& note) const;
  void forgetThread(std::uint32_t thread);  // has ended: its number may come to mean another

  [[nodiscard]] std::vector<PerfProcessor>& processors() { return m_processors; }
  [[nodiscard]] bool seesKernel() const { return m_seesKernel; }       // faults that it takes for the game
  [[nodiscard]] std::size_t functions() const { return m_functions; }  // of the plan, that there were breakpoints for
  [[nodiscard]] std::size_t deafThreads() const { return m_deafThreads; }  // whose breakpoints others have taken
  [[nodiscard]] const PerfRegisters& registers() const { return m_registers; }

 private:
  struct Source {
    PerfMeaning meaning;
    std::uint32_t thread = 0;  // for which it was opened
  };
  using Threads = std::unordered_set<std::uint32_t>;

  explicit PerfGame(const PerfPlan& plan);
  [[nodiscard]] Result<void> openFirst(const std::vector<std::uint32_t>& threads);
  [[nodiscard]] int tryFirst(std::uint32_t thread);
  [[nodiscard]] bool giveWay(int error);
  [[nodiscard]] Result<void> openOthers();
  [[nodiscard]] int openThread(std::uint32_t thread);
  [[nodiscard]] int openOn(PerfProcessor& processor, std::uint32_t thread, PerfMeaning meaning);
  [[nodiscard]] perf_event_attr attributes(PerfMeaning meaning) const;
  [[nodiscard]] std::vector<PerfMeaning> faultMeanings() const;

  PerfPlan m_plan;
  PerfRegisters m_registers;
  std::size_t m_ringBytes;
  std::size_t m_functions;
  std::size_t m_deafThreads = 0;
  bool m_seesKernel = true;
  bool m_threadsOnly = true;  // else children inherit the events, too
  std::vector<PerfProcessor> m_processors;
  std::vector<PerfEvent> m_events;  // that write into the rings of others
  std::unordered_map<std::uint64_t, Source> m_sources;
  Threads m_faultsOf;  // threads with events of their own, whether there are inherited ones or not
  Threads m_callsOf;   // the same
};

}  // namespace faultline
