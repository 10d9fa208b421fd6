// PerfGame: the perf events of one game: its faults, and the calls of some functions, in all of its threads, those that
// it will have included. Hardware breakpoints stand at the functions: no other process meets them, threads inherit
// them, and they take no privilege in one's own processes. Errors: a sentence that says what else can be done.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/perf/ring.h"
#include "platform/sampling/records/perf_fault_records.h"
#include "platform/sampling/records/perf_thread_names.h"

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

  [[nodiscard]] bool isMajor() const { return kind == PerfKind::Major || kind == PerfKind::MajorWhole; }
};

// The rings of one processor.
struct PerfProcessor {
  int number = 0;
  std::optional<PerfRing> faults;
  std::optional<PerfRing> calls;
  std::optional<PerfRing> whole;
  PerfUnread unreadWhole;                  // the reader's notes, as these are
  std::optional<MonotonicTime> lastFault;  // that was read
  std::optional<MonotonicTime> lastCall;
};

class PerfGame {
 public:
  [[nodiscard]] static Result<PerfGame> open(const PerfPlan& plan);

  // Nothing: it happened in another process. Of a fault, `kind` tells only whether it is major: where two events tell
  // the same fault, kernels since 6.0 name one of them in both records.
  [[nodiscard]] std::optional<PerfMeaning> meaning(const PerfNote& note) const;

  [[nodiscard]] PerfThreadNames& names() {
    return m_names;
  }  // what the records with the faults say is the reader's to add
  [[nodiscard]] std::vector<PerfProcessor>& processors() { return m_processors; }
  [[nodiscard]] bool seesKernel() const { return m_seesKernel; }  // faults that it takes for the game
  [[nodiscard]] bool seesAllThreads() const { return m_seesAllThreads; }
  [[nodiscard]] std::size_t functions() const { return m_functions; }  // of the plan, that there were breakpoints for
  [[nodiscard]] const PerfRegisters& registers() const { return m_registers; }

 private:
  explicit PerfGame(const PerfPlan& plan);
  [[nodiscard]] int openAll(const std::vector<std::uint32_t>& threads);
  [[nodiscard]] int findProcessors(std::uint32_t thread);
  [[nodiscard]] int openThread(std::uint32_t thread);
  [[nodiscard]] int openOn(PerfProcessor& processor, std::uint32_t thread, PerfMeaning meaning);
  [[nodiscard]] bool giveWay(int error);
  [[nodiscard]] perf_event_attr attributes(PerfMeaning meaning) const;
  [[nodiscard]] std::vector<PerfMeaning> meanings() const;

  PerfPlan m_plan;
  PerfRegisters m_registers;
  std::size_t m_ringBytes;
  std::size_t m_functions;
  bool m_seesKernel = true;
  bool m_seesAllThreads = true;
  bool m_threadsOnly = true;  // else children inherit the events, too
  PerfThreadNames m_names;
  std::vector<PerfProcessor> m_processors;
  std::vector<PerfEvent> m_events;                            // that write into the rings of others
  std::unordered_map<std::uint64_t, PerfMeaning> m_meanings;  // of events, by their id
};

}  // namespace faultline
