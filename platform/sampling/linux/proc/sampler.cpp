#include "platform/sampling/linux/proc/sampler.h"

#include <unistd.h>

#include <utility>

#include "platform/sampling/linux/facts/machine.h"
#include "platform/sampling/linux/facts/visibility.h"
#include "platform/sampling/linux/proc/page_counts.h"

namespace faultline {
namespace {

constexpr std::size_t kSpareFiles = 32;  // descriptors for other uses

}  // namespace

ProcSampler::ProcSampler(std::unique_ptr<ProcFiles> files, const Clock& clock, ProcessReaderOptions options,
                         std::string visibility, Unavailable beyond)
    : m_files(std::move(files)), m_clock(clock), m_sweeper(*m_files, options), m_system(*m_files) {
  m_hello.source = "sweep";
  m_hello.clock = "CLOCK_MONOTONIC";
  m_hello.machine = readMachine(*m_files);
  const ProcView view{.vmstat = m_system.vmStat(),
                      .memory = m_system.memInfo(),
                      .pageCountsExact = statmCountsSinglePages(*m_files),
                      .visibility = std::move(visibility),
                      .beyond = std::move(beyond)};
  describeQuality(view, m_hello);
}

Result<void> ProcSampler::sample(Snapshot& out) {
  out.time = m_clock.now();
  out.wallTime = m_clock.wall();
  out.suspended = m_clock.suspended();
  out.system = m_system.read();
  const bool listed = m_sweeper.sweep(out.time.sinceEpoch + out.suspended, out.processes);
  out.scan = m_clock.now() - out.time;
  if (!listed && out.processes.empty()) return fail("The list of processes in /proc can no longer be read.");
  return {};
}

Result<std::unique_ptr<Sampler>> makeProcSampler(const Clock& clock, const std::string& root, Unavailable beyond) {
  auto files = makeProcFiles(root);
  if (!files) return tl::unexpected(files.error());
  const std::size_t limit = raiseFileLimit();
  const ProcessReaderOptions options{.keptFiles = limit > kSpareFiles ? limit - kSpareFiles : 0,
                                     .ticksPerSecond = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK)),
                                     .pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
  std::string visibility = describeVisibility(**files, root).why;
  return std::make_unique<ProcSampler>(std::move(*files), clock, options, std::move(visibility), std::move(beyond));
}

}  // namespace faultline
