// Writes a game's frames for other programs, piece by piece. CSV: a row per frame with the columns of forEachColumn():
//   fault_on_processor_ns, fault_waiting_ns, fault_blocked_ns: the parts of fault_ns
//   timed_faults: the number of faults in fault_ns; thread, thread_...: the thread that ended the frame
//   thread_waiting_ns, thread_sleeping_ns: outside faults; thread_waiting_ns is for a processor. The thread was running
//     for the time that no such column has. Where the thread's time in faults is unknown, they are estimates.
//   thread_teardown_ns, teardown_ns: giving memory back, in that thread, in all; deadline_ns: after the frame's start
//   delay_ns, thread_delay_ns, thread_futex_ns, delay_pair, delayed: see frame_delay.h; empty if none was asked for
//   late_by_faults, late_by_teardown, likely: likely is 0 if the thread's own time proves the verdict; the others are
//     unknown for a frame that was perhaps late because of faults, or of giving memory back, without a measured time
// then deadline_by (see judge.h), version, budget_ns, lost_frames, samples, lost_samples and unseen_ns (of the watch so
// far), culprits (a JSON array of [code or thread, share of the faults' time or number]) and culprit: culpritText().
// minor_faults has the major ones where those are unknown. Unknown values are empty. JSON: {"version", "budget_ns",
// "watched": {pid, name, name_hex? (see json.h), method, mark, grade, how}, "frames": [{the same names up to version,
// and culprit}], "summary": {counts, losses, percentiles, lows}, "advice": {see advice/text.h} or null, "delay": {see
// delay/text.h} or null}. Unknown values are null, and the summary if the writer was killed. Trace: Chrome's events, a
// slice per frame and a counter of its faults, on the steady clock, as in the game's own trace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/culprits/culprits.h"
#include "core/delay/columns.h"
#include "core/export/exporter.h"
#include "core/frames/game_session.h"

namespace faultline {

struct ExportedGame {
  const WatchedGame& watched;
  std::string_view version;  // of the program that writes
  Nanoseconds budget = kDefaultBudget;
};

struct ExportedFrame {
  const GameFrame& frame;
  const FrameVerdict& verdict;
  std::string_view culprit{};          // text
  const Culprits* culprits = nullptr;  // null if unknown
  SessionTotals totals{};
  std::span<const FaultSample> samples{};  // some of its faults, in order of time
};

class FrameExporter : public Exporter<ExportedGame, ExportedFrame> {
 public:
  virtual void conclude(std::string_view /*advice*/, std::string_view /*delay*/) {}  // JSON or empty; before end()
};

// Visits the columns of a frame in order, without the culprit: name, and number or std::nullopt.
template <class Visit>
void forEachColumn(const GameFrame& frame, const FrameVerdict& verdict, Visit visit) {
  const auto some = [](auto value) { return std::optional(value); };
  const auto count = [](std::optional<Nanoseconds> duration) {
    return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
  };
  visit("frame", some(frame.number));
  visit("start_ns", some(std::int64_t{frame.start.sinceEpoch.count()}));
  visit("duration_ns", some(std::int64_t{frame.duration.count()}));
  visit("minor_faults", some(frame.minorFaults));
  visit("major_faults", frame.majorFaults);
  visit("zeroed_bytes", frame.zeroedBytes);
  visit("fault_ns", count(frame.faultTime));
  visit("estimated_fault_ns", verdict.estimated ? count(verdict.faultTime) : std::nullopt);
  visit("thread", some(std::uint64_t{frame.thread}));
  visit("thread_minor_faults", frame.ownMinorFaults);
  visit("thread_major_faults", frame.ownMajorFaults);
  visit("thread_zeroed_bytes", frame.ownZeroedBytes);
  visit("thread_fault_ns", count(frame.ownFaultTime));
  visit("late", some(std::uint64_t{verdict.late}));
  visit("excess_ns", verdict.late ? count(verdict.excess) : std::nullopt);
  visit("explained_share", verdict.explained);
  visit("costly", some(std::uint64_t{verdict.costly}));
  const auto part = [&](Nanoseconds FaultTimeParts::* which) {
    return frame.faultParts ? count((*frame.faultParts).*which) : std::nullopt;
  };
  visit("fault_on_processor_ns", part(&FaultTimeParts::onProcessor));
  visit("fault_waiting_ns", part(&FaultTimeParts::waiting));
  visit("fault_blocked_ns", part(&FaultTimeParts::blocked));
  visit("timed_faults", frame.timedFaults || !frame.faultTime ? frame.timedFaults : some(frame.faults()));
  visit("late_by_faults", verdict.perhapsByFaults ? std::nullopt : some(std::uint64_t{verdict.lateByFaults}));
  visit("likely", verdict.lateByMemory() ? some(std::uint64_t{verdict.likely}) : std::nullopt);
  const auto own = [&](auto of) { return frame.threadTime ? count(of(*frame.threadTime)) : std::nullopt; };
  const auto inFaults = [&](auto of) { return frame.faultTime ? own(of) : std::nullopt; };
  visit("thread_fault_on_processor_ns", inFaults([](const ThreadTime& time) { return time.inFaults.onProcessor; }));
  visit("thread_fault_waiting_ns", inFaults([](const ThreadTime& time) { return time.inFaults.waiting; }));
  visit("thread_fault_blocked_ns", inFaults([](const ThreadTime& time) { return time.inFaults.blocked; }));
  visit("thread_waiting_ns", own([](const ThreadTime& time) { return time.waiting; }));
  visit("thread_sleeping_ns", own([](const ThreadTime& time) { return time.sleeping; }));
  visit("thread_teardown_ns", count(frame.ownTeardown));
  visit("teardown_ns", count(frame.teardown));
  visit("late_by_teardown", verdict.perhapsByTeardown ? std::nullopt : some(std::uint64_t{verdict.lateByTeardown}));
  visit("deadline_ns", verdict.deadline ? count(verdict.deadline->after) : std::nullopt);
  forEachDelayColumn(frame.delay, visit);
}

}  // namespace faultline
