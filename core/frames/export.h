// A game's frames for other programs, one piece after the other. CSV: a row per frame with the columns
//   frame, start_ns, duration_ns, minor_faults, major_faults, zeroed_bytes, fault_ns, estimated_fault_ns,
//   thread (that ended it), thread_minor_faults, thread_major_faults, thread_zeroed_bytes, thread_fault_ns,
//   late, excess_ns, explained_share, costly, fault_on_processor_ns, fault_waiting_ns, fault_blocked_ns (the parts of
//   fault_ns), timed_faults (that fault_ns is of), late_by_faults, likely (0: the thread's own time shows that), and of
//   the thread's time: thread_fault_on_processor_ns, thread_fault_waiting_ns, thread_fault_blocked_ns,
//   thread_waiting_ns (for a processor, outside faults), thread_sleeping_ns; the rest of the frame it was running
//   culprit (words, see culpritText(); for frames hit by faults)
// where what is not known is empty. JSON: {"watched": {pid, name, name_hex? (see json.h), method, mark, grade, how},
// "frames": [{the same names}]}, null for the unknown.
// Trace: Chrome's trace events (chrome://tracing, Perfetto): a slice per frame, in rows of their own, and a counter of
// its faults; times on the steady clock, so that they lie beside the game's own trace when both are put together.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/culprits/call_tree.h"
#include "core/export/exporter.h"
#include "core/frames/judge.h"

namespace faultline {

struct ExportedFrame {
  const GameFrame& frame;
  const FrameVerdict& verdict;
  std::string_view culprit{};       // in words
  const CallTree* calls = nullptr;  // of its faults, where they are known
};

using FrameExporter = Exporter<WatchedGame, ExportedFrame>;

[[nodiscard]] const char* frameTitle(const FrameVerdict& verdict);  // "frame, late"

// Hands over every column of a frame but the culprit, in order: its name, and a number or nothing.
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
  visit("major_faults", some(frame.majorFaults));
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
  visit("late_by_faults", some(std::uint64_t{verdict.lateByFaults}));
  visit("likely", verdict.lateByFaults ? some(std::uint64_t{verdict.likely}) : std::nullopt);
  const auto own = [&](auto of) { return frame.threadTime ? count(of(*frame.threadTime)) : std::nullopt; };
  visit("thread_fault_on_processor_ns", own([](const ThreadTime& time) { return time.inFaults.onProcessor; }));
  visit("thread_fault_waiting_ns", own([](const ThreadTime& time) { return time.inFaults.waiting; }));
  visit("thread_fault_blocked_ns", own([](const ThreadTime& time) { return time.inFaults.blocked; }));
  visit("thread_waiting_ns", own([](const ThreadTime& time) { return time.waiting; }));
  visit("thread_sleeping_ns", own([](const ThreadTime& time) { return time.sleeping; }));
}

}  // namespace faultline
