#include "core/export/machine_csv.h"

#include "core/export/columns.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"

namespace faultline {

std::string machineCsvHeader() {
  std::string header = "wall_time,monotonic_ns,interval_ns,gap";
  for (const SystemMetric metric : allSystemMetrics()) {
    header.append(",").append(field(metric).name);
    if (field(metric).kind == MetricKind::Counter) header.append(",").append(rateName(field(metric).name));
  }
  return header + "\r\n";
}

void appendMachineCsv(const Moment& moment, std::string& out) {
  out += isoTime(moment.wallTime);
  for (const Nanoseconds time : {moment.time.sinceEpoch, moment.interval}) {
    out += ',';
    appendNumber(std::int64_t{time.count()}, out);
  }
  out.append(",").append(gapName(moment.gap));
  for (const SystemMetric metric : allSystemMetrics()) {
    out += ',';
    if (const auto value = moment.system.get(metric)) appendNumber(*value, out);
    if (field(metric).kind != MetricKind::Counter) continue;
    out += ',';
    if (const auto rate = moment.perSecond(moment.systemDeltas.get(metric))) appendNumber(*rate, out);
  }
  out += "\r\n";
}

}  // namespace faultline
