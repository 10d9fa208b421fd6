// PerfGame: perf events for the faults of a game and its calls of some functions, in all present and future threads.
// The functions have hardware breakpoints: these affect no other process, threads inherit them, and a user's own
// processes need no privilege. Errors: a sentence that names an alternative.
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
#include "platform/system/posix/process_folder.h"

namespace faultline {

struct PerfPlan {
  std::uint32_t pid = 0;
  std::vector<std::uint64_t> functions;  // their addresses in the game's memory, preferred ones first
  SampleMode samples = SampleMode::None;
  bool counts = true;  // notes every fault; else only threads' names and the samples
};

enum class PerfKind : std::uint8_t { Minor, Major, Call, MinorWhole, MajorWhole };

// The meaning of an event.
struct PerfMeaning {
  PerfKind kind = PerfKind::Minor;
  std::size_t function = 0;  // if it is a call

  [[nodiscard]] bool isMajor() const { return kind == PerfKind::Major || kind == PerfKind::MajorWhole; }
};

// The rings of one processor.
struct PerfProcessor {
  int number = 0;
  std::optional<PerfRing> faults;
  std::optional<PerfRing> calls;
  std::optional<PerfRing> whole;
  PerfUnread unreadWhole;                  // of `whole`
  std::optional<MonotonicTime> lastFault;  // read so far
  std::optional<MonotonicTime> lastCall;
};

// The bytes of stack in a sampled fault: a deep copy, unless every fault is sampled.
[[nodiscard]] constexpr std::uint32_t stackBytesOf(SampleMode samples) {
  return samples == SampleMode::All ? 2048 : 8192;
}

class PerfGame {
 public:
  [[nodiscard]] static Result<PerfGame> open(const PerfPlan& plan, const ProcessFolder& folder);

  // Absent if the event occurred in another process. For a fault, rely only on isMajor(): if two events report the same
  // fault, kernels since 6.0 write the same id into both records.
  [[nodiscard]] std::optional<PerfMeaning> meaning(const PerfNote& note) const;

  [[nodiscard]] PerfThreadNames& names() { return m_names; }  // the reader adds the names in the records
  [[nodiscard]] std::vector<PerfProcessor>& processors() { return m_processors; }
  [[nodiscard]] bool seesKernel() const { return m_seesKernel; }  // and so the faults in system calls
  [[nodiscard]] bool seesAllThreads() const { return m_seesAllThreads; }
  [[nodiscard]] std::size_t functions() const { return m_functions; }  // of the plan, with breakpoints
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
  [[nodiscard]] std::size_t ringBytes(PerfKind kind) const;

  PerfPlan m_plan;
  PerfRegisters m_registers;
  std::size_t m_ringBytes;
  std::size_t m_functions;
  bool m_seesKernel = true;
  bool m_seesAllThreads = true;
  bool m_threadsOnly = true;  // else child processes inherit the events too
  PerfThreadNames m_names;
  std::vector<PerfProcessor> m_processors;
  std::vector<PerfEvent> m_events;                            // without a ring of their own
  std::unordered_map<std::uint64_t, PerfMeaning> m_meanings;  // by the event's id
};

}  // namespace faultline
