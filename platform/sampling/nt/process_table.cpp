#include "platform/sampling/nt/process_table.h"

#include <algorithm>
#include <utility>

#include "core/parse/nt/time.h"
#include "core/text/utf16.h"

namespace faultline {
NtFields fieldsProvided(const std::vector<NtProcess>& processes, bool trusted) {
  const auto some = [&](auto field) {
    return std::ranges::any_of(processes, [&](const NtProcess& process) { return process.*field != 0; });
  };
  return {.faults = trusted || some(&NtProcess::faults),
          .hardFaults = trusted || some(&NtProcess::hardFaults),
          .workingSet = some(&NtProcess::workingSetBytes),
          .privateWorkingSet = some(&NtProcess::privateWorkingSetBytes),
          .privateBytes = some(&NtProcess::privateBytes),
          .pagefileBytes = some(&NtProcess::pagefileBytes)};
}

bool listNtProcesses(std::span<const std::byte> bytes, std::uint64_t address, std::vector<NtProcess>& out) {
  out.clear();
  NtProcessList list{.bytes = bytes, .address = address};
  while (const auto process = takeNtProcess(list)) out.push_back(*process);
  return list.ended;
}

void NtProcessTable::sweep(std::vector<NtProcess>& processes, Nanoseconds sinceBoot, std::vector<ProcessSample>& out) {
  std::ranges::sort(processes, {}, &NtProcess::pid);
  // Remove duplicate ids, which no two living processes have, and process 0, the idle processors.
  const auto twice = std::ranges::unique(processes, {}, &NtProcess::pid);
  processes.erase(twice.begin(), twice.end());
  std::erase_if(processes, [](const NtProcess& process) { return process.pid == 0; });

  identify(processes, static_cast<std::uint64_t>(std::max(sinceBoot, Nanoseconds(0)).count()));
  out.resize(processes.size());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    fill(processes[i], m_known[i].startTime, out[i]);
    if (hasParent(processes[i], m_known[i].startTime))
      out[i].values.set(ProcessMetric::ParentPid, processes[i].parentPid);
  }
}

void NtProcessTable::identify(const std::vector<NtProcess>& processes, std::uint64_t now) {
  m_next.clear();
  auto known = m_known.begin();
  for (const NtProcess& process : processes) {
    while (known != m_known.end() && known->pid < process.pid) ++known;
    const bool sameId = known != m_known.end() && known->pid == process.pid;
    m_next.push_back({process.pid, process.createTime, startTime(process, sameId ? &*known : nullptr, now)});
  }
  std::swap(m_known, m_next);
  m_swept = now;
}

// A process that was not in the previous list started after that list. The creation time is wall time, which may be set
// at any moment: clamp it to the interval between the two lists.
std::uint64_t NtProcessTable::startTime(const NtProcess& process, const Known* before, std::uint64_t now) const {
  if (before != nullptr && before->createTime == process.createTime) return before->startTime;
  const std::uint64_t sinceBoot = process.createTime - std::min(m_bootTime, process.createTime);
  const std::uint64_t told = std::min(sinceBoot, now / kNtTimeNs + 1) * kNtTimeNs;
  const std::uint64_t start = std::clamp(told, m_swept, std::max(now, m_swept));
  return before == nullptr ? start : std::max(start, before->startTime + 1);
}

// The parent may have ended, and its id may belong to a younger process: accept only an older living process.
bool NtProcessTable::hasParent(const NtProcess& process, std::uint64_t startTime) const {
  const auto parent = std::ranges::lower_bound(m_known, process.parentPid, {}, &Known::pid);
  return parent != m_known.end() && parent->pid == process.parentPid && parent->startTime <= startTime;
}

void NtProcessTable::fill(const NtProcess& process, std::uint64_t startTime, ProcessSample& out) const {
  out.key = {process.pid, startTime};
  out.name.clear();
  appendUtf16(process.name, out.name);
  out.values = {};
  ProcessValues& values = out.values;
  // Both counters wrap at 32 bits, and so does their difference.
  if (m_fields.faults) values.set(ProcessMetric::MinorFaults, process.faults - process.hardFaults);
  if (m_fields.hardFaults) values.set(ProcessMetric::MajorFaults, process.hardFaults);
  if (m_fields.privateBytes) values.set(ProcessMetric::CommitBytes, process.privateBytes);
  else if (m_fields.pagefileBytes) values.set(ProcessMetric::CommitBytes, process.pagefileBytes);
  if (m_fields.workingSet) values.set(ProcessMetric::ResidentBytes, process.workingSetBytes);
  if (m_fields.privateWorkingSet) values.set(ProcessMetric::TouchedPrivateBytes, process.privateWorkingSetBytes);
  values.set(ProcessMetric::Threads, process.threads());
}

}  // namespace faultline
