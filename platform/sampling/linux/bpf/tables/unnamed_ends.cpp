#include "platform/sampling/linux/bpf/tables/unnamed_ends.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/model/unnamed_ended.h"
#include "platform/sampling/linux/bpf/tables/totals.h"

namespace faultline {
namespace {

constexpr std::size_t kMostParents = 256;

using Counts = std::array<unsigned long long*, kTotals + 2>;

Counts countsOf(ProcessRecord& record) {
  Counts counts{&record.thread.minorFaults, &record.thread.majorFaults};
  std::ranges::transform(totalCountsOf(record.totals), counts.begin() + 2, [](auto& count) { return &count; });
  return counts;
}

void addCounts(ProcessRecord& sum, ProcessRecord other) {
  other.thread.minorFaults += other.thread.deadMinorFaults;
  other.thread.majorFaults += other.thread.deadMajorFaults;
  const Counts from = countsOf(other);
  const Counts to = countsOf(sum);
  for (std::size_t i = 0; i < to.size(); ++i) *to[i] += *from[i];
}

// Subtracts `debt` as far as possible; the rest stays in `debt`.
void pay(ProcessRecord& sum, ProcessRecord& debt) {
  const Counts have = countsOf(sum);
  const Counts owe = countsOf(debt);
  for (std::size_t i = 0; i < have.size(); ++i) {
    const auto paid = std::min(*have[i], *owe[i]);
    *have[i] -= paid;
    *owe[i] -= paid;
  }
}

ProcessRecord growth(EndedSum before, const EndedSum& now) {
  ProcessRecord record{};
  record.thread.pid = now.lastPid;
  record.startTime = now.lastEnd;
  record.parent = now.parent;
  record.thread.minorFaults = now.minorFaults - before.minorFaults;
  record.thread.majorFaults = now.majorFaults - before.majorFaults;
  record.totals = now.totals;
  const TotalCounts counts = totalCountsOf(record.totals);
  const TotalCounts told = totalCountsOf(before.totals);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] -= told[i];
  return record;
}

}  // namespace

ProcessRecord& UnnamedEnds::sumOf(const ProcessRecord& record) {
  if (m_settled) m_sums.clear();
  m_settled = false;
  const auto of = [this](std::uint32_t parent) { return std::ranges::find(m_sums, parent, &ProcessRecord::parent); };
  auto found = of(record.parent);
  const bool room = m_sums.size() < kMostParents;
  if (found == m_sums.end() && !room) found = of(0);
  if (found != m_sums.end()) return *found;
  ProcessRecord sum{};
  sum.thread.tid = sum.thread.pid = record.thread.pid;
  sum.startTime = record.startTime;
  sum.parent = room ? record.parent : 0;
  kUnnamedEnded.copy(sum.name, sizeof sum.name);
  return m_sums.emplace_back(sum);
}

void UnnamedEnds::add(const ProcessRecord& record) {
  addCounts(sumOf(record), record);
  ++m_count;
}

void UnnamedEnds::add(std::span<const EndedSum, kEndedSums> sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const EndedSum now = sums[i];  // a copy, because the kernel keeps counting
    if (now.lastEnd == m_kernel[i].lastEnd && now.count == m_kernel[i].count) continue;
    const ProcessRecord grown = growth(m_kernel[i], now);
    addCounts(sumOf(grown), grown);
    m_count += now.count - m_kernel[i].count;
    m_kernel[i] = now;
    m_kernelGrew = true;
  }
}

void UnnamedEnds::takeOff(const ProcessRecord& told) {
  auto sum = std::ranges::find(m_told, told.parent, &ProcessRecord::parent);
  if (sum == m_told.end()) {
    sum = m_told.emplace(m_told.end());
    sum->parent = told.parent;
  }
  addCounts(*sum, told);
}

template <class MayPay>
void UnnamedEnds::payAll(std::vector<ProcessRecord>& debts, MayPay mayPay) {
  for (ProcessRecord& debt : debts)
    for (ProcessRecord& sum : m_sums)
      if (mayPay(sum, debt)) pay(sum, debt);
}

// A process may end after its parent's sum was read and before the sweep: its debt waits for the next growth.
std::span<const ProcessRecord> UnnamedEnds::settle() {
  if (m_settled) m_sums.clear();
  m_settled = true;
  if (m_kernelGrew) {
    const auto ofItsParent = [](const ProcessRecord& sum, const ProcessRecord& debt) {
      return sum.parent == debt.parent || sum.parent == 0;  // 0: the parents that have no slot
    };
    payAll(m_toldBefore, ofItsParent);
    payAll(m_told, ofItsParent);
    payAll(m_toldBefore, [](const ProcessRecord&, const ProcessRecord&) { return true; });
  }
  m_toldBefore = std::exchange(m_told, {});
  m_kernelGrew = false;
  return m_sums;
}

}  // namespace faultline
