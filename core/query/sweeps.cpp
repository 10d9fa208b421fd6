#include "core/query/sweeps.h"

#include <algorithm>

#include "core/export/columns.h"
#include "core/export/json.h"
#include "core/export/quality_json.h"
#include "core/model/metric.h"
#include "core/spikes/groups.h"
#include "core/spikes/text.h"
#include "core/text/iso_time.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json orNone(std::optional<std::uint64_t> number) {
  return number ? Json(*number) : Json();
}

void putName(const std::string& raw, Json& out) {
  out["name"] = validUtf8(raw);
  if (!isUtf8(raw)) out["name_hex"] = hexBytes(raw);
}

void putCounters(const ProcessDeltas& counted, Json& out) {
  for (const ProcessMetric metric : allProcessMetrics())
    if (field(metric).kind == MetricKind::Counter) out[std::string(field(metric).name)] = orNone(counted.get(metric));
}

Json countersJson(const ProcessDeltas& counted) {
  Json out = Json::object();
  putCounters(counted, out);
  return out;
}

Json sumJson(const ProcessSum& sum, SumBy by) {
  const bool alone = by == SumBy::Process;
  Json out = Json::object();
  if (alone) out.update({{"pid", sum.key.pid}, {"start_time", sum.key.startTime}});
  putName(sum.name, out);
  if (alone) out["service"] = sum.service.empty() ? Json() : Json(validUtf8(sum.service));
  if (by != SumBy::Service) out["own"] = sum.own;
  if (alone) out.update({{"born", sum.started > 0}, {"running", sum.running > 0}});
  else out.update({{"running", sum.running}, {"most_at_once", sum.most}, {"started", sum.started}});
  putCounters(sum.counted, out);
  for (const ProcessMetric metric : allProcessMetrics()) {
    if (field(metric).kind != MetricKind::Gauge || metric == ProcessMetric::ParentPid) continue;
    const std::string name(field(metric).name);
    out[name] = orNone(sum.levels.get(metric));
    out[name + "_peak"] = orNone(sum.peaks.get(metric));
  }
  return out;
}

SumBy sumBy(std::string_view by) {
  return by == "program" ? SumBy::Program : by == "service" ? SumBy::Service : SumBy::Process;
}

std::string_view nameOf(SpikeOf of) {
  switch (of) {
    case SpikeOf::ZeroingThreads:
      return "zeroing_threads";
    case SpikeOf::ZeroedList:
      return "zeroed_list";
    case SpikeOf::Process:
      break;
  }
  return "process";
}

// Sums of a time in which a number had two qualities have the worse one.
Quality joined(const Quality& one, const Quality& other) {
  if (one == other) return one;
  const Quality& known = one.grade == Grade::Unavailable ? other : one;
  if (one.grade == Grade::Unavailable || other.grade == Grade::Unavailable) {
    constexpr std::string_view kPart = "Of a part of the time alone: ";
    return known.how.starts_with(kPart) ? known : estimated(std::string(kPart) + known.how);
  }
  return one.grade < other.grade ? other : one;
}

}  // namespace

SweepAnswer::SweepAnswer(const Question& question)
    : m_question(question),
      m_metric(summedMetric(question.metric).value_or(ProcessMetric::MinorFaults)),
      m_sums(sumBy(question.by), m_metric) {}

void SweepAnswer::take(const Snapshot& snapshot) {
  m_monitor.ingest(snapshot);
  const Moment& moment = m_monitor.now();
  if (!m_start) m_start = snapshot.time;
  if (!m_hello) m_hello = m_monitor.hello();
  const Nanoseconds since = snapshot.time - *m_start;
  if (since < m_question.from || since > m_question.to) return;
  for (const ProcessMetric metric : allProcessMetrics()) {
    auto& known = m_quality.at(static_cast<std::size_t>(metric));
    const Quality& quality = m_monitor.hello().quality(metric);
    known = known ? joined(*known, quality) : quality;
  }
  if (!m_since) m_since = moment.wallTime;
  m_until = moment.wallTime;
  m_duration += moment.interval;
  ++m_sweeps;
  ++m_gaps.at(static_cast<std::size_t>(moment.gap));
  m_total.add(moment.processTotal);
  m_own.add(moment.own);
  if (const auto faults = moment.unattributed()) m_unattributed = m_unattributed.value_or(0) + *faults;
  m_born += moment.born;
  m_died += moment.died;
  m_most = std::max<std::uint64_t>(m_most, snapshot.processes.size());
  m_leftOut = std::max(m_leftOut, moment.system.get(SystemMetric::ProcessesLeftOut).value_or(0));
  if (m_question.ask == Ask::Processes) m_sums.add(moment);
}

Result<Json> SweepAnswer::json(const std::string& remark, std::uint64_t lost) const {
  if (m_sweeps == 0) return fail("There is no sweep in the time that is asked for.");
  const auto& ranked = m_quality.at(static_cast<std::size_t>(m_metric));
  if (m_question.ask == Ask::Processes && ranked->grade == Grade::Unavailable)
    return fail("Nothing can be ranked by " + m_question.metric + ", which is unavailable: " + ranked->how);
  Json out = answerHead(m_question, remark);
  out["quality"] = qualityJson();
  out.update(timeJson());
  switch (m_question.ask) {
    case Ask::Processes:
      out.update(processesJson());
      break;
    case Ask::Spikes:
      out.update(spikesJson());
      break;
    default:
      out.update(summaryJson(lost));
      break;
  }
  return out;
}

Json SweepAnswer::timeJson() const {
  return {{"since", isoTime(*m_since)}, {"until", isoTime(m_until)}, {"duration_ns", m_duration.count()}};
}

Json SweepAnswer::qualityJson() const {
  Json out = Json::object();
  for (const ProcessMetric metric : allProcessMetrics())
    if (metric != ProcessMetric::ParentPid)
      out[std::string(field(metric).name)] = faultline::qualityJson(*m_quality.at(static_cast<std::size_t>(metric)));
  return out;
}

Json SweepAnswer::summaryJson(std::uint64_t lost) const {
  Json gaps = Json::object();
  for (std::size_t gap = 0; gap < m_gaps.size(); ++gap)
    gaps[std::string(gapName(static_cast<Gap>(gap)))] = m_gaps.at(gap);
  return {{"holds", "sweeps"},
          {"sweeps", m_sweeps},
          {"lost_sweeps", lost},
          {"gaps", gaps},
          {"most_processes", m_most},
          {"born", m_born},
          {"died", m_died},
          {"processes_left_out", m_leftOut},
          {"total", countersJson(m_total)},
          {"own", countersJson(m_own)},
          {"unattributed_faults", orNone(m_unattributed)},
          {"spikes", spikesAsked().size()},
          {"hello", Json::parse(toJson(*m_hello))}};
}

Json SweepAnswer::processesJson() const {
  constexpr std::array<std::pair<const char*, const char*>, 3> kNames{
      {{"process", "processes"}, {"program", "programs"}, {"service", "services"}}};
  const SumBy by = sumBy(m_question.by);
  const auto [one, many] = kNames.at(static_cast<std::size_t>(by));
  const auto shown = m_sums.top(m_question.top);
  Json rows = Json::array();
  for (const ProcessSum* const sum : shown) rows.push_back(sumJson(*sum, by));
  return {{"by", one},
          {"metric", m_question.metric},
          {many, rows},
          {"others", {{"count", m_sums.count() - shown.size()}, {"sums", countersJson(m_sums.rest(shown))}}}};
}

std::vector<const Spike*> SweepAnswer::spikesAsked() const {
  std::vector<const Spike*> spikes;
  for (const Spike& spike : m_monitor.spikes()) {
    const Nanoseconds since = spike.start - *m_start;
    if (since >= m_question.from && since <= m_question.to) spikes.push_back(&spike);
  }
  return spikes;
}

Json SweepAnswer::spikesJson() const {
  std::vector<const Spike*> spikes = spikesAsked();
  const std::size_t all = spikes.size();
  std::ranges::stable_sort(spikes, std::ranges::greater(), [](const Spike* spike) { return spikeWeight(*spike); });
  spikes.resize(std::min(all, m_question.top));
  Json rows = Json::array();
  for (const Spike* const spike : spikes) {
    Json& row = rows.emplace_back(Json::object());
    putName(spike->name, row);
    row.update({{"of", nameOf(spike->of)},
                {"pid", spike->key.pid},
                {"start_time", spike->key.startTime},
                {"parent", spike->parent.empty() ? Json() : Json(validUtf8(spike->parent))},
                {"begins", isoTime(spike->wallStart)},
                {"since_start_ns", (spike->start - *m_start).count()},
                {"duration_ns", (spike->end - spike->start).count()},
                {"metric", field(spike->metric).name},
                {"peak_per_s", spike->peakPerSecond},
                {"usual_per_s", spike->usualPerSecond},
                {"ended", !spike->open},
                {"text", spikeAmount(*spike) + (spikeRest(*spike).empty() ? "" : ", " + spikeRest(*spike))},
                {"cost", countersJson(spike->cost)}});
  }
  return {{"spikes", rows}, {"others", {{"count", all - spikes.size()}}}};
}

}  // namespace faultline
