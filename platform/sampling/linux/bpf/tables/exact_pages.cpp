#include "platform/sampling/linux/bpf/tables/exact_pages.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>

#include "core/parse/proc_statm.h"

namespace faultline {
namespace {

std::uint64_t valueOf(const ProcessSample& process, ProcessMetric metric) {
  return process.values.get(metric).value_or(0);
}

std::uint64_t faultsOf(const ProcessSample& process) {
  return valueOf(process, ProcessMetric::MinorFaults) + valueOf(process, ProcessMetric::MajorFaults);
}

}  // namespace

// Keeps the values of processes that are still there.
void ExactPages::follow(const std::vector<ProcessSample>& processes) {
  std::swap(m_known, m_before);
  m_known.clear();
  auto before = m_before.begin();
  for (const ProcessSample& process : processes) {
    while (before != m_before.end() && before->key < process.key) ++before;
    const bool same = before != m_before.end() && before->key == process.key;
    m_known.push_back(same ? *before : Known{.key = process.key});
  }
}

void ExactPages::correct(std::vector<ProcessSample>& processes) {
  follow(processes);
  m_stale.clear();
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const std::uint64_t lagging = valueOf(processes[i], ProcessMetric::ResidentBytes);
    const std::uint64_t faults = faultsOf(processes[i]);
    const bool stands = m_known[i].resident != 0 && m_known[i].faults == faults && m_known[i].lagging == lagging;
    if (!stands && lagging > 0) m_stale.push_back({.place = i, .moved = faults - m_known[i].faults + 1});
  }
  const auto last = m_stale.begin() + static_cast<std::ptrdiff_t>(std::min(m_stale.size(), kReadAtOnce));
  std::ranges::partial_sort(m_stale, last, std::greater{}, &Stale::moved);
  for (auto stale = m_stale.begin(); stale != last; ++stale) read(processes[stale->place], m_known[stale->place]);
  for (auto stale = last; stale != m_stale.end(); ++stale) m_known[stale->place].resident = 0;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Known& known = m_known[i];
    if (known.resident == 0) continue;
    ProcessValues& values = processes[i].values;
    values.set(ProcessMetric::ResidentBytes, known.resident);
    values.set(ProcessMetric::TouchedPrivateBytes,
               known.residentAnon + values.get(ProcessMetric::SwappedBytes).value_or(0));
  }
}

// After the end of a process statm has 0.
void ExactPages::read(const ProcessSample& process, Known& known) {
  known.faults = faultsOf(process);
  known.lagging = valueOf(process, ProcessMetric::ResidentBytes);
  known.resident = 0;
  std::array<char, 256> text{};
  const auto parsed = [&text](std::ptrdiff_t size) {
    return size > 0 ? parseProcStatm({text.data(), static_cast<std::size_t>(size)}) : std::nullopt;
  };
  const int file = m_files.open((std::to_string(process.key.pid) + "/statm").c_str());
  if (file < 0) return;
  auto statm = parsed(m_files.read(file, text, 0));
  m_files.close(file);
  if (statm && statm->resident == 0) statm = parsed(readStatmOfThread(m_files, process.key.pid, text, m_threads));
  if (!statm) return;
  known.resident = statm->resident * m_pageBytes;
  known.residentAnon = (statm->resident - std::min(statm->shared, statm->resident)) * m_pageBytes;
}

}  // namespace faultline
