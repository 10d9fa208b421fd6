// The reading half of snapshot_codec.h. A valid checksum proves nothing about the contents: every index and number is
// checked.
#include <algorithm>
#include <bit>

#include "core/stream/snapshot_codec.h"
#include "core/stream/wire.h"

namespace faultline::wire {
namespace {

// Skips metrics that this version does not know.
template <class Metric, std::size_t Count, class Visit>
void readValues(TokenReader& in, std::uint64_t metrics, Visit visit) {
  for (; metrics != 0 && in.ok(); metrics &= metrics - 1) {
    const auto id = static_cast<std::size_t>(std::countr_zero(metrics));
    if (id < Count) visit(static_cast<Metric>(id));
    else in.skip();
  }
}

unsigned shiftOf(ProcessMetric metric, unsigned shift) {
  return field(metric).unit == Unit::Bytes ? shift : 0U;
}

bool holds(TokenReader& in, std::uint32_t size, std::size_t head, std::uint64_t metrics) {
  if (size >= head + static_cast<std::size_t>(std::popcount(metrics))) return true;
  in.fail();
  return false;
}

void readSystem(TokenReader& in, SystemValues& values) {
  values = {};
  const std::uint32_t size = in.array();
  const std::uint64_t metrics = in.u64();
  if (!holds(in, size, 1, metrics)) return;
  readValues<SystemMetric, kSystemMetricCount>(in, metrics, [&](SystemMetric metric) { values.set(metric, in.u64()); });
  in.skip(size - 1U - static_cast<std::uint32_t>(std::popcount(metrics)));
}

// Decodes the next index of a list that stores the gap before each index.
bool advance(TokenReader& in, std::size_t size, std::size_t& next) {
  const std::uint64_t gap = in.u64();
  if (!in.ok() || gap >= size - next) {
    in.fail();
    return false;
  }
  next += gap + 1;
  return true;
}

// Only collects the indices: `changed` refers to the same list, so processes are erased after it has been applied.
void readGone(TokenReader& in, std::size_t size, std::vector<std::uint32_t>& gone) {
  gone.clear();
  std::size_t next = 0;
  for (std::uint32_t count = in.array(); count > 0 && in.ok() && advance(in, size, next); --count) {
    gone.push_back(static_cast<std::uint32_t>(next - 1));
  }
}

void readChange(TokenReader& in, std::uint64_t metrics, unsigned shift, ProcessValues& values) {
  readValues<ProcessMetric, kProcessMetricCount>(in, metrics, [&](ProcessMetric metric) {
    const auto difference = static_cast<std::uint64_t>(in.i64()) << shiftOf(metric, shift);
    if (!values.has(metric)) in.fail();
    else values.set(metric, *values.get(metric) + difference);
  });
}

void readChanged(TokenReader& in, unsigned shift, std::vector<ProcessSample>& processes) {
  std::uint32_t left = in.array();
  std::size_t next = 0;
  while (left > 0 && in.ok() && advance(in, processes.size(), next)) {
    const std::uint64_t metrics = in.u64();
    const auto used = 2U + static_cast<std::uint32_t>(std::popcount(metrics));
    if (used > left) return in.fail();
    left -= used;
    readChange(in, metrics, shift, processes[next - 1].values);
  }
}

void erase(std::vector<ProcessSample>& processes, const std::vector<std::uint32_t>& gone) {
  if (gone.empty()) return;
  std::size_t out = gone.front();
  std::size_t g = 0;
  for (std::size_t i = out; i < processes.size(); ++i) {
    if (g < gone.size() && gone[g] == i) ++g;
    else std::swap(processes[out++], processes[i]);
  }
  processes.resize(out);
}

}  // namespace

void readProcess(TokenReader& in, unsigned shift, ProcessSample& process) {
  const std::uint32_t size = in.array();
  const std::uint64_t pid = in.u64();
  process.key = {static_cast<std::uint32_t>(pid), in.u64()};
  process.name = in.bytes(kMaxName);
  const std::uint64_t metrics = in.u64();
  process.values = {};
  if (pid > UINT32_MAX || process.key.startTime > static_cast<std::uint64_t>(kLatestWall.count())) in.fail();
  if (!holds(in, size, 4, metrics)) return;
  readValues<ProcessMetric, kProcessMetricCount>(
      in, metrics, [&](ProcessMetric metric) { process.values.set(metric, in.u64() << shiftOf(metric, shift)); });
  const std::uint32_t more = size - 4U - static_cast<std::uint32_t>(std::popcount(metrics));
  process.service = more > 0 ? in.bytes(kMaxName) : std::string_view();
  if (more > 1) in.skip(more - 1);
}

namespace {

bool keyLess(const ProcessSample& a, const ProcessSample& b) {
  return a.key < b.key;
}

// Replaces processes that exist already and merges in the others.
void readRecords(TokenReader& in, unsigned shift, std::vector<ProcessSample>& processes) {
  const auto old = static_cast<std::ptrdiff_t>(processes.size());
  ProcessSample process;
  bool first = true;
  ProcessKey previous;
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) {
    readProcess(in, shift, process);
    if (!first && process.key <= previous) return in.fail();
    first = false;
    previous = process.key;
    const auto end = processes.begin() + old;
    const auto place = std::lower_bound(processes.begin(), end, process, keyLess);
    if (place != end && place->key == process.key) {
      *place = process;
    } else {
      if (processes.size() == kMaxListed) return in.fail();
      processes.push_back(process);
    }
  }
  if (old > 0 && processes.begin() + old != processes.end()) std::sort(processes.begin(), processes.end(), keyLess);
}

// Adds to what the predecessor had.
void readDurations(TokenReader& in, FaultDurations& durations) {
  const std::uint32_t size = in.array();
  if (size == 0) return in.fail();
  durations.ns += static_cast<std::uint64_t>(in.i64());
  const auto buckets = std::min<std::uint32_t>(size - 1, FaultDurations::kBuckets);
  for (std::uint32_t i = 0; i < buckets; ++i) durations.faults[i] += static_cast<std::uint64_t>(in.i64());
  in.skip(size - 1 - buckets);
}

bool apart(const std::vector<ProcessSample>& alive, const std::vector<ProcessSample>& exited) {
  return std::ranges::none_of(
      exited, [&](const ProcessKey& key) { return std::ranges::binary_search(alive, key, {}, &ProcessSample::key); },
      &ProcessSample::key);
}

}  // namespace

bool applySnapshot(TokenReader& in, std::uint32_t fields, Snapshot& snapshot) {
  snapshot.time = {in.time()};
  snapshot.wallTime = {in.time(kLatestWall)};
  snapshot.suspended = Nanoseconds(in.i64());  // negative in a time namespace
  if (snapshot.suspended < -kLongestUp || snapshot.suspended > kLongestUp) in.fail();
  snapshot.scan = in.time();
  const std::uint64_t shift = in.u64();
  if (shift > 63) return false;
  readSystem(in, snapshot.system);
  std::vector<std::uint32_t> gone;
  readGone(in, snapshot.processes.size(), gone);
  readChanged(in, static_cast<unsigned>(shift), snapshot.processes);
  if (!in.ok()) return false;
  erase(snapshot.processes, gone);
  readRecords(in, static_cast<unsigned>(shift), snapshot.processes);
  snapshot.exited.clear();
  if (fields > kSnapshotFieldsOf10) readRecords(in, static_cast<unsigned>(shift), snapshot.exited);
  if (fields <= kDurationsField) snapshot.faultDurations.reset();
  else readDurations(in, snapshot.faultDurations ? *snapshot.faultDurations : snapshot.faultDurations.emplace());
  return in.ok() && apart(snapshot.processes, snapshot.exited);
}

std::optional<MonotonicTime> timeOfSnapshot(std::span<const std::byte> payload) {
  std::vector<Token> tokens;
  if (!tokeniseHead(payload, 3, tokens)) return std::nullopt;
  TokenReader in(tokens);
  const std::uint32_t fields = in.array();
  static_cast<void>(in.u64());  // the sequence number
  const MonotonicTime time{in.time()};
  return in.ok() && fields >= kSnapshotFieldsOf10 ? std::optional(time) : std::nullopt;
}

}  // namespace faultline::wire
