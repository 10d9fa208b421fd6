// The numbers of ProgramTotals and of the machine in the two text formats that Prometheus reads. Each excludes the
// other: a sample of a counter ends in _total in both, its family only in the older one.
//   Text: https://prometheus.io/docs/instrumenting/exposition_formats (0.0.4)
//   OpenMetrics: https://prometheus.io/docs/specs/om/open_metrics_spec (1.0)
// Names follow the field table: faultline_minor_faults_total{program="…"}, faultline_machine_faults_total; durations
// are in seconds. The histogram faultline_fault_duration_seconds has a bound for each power of two of ns; its sum and
// count are those of its buckets, read with them. Numbers that are not available have no series; faultline_quality_info
// tells why.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/export/exporter.h"
#include "core/model/hello.h"
#include "core/parse/memory_stat.h"
#include "core/prometheus/programs.h"

namespace faultline {

enum class PrometheusFormat : std::uint8_t { Text, OpenMetrics };

inline constexpr std::string_view kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";
inline constexpr std::string_view kOpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";
// By the header Accept of a request: OpenMetrics if the reader names it.
[[nodiscard]] PrometheusFormat formatAccepted(std::string_view accept);

struct ServiceSums {
  const ProgramTotals& totals;
  std::map<std::string, GroupFaults> kernel;  // the kernel's own sums, as far as known: a check
};

// `services`: sums by service, whose metrics are named faultline_service_…; null: none.
[[nodiscard]] std::string prometheusText(const Hello& hello, const Moment& now, const ProgramTotals& totals,
                                         PrometheusFormat format, const ServiceSums* services = nullptr);

// Sums up all moments, and writes them at the end.
std::unique_ptr<MomentExporter> prometheusMoments();

}  // namespace faultline
