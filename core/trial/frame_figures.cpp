#include "core/trial/frame_figures.h"

#include <algorithm>

#include "core/base/ranked.h"

namespace faultline {
namespace {

double number(Nanoseconds time) {
  return static_cast<double>(time.count());
}

}  // namespace

void FrameSum::add(const JudgedFrame& judged) {
  const GameFrame& frame = judged.frame;
  const FrameVerdict& verdict = judged.verdict;
  ++m_counts.frames;
  m_counts.late += verdict.late ? 1 : 0;
  m_counts.lateByMemory += verdict.lateByMemory() ? 1 : 0;
  m_counts.minorFaults += frame.minorFaults();
  m_counts.majorFaults += frame.majorFaults().value_or(0);
  if (const auto spent = frame.time(FrameMetric::FaultTime)) m_inFaults.add(number(*spent));
  if (verdict.faultTime) m_inFaultsAbout.add(number(*verdict.faultTime));
  if (const auto spent = frame.time(FrameMetric::TeardownTime)) m_teardown.add(number(*spent));
  if (frame.get(FrameMetric::ZeroedBytes)) m_zeroedBytes.add(static_cast<double>(*frame.get(FrameMetric::ZeroedBytes)));
  m_durations.add(number(frame.duration));
  m_all.push_back(number(frame.duration));
}

std::optional<FrameFigures> FrameSum::figures() const {
  if (m_counts.frames == 0) return std::nullopt;
  FrameFigures figures = m_counts;
  std::vector<double> sorted = m_all;
  std::ranges::sort(sorted);
  const std::uint64_t all = figures.frames;
  figures.mean = *m_durations.mean(all);
  figures.p50 = *percentile(sorted, 0.5);
  figures.p99 = *percentile(sorted, 0.99);
  figures.low = low(sorted, 0.01).value_or(0) * 1e9;
  figures.inFaults = m_inFaults.mean(all);
  if (!figures.inFaults) figures.inFaultsAbout = m_inFaultsAbout.mean(all);
  figures.teardown = m_teardown.mean(all);
  figures.zeroedBytes = m_zeroedBytes.mean(all);
  return figures;
}

}  // namespace faultline
