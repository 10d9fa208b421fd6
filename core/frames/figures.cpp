#include "core/frames/figures.h"

#include <algorithm>
#include <numeric>

#include "core/base/median.h"
#include "core/base/ranked.h"

namespace faultline {

void FrameSum::add(const GameFrame& frame, const FrameVerdict& verdict) {
  m_tally.add(frame, verdict);
  if (verdict.faultTime) m_inFaultsAbout.add(inNs(*verdict.faultTime));
  for (const FrameField& row : kFrameFields)
    if (const auto value = isMean(row) ? frame.get(row.metric) : std::nullopt)
      m_known.at(static_cast<std::size_t>(row.metric)).add(static_cast<double>(*value));
  m_durations.push_back(inNs(frame.duration));
}

std::vector<double> FrameSum::durations() const {
  std::vector<double> sorted = m_durations;
  std::ranges::sort(sorted);
  return sorted;
}

std::optional<FrameFigures> FrameSum::figures() const {
  if (m_durations.empty()) return std::nullopt;
  const std::vector<double> sorted = durations();
  const std::uint64_t all = sorted.size();
  const auto each = [all](auto sum) { return static_cast<double>(sum) / static_cast<double>(all); };
  FrameFigures figures{.frames = static_cast<double>(all),
                       .late = each(m_tally.late),
                       .lateByMemory = each(m_tally.lateByFaults + m_tally.lateByTeardown),
                       .faults = each(m_tally.minorFaults + m_tally.majorFaults),
                       .majorFaults = each(m_tally.majorFaults),
                       .mean = each(std::accumulate(m_durations.begin(), m_durations.end(), 0.0)),
                       .p50 = *percentile(sorted, 0.5),
                       .p99 = *percentile(sorted, 0.99),
                       .low = low(sorted, 0.01).value_or(0) * 1e9};
  std::ranges::transform(m_known, figures.means.begin(), [all](const Known& known) { return known.mean(all); });
  if (!figures.of(FrameMetric::FaultTime)) figures.inFaultsAbout = m_inFaultsAbout.mean(all);
  return figures;
}

std::optional<FrameFigures> medianFigures(std::span<const FrameFigures> runs) {
  if (runs.empty()) return std::nullopt;
  const auto medianOf = [runs](auto figure) {
    std::vector<double> values;
    for (const FrameFigures& run : runs)
      if (const std::optional<double> value = figure(run)) values.push_back(*value);
    return median(std::move(values));
  };
  FrameFigures medians{.inFaultsAbout = medianOf([](const FrameFigures& run) { return run.inFaultsAbout; })};
  for (double FrameFigures::* const figure :
       {&FrameFigures::frames, &FrameFigures::late, &FrameFigures::lateByMemory, &FrameFigures::faults,
        &FrameFigures::majorFaults, &FrameFigures::mean, &FrameFigures::p50, &FrameFigures::p99, &FrameFigures::low})
    medians.*figure = *medianOf([figure](const FrameFigures& run) { return run.*figure; });
  for (std::size_t i = 0; i < medians.means.size(); ++i)
    medians.means.at(i) = medianOf([i](const FrameFigures& run) { return run.means.at(i); });
  return medians;
}

}  // namespace faultline
