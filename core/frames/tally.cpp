#include "core/frames/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text/fault_parts.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

struct DeadlineWords {
  std::string_view name;
  std::string_view words;
};
// In the order of DeadlineBy.
constexpr std::array<DeadlineWords, 4> kDeadlines{
    {{"default", "the default, as the frames show no cadence"},
     {"given", "the given budget"},
     {"cadence", "the cadence of the game itself"},
     {"usual", "the usual length of its frames, which is longer than the default of 16.7 ms"}}};

constexpr std::size_t kMostBehind = 64;

std::string timeInFaults(const FrameVerdict& verdict) {
  return (verdict.estimated ? "about " : "") + formatDuration(*verdict.faultTime);
}

// For a time that covers only some of the faults: an assumed one lacks those that read from a disk.
std::string timedOf(const JudgedFrame& judged) {
  const GameFrame& frame = judged.frame;
  const auto& timed = frame.get(FrameMetric::TimedFaults);
  if (!frame.time(FrameMetric::FaultTime) && frame.majorFaults().value_or(0) > 0)
    return formatCount(frame.minorFaults()) + " minor of ";
  return timed && !judged.verdict.estimated ? formatCount(*timed) + " timed of " : std::string();
}

std::string faultsText(const GameFrame& frame) {
  std::string text = formatCount(frame.faults()) + (frame.faults() == 1 ? " fault" : " faults");
  if (frame.majorFaults().value_or(0) > 0) text += ", " + formatCount(*frame.majorFaults()) + " of them major";
  return text;
}

// Nothing of a time that is 0.
void tell(std::string& text, Nanoseconds time, std::string_view what) {
  if (time.count() > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", formatDuration(time), what);
}

// "5.00 ms asleep", or with the path: "9.00 ms waiting for other threads of the game (8.00 ms of it for their faults),
// 5.00 ms asleep". A thread that nobody of the game wakes sleeps.
void tellSleep(std::string& text, const GameFrame& frame, Nanoseconds sleeping) {
  const auto time = [&](FrameMetric metric) { return frame.time(metric).value_or(Nanoseconds(0)); };
  const Nanoseconds awaiting = std::min(time(FrameMetric::ThreadAwaiting), sleeping);
  std::string of;
  tell(of, time(FrameMetric::ThreadAwaitedFaultTime), "of it for their faults");
  tell(of, time(FrameMetric::ThreadAwaitedTeardownTime), "of it for their giving memory back");
  tell(of, time(FrameMetric::ThreadAwaitedWaiting), "of it while they waited for a processor");
  tell(text, awaiting, "waiting for other threads of the game" + (of.empty() ? "" : " (" + of + ")"));
  tell(text, sleeping - awaiting, "asleep");
}

// The parts add up to the frame.
std::string threadText(const JudgedFrame& judged) {
  const GameFrame& frame = judged.frame;
  const ThreadTime time = *frame.threadTime();
  const Nanoseconds teardown = frame.time(FrameMetric::ThreadTeardownTime).value_or(Nanoseconds(0));
  const Nanoseconds running = frame.duration - time.faults() - teardown - time.waiting - time.sleeping;
  const bool timed = frame.time(FrameMetric::FaultTime).has_value();
  std::string text;
  tell(text, time.inFaults.onProcessor, "in faults on a processor");
  tell(text, time.inFaults.waiting + time.inFaults.blocked, "waiting in faults");
  tell(text, teardown, "giving memory back");
  tell(text, time.waiting, "waiting for a processor");
  tellSleep(text, frame, time.sleeping);
  tell(text, running,
       !timed                     ? "other and in faults"
       : judged.verdict.estimated ? "other and in faults without a measured time"
                                  : "other");
  return (timed ? "" : "about ") + text;
}

// ", with 3.00 ms waiting for the disk, 2.00 MiB cleared in large pages": of the thread, else of the game; not if they
// are 0.
std::string furtherText(const GameFrame& frame) {
  const FrameScope scope = frame.threadTime() ? FrameScope::Thread : FrameScope::Game;
  std::string text;
  for (const FrameField& row : kFrameFields) {
    const std::uint64_t value = row.scope == scope && !row.words.empty() ? frame.get(row.metric).value_or(0) : 0;
    if (value == 0) continue;
    const std::string amount =
        row.unit == Unit::Bytes ? formatBytes(value) : formatDuration(Nanoseconds(static_cast<std::int64_t>(value)));
    text += fmt::format("{} {} {}", text.empty() ? ", with" : ",", amount, row.words);
  }
  if (const auto behind = frame.values.waitedBehind())
    text += fmt::format("{} {} while {} ran on its processor", text.empty() ? ", with" : ",",
                        formatDuration(behind->time), printableName(behind->program));
  return text;
}

// Whether the presenting thread may have spent the time in faults, which is then a part of the frame.
bool mayBeOwn(const GameFrame& frame, Nanoseconds inFaults) {
  if (inFaults > frame.duration) return false;
  const auto own = frame.time(FrameMetric::ThreadFaultTime);
  const auto all = frame.time(FrameMetric::FaultTime);
  if (own && all) return formatDuration(*own) == formatDuration(*all);
  return frame.ownFaults().value_or(frame.faults()) == frame.faults();
}

std::string worstText(const JudgedFrame& judged, std::string_view culprit, std::optional<double> paid = {}) {
  const auto& took = judged.verdict.faultTime;
  const auto& path = judged.verdict.pathTime;
  if (judged.verdict.lateByFaults && path && took && !mayBeOwn(judged.frame, *took))
    return fmt::format("frame {}, {}, of which {}{} for memory on its path{}{}", formatCount(judged.frame.number),
                       formatDuration(judged.frame.duration), judged.verdict.estimated ? "about " : "",
                       formatDuration(*path), culprit.empty() ? "" : ", ", culprit);
  const std::string_view whose = took && mayBeOwn(judged.frame, *took) ? "of which " : "all its threads together ";
  const std::string in =
      took ? fmt::format("{}{} in {}", whose, timeInFaults(judged.verdict), timedOf(judged)) : "with ";
  std::string pays;
  if (took && paid) pays = fmt::format(", of which the frame pays {}", formatDuration(*paid * inNs(*took)));
  return fmt::format("frame {}, {}, {}{}{}{}{}", formatCount(judged.frame.number),
                     formatDuration(judged.frame.duration), in, faultsText(judged.frame), pays,
                     culprit.empty() ? "" : ", ", culprit);
}

}  // namespace

bool worseThan(const JudgedFrame& a, const JudgedFrame& b) {
  if (a.verdict.lateByFaults != b.verdict.lateByFaults) return a.verdict.lateByFaults;
  if (a.verdict.lateByTeardown != b.verdict.lateByTeardown) return a.verdict.lateByTeardown;
  if (a.verdict.perhapsByFaults != b.verdict.perhapsByFaults) return a.verdict.perhapsByFaults;
  if (faultWeight(a) != faultWeight(b)) return faultWeight(a) > faultWeight(b);
  return a.frame.duration > b.frame.duration;
}

double faultWeight(const JudgedFrame& judged) {
  if (const auto time = judged.verdict.memoryTime()) return inNs(*time);
  return static_cast<double>(judged.frame.faults());
}

void FrameTally::add(const GameFrame& frame, const FrameVerdict& verdict) {
  ++frames;
  late += verdict.late ? 1 : 0;
  lateByFaults += verdict.lateByFaults ? 1 : 0;
  likely += verdict.likely && verdict.lateByFaults ? 1 : 0;
  lateByTeardown += verdict.lateByTeardown ? 1 : 0;
  perhapsByTeardown += verdict.perhapsByTeardown ? 1 : 0;
  perhapsByFaults += verdict.perhapsByFaults ? 1 : 0;
  lateBySampling += verdict.lateBySampling ? 1 : 0;
  perhapsByWatching += verdict.perhapsByWatching && verdict.lateByFaults ? 1 : 0;
  costly += verdict.costly ? 1 : 0;
  const auto behind = verdict.late && !verdict.lateByMemory() ? frame.values.waitedBehind() : std::nullopt;
  if (behind && inNs(behind->time) >= kMostOfExcess * inNs(verdict.excess) &&
      (lateBehind.size() < kMostBehind || lateBehind.contains(behind->program)))
    ++lateBehind[behind->program];
  minorFaults += frame.minorFaults();
  majorFaults += frame.majorFaults().value_or(0);
  deadline = verdict.deadline;
  longest = std::max(longest, frame.duration);
  const auto raise = [](std::optional<Nanoseconds>& most, const std::optional<Nanoseconds>& time) {
    if (time) most = std::max(most.value_or(Nanoseconds(0)), *time);
  };
  raise(longestInFaults, verdict.faultTime);
  raise(longestOnPath, verdict.pathTime);
  const JudgedFrame judged{frame, verdict};
  const bool ordinary = (frame.faults() == 0 && !verdict.lateByTeardown) || !(verdict.costly || verdict.late);
  if (ordinary || (worst.size() == kWorstFrames && !worseThan(judged, worst.back()))) return;
  worst.insert(std::ranges::upper_bound(worst, judged, worseThan), judged);
  if (worst.size() > kWorstFrames) worst.pop_back();
}

std::string summaryText(const FrameTally& tally, std::string_view culprit, std::optional<double> paid) {
  if (tally.frames == 0) return "No frames were seen.";
  std::string text = fmt::format("{} of {} frames late because of page faults", formatCount(tally.lateByFaults),
                                 formatCount(tally.frames));
  const auto share = [](std::uint64_t part, std::uint64_t all) { return part == all ? "" : formatCount(part) + " "; };
  if (tally.likely > 0) {
    text += " (" + share(tally.likely, tally.lateByFaults) + "probably";
    if (tally.perhapsByWatching > 0)
      text += ", " + share(tally.perhapsByWatching, tally.likely) + "perhaps because Faultline watches them";
    text += ")";
  }
  if (tally.lateByFaults > 0) text += "; worst: " + worstText(tally.worst.front(), culprit, paid);
  if (tally.lateByTeardown > 0)
    text += fmt::format("; {} late because of giving memory back", formatCount(tally.lateByTeardown));
  if (const auto others = tally.late - tally.lateByFaults - tally.lateByTeardown; others > 0) {
    text += fmt::format("; {} late for other reasons", formatCount(others));
    std::string open;
    const auto most =
        std::ranges::max_element(tally.lateBehind, {}, &std::pair<const std::string, std::uint64_t>::second);
    if (most != tally.lateBehind.end())
      open = fmt::format("{}while {} ran on their processor", share(most->second, others), printableName(most->first));
    const auto tell = [&](std::uint64_t frames, const char* why) {
      if (frames == 0) return;
      open += (open.empty() ? "" : "; ") + share(frames, others) + why;
    };
    tell(tally.lateBySampling, "because Faultline sampled their faults: sample fewer");
    tell(tally.perhapsByTeardown, "perhaps because of giving memory back, whose time is unavailable");
    tell(tally.perhapsByFaults, "perhaps because of page faults, whose part in it is unknown");
    if (!open.empty()) text += " (" + open + ")";
    const bool worst = tally.perhapsByFaults > 0 && tally.lateByFaults + tally.lateByTeardown == 0;
    if (worst && !tally.worst.empty()) text += "; worst: " + worstText(tally.worst.front(), culprit, paid);
  }
  return text + fmt::format("; the longest frame took {}.", formatDuration(tally.longest));
}

std::string assumedSummaryText(const FrameTally& tally, std::string_view culprit) {
  if (tally.frames == 0) return "No frames were seen.";
  std::string text = fmt::format("Faults took more than their share of {} of {} assumed frames",
                                 formatCount(tally.costly), formatCount(tally.frames));
  if (!tally.worst.empty()) text += "; worst: " + worstText(tally.worst.front(), culprit);
  return text + ".";
}

std::string deadlineText(const FrameDeadline& deadline) {
  return formatDuration(deadline.after) + ", " +
         std::string(kDeadlines.at(static_cast<std::size_t>(deadline.by)).words);
}

std::string_view deadlineBy(const FrameDeadline& deadline) {
  return kDeadlines.at(static_cast<std::size_t>(deadline.by)).name;
}

const char* frameTitle(const FrameVerdict& verdict) {
  if (verdict.lateByTeardown) return "frame, late by giving memory back";
  return verdict.lateByFaults ? "frame, late by page faults" : verdict.late ? "frame, late" : "frame";
}

std::string shareText(const FrameVerdict& verdict) {
  const std::string_view memory = verdict.lateByTeardown ? "giving memory back" : "faults";
  const std::string alone = formatPercent(*verdict.explained);
  const std::string all = formatPercent(*verdict.explainedWithWaits());
  const std::string text =
      alone == all ? fmt::format("{} of it by {}", alone, memory)
                   : fmt::format("{} of it by {} and the waits for a processor that came with {} ({} by {} alone)", all,
                                 memory, verdict.lateByTeardown ? "that" : "them", alone, memory);
  return text + (verdict.lateWithoutMemory() ? ", but late without them, too" : "");
}

std::string frameText(const JudgedFrame& judged) {
  const GameFrame& frame = judged.frame;
  const FrameVerdict& verdict = judged.verdict;
  std::string text =
      fmt::format("frame {}: {}, {}", formatCount(frame.number), formatDuration(frame.duration), faultsText(frame));
  if (const auto own = frame.ownFaults()) text += fmt::format(" ({} in the presenting thread)", formatCount(*own));
  if (verdict.faultTime) text += ", " + timeInFaults(verdict) + " in " + timedOf(judged) + "them";
  // Beside an estimate, a measured time would lack what the estimate adds.
  if (verdict.faultTime && !verdict.estimated && frame.time(FrameMetric::ThreadFaultTime))
    text += fmt::format(" ({} in the presenting thread)", formatDuration(*frame.time(FrameMetric::ThreadFaultTime)));
  if (const auto& parts = frame.faultParts(); parts && !frame.threadTime()) {
    const auto told = faultPartsText({inNs(parts->onProcessor), inNs(parts->waiting), inNs(parts->blocked)});
    if (!told.empty()) text += ": " + told;
  }
  if (frame.threadTime()) text += "; its thread: " + threadText(judged);
  text += furtherText(frame);
  if (verdict.explained) text += fmt::format(", late by {}, {}", formatDuration(verdict.excess), shareText(verdict));
  else if (verdict.late) text += ", late by " + formatDuration(verdict.excess);
  if (verdict.lateBySampling) text += ", because Faultline sampled its faults";
  if (verdict.perhapsByTeardown) text += ", perhaps because of giving memory back, whose time is unavailable";
  if (verdict.perhapsByFaults) text += ", perhaps because of page faults, whose part in it is unknown";
  if (verdict.likely) text += verdict.lateByTeardown ? ", probably because of that" : ", probably because of them";
  if (verdict.perhapsByWatching) text += ", or because Faultline watches its faults";
  return text;
}

}  // namespace faultline
