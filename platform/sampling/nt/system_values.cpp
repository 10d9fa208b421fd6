#include "platform/sampling/nt/system_values.h"

namespace faultline {

NtCounters countersProvided(const NtPerformance& performance, bool trusted) {
  return {.faults = trusted || performance.faults != 0,
          .copyOnWrite = trusted || performance.copyOnWrite != 0,
          .transitions = trusted || performance.transitions != 0,
          .demandZero = trusted || performance.demandZero != 0,
          .pageReads = trusted || performance.pageReads != 0};
}

std::optional<NtPerformance> NtSystemValues::performance() {
  const auto bytes = m_performance.read(m_nt);
  return bytes ? parseNtPerformance(*bytes) : std::nullopt;
}

Result<NtMemoryLists> NtSystemValues::memoryLists() {
  const auto bytes = m_memoryLists.read(m_nt);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto lists = parseNtMemoryLists(*bytes);
  if (!lists) return fail("SystemMemoryListInformation is shorter than its first two fields");
  return *lists;
}

std::optional<std::uint64_t> NtSystemValues::bootTime() {
  const auto bytes = m_timeOfDay.read(m_nt);
  return bytes ? parseNtBootTime(*bytes) : std::nullopt;
}

SystemValues NtSystemValues::read() {
  SystemValues values;
  const std::uint64_t page = m_machine.pageBytes;
  if (m_machine.memoryBytes > 0) values.set(SystemMetric::TotalBytes, m_machine.memoryBytes);
  if (const auto now = m_counters ? performance() : std::nullopt) {
    if (m_counters->faults) values.set(SystemMetric::Faults, now->faults);
    if (m_counters->pageReads) values.set(SystemMetric::MajorFaults, now->pageReads);
    if (m_counters->demandZero) values.set(SystemMetric::DemandZeroFaults, now->demandZero);
    if (m_counters->transitions) values.set(SystemMetric::TransitionFaults, now->transitions);
    if (m_counters->copyOnWrite) values.set(SystemMetric::CopyOnWriteFaults, now->copyOnWrite);
    values.set(SystemMetric::CommittedBytes, now->committedPages * page);
    values.set(SystemMetric::CommitLimitBytes, now->commitLimitPages * page);
    values.set(SystemMetric::AvailableBytes, now->availablePages * page);
  }
  if (!m_hasLists) return values;
  if (const auto lists = memoryLists()) {
    values.set(SystemMetric::ZeroedListBytes, lists->zeroedPages * page);
    values.set(SystemMetric::FreeListBytes, lists->freePages * page);
    values.set(SystemMetric::FreeBytes, (lists->zeroedPages + lists->freePages) * page);
  }
  return values;
}

}  // namespace faultline
