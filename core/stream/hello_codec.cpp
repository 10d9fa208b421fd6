#include "core/stream/hello_codec.h"

#include <algorithm>
#include <cmath>

#include "core/model/names.h"
#include "core/stream/wire.h"

namespace faultline::wire {
namespace {

void packPair(Packer& out, std::string_view key, std::string_view text) {
  packText(out, key);
  packText(out, text);
}

void packPair(Packer& out, std::string_view key, std::uint64_t number) {
  packText(out, key);
  out.pack_uint64(number);
}

constexpr double kPicosecondsPerNs = 1000;

std::uint64_t picoseconds(double ns) {
  return static_cast<std::uint64_t>(std::llround(std::max(ns, 0.0) * kPicosecondsPerNs));
}

constexpr std::uint32_t kQualityPairs = 3;

void packQuality(const Quality& quality, Packer& out) {
  packPair(out, "grade", gradeName(quality.grade));
  packPair(out, "how", quality.how);
  packPair(out, "enable", quality.enable);
}

void packNamedQuality(std::string_view key, const Quality& quality, Packer& out) {
  packText(out, key);
  out.pack_map(kQualityPairs);
  packQuality(quality, out);
}

bool readQuality(std::string_view key, TokenReader& in, Quality& quality) {
  if (key == "grade") quality.grade = gradeNamed(in.bytes());
  else if (key == "how") quality.how = in.bytes(kMaxText);
  else if (key == "enable") quality.enable = in.bytes(kMaxText);
  else return false;
  return true;
}

Quality readNamedQuality(TokenReader& in) {
  Quality quality;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs)
    if (!readQuality(in.bytes(), in, quality)) in.skip();
  return quality;
}

template <class Metric>
void packMetric(const MetricField<Metric>& field, const Quality& quality, Packer& out) {
  out.pack_map(9);
  packPair(out, "id", static_cast<std::uint64_t>(field.metric));
  packPair(out, "name", field.name);
  packPair(out, "title", field.title);
  packPair(out, "kind", kindName(field.kind));
  packPair(out, "unit", unitName(field.unit));
  packPair(out, "wrap_bits", quality.wrapBits);
  packQuality(quality, out);
}

template <class Metric, std::size_t Count>
void packMetrics(std::string_view key, const std::array<Quality, Count>& qualities, Packer& out) {
  packText(out, key);
  out.pack_array(Count);
  for (std::size_t id = 0; id < Count; ++id) packMetric(field(static_cast<Metric>(id)), qualities[id], out);
}

void packMachine(const Machine& machine, Packer& out) {
  packText(out, "machine");
  out.pack_map(5);
  packPair(out, "system", machine.system);
  packPair(out, "processor", machine.processor);
  packPair(out, "processors", machine.processors);
  packPair(out, "memory_bytes", machine.memoryBytes);
  packPair(out, "page_bytes", machine.pageBytes);
}

Machine readMachine(TokenReader& in) {
  Machine machine;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    if (key == "system") machine.system = in.bytes(kMaxText);
    else if (key == "processor") machine.processor = in.bytes(kMaxText);
    else if (key == "processors") machine.processors = static_cast<std::uint32_t>(in.u64());
    else if (key == "memory_bytes") machine.memoryBytes = in.u64();
    else if (key == "page_bytes") machine.pageBytes = in.u64();
    else in.skip();
  }
  return machine;
}

constexpr std::uint32_t kCostPairs = 2;

void packCost(const ZeroingCost& cost, Packer& out) {
  packText(out, "zeroing_cost");
  out.pack_map(kCostPairs);
  packPair(out, "small_ps_per_kib", picoseconds(cost.smallNsPerKib));
  packPair(out, "large_ps_per_kib", picoseconds(cost.largeNsPerKib));
}

ZeroingCost readCost(TokenReader& in) {
  ZeroingCost cost;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    if (key == "small_ps_per_kib") cost.smallNsPerKib = static_cast<double>(in.u64()) / kPicosecondsPerNs;
    else if (key == "large_ps_per_kib") cost.largeNsPerKib = static_cast<double>(in.u64()) / kPicosecondsPerNs;
    else in.skip();
  }
  return cost;
}

void packPlace(const ProbePoint& place, Packer& out) {
  packText(out, "handed_out");
  out.pack_map(3);
  packText(out, "file");
  packBinary(out, place.file);
  packPair(out, "offset", place.offset);
  packPair(out, "name", place.name);
}

ProbePoint readPlace(TokenReader& in) {
  ProbePoint place;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    if (key == "file") place.file = in.bytes(kMaxText);
    else if (key == "offset") place.offset = in.u64();
    else if (key == "name") place.name = in.bytes(kMaxText);
    else in.skip();
  }
  return place;
}

void packWatched(const WatchedGame& watched, Packer& out) {
  packText(out, "watched");
  out.pack_map(7U + static_cast<std::uint32_t>(kFurtherFrameQualities.size()) + (watched.delay ? 1 : 0) +
               (watched.handedOut ? 1 : 0) + (watched.nsPerFault ? 1 : 0) + (watched.marks.empty() ? 0 : 1));
  packPair(out, "pid", watched.pid);
  packText(out, "name");
  packBinary(out, watched.name);
  packPair(out, "method", wireName(watched.by));
  packPair(out, "mark", watched.mark);
  packQuality(watched.faults, out);
  for (const FrameQuality& row : kFurtherFrameQualities) packNamedQuality(row.name, watched.*row.quality, out);
  if (watched.delay) packNamedQuality("delay", *watched.delay, out);
  if (watched.handedOut) packPlace(*watched.handedOut, out);
  if (watched.nsPerFault) packPair(out, "fault_ps", picoseconds(*watched.nsPerFault));
  if (watched.marks.empty()) return;
  packText(out, "marks");
  out.pack_array(static_cast<std::uint32_t>(watched.marks.size()));
  for (const std::string& mark : watched.marks) packText(out, mark);
}

std::vector<std::string> readMarks(TokenReader& in) {
  constexpr std::size_t kMostMarks = 64;
  std::vector<std::string> marks;
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) {
    if (marks.size() == kMostMarks) in.fail();
    else marks.emplace_back(in.bytes(kMaxText));
  }
  return marks;
}

bool readFrameQuality(std::string_view key, TokenReader& in, WatchedGame& watched) {
  const auto row = std::ranges::find(kFurtherFrameQualities, key, &FrameQuality::name);
  if (row == kFurtherFrameQualities.end()) return false;
  watched.*row->quality = readNamedQuality(in);
  return true;
}

WatchedGame readWatched(TokenReader& in) {
  WatchedGame watched;
  for (const FrameQuality& row : kFurtherFrameQualities) (watched.*row.quality).how = kUnknownToWriter;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    if (key == "pid") watched.pid = static_cast<std::uint32_t>(in.u64());
    else if (key == "name") watched.name = in.bytes(kMaxName);
    else if (key == "method") watched.by = frameEndOf(in.bytes(kMaxText));
    else if (key == "mark") watched.mark = in.bytes(kMaxText);
    else if (key == "marks") watched.marks = readMarks(in);
    else if (readFrameQuality(key, in, watched)) continue;
    else if (key == "delay") watched.delay = readNamedQuality(in);
    else if (key == "handed_out") watched.handedOut = readPlace(in);
    else if (readQuality(key, in, watched.faults)) continue;
    else if (key == "fault_ps") watched.nsPerFault = static_cast<double>(in.u64()) / kPicosecondsPerNs;
    else in.skip();
  }
  return watched;
}

template <std::size_t Count>
void readMetric(TokenReader& in, std::array<Quality, Count>& qualities) {
  std::uint64_t id = Count;
  Quality quality;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    if (key == "id") id = in.u64();
    else if (key == "wrap_bits") quality.wrapBits = static_cast<std::uint8_t>(in.u64());
    else if (!readQuality(key, in, quality)) in.skip();
  }
  if (quality.wrapBits == 0 || quality.wrapBits > 64) in.fail();
  if (in.ok() && id < Count) qualities[id] = quality;
}

template <std::size_t Count>
void readMetrics(TokenReader& in, std::array<Quality, Count>& qualities) {
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) readMetric(in, qualities);
}

}  // namespace

void packHello(const Hello& hello, Packer& out) {
  out.pack_map(8U + (hello.zeroingCost ? 1 : 0) + (hello.watched ? 1 : 0));
  packPair(out, "version", hello.version);
  packPair(out, "source", hello.source);
  packPair(out, "clock", hello.clock);
  packText(out, "interval_ns");
  out.pack_int64(hello.interval.count());
  packPair(out, "collector_pid", hello.collectorPid);
  packMachine(hello.machine, out);
  if (hello.zeroingCost) packCost(*hello.zeroingCost, out);
  if (hello.watched) packWatched(*hello.watched, out);
  packMetrics<ProcessMetric>("process_metrics", hello.process, out);
  packMetrics<SystemMetric>("system_metrics", hello.system, out);
}

std::optional<Hello> readHello(TokenReader in) {
  Hello hello;
  for (Quality& quality : hello.process) quality.how = kUnknownToWriter;
  for (Quality& quality : hello.system) quality.how = kUnknownToWriter;
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    if (key == "version") hello.version = in.bytes(kMaxText);
    else if (key == "source") hello.source = in.bytes(kMaxText);
    else if (key == "clock") hello.clock = in.bytes(kMaxText);
    else if (key == "interval_ns") hello.interval = in.time();
    else if (key == "collector_pid") hello.collectorPid = static_cast<std::uint32_t>(in.u64());
    else if (key == "machine") hello.machine = readMachine(in);
    else if (key == "zeroing_cost") hello.zeroingCost = readCost(in);
    else if (key == "watched") hello.watched = readWatched(in);
    else if (key == "process_metrics") readMetrics(in, hello.process);
    else if (key == "system_metrics") readMetrics(in, hello.system);
    else in.skip();
  }
  return in.ok() ? std::optional(std::move(hello)) : std::nullopt;
}

}  // namespace faultline::wire
