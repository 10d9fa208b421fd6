#include "core/advice/advice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/frames/fault_path.h"

namespace faultline {
namespace {

constexpr double kLeastShare = 1.0 / 3;  // of the faults, for their kind
constexpr double kMost = 0.5;
constexpr double kLeastPaid = 0.1;  // of the time in faults
constexpr double kSparse = 0.25;    // pages touched again of a huge range: the rest of it was kept
constexpr double kPagesOfRange = 512;
constexpr std::uint64_t kManyRanges = 8;

// The remedy for faults of this cause; absent: there is none.
std::optional<AdviceKind> remedyOf(const FaultCause& cause) {
  if (cause.kind == FaultKind::SwappedIn || cause.memory == MemoryKind::Unknown) return std::nullopt;
  if (cause.memory == MemoryKind::Device) return AdviceKind::KeepDevice;
  if (cause.kind == FaultKind::CopyOnWrite) return AdviceKind::NoCopies;
  if (cause.kind == FaultKind::File) return AdviceKind::PopulateFile;
  const auto faults = static_cast<double>(cause.faults);
  const bool small = static_cast<double>(cause.inSmallMappings) > kMost * faults;
  const bool again = static_cast<double>(cause.inKnownBlocks) > kMost * faults;
  if (cause.kind == FaultKind::FirstTouch && !again) {
    const bool pieces = small && cause.memory == MemoryKind::Anonymous && cause.ranges >= kManyRanges;
    return pieces ? AdviceKind::OnePiece : AdviceKind::Prefault;
  }
  if (cause.kind != FaultKind::TouchedAgain && !again) return std::nullopt;
  const bool sparse = faults < kSparse * kPagesOfRange * static_cast<double>(cause.ranges);
  const bool parts = sparse && !small && cause.memory == MemoryKind::Anonymous && cause.ranges >= kManyRanges;
  return parts ? AdviceKind::WholeHuge : AdviceKind::Keep;
}

// The thread that ended the frame paid for most of its faults by itself: then those of other threads do not count.
bool mostlyOwn(const GameFrame& frame) {
  if (frame.time(FrameMetric::ThreadFaultTime) && frame.time(FrameMetric::FaultTime) &&
      *frame.time(FrameMetric::FaultTime) > Nanoseconds(0))
    return inNs(*frame.time(FrameMetric::ThreadFaultTime)) >= kMost * inNs(*frame.time(FrameMetric::FaultTime));
  const auto faults = frame.ownFaults();
  return faults && 2 * *faults >= frame.faults();
}

bool onPath(const JudgedFrame& judged) {
  const FrameVerdict& verdict = judged.verdict;
  return verdict.lateByMemory() ||
         (verdict.costly && !verdict.late && (faultPathOf(judged) || mostlyOwn(judged.frame)));
}

FaultPath pathOf(const JudgedFrame& judged) {
  if (const auto path = faultPathOf(judged)) return *path;
  return {.thread = judged.frame.thread, .ofOthers = mostlyOwn(judged.frame) ? 0.0 : 1.0};
}

struct Part {
  std::uint64_t faults = 0;
  double time = 0;  // ns
  std::uint64_t ofMalloc = 0;
  std::uint64_t notOfMalloc = 0;

  void add(const FaultCause& cause) {
    faults += cause.faults;
    time += inNs(cause.time);
    ofMalloc += cause.ofMalloc;
    notOfMalloc += cause.notOfMalloc;
  }
  [[nodiscard]] double amount(bool timed) const { return timed ? time : static_cast<double>(faults); }
  [[nodiscard]] ServedByMalloc malloc() const {
    if (2 * ofMalloc > faults) return ServedByMalloc::Yes;
    return 2 * notOfMalloc > faults ? ServedByMalloc::No : ServedByMalloc::Perhaps;
  }
};
using Parts = std::map<std::string, Part>;

struct Remedied {
  Part all;
  Parts lines;
  Parts memory;
};

template <class Map, class Of>
auto largest(const Map& parts, Of of) {
  return std::ranges::max_element(parts, {}, [&](const auto& part) { return of(part.second); });
}

// The sums of all frames that agree; means come at the end.
class Conclusion {
 public:
  Conclusion(std::uint64_t faultsOfAll, const std::optional<PaidShare>& paid)
      : m_faultsOfAll(faultsOfAll), m_paid(paid) {}

  void add(const FrameEvidence& evidence) {
    const auto& [judged, culprits] = evidence;
    const FaultPath path = pathOf(judged);
    if (!onPath(judged) || !path.clear) return;
    ++m_frames;
    m_timed = m_timed && (culprits.timed || culprits.samples == 0);
    for (const FaultCause& cause : culprits.causes) {
      if (path.share(cause.thread) == 0) continue;
      m_all.add(cause);
      const auto kind = remedyOf(cause);
      if (!kind) continue;
      Remedied& remedied = m_kinds[*kind];
      remedied.all.add(cause);
      if (cause.line != "unknown") remedied.lines[cause.line].add(cause);
      remedied.memory[cause.name].add(cause);
    }
    addFrame(judged, path);
  }

  [[nodiscard]] std::optional<Advice> advice() const {
    if (m_frames < kFewestFrames) return std::nullopt;
    const bool kept = faultKind() == AdviceKind::Keep;
    if (2 * m_lateByTeardown > m_frames && !kept)
      return with({.kind = AdviceKind::GiveBackLater, .share = 1}, m_teardown);
    if (!faultKind()) return std::nullopt;
    Advice advice{.kind = *faultKind()};
    const Remedied& remedied = m_kinds.at(advice.kind);
    const auto amount = [this](const Part& part) { return part.amount(m_timed); };
    advice.share = amount(remedied.all) / amount(m_all);
    if (!remedied.lines.empty()) advice.line = largest(remedied.lines, amount)->first;
    const auto memory = largest(remedied.memory, amount);
    if (amount(memory->second) > kMost * amount(remedied.all)) advice.memory = memory->first;
    advice.malloc = remedied.all.malloc();
    advice.bytes = bytesOf(advice, remedied.all.faults);
    return with(std::move(advice), kept && m_inFaults ? std::optional(m_teardown.value_or(0)) : std::nullopt);
  }

 private:
  // Each first touch of the program is another page. Of a file, pages may be mapped again and again.
  [[nodiscard]] std::uint64_t bytesOf(const Advice& advice, std::uint64_t faults) const {
    constexpr std::uint64_t kPageBytes = 4096;
    if (advice.kind != AdviceKind::Prefault) return faults * kPageBytes / m_frames;
    const double all = advice.share * static_cast<double>(m_faultsOfAll);
    return std::max(faults, static_cast<std::uint64_t>(all)) * kPageBytes;
  }

  void addFrame(const JudgedFrame& judged, const FaultPath& path) {
    const auto& [frame, verdict] = judged;
    m_late += verdict.lateByMemory() ? 1 : 0;
    m_lateByTeardown += verdict.lateByTeardown ? 1 : 0;
    const auto onPath = [&](double all, double own) { return own + path.ofOthers * (all - own); };
    const auto faults = static_cast<double>(frame.faults());
    const auto ownFaults = frame.ownFaults();
    m_faults += ownFaults ? onPath(faults, static_cast<double>(*ownFaults)) : faults;
    m_lateness += verdict.lateByMemory() ? inNs(verdict.excess) : 0;
    m_duration += inNs(frame.duration);
    const auto own = frame.time(FrameMetric::ThreadFaultTime);
    add(m_inFaults, own && verdict.faultTime
                        ? std::optional(Nanoseconds(std::llround(onPath(inNs(*verdict.faultTime), inNs(*own)))))
                        : verdict.faultTime);
    const auto teardown = frame.time(FrameMetric::ThreadTeardownTime) ? frame.time(FrameMetric::ThreadTeardownTime)
                                                                      : frame.time(FrameMetric::TeardownTime);
    add(m_teardown, teardown);
  }
  void add(std::optional<double>& sum, const std::optional<Nanoseconds>& time) const {
    if (m_frames == 1) sum = 0;
    sum = sum && time ? std::optional(*sum + inNs(*time)) : std::nullopt;
  }

  // The kind of fault that has the most; absent: none has enough.
  [[nodiscard]] std::optional<AdviceKind> faultKind() const {
    if (m_paid && !m_paid->atLeast && m_paid->slope.high < kLeastPaid) return std::nullopt;
    const auto amount = [this](const Remedied& remedied) { return remedied.all.amount(m_timed); };
    const auto most = largest(m_kinds, amount);
    if (most == m_kinds.end() || amount(most->second) < kLeastShare * m_all.amount(m_timed)) return std::nullopt;
    return most->first;
  }

  // `teardown`: of all frames, that the remedy saves besides.
  [[nodiscard]] Advice with(Advice advice, const std::optional<double>& teardown) const {
    const auto frames = static_cast<double>(m_frames);
    advice.frames = m_frames;
    advice.timed = m_timed;
    advice.faults = m_faults / frames;
    advice.late = 2 * m_late > m_frames;
    advice.lateness = m_lateness / frames;
    const bool giveBack = advice.kind == AdviceKind::GiveBackLater;
    if (giveBack ? teardown.has_value() : m_inFaults.has_value()) {
      if (m_paid && !giveBack) advice.paid = m_paid->share();
      const double saved = teardown.value_or(0) + (giveBack ? 0 : advice.paid.value_or(1) * advice.share * *m_inFaults);
      advice.cost = (teardown.value_or(0) + (giveBack ? 0 : *m_inFaults)) / frames;
      advice.gain = std::min(saved, advice.late ? m_lateness : m_duration) / frames;
    }
    return advice;
  }

  std::uint64_t m_faultsOfAll;
  std::optional<PaidShare> m_paid;
  std::size_t m_frames = 0;
  std::size_t m_late = 0;
  std::size_t m_lateByTeardown = 0;
  bool m_timed = true;
  double m_faults = 0;
  double m_lateness = 0;
  double m_duration = 0;
  std::optional<double> m_inFaults;
  std::optional<double> m_teardown;
  Part m_all;
  std::map<AdviceKind, Remedied> m_kinds;
};

}  // namespace

std::optional<Advice> adviceFor(std::span<const FrameEvidence> worst, std::uint64_t faultsOfAll,
                                const std::optional<PaidShare>& paid) {
  Conclusion conclusion(faultsOfAll, paid);
  for (const FrameEvidence& evidence : worst) conclusion.add(evidence);
  return conclusion.advice();
}

std::optional<Advice> adviceOn(const FrameTally& tally, const FindCulprits& culpritsOf,
                               const std::optional<PaidShare>& paid) {
  static const Culprits kNone;
  std::vector<FrameEvidence> evidence;
  for (const JudgedFrame& judged : tally.worst) {
    const Culprits* const found = culpritsOf(judged);
    evidence.push_back({judged, found == nullptr ? kNone : *found});
  }
  return adviceFor(evidence, tally.minorFaults + tally.majorFaults, paid);
}

}  // namespace faultline
