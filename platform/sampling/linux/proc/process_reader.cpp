#include "platform/sampling/linux/proc/process_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/parse/proc_statm.h"

namespace faultline {
namespace {

using Outcome = ProcessReader::Outcome;

constexpr std::array kMemory{ProcessMetric::CommitBytes, ProcessMetric::ResidentBytes,
                             ProcessMetric::TouchedPrivateBytes};

bool isGone(std::ptrdiff_t result) {
  return result == -ESRCH || result == -ENOENT;
}

bool running(const ProcStat& stat) {
  return stat.state == 'R';
}

}  // namespace

// A process that has not run since it was seen asleep has neither faulted nor allocated: then schedstat, a short file,
// saves reading stat and statm. schedstat covers only the first thread, so this works for single-threaded processes.
// schedstat is read before stat, so that a process that runs in between differs at the next sweep.
Outcome ProcessReader::read(KeptProcess& process, bool whole, ProcessSample& out) {
  const auto schedstat = readSchedstat(process);
  if (!whole && schedstat && schedstat == process.slept) {
    out = process.last;
    return Outcome::Read;
  }
  ProcStat stat;
  Outcome outcome = readStat(process, stat);
  if (outcome == Outcome::Read) outcome = openOthers(process, stat);
  if (outcome != Outcome::Read) return outcome;
  if (!identify(process, stat)) return Outcome::Gone;

  out.key = {process.pid, process.startTime};
  out.name.assign(stat.name);
  out.values = {};
  out.values.set(ProcessMetric::MinorFaults, stat.minorFaults);
  out.values.set(ProcessMetric::MajorFaults, stat.majorFaults);
  out.values.set(ProcessMetric::Threads, stat.threads);
  out.values.set(ProcessMetric::ParentPid, stat.parentPid);
  out.values.set(ProcessMetric::ChildMinorFaults, stat.childMinorFaults);
  out.values.set(ProcessMetric::ChildMajorFaults, stat.childMajorFaults);
  outcome = readMemory(process, stat, whole, out.values);
  process.last = out;
  process.slept = stat.threads == 1 && !running(stat) && process.seen ? schedstat : std::nullopt;
  if (m_openFiles > m_options.keptFiles) close(process);
  return outcome;
}

std::optional<ProcSchedstat> ProcessReader::readSchedstat(const KeptProcess& process) {
  if (process.schedstat < 0 || process.last.values.get(ProcessMetric::Threads) != 1U) return std::nullopt;
  const std::ptrdiff_t size = m_files.read(process.schedstat, m_shortText, 0);
  if (size < 0) return std::nullopt;
  return parseProcSchedstat({m_shortText.data(), static_cast<std::size_t>(size)});
}

Outcome ProcessReader::readStat(KeptProcess& process, ProcStat& stat) {
  if (process.stat < 0) {
    const int file = openOf(process.pid, "stat");
    if (file < 0) return isGone(file) ? Outcome::Gone : Outcome::Skipped;
    process.stat = file;
  }
  const std::ptrdiff_t size = m_files.read(process.stat, m_statText, 0);
  if (size < 0) return isGone(size) ? Outcome::Gone : Outcome::Skipped;
  const auto parsed = parseProcStat({m_statText.data(), static_cast<std::size_t>(size)});
  if (!parsed || parsed->pid != process.pid) return Outcome::Skipped;
  stat = *parsed;
  return Outcome::Read;
}

Outcome ProcessReader::openOthers(KeptProcess& process, ProcStat& stat) {
  const bool wantsStatm = !stat.kernelThread && process.statm < 0;
  const bool isNew = process.startTime == 0;
  if (!wantsStatm && !isNew) return Outcome::Read;
  if (wantsStatm) process.statm = openOf(process.pid, "statm");
  if (isNew && m_openFiles < m_options.keptFiles) process.schedstat = openOf(process.pid, "schedstat");
  // Read stat again: this proves that all files belong to the same process.
  return readStat(process, stat);
}

// False if the pid belongs to another process since the file was last open. A process that took the pid within the same
// tick is detected only by a kept descriptor.
bool ProcessReader::identify(KeptProcess& process, const ProcStat& stat) const {
  if (process.startTime != 0) return stat.startTicks == process.startTicks;
  process.startTicks = stat.startTicks;
  process.startTime = std::max(toNanoseconds(stat.startTicks), process.predecessor + 1);
  return true;
}

// A value that cannot be read is absent. A process that has ended meanwhile is Gone.
Outcome ProcessReader::readMemory(KeptProcess& process, ProcStat stat, bool whole, ProcessValues& values) {
  stat.name = {};
  if (!whole && !running(stat) && process.seen == stat) {
    for (const ProcessMetric metric : kMemory) values.set(metric, process.last.values.get(metric));
    return Outcome::Read;
  }
  process.seen.reset();
  if (stat.kernelThread) {
    for (const ProcessMetric metric : kMemory) values.set(metric, 0);
    process.seen = stat;
    return Outcome::Read;
  }
  if (process.statm < 0) return Outcome::Read;
  const bool headless = stat.state == 'Z' && stat.threads > 1;
  const std::ptrdiff_t size = headless ? readStatmOfThread(m_files, process.pid, m_shortText, m_threads)
                                       : m_files.read(process.statm, m_shortText, 0);
  if (headless && size < 0) return Outcome::Read;  // unknown, not zero
  if (isGone(size)) return Outcome::Gone;
  if (size < 0) return Outcome::Read;
  const auto statm = parseProcStatm({m_shortText.data(), static_cast<std::size_t>(size)});
  if (!statm) return Outcome::Read;
  values.set(ProcessMetric::CommitBytes, statm->data * m_options.pageBytes);
  values.set(ProcessMetric::ResidentBytes, statm->resident * m_options.pageBytes);
  // The kernel does not read the counts at one instant: a negative difference is taken as 0.
  const std::uint64_t touched = statm->resident - std::min(statm->shared, statm->resident);
  values.set(ProcessMetric::TouchedPrivateBytes, touched * m_options.pageBytes);
  process.seen = stat;
  return Outcome::Read;
}

int ProcessReader::openOf(std::uint32_t pid, const char* name) {
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "%u/%s", pid, name);
  const int file = m_files.open(path.data());
  if (file >= 0) ++m_openFiles;
  return file;
}

void ProcessReader::close(KeptProcess& process) {
  for (int* const file : {&process.stat, &process.statm, &process.schedstat}) {
    if (*file < 0) continue;
    m_files.close(*file);
    *file = -1;
    --m_openFiles;
  }
}

std::uint64_t ProcessReader::toNanoseconds(std::uint64_t ticks) const {
  return ticks * (std::uint64_t{1'000'000'000} / m_options.ticksPerSecond);
}

}  // namespace faultline
