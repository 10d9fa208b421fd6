#include "core/export/json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/export/columns.h"
#include "core/export/quality_json.h"
#include "core/model/names.h"
#include "core/text/iso_time.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json orNull(std::optional<Number> number) {
  return number ? Json(*number) : Json();
}

void addName(const std::string& raw, Json& out) {
  const bool exact = isUtf8(raw);
  out["name"] = exact ? raw : validUtf8(raw);
  if (!exact) out["name_hex"] = hexBytes(raw);
}

template <class Metric, class Values>
void addMetric(Metric metric, const Moment& moment, const Values& values, const Values& deltas, Json& out) {
  out[std::string(field(metric).name)] = orNull(values.get(metric));
  if (field(metric).kind == MetricKind::Counter) {
    out[rateName(field(metric).name)] = orNull(moment.perSecond(deltas.get(metric)));
  }
}

Json processJson(const Moment& moment, const ProcessRow& row) {
  Json out{{"pid", row.key.pid}, {"start_time", row.key.startTime}};
  addName(row.name, out);
  out["service"] = row.service.empty() ? Json() : Json(validUtf8(row.service));
  out["born"] = row.born;
  out["exited"] = row.exited;
  for (const ProcessMetric metric : allProcessMetrics()) addMetric(metric, moment, row.values, row.deltas, out);
  return out;
}

Json totalJson(const Moment& moment) {
  Json out = Json::object();
  for (const ProcessMetric metric : allProcessMetrics()) {
    if (field(metric).kind != MetricKind::Counter) continue;
    out[rateName(field(metric).name)] = orNull(moment.perSecond(moment.processTotal.get(metric)));
  }
  out["unattributed_faults"] = orNull(moment.unattributed());
  out["unattributed_faults_per_s"] = orNull(moment.perSecond(moment.unattributed()));
  return out;
}

template <class Metric>
Json metricJson(Metric metric, const Quality& quality) {
  const MetricField<Metric>& about = field(metric);
  Json out{
      {"name", about.name}, {"title", about.title}, {"kind", kindName(about.kind)}, {"unit", unitName(about.unit)}};
  out.update(qualityJson(quality));
  out["wrap_bits"] = quality.wrapBits;
  return out;
}

template <class Metrics>
Json metricsJson(const Metrics& metrics, const Hello& hello) {
  Json out = Json::array();
  for (const auto metric : metrics) out.push_back(metricJson(metric, hello.quality(metric)));
  return out;
}

Json costJson(const std::optional<ZeroingCost>& cost) {
  if (!cost) return nullptr;
  return {{"small_ns_per_kib", cost->smallNsPerKib}, {"large_ns_per_kib", cost->largeNsPerKib}};
}

}  // namespace

std::string toJson(const Hello& hello) {
  const Machine& machine = hello.machine;
  const Json out{{"version", validUtf8(hello.version)},
                 {"source", validUtf8(hello.source)},
                 {"clock", validUtf8(hello.clock)},
                 {"interval_ns", hello.interval.count()},
                 {"collector_pid", hello.collectorPid},
                 {"machine",
                  {{"system", validUtf8(machine.system)},
                   {"processor", validUtf8(machine.processor)},
                   {"processors", machine.processors},
                   {"memory_bytes", machine.memoryBytes},
                   {"page_bytes", machine.pageBytes}}},
                 {"zeroing_cost", costJson(hello.zeroingCost)},
                 {"process_metrics", metricsJson(allProcessMetrics(), hello)},
                 {"system_metrics", metricsJson(allSystemMetrics(), hello)}};
  return out.dump();
}

std::string toJson(const Moment& moment) {
  Json out{{"wall_time", isoTime(moment.wallTime)},
           {"monotonic_ns", moment.time.sinceEpoch.count()},
           {"interval_ns", moment.interval.count()},
           {"gap", gapName(moment.gap)},
           {"born", moment.born},
           {"died", moment.died}};
  Json& system = out["system"] = Json::object();
  for (const SystemMetric metric : allSystemMetrics()) {
    addMetric(metric, moment, moment.system, moment.systemDeltas, system);
  }
  out["total"] = totalJson(moment);
  Json& processes = out["processes"] = Json::array();
  for (const ProcessRow& row : moment.rows) processes.push_back(processJson(moment, row));
  return out.dump();
}

}  // namespace faultline
