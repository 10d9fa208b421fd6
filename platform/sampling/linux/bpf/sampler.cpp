#include "platform/sampling/linux/bpf/sampler.h"

#include <unistd.h>

#include <cmath>
#include <optional>
#include <utility>

#include "platform/sampling/linux/bpf/quality.h"
#include "platform/sampling/linux/bpf/tables/exact_pages.h"
#include "platform/sampling/linux/bpf/tables/task_table.h"
#include "platform/sampling/linux/facts/init_on_alloc.h"
#include "platform/sampling/linux/facts/machine.h"
#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/linux/facts/visibility.h"
#include "platform/sampling/linux/facts/zeroing_cost.h"
#include "platform/sampling/linux/proc/page_counts.h"
#include "platform/sampling/linux/proc/system_values.h"

namespace faultline {
namespace {

std::uint64_t inPicoseconds(double ns) {
  return static_cast<std::uint64_t>(std::llround(ns * 1000));
}

class BpfSampler final : public Sampler {
 public:
  BpfSampler(std::unique_ptr<BpfPrograms> programs, std::unique_ptr<ProcFiles> files, const Clock& clock)
      : m_programs(std::move(programs)),
        m_files(std::move(files)),
        m_clock(clock),
        m_system(*m_files),
        m_table(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))) {
    m_hello.source = "sweep";
    m_hello.clock = "CLOCK_MONOTONIC";
    m_hello.machine = readMachine(*m_files);
    ProcView view;
    view.vmstat = m_system.vmStat();
    view.memory = m_system.memInfo();
    describeQuality(view, m_hello);
    if (statmCountsSinglePages(*m_files)) m_pages.emplace(*m_files, static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
    describeBpfQuality(*m_programs, initOnAlloc(), m_pages.has_value(), m_hello);
    if (m_counts.zeroing) {
      (void)m_clearing.measure(m_clock.now());
      describeClearing();
    }
    attend(true);
  }

  [[nodiscard]] Hello hello() const override { return m_hello; }
  [[nodiscard]] bool helloChanged() override { return std::exchange(m_changed, false); }

  void attend(bool active) override {
    m_active = active;
    m_counts.faultTime = active && m_programs->works(BpfPart::FaultTime);
    m_counts.faultParts = active && m_programs->works(BpfPart::FaultParts);
    m_counts.faultEfforts = active && m_programs->works(BpfPart::FaultEfforts);
    m_programs->measureFaults(active);
  }

  [[nodiscard]] SamplerNeeds needs() override {
    return {.opensIn = m_pages ? m_files->root() : -1, .privileges = !m_programs->canSweep()};
  }

  [[nodiscard]] Errand errand() override {
    return {.file = m_programs->exitsFile(), .run = [this] { takeExits(); }};
  }

  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    out.time = m_clock.now();
    out.wallTime = m_clock.wall();
    out.suspended = m_clock.suspended();
    out.system = m_system.read();
    out.faultDurations = m_counts.faultTime ? m_programs->faultDurations() : std::nullopt;
    m_table.endedUnnamed(m_programs->endedSums());  // before the sweep, which no longer visits these processes
    const auto records = m_programs->sweep();
    if (!records) return tl::unexpected(records.error());
    m_table.visited(*records);
    // After the sweep: a process that the sweep misses has already reported its end.
    takeExits();
    m_table.sample(m_counts, out);
    if (m_active && m_pages) m_pages->correct(out.processes);
    if (m_counts.zeroing && m_clearing.measure(out.time)) {
      describeClearing();
      m_changed = true;
    }
    if (const auto cost = m_clearing.cost()) {
      out.system.set(SystemMetric::SmallZeroingCost, inPicoseconds(cost->smallNsPerKib));
      out.system.set(SystemMetric::LargeZeroingCost, inPicoseconds(cost->largeNsPerKib));
    }
    if (m_programs->works(BpfPart::Exits))
      out.system.set(SystemMetric::LostExits, m_programs->lostExits() + m_table.unnamedEnds());
    if (const auto skipped = m_programs->skippedRuns()) tellSkipped(*skipped, out);
    out.scan = m_clock.now() - out.time;
    return {};
  }

 private:
  void tellSkipped(std::uint64_t runs, Snapshot& out) {
    out.system.set(SystemMetric::SkippedRuns, runs);
    if (runs == 0 || std::exchange(m_skips, true)) return;
    describeSkippedRuns(m_hello);
    m_changed = true;
  }

  void takeExits() {
    m_programs->forEachExit([this](const ProcessRecord& record) { m_table.ended(record); });
  }

  void describeClearing() {
    m_hello.zeroingCost = m_clearing.cost();
    m_hello.quality(ProcessMetric::ZeroingTime) = m_clearing.quality();
    for (const SystemMetric metric : {SystemMetric::SmallZeroingCost, SystemMetric::LargeZeroingCost})
      m_hello.quality(metric) = m_clearing.quality();
  }

  std::unique_ptr<BpfPrograms> m_programs;
  std::unique_ptr<ProcFiles> m_files;
  const Clock& m_clock;
  SystemValuesReader m_system;
  TaskTable m_table;
  std::optional<ExactPages> m_pages;  // absent if /proc is no more exact than BPF
  bool m_active = true;
  ClearingCost m_clearing;
  TaskCounts m_counts{.zeroing = m_programs->works(BpfPart::Zeroing),
                      .freeing = m_programs->works(BpfPart::Freeing),
                      .reclaim = m_programs->works(BpfPart::Reclaim),
                      .teardown = m_programs->works(BpfPart::Teardown)};
  Hello m_hello;
  bool m_skips = false;  // the kernel has skipped a run of the programs
  bool m_changed = false;
};

}  // namespace

// The programs see every process, with the pids of the initial namespace. Refused where /proc hides processes.
Result<std::unique_ptr<Sampler>, Unavailable> makeBpfSampler(const Clock& clock, bool faultTime,
                                                             const Unavailable& noSlot) {
  auto files = makeProcFiles("/proc");
  if (!files) return tl::unexpected(Unavailable{.why = files.error().message, .enable = {}});
  if (Unavailable limited = describeVisibility(**files, "/proc"); !limited.why.empty()) {
    limited.why += ", and BPF programs would see all processes";
    return tl::unexpected(std::move(limited));
  }
  auto programs = BpfPrograms::load(faultTime, noSlot);
  if (!programs) return tl::unexpected(std::move(programs.error()));
  return std::make_unique<BpfSampler>(std::move(*programs), std::move(*files), clock);
}

}  // namespace faultline
