#include "core/perfetto/trace.h"

#include "core/text/utf8.h"

namespace faultline {
namespace {

constexpr std::uint64_t kSequence = 1;   // all packets are of one writer
constexpr std::uint64_t kMonotonic = 3;  // BuiltinClock
constexpr std::uint64_t kRealtime = 1;

void packet(unsigned field, const ProtobufMessage& content, std::optional<MonotonicTime> time, std::string& out) {
  ProtobufMessage packet;
  if (time) {
    packet.add(8, time->sinceEpoch.count());
    packet.add(58, kMonotonic);
  }
  packet.add(10, kSequence);
  packet.add(field, content);
  ProtobufMessage trace;
  trace.add(1, packet);
  out += trace.bytes();
}

}  // namespace

ProtobufMessage perfettoEvent(std::string_view name, std::string_view category) {
  ProtobufMessage event;
  event.add(23, name);
  event.add(22, category);
  return event;
}

void PerfettoTrace::setClocks(MonotonicTime time, std::optional<WallTime> wall, std::string& out) {
  if (m_clocks) return;
  m_clocks = true;
  ProtobufMessage snapshot;
  const auto clock = [&](std::uint64_t id, Nanoseconds at) {
    ProtobufMessage reading;
    reading.add(1, id);
    reading.add(2, at.count());
    snapshot.add(1, reading);
  };
  clock(kMonotonic, time.sinceEpoch);
  if (wall) clock(kRealtime, wall->sinceEpoch);
  snapshot.add(2, kMonotonic);
  packet(6, snapshot, std::nullopt, out);
}

template <class Describe>
std::uint64_t PerfettoTrace::track(const std::string& name, std::string& out, Describe describe) {
  const auto [it, fresh] = m_tracks.try_emplace(name, m_tracks.size() + 1);
  if (!fresh) return it->second;
  ProtobufMessage descriptor;
  descriptor.add(1, it->second);
  describe(descriptor);
  packet(60, descriptor, std::nullopt, out);
  return it->second;
}

std::uint64_t PerfettoTrace::process(const ProcessKey& key, std::string_view name, std::string& out) {
  return track("p" + std::to_string(key.pid) + " " + std::to_string(key.startTime), out,
               [&](ProtobufMessage& descriptor) {
                 ProtobufMessage process;
                 process.add(1, key.pid);
                 process.add(6, validUtf8(name));
                 descriptor.add(3, process);
               });
}

std::uint64_t PerfettoTrace::slices(std::uint64_t parent, const std::string& name, std::string& out) {
  return track(std::to_string(parent) + name, out, [&](ProtobufMessage& descriptor) {
    descriptor.add(2, name);
    descriptor.add(5, parent);
  });
}

void PerfettoTrace::count(std::uint64_t parent, std::string_view name, Unit unit, MonotonicTime time, double value,
                          std::string& out) {
  const std::uint64_t counter =
      track(std::to_string(parent) + std::string(name), out, [&](ProtobufMessage& descriptor) {
        ProtobufMessage about;
        about.add(3, unit == Unit::Duration ? 1 : unit == Unit::Bytes ? 3 : 2);
        descriptor.add(2, name);
        descriptor.add(5, parent);
        descriptor.add(8, about);
      });
  ProtobufMessage event;
  event.add(44, value);
  addEvent(PerfettoEvent::Counter, counter, event, time, out);
}

void PerfettoTrace::addEvent(PerfettoEvent type, std::uint64_t track, ProtobufMessage& event, MonotonicTime time,
                             std::string& out) {
  event.add(9, static_cast<unsigned>(type));
  event.add(11, track);
  packet(11, event, time, out);
}

void PerfettoTrace::addSlice(std::uint64_t track, ProtobufMessage& begin, MonotonicTime from, MonotonicTime to,
                             std::string& out) {
  addEvent(PerfettoEvent::SliceBegin, track, begin, from, out);
  ProtobufMessage end;
  addEvent(PerfettoEvent::SliceEnd, track, end, to, out);
}

}  // namespace faultline
