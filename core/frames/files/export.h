// Writes a game's frames for other programs, piece by piece. CSV: a row per frame with the columns of forEachColumn():
//   those of core/model/frame_fields.h
//   thread: that ended the frame. The thread was running for the time that no column thread_..._ns has
//   deadline_ns: after the frame's start; delay_pair, delayed: see FrameDelay
//   late_by_faults, late_by_teardown, likely: likely is 0 if the thread's own time proves the verdict; the others are
//     unknown for a frame that was perhaps late because of faults, or of giving memory back, whose part is unknown
// then waiting_behind (see WaitedBehind), deadline_by (see judge.h), version, budget_ns, lost_frames, samples,
// lost_samples and unseen_ns (of the watch so far), culprits (a JSON array of [code or thread, share of the time or
// number of all faults of the frame]) and culprit, of the faults on its path: culpritText(). Another tool's columns
// follow in a CSV of `faultline-cli join`. minor_faults has the major ones where those are unknown. Unknown values are
// empty. JSON: {"version", "budget_ns", "watched": {pid, name, name_hex? (see json.h), method, mark, grade, how and
// enable of the faults, and each quality by its name as an object of these three (kFrameQualities, delay)}, "frames":
// [{the same names up to version, and culprit; culprit_faults: that its culprits stand for}], "summary": {counts,
// losses, percentiles, lows}, "advice": {see advice/text.h} or null, "delay": {see delay/text.h} or null}. Unknown
// values are null, and the summary if the writer was killed. Trace: Chrome's events, a slice per frame and a counter of
// its faults, on the steady clock, as in the game's own trace. Folded: the call stacks of flagged frames, and a line
// for the rest of their faults.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/culprits/culprits.h"
#include "core/export/exporter.h"
#include "core/frames/game_session.h"

namespace faultline {

struct ExportedGame {
  const WatchedGame& watched;
  std::string_view version;  // of the program that writes
  Nanoseconds budget = kDefaultBudget;
  std::string_view moreColumns{};  // of another tool, as CSV; CSV has them after its own
  std::uint64_t pageBytes = 0;     // of the machine; 0: unknown
};

struct ExportedFrame {
  const GameFrame& frame;
  const FrameVerdict& verdict;
  std::string_view culprit{};          // text
  const Culprits* culprits = nullptr;  // null if unknown
  SessionTotals totals{};
  std::span<const FaultSample> samples{};  // some of its faults, in order of time
  std::string_view more{};                 // the fields of ExportedGame::moreColumns
};

// As exports tell it: all faults are timed unless their number is told, and parts of an unknown time in faults are not
// told.
[[nodiscard]] inline std::optional<std::uint64_t> exportedValue(const GameFrame& frame, const FrameField& row) {
  const bool timed = frame.values.has(FrameMetric::FaultTime);
  if (row.metric == FrameMetric::TimedFaults && timed) return frame.get(row.metric).value_or(frame.faults());
  const bool ofFaults = row.group == FrameGroup::Parts && row.metric != FrameMetric::ThreadWaiting &&
                        row.metric != FrameMetric::ThreadSleeping;
  return ofFaults && !timed ? std::nullopt : frame.get(row.metric);
}

class FrameExporter : public Exporter<ExportedGame, ExportedFrame> {
 public:
  virtual void conclude(std::string_view /*advice*/, std::string_view /*delay*/) {}  // JSON or empty; before end()
};

// Visits the columns of a frame in order, without the culprit: name, and number or std::nullopt. The verdict's columns
// stand between those of the table, where earlier versions have put them.
template <class Visit>
void forEachColumn(const GameFrame& frame, const FrameVerdict& verdict, Visit visit) {
  const auto some = [](auto value) { return std::optional(value); };
  const auto count = [](std::optional<Nanoseconds> duration) {
    return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
  };
  visit("frame", some(frame.number));
  visit("start_ns", some(std::int64_t{frame.start.sinceEpoch.count()}));
  visit("duration_ns", some(std::int64_t{frame.duration.count()}));
  for (const FrameField& row : kFrameFields) {
    if (!row.name.empty()) visit(row.name, exportedValue(frame, row));
    switch (row.metric) {
      case FrameMetric::FaultTime:
        visit("estimated_fault_ns", verdict.estimated ? count(verdict.faultTime) : std::nullopt);
        visit("thread", some(std::uint64_t{frame.thread}));
        break;
      case FrameMetric::ThreadFaultTime:
        visit("late", some(std::uint64_t{verdict.late}));
        visit("excess_ns", verdict.late ? count(verdict.excess) : std::nullopt);
        visit("explained_share", verdict.explained);
        visit("explained_with_waits_share", verdict.explainedWithWaits());
        visit("costly", some(std::uint64_t{verdict.costly}));
        break;
      case FrameMetric::UnseenFaultTime:
        visit("path_ns", count(verdict.pathTime));
        break;
      case FrameMetric::TimedFaults:
        visit("late_by_faults", verdict.perhapsByFaults ? std::nullopt : some(std::uint64_t{verdict.lateByFaults}));
        visit("likely", verdict.lateByMemory() ? some(std::uint64_t{verdict.likely}) : std::nullopt);
        break;
      case FrameMetric::TeardownTime:
        visit("late_by_teardown",
              verdict.perhapsByTeardown ? std::nullopt : some(std::uint64_t{verdict.lateByTeardown}));
        visit("deadline_ns", verdict.deadline ? count(verdict.deadline->after) : std::nullopt);
        break;
      case FrameMetric::ThreadSamplingTime:
        visit("late_by_sampling", some(std::uint64_t{verdict.lateBySampling}));
        break;
      case FrameMetric::DelayStretch: {
        const auto delay = frame.delay();
        visit("delay_pair", delay ? some(delay->pair) : std::nullopt);
        visit("delayed", delay ? some(std::uint64_t{delay->delayed}) : std::nullopt);
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace faultline
