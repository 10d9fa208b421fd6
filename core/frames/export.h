// A game's frames for other programs, one piece after the other. CSV: a row per frame with the columns
//   frame, start_ns, duration_ns, minor_faults, major_faults, zeroed_bytes, fault_ns, estimated_fault_ns,
//   thread (that ended it), thread_minor_faults, thread_major_faults, thread_zeroed_bytes, thread_fault_ns,
//   late, excess_ns, explained_share, costly, fault_on_processor_ns, fault_waiting_ns, fault_blocked_ns (the parts of
//   fault_ns), timed_faults (that fault_ns is of),
//   culprit (words, see culpritText(); for frames that faults have hurt)
// where what is not known is empty. JSON: {"watched": {pid, name, name_hex? (see json.h), method, mark, grade, how},
// "frames": [{the same names}]}, null for the unknown.
// Trace: Chrome's trace events (chrome://tracing, Perfetto): a slice per frame, in rows of their own, and a counter of
// its faults; times on the steady clock, so that they lie beside the game's own trace when both are put together.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/frames/judge.h"
#include "core/model/hello.h"

namespace faultline {

enum class FrameFormat : std::uint8_t { Csv, Json, Trace };

class FrameExport {
 public:
  explicit FrameExport(FrameFormat format) : m_format(format) {}

  // Each appends to `out`: begin() once, add() for each frame, end() once.
  void begin(const WatchedGame& watched, std::string& out);
  void add(const GameFrame& frame, const FrameVerdict& verdict, std::string& out, std::string_view culprit = {});
  void end(std::string& out) const;

 private:
  FrameFormat m_format;
  std::uint32_t m_pid = 0;
  bool m_any = false;
  std::set<std::uint64_t> m_rows;  // of a trace, that have their name
};

}  // namespace faultline
