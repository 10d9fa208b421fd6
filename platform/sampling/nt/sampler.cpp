#include "platform/sampling/nt/sampler.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/parse/nt/time.h"
#include "platform/sampling/nt/buffer.h"
#include "platform/sampling/nt/process_table.h"
#include "platform/sampling/nt/quality.h"
#include "platform/sampling/nt/system_values.h"
#include "platform/sampling/nt/zero_threads.h"

namespace faultline {
namespace {

constexpr std::size_t kFirstList = 256 << 10;

std::uint64_t addressOf(std::span<const std::byte> bytes) {
  return std::bit_cast<std::uintptr_t>(bytes.data());
}

const NtProcess* find(const std::vector<NtProcess>& processes, std::uint32_t pid) {
  const auto found = std::ranges::find(processes, pid, &NtProcess::pid);
  return found == processes.end() ? nullptr : &*found;
}

std::uint64_t nanoseconds(std::uint64_t cycles, std::uint64_t perSecond) {
  constexpr std::uint64_t kSecond = Nanoseconds::period::den;
  return cycles / perSecond * kSecond +
         static_cast<std::uint64_t>(static_cast<double>(cycles % perSecond) * kSecond / static_cast<double>(perSecond));
}

class NtSampler final : public Sampler {
 public:
  NtSampler(NtFunctions functions, NtHost host, const Clock& clock)
      : m_nt(std::move(functions)), m_host(std::move(host)), m_clock(clock) {}

  // Finds out once which numbers this system provides, so that a constant 0 is not taken for a count.
  Result<void> begin() {
    if (auto listed = list(); !listed) return listed;
    const auto performance = m_system.performance();
    const bool trusted = !m_host.wine && performance && performance->faults != 0;
    const auto lists = m_system.memoryLists();
    m_lists = lists ? NtLists::Each : m_nt.listBytes() ? NtLists::Sum : NtLists::None;
    const NtProcess* const system = find(m_processes, kSystemProcess);
    NtView view{.fields = fieldsProvided(m_processes, trusted),
                .counters = performance ? std::optional(countersProvided(*performance, trusted)) : std::nullopt,
                .noMemoryLists = lists ? std::string() : lists.error().message,
                .lists = m_lists,
                .zeroThreads = lookAtZeroThreads(),
                .systemCycles = system != nullptr && (trusted || system->cycles != 0),
                .ownCycles = m_nt.ownCycles().has_value()};
    m_timesOwnCycles = view.ownCycles && m_host.cyclesPerSecond > 0;
    m_system.setProvided(view.counters, m_lists);
    m_table.emplace(view.fields, m_system.bootTime().value_or(bootTimeByTheWall()));
    m_hello.source = "sweep";
    m_hello.clock = "QueryPerformanceCounter";
    m_hello.machine = m_host.machine;
    describeNtQuality(view, m_host, m_hello);
    m_cycles = m_hello.quality(SystemMetric::ZeroThreadCycles);
    return {};
  }

  [[nodiscard]] Hello hello() const override { return m_hello; }
  [[nodiscard]] bool helloChanged() override { return std::exchange(m_helloChanged, false); }

  // SystemMemoryListInformation may need a privilege.
  [[nodiscard]] SamplerNeeds needs() override {
    return {.opensIn = -1, .privileges = m_lists == NtLists::Each && !m_system.memoryLists()};
  }

  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    out.time = m_clock.now();
    out.wallTime = m_clock.wall();
    out.suspended = m_clock.suspended();
    if (auto listed = list(); !listed) return listed;
    out.system = m_system.read(out.time);
    setZeroThreads(out.system);
    if (const NtProcess* const system = find(m_processes, kSystemProcess))
      setMeasured(SystemMetric::SystemProcessCycles, system->cycles, out.system);
    setMeasured(SystemMetric::CyclesPerSecond, m_host.cyclesPerSecond, out.system);
    out.system.set(SystemMetric::CollectorCpu, ownCpu());
    m_table->sweep(m_processes, out.time.sinceEpoch + out.suspended, out.processes);
    out.exited.clear();
    out.scan = m_clock.now() - out.time;
    return {};
  }

 private:
  Result<void> list() {
    const auto bytes = m_list.read(m_nt);
    if (!bytes) return fail("The list of processes cannot be read: " + bytes.error().message + ".");
    if (!listNtProcesses(*bytes, addressOf(*bytes), m_processes))
      return fail("The system's list of processes is invalid after " + std::to_string(m_processes.size()) +
                  " processes.");
    return {};
  }

  std::optional<ZeroThreadTotals> lookAtZeroThreads() {
    const NtProcess* const system = find(m_processes, kSystemProcess);
    return system == nullptr ? std::nullopt : std::optional(m_zeroThreads.look(*system));
  }

  void setZeroThreads(SystemValues& values) {
    const auto totals = lookAtZeroThreads();
    if (!totals) return;
    judgeCycles(totals->cycles.has_value());
    setMeasured(SystemMetric::ZeroThreads, totals->threads, values);
    setMeasured(SystemMetric::ZeroThreadTime, totals->kernelTime * kNtTimeNs, values);
    setMeasured(SystemMetric::ZeroThreadSwitches, totals->switches, values);
    setMeasured(SystemMetric::ZeroThreadCycles, totals->cycles, values);
  }

  // A zeroing thread that starts when the privilege has been given up cannot be opened.
  void judgeCycles(bool complete) {
    Quality& quality = m_hello.quality(SystemMetric::ZeroThreadCycles);
    const bool told = quality.grade != Grade::Unavailable;
    if (m_cycles.grade == Grade::Unavailable || complete == told) return;
    quality = complete ? m_cycles
                       : unavailable("The cycles of a zeroing thread that started after the collector cannot be read",
                                     "Start the collector anew; the window does so by itself.");
    m_helloChanged = true;
  }

  void setMeasured(SystemMetric metric, std::optional<std::uint64_t> value, SystemValues& values) const {
    if (m_hello.quality(metric).grade != Grade::Unavailable) values.set(metric, value);
  }

  // In ns. A counter must not change its source: absent where the source told at the start fails later.
  [[nodiscard]] std::optional<std::uint64_t> ownCpu() const {
    if (m_timesOwnCycles) {
      const auto cycles = m_nt.ownCycles();
      return cycles ? std::optional(nanoseconds(*cycles, m_host.cyclesPerSecond)) : std::nullopt;
    }
    const NtProcess* const self = find(m_processes, m_host.ownPid);
    return self == nullptr ? std::nullopt : std::optional((self->kernelTime + self->userTime) * kNtTimeNs);
  }

  [[nodiscard]] std::uint64_t bootTimeByTheWall() const {
    const Nanoseconds sinceBoot = m_clock.now().sinceEpoch + m_clock.suspended();
    const Nanoseconds booted = std::max(m_clock.wall().sinceEpoch - sinceBoot, Nanoseconds(0));
    return kNtTimeOf1970 + static_cast<std::uint64_t>(booted.count()) / kNtTimeNs;
  }

  NtFunctions m_nt;
  NtHost m_host;
  const Clock& m_clock;
  NtBuffer m_list{NtClass::Processes, kFirstList};
  NtSystemValues m_system{m_nt, m_host.machine};
  ZeroThreads m_zeroThreads{m_nt};
  std::optional<NtProcessTable> m_table;
  std::vector<NtProcess> m_processes;
  Hello m_hello;
  Quality m_cycles;  // of the zeroing threads, at the start
  bool m_helloChanged = false;
  NtLists m_lists = NtLists::None;
  bool m_timesOwnCycles = false;
};

}  // namespace

Result<std::unique_ptr<Sampler>> makeNtSampler(NtFunctions functions, NtHost host, const Clock& clock) {
  auto sampler = std::make_unique<NtSampler>(std::move(functions), std::move(host), clock);
  if (const auto begun = sampler->begin(); !begun) return tl::unexpected(begun.error());
  return sampler;
}

}  // namespace faultline
