#include "platform/linux/process_table_linux.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/parse/proc_statm.h"

namespace faultline {
namespace {

bool isGone(std::ptrdiff_t result) {
  return result == -ESRCH || result == -ENOENT;
}

}  // namespace

ProcessTable::~ProcessTable() {
  for (Entry& entry : m_entries) close(entry);
}

bool ProcessTable::sweep(Nanoseconds sinceBoot, std::vector<ProcessSample>& out) {
  m_samples = &out;
  m_sampled = 0;
  m_next.clear();
  const bool listed = list();

  auto entry = m_entries.begin();
  for (const std::uint32_t pid : m_pids) {
    for (; entry != m_entries.end() && entry->pid < pid; ++entry) visit(*entry, false, sinceBoot);
    if (entry != m_entries.end() && entry->pid == pid) visit(*entry++, true, sinceBoot);
    else visit(Entry{.pid = pid}, true, sinceBoot);
  }
  for (; entry != m_entries.end(); ++entry) visit(*entry, false, sinceBoot);

  std::swap(m_entries, m_next);
  out.resize(m_sampled);
  return listed;
}

bool ProcessTable::list() {
  m_pids.clear();
  const int result = m_files.list(m_pids);
  if (!std::is_sorted(m_pids.begin(), m_pids.end())) std::sort(m_pids.begin(), m_pids.end());
  m_pids.erase(std::unique(m_pids.begin(), m_pids.end()), m_pids.end());
  return result == 0;
}

// A known process is read whether it is listed or not: its own descriptor knows best whether it lives.
void ProcessTable::visit(Entry entry, bool listed, Nanoseconds sinceBoot) {
  ProcessSample& sample = nextSample();
  const bool known = entry.startTime != 0;
  Outcome outcome = entry.gone ? Outcome::Gone : read(entry, sample);
  if (outcome == Outcome::Gone && listed && known) {
    close(entry);
    entry = Entry{.pid = entry.pid, .predecessor = entry.startTime};
    outcome = read(entry, sample);
  }
  if (outcome == Outcome::Read) ++m_sampled;
  if (outcome == Outcome::Gone) {
    close(entry);
    entry.gone = true;
    entry.startTime = std::max(entry.startTime, entry.predecessor);
    const std::uint64_t reusable = entry.startTime + toNanoseconds(2);
    if (std::cmp_greater(sinceBoot.count(), reusable)) return;
  }
  m_next.push_back(entry);
}

ProcessTable::Outcome ProcessTable::read(Entry& entry, ProcessSample& sample) {
  ProcStat stat;
  if (const Outcome outcome = readStat(entry, stat); outcome != Outcome::Read) return outcome;
  if (!stat.kernelThread && entry.statm < 0) {
    entry.statm = open(entry.pid, "statm");
    // Only this second read proves that both files belong to one process.
    if (const Outcome outcome = readStat(entry, stat); outcome != Outcome::Read) return outcome;
  }
  if (!identify(entry, stat)) return Outcome::Gone;

  sample.key = {entry.pid, entry.startTime};
  sample.name.assign(stat.name);
  sample.values = {};
  sample.values.set(ProcessMetric::MinorFaults, stat.minorFaults);
  sample.values.set(ProcessMetric::MajorFaults, stat.majorFaults);
  sample.values.set(ProcessMetric::Threads, stat.threads);
  Outcome outcome = Outcome::Read;
  if (stat.kernelThread) {
    sample.values.set(ProcessMetric::CommitBytes, 0);
    sample.values.set(ProcessMetric::ResidentBytes, 0);
    sample.values.set(ProcessMetric::TouchedPrivateBytes, 0);
  } else {
    outcome = readMemory(entry, sample.values);
  }
  if (m_openFiles > m_options.keptFiles) close(entry);
  return outcome;
}

ProcessTable::Outcome ProcessTable::readStat(Entry& entry, ProcStat& stat) {
  if (entry.stat < 0) {
    const int file = open(entry.pid, "stat");
    if (file < 0) return isGone(file) ? Outcome::Gone : Outcome::Skipped;
    entry.stat = file;
  }
  const std::ptrdiff_t size = m_files.read(entry.stat, m_statText, 0);
  if (size < 0) return isGone(size) ? Outcome::Gone : Outcome::Skipped;
  const auto parsed = parseProcStat({m_statText.data(), static_cast<std::size_t>(size)});
  if (!parsed || parsed->pid != entry.pid) return Outcome::Skipped;
  stat = *parsed;
  return Outcome::Read;
}

// False if another process has come to live under the pid since the file was last open. One that did so within the
// same tick can be told by its kept descriptor alone.
bool ProcessTable::identify(Entry& entry, const ProcStat& stat) const {
  if (entry.startTime != 0) return stat.startTicks == entry.startTicks;
  entry.startTicks = stat.startTicks;
  entry.startTime = std::max(toNanoseconds(stat.startTicks), entry.predecessor + 1);
  return true;
}

// A value that cannot be read is absent, a process that has died meanwhile is gone as a whole.
ProcessTable::Outcome ProcessTable::readMemory(Entry& entry, ProcessValues& values) {
  if (entry.statm < 0) return Outcome::Read;
  const std::ptrdiff_t size = m_files.read(entry.statm, m_statmText, 0);
  if (isGone(size)) return Outcome::Gone;
  if (size < 0) return Outcome::Read;
  const auto statm = parseProcStatm({m_statmText.data(), static_cast<std::size_t>(size)});
  if (!statm) return Outcome::Read;
  values.set(ProcessMetric::CommitBytes, statm->data * m_options.pageBytes);
  values.set(ProcessMetric::ResidentBytes, statm->resident * m_options.pageBytes);
  // The three counts are not taken at one instant; a negative difference is none.
  const std::uint64_t touched = statm->resident - std::min(statm->shared, statm->resident);
  values.set(ProcessMetric::TouchedPrivateBytes, touched * m_options.pageBytes);
  return Outcome::Read;
}

int ProcessTable::open(std::uint32_t pid, const char* name) {
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "%u/%s", pid, name);
  const int file = m_files.open(path.data());
  if (file >= 0) ++m_openFiles;
  return file;
}

void ProcessTable::close(Entry& entry) {
  for (int* const file : {&entry.stat, &entry.statm}) {
    if (*file < 0) continue;
    m_files.close(*file);
    *file = -1;
    --m_openFiles;
  }
}

std::uint64_t ProcessTable::toNanoseconds(std::uint64_t ticks) const {
  return ticks * (std::uint64_t{1'000'000'000} / m_options.ticksPerSecond);
}

ProcessSample& ProcessTable::nextSample() {
  if (m_sampled == m_samples->size()) m_samples->emplace_back();
  return (*m_samples)[m_sampled];
}

}  // namespace faultline
