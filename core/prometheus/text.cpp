#include "core/prometheus/text.h"

#include <fmt/format.h>

#include <array>
#include <tuple>

#include "core/model/names.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

constexpr std::string_view kOthers = "other";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '"' || c == '\\') (out += '\\') += c;
    else out += c;
  }
  return out;
}

std::string label(std::string_view name, std::string_view value) {
  return fmt::format("{}=\"{}\"", name, escaped(validUtf8(value)));
}

// A number as Prometheus has it: in base units.
struct Named {
  std::string name;
  std::string_view unit{};  // empty: a count

  Named(std::string_view place, std::string_view field) : name(fmt::format("faultline_{}{}", place, field)) {
    constexpr std::string_view kNs = "_ns";
    if (field.ends_with(kNs)) {
      name.replace(name.size() - kNs.size(), kNs.size(), "_seconds");
      unit = "seconds";
    } else if (field.ends_with("_bytes")) {
      unit = "bytes";
    }
  }
  // Nine decimals are ns, exact.
  [[nodiscard]] std::string text(std::uint64_t value) const {
    constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    return unit == "seconds" ? fmt::format("{}.{:09}", value / kNsPerSecond, value % kNsPerSecond)
                             : fmt::format("{}", value);
  }
};

class Page {
 public:
  explicit Page(PrometheusFormat format) : m_open(format == PrometheusFormat::OpenMetrics) {}

  // The lines before the samples of a family. `type` is counter, gauge, histogram or info.
  void family(const Named& named, std::string_view type, std::string_view help) {
    m_named = named;
    m_sample = named.name + (type == "counter" ? "_total" : type == "info" ? "_info" : "");
    const std::string& told = m_open ? named.name : m_sample;
    m_text += fmt::format("# TYPE {} {}\n", told, !m_open && type == "info" ? "gauge" : type);
    if (m_open && !named.unit.empty()) m_text += fmt::format("# UNIT {} {}\n", told, named.unit);
    m_text += fmt::format("# HELP {} {}\n", told, escaped(help));
  }
  void sample(std::string_view labels, std::uint64_t value) {
    m_text += m_sample;
    if (!labels.empty()) m_text += fmt::format("{{{}}}", labels);
    m_text += fmt::format(" {}\n", m_named.text(value));
  }
  // Of the whole machine.
  void histogram(const FaultDurations& durations) {
    constexpr double kNsPerSecond = 1e9;
    const auto bucket = [&](std::string_view bound, std::uint64_t faults) {
      m_text += fmt::format("{}_bucket{{{}}} {}\n", m_named.name, label("le", bound), faults);
    };
    std::uint64_t all = 0;
    for (std::size_t i = 0; i + 1 < FaultDurations::kBuckets; ++i) {
      all += durations.faults[i];
      bucket(fmt::format("{}", static_cast<double>(FaultDurations::upper(i)) / kNsPerSecond), all);
    }
    bucket("+Inf", durations.count());
    m_text += fmt::format("{0}_sum {1}\n{0}_count {2}\n", m_named.name, m_named.text(durations.ns), durations.count());
  }
  std::string end() {
    if (m_open) m_text += "# EOF\n";
    return std::move(m_text);
  }

 private:
  bool m_open;
  Named m_named{{}, {}};
  std::string m_sample;
  std::string m_text;
};

// Sums by program, or by service.
struct Sums {
  const ProgramTotals& totals;
  std::string_view place;  // in the names of its metrics
  std::string_view by;     // its label
};

// get(total): an optional number.
template <class Get>
void addSums(Page& page, const Sums& sums, Get get) {
  const auto add = [&](std::string_view name, const ProgramTotal& total) {
    if (const std::optional<std::uint64_t> value = get(total)) page.sample(label(sums.by, name), *value);
  };
  for (const auto& [name, total] : sums.totals.programs())
    add(name == kOthers ? fmt::format("{} (a {})", kOthers, sums.by) : name, total);
  add(kOthers, sums.totals.others());
}

void addProcessMetrics(Page& page, const Hello& hello, const Sums& sums) {
  for (const ProcessMetric metric : allProcessMetrics()) {
    const auto& row = field(metric);
    const Quality& quality = hello.quality(metric);
    if (quality.grade == Grade::Unavailable || metric == ProcessMetric::ParentPid) continue;  // no sum of pids
    const bool counter = row.kind == MetricKind::Counter;
    page.family({sums.place, row.name}, counter ? "counter" : "gauge",
                fmt::format("{} Of {} processes of the {}{}.", row.meaning, counter ? "all" : "the", sums.by,
                            counter ? ", since faultline_start_time_seconds" : " that run"));
    addSums(page, sums,
            [&](const ProgramTotal& total) { return (counter ? total.counted : total.levels).get(metric); });
  }
  page.family({sums.place, "processes"}, "gauge", fmt::format("Processes of the {} that run.", sums.by));
  addSums(page, sums, [](const ProgramTotal& total) { return std::optional(total.processes); });
}

void addKernelSums(Page& page, const std::map<std::string, GroupFaults>& kernel) {
  constexpr auto kSums = std::to_array<std::tuple<std::string_view, std::uint64_t GroupFaults::*, std::string_view>>(
      {{"service_control_group_faults", &GroupFaults::all, "Minor and major faults"},
       {"service_control_group_major_faults", &GroupFaults::major, "Major faults"}});
  for (const auto& [name, member, what] : kSums) {
    page.family({{}, name}, "counter",
                fmt::format("{} that the kernel has counted for the service's control group since the group was made "
                            "(memory.stat), with those that it takes for itself.",
                            what));
    for (const auto& [service, faults] : kernel) page.sample(label("service", service), faults.*member);
  }
}

void addMachine(Page& page, const Hello& hello, const Moment& now) {
  constexpr std::string_view kSystem = "system_";
  constexpr std::string_view kCollector = "collector_";
  for (const SystemMetric metric : allSystemMetrics()) {
    const auto& row = field(metric);
    const auto value = now.system.get(metric);
    if (!value || hello.quality(metric).grade == Grade::Unavailable || row.name.ends_with("_ps_per_kib")) continue;
    std::string_view name = row.name;
    if (name.starts_with(kSystem)) name.remove_prefix(kSystem.size());
    page.family({name.starts_with(kCollector) ? "" : "machine_", name},
                row.kind == MetricKind::Counter ? "counter" : "gauge", row.meaning);
    page.sample({}, *value);
  }
}

void addDurations(Page& page, const Hello& hello, const ProgramTotals& totals) {
  const Grade grade = hello.quality(ProcessMetric::FaultTime).grade;
  if (!totals.faultDurations() || grade == Grade::Unavailable) return;
  page.family({{}, "fault_duration_ns"}, "histogram",
              fmt::format("Time inside each page fault of the machine, waits included, {}: see fault_ns in "
                          "faultline_quality_info. Of all programs, Faultline too, since faultline_start_time_seconds.",
                          gradeName(grade)));
  page.histogram(*totals.faultDurations());
}

void addQualities(Page& page, const Hello& hello) {
  page.family({{}, "quality"}, "info",
              "Whether a number is exact, estimated or unavailable, and its source or why it is unavailable.");
  const auto add = [&](std::string_view metric, const Quality& quality) {
    if (!ofNoConcern(quality))
      page.sample(
          label("metric", metric) + "," + label("grade", gradeName(quality.grade)) + "," + label("how", quality.how),
          1);
  };
  for (const ProcessMetric metric : allProcessMetrics()) add(field(metric).name, hello.quality(metric));
  for (const SystemMetric metric : allSystemMetrics()) add(field(metric).name, hello.quality(metric));
}

void addOwn(Page& page, const Hello& hello, const ProgramTotals& totals) {
  if (totals.since()) {
    page.family({{}, "start_time_ns"}, "gauge", "When the counters of programs began, since 1970.");
    page.sample({}, static_cast<std::uint64_t>(totals.since()->sinceEpoch.count()));
  }
  page.family({{}, "sweeps"}, "counter", "Samples of all processes since then.");
  page.sample({}, totals.moments());
  page.family({{}, "build"}, "info", "The version of Faultline and what it measures with.");
  page.sample(label("version", hello.version) + "," + label("source", hello.source), 1);
  if (totals.unattributed()) {
    page.family({{}, "unattributed_faults"}, "counter",
                "Page faults of processes that started and ended between two samples.");
    page.sample({}, *totals.unattributed());
  }
}

class PrometheusMoments final : public MomentExporter {
 public:
  void begin(const Hello& hello, std::string& /*out*/) override { m_hello = hello; }
  void add(const Moment& moment, std::string& /*out*/) override {
    m_totals.add(moment);
    m_last = moment;
  }
  void end(std::string& out) override {
    if (m_totals.moments() > 0) out += prometheusText(m_hello, m_last, m_totals, PrometheusFormat::Text);
  }

 private:
  Hello m_hello;
  Moment m_last;
  ProgramTotals m_totals;
};

}  // namespace

PrometheusFormat formatAccepted(std::string_view accept) {
  return accept.find("application/openmetrics-text") == std::string_view::npos ? PrometheusFormat::Text
                                                                               : PrometheusFormat::OpenMetrics;
}

std::string prometheusText(const Hello& hello, const Moment& now, const ProgramTotals& totals, PrometheusFormat format,
                           const ServiceSums* services) {
  Page page(format);
  addOwn(page, hello, totals);
  const Sums programs{totals, {}, "program"};
  addProcessMetrics(page, hello, programs);
  page.family({{}, "spikes"}, "counter", "Spikes of page faults or memory that began in the program.");
  addSums(page, programs, [](const ProgramTotal& total) { return std::optional(total.spikes); });
  if (services != nullptr) {
    addProcessMetrics(page, hello, {services->totals, "service_", "service"});
    if (!services->kernel.empty()) addKernelSums(page, services->kernel);
  }
  addMachine(page, hello, now);
  addDurations(page, hello, totals);
  addQualities(page, hello);
  return page.end();
}

std::unique_ptr<MomentExporter> prometheusMoments() {
  return std::make_unique<PrometheusMoments>();
}

}  // namespace faultline
