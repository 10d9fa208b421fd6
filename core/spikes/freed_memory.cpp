#include "core/spikes/freed_memory.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr Nanoseconds kRemembered = std::chrono::seconds(60);
constexpr std::uint64_t kLeastBytes = 1ULL << 20U;  // less is the noise of a working set

std::uint64_t lost(std::uint64_t before, std::uint64_t after) {
  return before - std::min(before, after);
}

}  // namespace

void FreedMemoryLog::add(const Moment& moment) {
  while (!m_entries.empty() && moment.time - m_entries.front().time > kRemembered) m_entries.pop_front();
  auto it = m_held.begin();
  const auto end = [&] {
    note(moment.time, it->first, it->second, 0, 0);
    it = m_held.erase(it);
  };
  for (const ProcessRow& row : moment.rows) {
    if (row.exited || row.own) continue;
    while (it != m_held.end() && it->first < row.key) end();
    const std::uint64_t resident = row.values.get(ProcessMetric::ResidentBytes).value_or(0);
    const std::uint64_t commit = row.values.get(ProcessMetric::CommitBytes).value_or(0);
    if (it == m_held.end() || it->first != row.key) it = m_held.emplace_hint(it, row.key, Held{row.name, 0, 0});
    note(moment.time, row.key, it->second, resident, commit);
    it->second.resident = resident;
    it->second.commit = commit;
    ++it;
  }
  while (it != m_held.end()) end();
}

// Memory that leaves a working set is still held, and memory that was never touched need not be zeroed: the lesser of
// both losses is what others can get.
void FreedMemoryLog::note(MonotonicTime time, const ProcessKey& key, const Held& before, std::uint64_t resident,
                          std::uint64_t commit) {
  const std::uint64_t bytes = std::min(lost(before.resident, resident), lost(before.commit, commit));
  if (bytes >= kLeastBytes) m_entries.push_back({time, {key, before.name, bytes}});
}

std::optional<FreedMemory> FreedMemoryLog::most(MonotonicTime from, MonotonicTime to) const {
  std::map<ProcessKey, FreedMemory> sums;
  for (const Entry& entry : m_entries) {
    if (entry.time < from || entry.time > to) continue;
    FreedMemory& sum =
        sums.try_emplace(entry.freed.key, FreedMemory{entry.freed.key, entry.freed.name, 0}).first->second;
    sum.bytes += entry.freed.bytes;
  }
  const auto best = std::ranges::max_element(sums, {}, [](const auto& one) { return one.second.bytes; });
  return best == sums.end() ? std::nullopt : std::optional(best->second);
}

}  // namespace faultline
