#include "core/query/sums.h"

#include <algorithm>

#include "core/model/metric.h"

namespace faultline {
namespace {

constexpr auto kNoLevel = kProcessCounters | (1U << static_cast<unsigned>(ProcessMetric::ParentPid));

void raise(ProcessValues& peaks, const ProcessValues& levels) {
  forEachMetric<ProcessMetric>(levels.present(), [&](ProcessMetric metric) {
    peaks.set(metric, std::max(peaks.get(metric).value_or(0), *levels.get(metric)));
  });
}

}  // namespace

std::optional<ProcessMetric> summedMetric(std::string_view name) {
  for (const ProcessMetric metric : allProcessMetrics())
    if (field(metric).name == name && metric != ProcessMetric::ParentPid) return metric;
  return std::nullopt;
}

std::vector<std::string_view> summedNames() {
  std::vector<std::string_view> names;
  for (const ProcessMetric metric : allProcessMetrics())
    if (metric != ProcessMetric::ParentPid) names.push_back(field(metric).name);
  return names;
}

std::optional<std::uint64_t> ProcessSum::amount(ProcessMetric metric) const {
  return field(metric).kind == MetricKind::Counter ? counted.get(metric) : peaks.get(metric);
}

void ProcessSums::add(const Moment& moment) {
  ++m_moment;
  std::vector<Kept*> touched;
  for (const ProcessRow& row : moment.rows) {
    const std::string& name = m_by == SumBy::Service ? serviceName(row) : row.name;
    Kept& kept = m_sums[m_by == SumBy::Process ? Key{row.key, {}} : Key{{}, name}];
    ProcessSum& sum = kept.sum;
    if (kept.seen != m_moment) {
      kept.seen = m_moment;
      sum.levels = {};
      sum.running = 0;
      touched.push_back(&kept);
    }
    sum.name = name;
    sum.service = row.service;
    if (m_by == SumBy::Process) sum.key = row.key;
    sum.own = row.own;
    sum.exited = row.exited;
    sum.counted.add(row.deltas);
    sum.started += row.born ? 1 : 0;
    if (row.exited) continue;
    ProcessValues levels = row.values;
    levels.clearAll(kNoLevel);
    sum.levels.add(levels);
    ++sum.running;
  }
  for (Kept* const kept : m_running) {
    if (kept->seen == m_moment) continue;  // else it ended without a last row
    kept->sum.levels = {};
    kept->sum.running = 0;
  }
  m_running.clear();
  for (Kept* const kept : touched) {
    raise(kept->sum.peaks, kept->sum.levels);
    kept->sum.most = std::max(kept->sum.most, kept->sum.running);
    if (kept->sum.running > 0) m_running.push_back(kept);
  }
  if (m_sums.size() > m_running.size() + 2 * m_kept) fold();
}

// Those that do not run now and have least share one sum.
void ProcessSums::fold() {
  std::vector<std::map<Key, Kept>::iterator> ended;
  for (auto at = m_sums.begin(); at != m_sums.end(); ++at)
    if (at->second.sum.running == 0) ended.push_back(at);
  const auto amount = [this](const auto& at) { return at->second.sum.amount(m_metric); };
  std::ranges::nth_element(ended, ended.begin() + static_cast<std::ptrdiff_t>(ended.size() - m_kept), {}, amount);
  for (std::size_t i = 0; i + m_kept < ended.size(); ++i) {
    m_others.add(ended[i]->second.sum.counted);
    ++m_folded;
    m_sums.erase(ended[i]);
  }
}

std::vector<const ProcessSum*> ProcessSums::top(std::size_t most) const {
  std::vector<const ProcessSum*> all;
  all.reserve(m_sums.size());
  for (const auto& [key, kept] : m_sums) all.push_back(&kept.sum);
  const auto before = [this](const ProcessSum* a, const ProcessSum* b) {
    return std::pair(b->amount(m_metric), a->key) < std::pair(a->amount(m_metric), b->key);
  };
  std::ranges::stable_sort(all, before);
  all.resize(std::min(all.size(), most));
  return all;
}

ProcessDeltas ProcessSums::rest(const std::vector<const ProcessSum*>& shown) const {
  ProcessDeltas rest = m_others;
  for (const auto& [key, kept] : m_sums)
    if (std::ranges::find(shown, &kept.sum) == shown.end()) rest.add(kept.sum.counted);
  return rest;
}

}  // namespace faultline
