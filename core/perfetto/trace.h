// PerfettoTrace: writes Perfetto's native format, TrackEvent: https://perfetto.dev/docs/reference/trace-packet-proto.
// All times are CLOCK_MONOTONIC's, which is the trace's primary clock, so that the trace lies beside one that Perfetto
// recorded. The numbers of fields are those of the .proto files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/protobuf.h"
#include "core/base/units.h"
#include "core/model/snapshot.h"

namespace faultline {

enum class PerfettoEvent : std::uint8_t { SliceBegin = 1, SliceEnd = 2, Instant = 3, Counter = 4 };

// A TrackEvent with this name and category.
[[nodiscard]] ProtobufMessage perfettoEvent(std::string_view name, std::string_view category);

// A note of an event: its name, and its value in field `kind` of DebugAnnotation.
void addNote(ProtobufMessage& event, std::string_view name, unsigned kind, const auto& value) {
  ProtobufMessage annotation;
  annotation.add(10, name);
  annotation.add(kind, value);
  event.add(4, annotation);
}

// The packets of a trace, appended to `out`. Tracks are described when they are first used.
class PerfettoTrace {
 public:
  // Must come before any event. Perfetto places the trace in time by `wall`.
  void setClocks(MonotonicTime time, std::optional<WallTime> wall, std::string& out);

  std::uint64_t process(const ProcessKey& key, std::string_view name, std::string& out);
  std::uint64_t slices(std::uint64_t parent, const std::string& name, std::string& out);

  void count(std::uint64_t parent, std::string_view name, Unit unit, MonotonicTime time, double value,
             std::string& out);
  void addEvent(PerfettoEvent type, std::uint64_t track, ProtobufMessage& event, MonotonicTime time, std::string& out);
  void addSlice(std::uint64_t track, ProtobufMessage& begin, MonotonicTime from, MonotonicTime to, std::string& out);

 private:
  template <class Describe>
  std::uint64_t track(const std::string& name, std::string& out, Describe describe);

  bool m_clocks = false;
  std::map<std::string, std::uint64_t> m_tracks;
};

}  // namespace faultline
