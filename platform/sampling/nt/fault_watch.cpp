#include "platform/sampling/nt/fault_watch.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

constexpr std::size_t kFirstBytes = 2048 * kNtFaultBytes;
constexpr std::size_t kMostBytes = std::size_t{1} << 24U;
constexpr std::uint64_t kKernel = std::uint64_t{1} << 63U;  // addresses of the kernel are above

}  // namespace

Result<FaultWatch> FaultWatch::begin(FaultFunctions functions, MonotonicTime now) {
  if (const std::uint32_t error = functions.begin(); error != kWinSuccess)
    return fail("Windows does not note the single page faults of this process: " + functions.reason(error) + ".");
  std::vector<std::byte> buffer(kFirstBytes);  // a first read shows whether Windows keeps notes at all
  if (const std::uint32_t error = functions.read(buffer);
      error != kWinSuccess && error != kWinBufferTooSmall && error != kWinNoMoreItems)
    return fail("Windows does not tell the single page faults of this process: " + functions.reason(error) + ".");
  return FaultWatch(std::move(functions), now);
}

FaultWatch::FaultWatch(FaultFunctions functions, MonotonicTime now)
    : m_functions(std::move(functions)), m_last(now), m_lastCount(m_functions.count()), m_buffer(kFirstBytes) {}

void FaultWatch::collect(MonotonicTime now, FaultSampleBatch& batch) {
  // Before the records, so that each fault that is counted here has been noted.
  const auto count = m_functions.count();
  if (count && m_lastCount) m_counted += static_cast<std::uint32_t>(*count - *m_lastCount);
  if (count) m_lastCount = count;
  std::uint32_t error = m_functions.read(m_buffer);
  while (error == kWinBufferTooSmall && m_buffer.size() < kMostBytes) {
    m_buffer.resize(m_buffer.size() * 2);
    error = m_functions.read(m_buffer);
  }
  const MonotonicTime middle = m_last + (now - m_last) / 2;
  m_last = now;
  m_faults.clear();
  if (error == kWinSuccess) readNtFaults(m_buffer, m_faults);
  for (const NtFault& fault : m_faults) {
    FaultSample& sample = batch.samples.emplace_back();
    sample.time = middle;
    sample.thread = fault.thread;
    sample.address = fault.address;
    sample.inKernel = fault.code >= kKernel;
    if (!sample.inKernel) sample.registers = {fault.code};
  }
  m_told += m_faults.size();
  if (m_counted > m_told) m_lost = std::max(m_lost, m_counted - m_told);
  batch.lost = m_lost;
}

Quality FaultWatch::quality() {
  return estimated(
      "Windows' notes of each page that comes to the process's memory (GetWsChangesEx), with the code and the thread, "
      "without callers and time: a fault has the middle of the 5 ms in which it was read; faults that the process's "
      "count has and no note tells are lost");
}

}  // namespace faultline
