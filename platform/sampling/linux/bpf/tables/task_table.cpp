#include "platform/sampling/linux/bpf/tables/task_table.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>

#include "platform/sampling/linux/bpf/tables/totals.h"

namespace faultline {
namespace {

constexpr std::size_t kMostNamed = 4096;

constexpr unsigned kAwaited = 2;  // ProcessRecord::leaving of a record that an earlier sweep has kept

auto order(const ProcessRecord& record) {
  return std::tuple(std::uint32_t{record.thread.pid}, std::uint64_t{record.startTime});
}

template <class Record>
Record recordAt(std::span<const std::byte> bytes) {
  Record record{};
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

// Visits the records of a sweep. The record of a first thread is that of its process.
template <class Visit>
void forEachRecord(std::span<const std::byte> bytes, Visit visit) {
  while (bytes.size() >= sizeof(ThreadRecord)) {
    const auto thread = recordAt<ThreadRecord>(bytes);
    const bool whole = thread.tid == thread.pid || thread.tid == 0;
    const std::size_t size = whole ? sizeof(ProcessRecord) : sizeof(ThreadRecord);
    if (bytes.size() < size) return;
    visit(thread, bytes.first(size));
    bytes = bytes.subspan(size);
  }
}

// A thread that ends between its process's record and its own is missing from both.
void keepMonotonic(std::uint64_t& now, std::uint64_t before) {
  now = std::max(now, before);
}

void keepMonotonic(ProcessTotals& now, ProcessTotals before) {
  const TotalCounts counts = totalCountsOf(now);
  const TotalCounts least = totalCountsOf(before);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = std::max(counts[i], least[i]);
}

std::uint64_t freedPages(const ProcessTotals& totals) {
  return totals.discardedPages + totals.unmappedPages;
}

std::uint64_t notNegative(long long pages) {
  return static_cast<std::uint64_t>(std::max(pages, 0LL));
}

}  // namespace

void TaskTable::visited(std::span<const std::byte> records) {
  m_alive.clear();
  m_threads.clear();
  m_memory.clear();
  forEachRecord(records, [&](const ThreadRecord& thread, std::span<const std::byte> bytes) {
    if (thread.tid == thread.pid) m_alive.push_back(recordAt<ProcessRecord>(bytes));
    else if (thread.tid == 0) m_memory.push_back(recordAt<ProcessRecord>(bytes));
    else m_threads.push_back(thread);
  });
  if (!std::ranges::is_sorted(m_alive, {}, order)) std::ranges::sort(m_alive, {}, order);
  for (const ThreadRecord& thread : m_threads) addThread(thread);
  for (const ProcessRecord& record : m_memory) setMemory(record);
}

ProcessRecord* TaskTable::findAlive(std::uint32_t process) {
  const auto pid = [](const ProcessRecord& record) { return record.thread.pid; };
  const auto found = std::ranges::lower_bound(m_alive, process, {}, pid);
  return found != m_alive.end() && found->thread.pid == process ? &*found : nullptr;
}

void TaskTable::setMemory(const ProcessRecord& record) {
  ProcessRecord* const process = findAlive(record.thread.pid);
  if (process == nullptr) return;
  process->commitPages = record.commitPages;
  process->mappings = record.mappings;
  process->filePages = record.filePages;
  process->anonPages = record.anonPages;
  process->shmemPages = record.shmemPages;
  process->swapPages = record.swapPages;
}

// Threads are visited in order of their ids, which may be lower than that of the process's first thread. Counts the
// faults of ended threads as of the earliest visit: every thread visited later was alive then.
void TaskTable::addThread(const ThreadRecord& thread) {
  ProcessRecord* const process = findAlive(thread.pid);
  if (process == nullptr) return;
  ThreadRecord& sum = process->thread;
  sum.minorFaults += thread.minorFaults;
  sum.majorFaults += thread.majorFaults;
  sum.deadMinorFaults = std::min(sum.deadMinorFaults, thread.deadMinorFaults);
  sum.deadMajorFaults = std::min(sum.deadMajorFaults, thread.deadMajorFaults);
}

// Two threads that end at once may both report the process; keeps the greater report, which is right. So is the report
// after its memory was given back.
void TaskTable::settleEnded() {
  std::ranges::sort(m_ended, {}, [](const ProcessRecord& record) {
    return std::tuple_cat(
        order(record), std::tuple(record.thread.minorFaults + record.thread.deadMinorFaults,
                                  record.thread.majorFaults + record.thread.deadMajorFaults, record.totals.zeroedPages,
                                  record.leaving == 0, freedPages(record.totals)));
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < m_ended.size(); ++i) {
    if (i + 1 < m_ended.size() && order(m_ended[i]) == order(m_ended[i + 1])) continue;
    m_ended[kept++] = m_ended[i];
  }
  m_ended.resize(kept);
}

void TaskTable::awaitRest() {
  m_leaving.clear();
  std::erase_if(m_ended, [this](ProcessRecord& record) {
    const auto place = std::ranges::lower_bound(m_alive, order(record), {}, order);
    const bool visited = place != m_alive.end() && order(*place) == order(record);
    if (record.leaving == 0 || (record.leaving == kAwaited && !visited)) return false;
    record.leaving = kAwaited;
    m_leaving.push_back(record);
    if (!visited) m_alive.insert(place, record);
    return true;
  });
}

void TaskTable::ended(const ProcessRecord& record) {
  m_ended.push_back(record);
  if (m_ended.size() > 2 * kMostNamed + m_before.size()) keepFewerNames();
}

// Keeps the processes with the most faults, those known from earlier sweeps, and those that will be reported again.
void TaskTable::keepFewerNames() {
  settleEnded();
  if (m_ended.size() <= 2 * kMostNamed + m_before.size()) return;  // most were reported twice
  const auto key = [](const Known& known) { return std::tuple(known.pid, known.startTime); };
  const auto faults = [](const ProcessRecord& record) {
    return record.thread.minorFaults + record.thread.deadMinorFaults;
  };
  const auto fresh = std::ranges::partition(m_ended, [&](const ProcessRecord& record) {
                       return record.leaving != 0 || std::ranges::binary_search(m_before, order(record), {}, key);
                     }).begin();
  if (m_ended.end() - fresh <= static_cast<std::ptrdiff_t>(kMostNamed)) return;
  const auto rest = fresh + kMostNamed;
  std::ranges::nth_element(fresh, rest, m_ended.end(), std::greater{}, faults);
  std::for_each(rest, m_ended.end(), [this](const ProcessRecord& record) { m_unnamed.add(record); });
  m_ended.erase(rest, m_ended.end());
}

// A process that has vanished without a report of its end is in the kernel's sums with all its counts.
void TaskTable::takeOffVanished() {
  const auto isIn = [](const std::vector<ProcessRecord>& records, const Known& known) {
    return std::ranges::binary_search(records, std::tuple(known.pid, known.startTime), {}, order);
  };
  for (const Known& known : m_before) {
    if (known.ended || isIn(m_alive, known) || isIn(m_ended, known)) continue;
    ProcessRecord told{};
    told.parent = known.parent;
    told.thread.minorFaults = known.minorFaults;
    told.thread.majorFaults = known.majorFaults;
    told.totals = known.totals;
    m_unnamed.takeOff(told);
  }
}

// False if the process was reported as ended before. A pid that was reused within a tick gets a key 1 ns after its
// predecessor's.
bool TaskTable::identify(const ProcessRecord& record, Known& known) {
  known = {.pid = record.thread.pid,
           .parent = record.parent,
           .startTime = record.startTime,
           .keyTime = record.startTime - record.startTime % m_tick,
           .minorFaults = record.thread.minorFaults + record.thread.deadMinorFaults,
           .majorFaults = record.thread.majorFaults + record.thread.deadMajorFaults,
           .totals = record.totals};
  const auto follow = [&](const Known& predecessor) {
    known.keyTime = std::max(known.keyTime, predecessor.keyTime + 1);
  };
  while (m_cursor < m_before.size() && m_before[m_cursor].pid < known.pid) ++m_cursor;
  for (std::size_t i = m_cursor; i < m_before.size() && m_before[i].pid == known.pid; ++i) {
    const Known& before = m_before[i];
    if (before.startTime == known.startTime) {
      known.keyTime = before.keyTime;
      keepMonotonic(known.minorFaults, before.minorFaults);
      keepMonotonic(known.majorFaults, before.majorFaults);
      keepMonotonic(known.totals, before.totals);
      return !before.ended;
    }
    if (before.startTime < known.startTime) follow(before);
  }
  if (!m_now.empty() && m_now.back().pid == known.pid) follow(m_now.back());
  return true;
}

void TaskTable::sample(const TaskCounts& counts, Snapshot& out) {
  settleEnded();
  awaitRest();
  takeOffVanished();
  if (const auto sums = m_unnamed.settle(); !sums.empty()) {
    m_ended.insert(m_ended.end(), sums.begin(), sums.end());
    std::ranges::sort(m_ended, {}, order);
  }
  m_now.clear();
  m_cursor = 0;
  std::size_t living = 0;
  std::size_t dead = 0;
  const auto next = [](std::vector<ProcessSample>& samples, std::size_t& count) -> ProcessSample& {
    if (count == samples.size()) samples.emplace_back();
    return samples[count++];
  };
  auto alive = m_alive.begin();
  for (auto ended = m_ended.begin(); alive != m_alive.end() || ended != m_ended.end();) {
    const bool isEnded = alive == m_alive.end() || (ended != m_ended.end() && order(*ended) <= order(*alive));
    if (isEnded && alive != m_alive.end() && order(*ended) == order(*alive)) ++alive;
    const ProcessRecord& record = isEnded ? *ended++ : *alive++;
    Known known;
    const bool isNew = identify(record, known);
    known.ended = isEnded || !isNew;
    m_now.push_back(known);
    if (isNew) describe(record, known, counts, isEnded ? next(out.exited, dead) : next(out.processes, living));
  }
  out.processes.resize(living);
  out.exited.resize(dead);
  std::swap(m_before, m_now);
  std::swap(m_ended, m_leaving);
}

void TaskTable::describe(const ProcessRecord& record, const Known& known, const TaskCounts& counts,
                         ProcessSample& out) const {
  out.key = {known.pid, known.keyTime};
  out.name.assign(std::begin(record.name), std::find(std::begin(record.name), std::end(record.name), '\0'));
  out.values = {};
  ProcessValues& values = out.values;
  values.set(ProcessMetric::MinorFaults, known.minorFaults);
  values.set(ProcessMetric::MajorFaults, known.majorFaults);
  values.set(ProcessMetric::ParentPid, record.parent);
  if (!known.ended && record.leaving == 0) {
    values.set(ProcessMetric::Threads, record.threads);
    const auto inBytes = [&](ProcessMetric metric, std::uint64_t pages) { values.set(metric, pages * m_pageBytes); };
    inBytes(ProcessMetric::CommitBytes, record.commitPages);
    inBytes(ProcessMetric::ResidentBytes,
            notNegative(record.filePages) + notNegative(record.anonPages) + notNegative(record.shmemPages));
    inBytes(ProcessMetric::TouchedPrivateBytes, notNegative(record.anonPages) + notNegative(record.swapPages));
    inBytes(ProcessMetric::SwappedBytes, notNegative(record.swapPages));
    values.set(ProcessMetric::Mappings, record.mappings);
  }
  if (counts.zeroing) {
    values.set(ProcessMetric::ZeroedBytes, known.totals.zeroedPages * m_pageBytes);
    values.set(ProcessMetric::ZeroedLargeBytes, known.totals.zeroedLargePages * m_pageBytes);
  }
  if (counts.faultTime) {
    values.set(ProcessMetric::FaultTime, known.totals.faultTime);
    values.set(ProcessMetric::MajorFaultTime, known.totals.majorFaultTime);
    values.set(ProcessMetric::TimedFaults, known.totals.timedFaults);
    values.set(ProcessMetric::TimedMajorFaults, known.totals.timedMajorFaults);
  }
  if (counts.freeing) {
    values.set(ProcessMetric::FreedBytes, freedPages(known.totals) * m_pageBytes);
    values.set(ProcessMetric::DiscardedBytes, known.totals.discardedPages * m_pageBytes);
  }
  if (counts.reclaim) values.set(ProcessMetric::ReclaimedBytes, known.totals.reclaimedPages * m_pageBytes);
  if (counts.teardown) values.set(ProcessMetric::TeardownTime, known.totals.teardownTime);
  if (counts.faultParts) {
    values.set(ProcessMetric::FaultTimeOnProcessor, known.totals.parts.onProcessor);
    values.set(ProcessMetric::FaultTimeWaiting, known.totals.parts.waiting);
    values.set(ProcessMetric::FaultTimeBlocked, known.totals.parts.blocked);
    values.set(ProcessMetric::FaultTimeOnDisk, known.totals.parts.forDisk);
    if (counts.zeroing) values.set(ProcessMetric::LargeZeroingTime, known.totals.largeZeroingTime);
  }
  if (counts.faultEfforts) {
    values.set(ProcessMetric::FaultTimeInReclaim, known.totals.reclaimTime);
    values.set(ProcessMetric::FaultTimeInCompaction, known.totals.compactionTime);
  }
}

}  // namespace faultline
