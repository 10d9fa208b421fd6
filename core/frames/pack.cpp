#include "core/frames/pack.h"

#include <bit>

#include "core/base/varint.h"
#include "core/model/frame_row.h"

namespace faultline {
namespace {

// The yes and no of a verdict.
constexpr std::array kFlags{
    &FrameVerdict::estimated,       &FrameVerdict::costly,         &FrameVerdict::late,
    &FrameVerdict::lateByFaults,    &FrameVerdict::lateByTeardown, &FrameVerdict::perhapsByTeardown,
    &FrameVerdict::perhapsByFaults, &FrameVerdict::likely};
// After them.
constexpr std::uint64_t kTime = 1U << kFlags.size();
constexpr std::uint64_t kTimeIsMeasured = kTime << 1U;  // equals the frame's own
constexpr std::uint64_t kExcess = kTime << 2U;
constexpr std::uint64_t kExplained = kTime << 3U;
constexpr std::uint64_t kDeadline = kTime << 4U;
constexpr std::uint64_t kOtherDeadline = kTime << 5U;
constexpr std::uint64_t kPathTime = kTime << 6U;

std::uint64_t flagsOf(const JudgedFrame& judged, const JudgedFrame& before) {
  const FrameVerdict& v = judged.verdict;
  std::uint64_t flags = 0;
  for (std::size_t i = 0; i < kFlags.size(); ++i) flags |= std::uint64_t{v.*kFlags.at(i)} << i;
  const bool measured = v.faultTime == judged.frame.time(FrameMetric::FaultTime);
  if (v.faultTime) flags |= measured ? kTimeIsMeasured : kTime;
  return flags | (v.pathTime ? kPathTime : 0) | (v.excess.count() != 0 ? kExcess : 0) | (v.explained ? kExplained : 0) |
         (v.deadline ? kDeadline : 0) | (v.deadline && v.deadline != before.verdict.deadline ? kOtherDeadline : 0);
}

}  // namespace

void packFrame(const JudgedFrame& judged, const JudgedFrame& before, std::vector<std::uint8_t>& out) {
  const FrameVerdict& v = judged.verdict;
  const std::uint64_t flags = flagsOf(judged, before);
  putFrameRow(judged.frame, before.frame, out);
  putVarint(flags, out);
  if ((flags & kTime) != 0) putSignedVarint(v.faultTime->count(), out);
  if ((flags & kPathTime) != 0) putSignedVarint(v.pathTime->count(), out);
  if ((flags & kExcess) != 0) putSignedVarint(v.excess.count(), out);
  if ((flags & kExplained) != 0) putVarint(std::bit_cast<std::uint64_t>(*v.explained), out);
  if ((flags & kOtherDeadline) == 0) return;
  putSignedVarint(v.deadline->after.count(), out);
  putVarint(static_cast<std::uint8_t>(v.deadline->by), out);
}

JudgedFrame unpackFrame(std::span<const std::uint8_t>& bytes, const JudgedFrame& before) {
  JudgedFrame judged;
  FrameVerdict& v = judged.verdict;
  static_cast<void>(takeFrameRow(bytes, before.frame, judged.frame));  // false also for times that no stream may have
  const std::uint64_t flags = takeVarint(bytes);
  for (std::size_t i = 0; i < kFlags.size(); ++i) v.*kFlags.at(i) = (flags >> i & 1U) != 0;
  if ((flags & kTimeIsMeasured) != 0) v.faultTime = judged.frame.time(FrameMetric::FaultTime);
  if ((flags & kTime) != 0) v.faultTime = Nanoseconds(takeSignedVarint(bytes));
  if ((flags & kPathTime) != 0) v.pathTime = Nanoseconds(takeSignedVarint(bytes));
  if ((flags & kExcess) != 0) v.excess = Nanoseconds(takeSignedVarint(bytes));
  if ((flags & kExplained) != 0) v.explained = std::bit_cast<double>(takeVarint(bytes));
  if ((flags & kDeadline) != 0) v.deadline = before.verdict.deadline;
  if ((flags & kOtherDeadline) == 0) return judged;
  const Nanoseconds after(takeSignedVarint(bytes));
  v.deadline = {after, static_cast<DeadlineBy>(takeVarint(bytes))};
  return judged;
}

}  // namespace faultline
