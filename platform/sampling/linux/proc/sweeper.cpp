#include "platform/sampling/linux/proc/sweeper.h"

#include <algorithm>
#include <utility>

namespace faultline {

using Outcome = ProcessReader::Outcome;

ProcSweeper::~ProcSweeper() {
  for (Entry& entry : m_entries) m_reader.close(entry.process);
}

bool ProcSweeper::sweep(Nanoseconds sinceBoot, std::vector<ProcessSample>& out) {
  m_samples = &out;
  m_sampled = 0;
  m_next.clear();
  ++m_sweeps;
  const bool listed = list();

  auto entry = m_entries.begin();
  for (const std::uint32_t pid : m_pids) {
    for (; entry != m_entries.end() && entry->process.pid < pid; ++entry) visit(std::move(*entry), false, sinceBoot);
    if (entry != m_entries.end() && entry->process.pid == pid) visit(std::move(*entry++), true, sinceBoot);
    else visit(Entry{.process = {.pid = pid}}, true, sinceBoot);
  }
  for (; entry != m_entries.end(); ++entry) visit(std::move(*entry), false, sinceBoot);

  std::swap(m_entries, m_next);
  out.resize(m_sampled);
  return listed;
}

bool ProcSweeper::list() {
  m_pids.clear();
  const int result = m_files.list(".", m_pids);
  if (!std::is_sorted(m_pids.begin(), m_pids.end())) std::sort(m_pids.begin(), m_pids.end());
  m_pids.erase(std::unique(m_pids.begin(), m_pids.end()), m_pids.end());
  return result == 0;
}

// A known process is read even if it is not listed: its descriptor shows reliably whether it lives.
void ProcSweeper::visit(Entry entry, bool listed, Nanoseconds sinceBoot) {
  KeptProcess& process = entry.process;
  ProcessSample& sample = nextSample();
  const bool whole = (process.pid + m_sweeps) % kSweepsPerWholeRead == 0;  // spread over the sweeps
  const bool known = process.startTime != 0;
  Outcome outcome = entry.gone ? Outcome::Gone : m_reader.read(process, whole, sample);
  if (outcome == Outcome::Gone && listed && known) {
    m_reader.close(process);
    entry = Entry{.process = {.pid = process.pid, .predecessor = process.startTime}};
    outcome = m_reader.read(process, whole, sample);
  }
  if (outcome == Outcome::Read) ++m_sampled;
  if (outcome == Outcome::Gone) {
    m_reader.close(process);
    entry.gone = true;
    process.startTime = std::max(process.startTime, process.predecessor);
    const std::uint64_t reusable = process.startTime + m_reader.toNanoseconds(2);
    if (std::cmp_greater(sinceBoot.count(), reusable)) return;
  }
  m_next.push_back(std::move(entry));
}

ProcessSample& ProcSweeper::nextSample() {
  if (m_sampled == m_samples->size()) m_samples->emplace_back();
  return (*m_samples)[m_sampled];
}

}  // namespace faultline
