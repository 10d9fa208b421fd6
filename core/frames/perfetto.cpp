// Perfetto's native format, TrackEvent: https://perfetto.dev/docs/reference/trace-packet-proto. A slice per frame, one
// per sampled fault in a row of its thread, and counters, each process with tracks of its own. All times are
// CLOCK_MONOTONIC's, which is the trace's primary clock, so that the trace lies beside one that Perfetto recorded. The
// numbers below are those of the .proto files.
#include <algorithm>
#include <bit>
#include <concepts>
#include <map>
#include <optional>

#include "core/culprits/fault_kind.h"
#include "core/frames/formats.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

// Protocol Buffers' wire format: each field is a key (number and wire type) and a varint, eight bytes, or bytes.
class Message {
 public:
  void add(unsigned field, std::uint64_t value) {
    key(field, 0);
    varint(value);
  }
  void add(unsigned field, std::integral auto value) { add(field, static_cast<std::uint64_t>(value)); }
  void add(unsigned field, double value) {
    key(field, 1);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8) m_bytes += static_cast<char>(bits >> shift);
  }
  void add(unsigned field, std::string_view bytes) {
    key(field, 2);
    varint(bytes.size());
    m_bytes += bytes;
  }
  void add(unsigned field, const Message& message) { add(field, std::string_view(message.m_bytes)); }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }

 private:
  void key(unsigned field, unsigned type) { varint(field << 3U | type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) m_bytes += static_cast<char>(value | 0x80);
    m_bytes += static_cast<char>(value);
  }

  std::string m_bytes;
};

constexpr std::uint64_t kSequence = 1;   // all packets are of one writer
constexpr std::uint64_t kMonotonic = 3;  // BuiltinClock
constexpr std::uint64_t kRealtime = 1;

enum EventType : std::uint8_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };

// The packets of a trace. Tracks are described when they are first used.
class Trace {
 public:
  // Must come before any event. Perfetto places the trace in time by `wall`.
  void setClocks(MonotonicTime time, std::optional<WallTime> wall, std::string& out) {
    if (m_clocks) return;
    m_clocks = true;
    Message snapshot;
    const auto clock = [&](std::uint64_t id, Nanoseconds at) {
      Message reading;
      reading.add(1, id);
      reading.add(2, at.count());
      snapshot.add(1, reading);
    };
    clock(kMonotonic, time.sinceEpoch);
    if (wall) clock(kRealtime, wall->sinceEpoch);
    snapshot.add(2, kMonotonic);
    packet(6, snapshot, std::nullopt, out);
  }

  std::uint64_t process(const ProcessKey& key, std::string_view name, std::string& out) {
    return track("p" + std::to_string(key.pid) + " " + std::to_string(key.startTime), out, [&](Message& descriptor) {
      Message process;
      process.add(1, key.pid);
      process.add(6, validUtf8(name));
      descriptor.add(3, process);
    });
  }

  std::uint64_t slices(std::uint64_t parent, const std::string& name, std::string& out) {
    return track(std::to_string(parent) + name, out, [&](Message& descriptor) {
      descriptor.add(2, name);
      descriptor.add(5, parent);
    });
  }

  void count(std::uint64_t parent, std::string_view name, Unit unit, MonotonicTime time, double value,
             std::string& out) {
    const std::uint64_t counter = track(std::to_string(parent) + std::string(name), out, [&](Message& descriptor) {
      Message about;
      about.add(3, unit == Unit::Duration ? 1 : unit == Unit::Bytes ? 3 : 2);
      descriptor.add(2, name);
      descriptor.add(5, parent);
      descriptor.add(8, about);
    });
    Message event;
    event.add(44, value);
    addEvent(kCounter, counter, event, time, out);
  }

  void addEvent(EventType type, std::uint64_t track, Message& event, MonotonicTime time, std::string& out) {
    event.add(9, static_cast<unsigned>(type));
    event.add(11, track);
    packet(11, event, time, out);
  }

 private:
  static void packet(unsigned field, const Message& content, std::optional<MonotonicTime> time, std::string& out) {
    Message packet;
    if (time) {
      packet.add(8, time->sinceEpoch.count());
      packet.add(58, kMonotonic);
    }
    packet.add(10, kSequence);
    packet.add(field, content);
    Message trace;
    trace.add(1, packet);
    out += trace.bytes();
  }

  template <class Describe>
  std::uint64_t track(const std::string& name, std::string& out, Describe describe) {
    const auto [it, fresh] = m_tracks.try_emplace(name, m_tracks.size() + 1);
    if (!fresh) return it->second;
    Message descriptor;
    descriptor.add(1, it->second);
    describe(descriptor);
    packet(60, descriptor, std::nullopt, out);
    return it->second;
  }

  bool m_clocks = false;
  std::map<std::string, std::uint64_t> m_tracks;
};

std::string nameOf(ProcessMetric metric) {
  const auto& row = field(metric);
  return std::string(row.title) + (row.kind == MetricKind::Counter ? " per second" : "");
}

class PerfettoMoments final : public MomentExporter {
 public:
  void begin(const Hello& /*hello*/, std::string& /*out*/) override {}
  void add(const Moment& moment, std::string& out) override {
    m_trace.setClocks(moment.time, moment.wallTime, out);
    for (const ProcessRow& row : moment.rows) {
      const std::uint64_t process = m_trace.process(row.key, row.name, out);
      for (const ProcessMetric metric : kKeptMetrics) {
        const bool rate = field(metric).kind == MetricKind::Counter;
        const auto level = row.values.get(metric);
        const auto value = rate    ? moment.perSecond(row.deltas.get(metric))
                           : level ? std::optional(static_cast<double>(*level))
                                   : std::nullopt;
        if (value) m_trace.count(process, nameOf(metric), field(metric).unit, moment.time, *value, out);
      }
    }
  }
  void end(std::string& /*out*/) override {}

 private:
  Trace m_trace;
};

class PerfettoRange final : public RangeExporter {
 public:
  void begin(const Hello& /*hello*/, std::string& /*out*/) override {}
  void add(const ProcessRange& range, std::string& out) override {
    m_trace.setClocks(range.from, range.history.wall(range.from), out);
    const std::string name = range.history.name(range.key).value_or(std::string());
    const std::uint64_t process = m_trace.process(range.key, name, out);
    for (const Stretch& stretch : range.history.stretches(range.key, range.from, range.to))
      for (const ProcessMetric metric : kKeptMetrics)
        if (const auto& known = stretch.of(metric); known && known->rated)
          m_trace.count(process, nameOf(metric), field(metric).unit, stretch.start, double{known->mean}, out);
  }
  void end(std::string& /*out*/) override {}

 private:
  Trace m_trace;
};

Message annotation(std::string_view name) {
  Message out;
  out.add(10, name);
  return out;
}

class PerfettoFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& /*out*/) override { m_watched = game.watched; }
  void add(const ExportedFrame& exported, std::string& out) override {
    const GameFrame& frame = exported.frame;
    m_trace.setClocks(frame.start, std::nullopt, out);
    const std::uint64_t process = m_trace.process({m_watched.pid, 0}, m_watched.name, out);
    const std::uint64_t row = m_trace.slices(process, "Frames of thread " + std::to_string(frame.thread), out);
    Message begin;
    begin.add(23, frameTitle(exported.verdict));
    begin.add(22, std::string_view("frame"));
    forEachColumn(frame, exported.verdict, [&](const char* name, const auto& value) {
      if (!value) return;
      Message note = annotation(name);
      if constexpr (std::floating_point<std::remove_cvref_t<decltype(*value)>>) note.add(5, *value);
      else note.add(4, *value);
      begin.add(4, note);
    });
    if (!exported.culprit.empty()) {
      Message note = annotation("culprit");
      note.add(6, validUtf8(exported.culprit));
      begin.add(4, note);
    }
    m_trace.addEvent(kSliceBegin, row, begin, frame.start, out);
    const auto count = [&](const char* name, std::uint64_t faults) {
      m_trace.count(process, name, Unit::Count, frame.start, static_cast<double>(faults), out);
    };
    count("Minor faults per frame", frame.minorFaults);
    if (frame.majorFaults) count("Major faults per frame", *frame.majorFaults);
    Message end;
    m_trace.addEvent(kSliceEnd, row, end, frame.end(), out);
    for (const FaultSample& sample : exported.samples) addFault(sample, process, out);
  }
  void end(std::string& /*out*/) override {}

 private:
  // A row of its own for each thread: beside the thread's slices, which it may cut by a rounded time. A fault without a
  // measured time is an instant.
  void addFault(const FaultSample& sample, std::uint64_t process, std::string& out) {
    std::string name = "Page faults of thread " + std::to_string(sample.thread);
    if (!sample.threadName.empty()) name += " (" + validUtf8(sample.threadName) + ")";
    const std::uint64_t row = m_trace.slices(process, name, out);
    MonotonicTime& last = m_ends[row];
    Message begin;
    begin.add(23, std::string_view(sample.major ? "major page fault" : "page fault"));
    begin.add(22, std::string_view("fault"));
    const auto note = [&](const char* what, unsigned field, const auto& value) {
      Message message = annotation(what);
      message.add(field, value);
      begin.add(4, message);
    };
    note("stands_for_faults", 3, sample.weight);
    note("address", 7, sample.address);
    note("memory", 6, validUtf8(memoryName(sample)));
    if (sample.calls) note("code", 6, validUtf8(culpritLine(stackOf(sample.calls))));
    if (!sample.took) return m_trace.addEvent(kInstant, row, begin, sample.time, out);
    m_trace.addEvent(kSliceBegin, row, begin, std::max(sample.time - *sample.took, last), out);
    last = std::max(sample.time, last);
    Message end;
    m_trace.addEvent(kSliceEnd, row, end, last, out);
  }

  WatchedGame m_watched;
  Trace m_trace;
  std::map<std::uint64_t, MonotonicTime> m_ends;  // of the last fault in each row
};

}  // namespace

std::unique_ptr<MomentExporter> perfettoMoments() {
  return std::make_unique<PerfettoMoments>();
}

std::unique_ptr<RangeExporter> perfettoRange() {
  return std::make_unique<PerfettoRange>();
}

std::unique_ptr<FrameExporter> perfettoFrames() {
  return std::make_unique<PerfettoFrames>();
}

}  // namespace faultline
