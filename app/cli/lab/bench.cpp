#include "app/cli/lab/bench.h"

#include "core/lab/view/progress.h"

namespace faultline {

void LabTurn::keep(const LabUsage& before, const LabUsage& after, std::uint64_t result) {
  LabSample sample{.wall = after.wall - before.wall, .faults = after.faults - before.faults, .result = result};
  if (before.processor && after.processor) sample.processor = *after.processor - *before.processor;
  if (before.switches && after.switches) sample.switches = *after.switches - *before.switches;
  LabRow& row = m_rows.at(m_next++);
  row.samples.push_back(sample);
  if (m_span) m_span(row, before.wall, after.wall);
}

void LabTurn::keepFrequency(std::uint64_t before) {
  if (const auto after = processorFrequency())
    m_rows.at(m_next - 1).samples.back().frequency = static_cast<double>(*after) / static_cast<double>(before);
}

void Bench::runOnce(LabWay& way, bool kept) {
  if (way.failed) return;
  std::vector<LabRow> scratch = way.phases;
  LabTurn turn(kept ? way.phases : scratch, m_spans);
  const auto ran = way.run(turn);
  way.failed = !ran;
  if (ran) return;
  for (LabRow& row : way.phases) {
    row.samples.clear();
    row.note = ran.error().message;
  }
}

void Bench::run(int turns, bool warm) {
  if (m_spans) turns = 1;
  for (int turn = warm && !m_spans ? 0 : 1; turn <= turns; ++turn) {
    m_progress(labTurnText(turn, turns));
    const std::size_t count = m_ways.size() - m_ran;
    for (std::size_t i = 0; i < count; ++i)
      runOnce(m_ways[m_ran + (i + static_cast<std::size_t>(turn)) % count], turn > 0);
  }
  m_ran = m_ways.size();
}

std::vector<LabRow> Bench::takeRows() {
  std::vector<LabRow> rows;
  for (LabWay& way : m_ways)
    for (LabRow& row : way.phases) rows.push_back(std::move(row));
  m_ways.clear();
  m_ran = 0;
  return rows;
}

}  // namespace faultline
