#include "platform/sampling/nt/system_values.h"

namespace faultline {

namespace {
constexpr Nanoseconds kSumEvery = std::chrono::seconds(1);
}

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

SystemValues NtSystemValues::read(MonotonicTime now) {
  SystemValues values;
  const std::uint64_t page = m_machine.pageBytes;
  if (m_machine.memoryBytes > 0) values.set(SystemMetric::TotalBytes, m_machine.memoryBytes);
  if (const auto counted = m_counters ? performance() : std::nullopt) {
    if (m_counters->faults) values.set(SystemMetric::Faults, counted->faults);
    if (m_counters->pageReads) values.set(SystemMetric::MajorFaults, counted->pageReads);
    if (m_counters->demandZero) values.set(SystemMetric::DemandZeroFaults, counted->demandZero);
    if (m_counters->transitions) values.set(SystemMetric::TransitionFaults, counted->transitions);
    if (m_counters->copyOnWrite) values.set(SystemMetric::CopyOnWriteFaults, counted->copyOnWrite);
    values.set(SystemMetric::CommittedBytes, counted->committedPages * page);
    values.set(SystemMetric::CommitLimitBytes, counted->commitLimitPages * page);
    values.set(SystemMetric::AvailableBytes, counted->availablePages * page);
  }
  if (m_lists == NtLists::Sum) {
    if (!m_sum || now - m_sumTime >= kSumEvery) {
      m_sum = m_nt.listBytes();
      m_sumTime = now;
    }
    values.set(SystemMetric::FreeBytes, m_sum);
  }
  if (m_lists != NtLists::Each) return values;
  if (const auto lists = memoryLists()) {
    values.set(SystemMetric::ZeroedListBytes, lists->zeroedPages * page);
    values.set(SystemMetric::FreeListBytes, lists->freePages * page);
    values.set(SystemMetric::FreeBytes, (lists->zeroedPages + lists->freePages) * page);
  }
  return values;
}

}  // namespace faultline
