#include "core/frames/export.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/export/csv.h"
#include "core/model/names.h"
#include "core/text/number.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::int64_t> count(std::optional<Nanoseconds> duration) {
  return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
}

constexpr const char* kCulprit = "culprit";  // comes last, and is a text

// Hands over every other column of a frame, in order: its name, and a number or nothing.
template <class Visit>
void forEachColumn(const GameFrame& frame, const FrameVerdict& verdict, Visit visit) {
  const auto some = [](auto value) { return std::optional(value); };
  visit("frame", some(frame.number));
  visit("start_ns", some(std::int64_t{frame.start.sinceEpoch.count()}));
  visit("duration_ns", some(std::int64_t{frame.duration.count()}));
  visit("minor_faults", some(frame.minorFaults));
  visit("major_faults", some(frame.majorFaults));
  visit("zeroed_bytes", frame.zeroedBytes);
  visit("fault_ns", count(frame.faultTime));
  visit("estimated_fault_ns", verdict.estimated ? count(verdict.faultTime) : std::nullopt);
  visit("thread", some(std::uint64_t{frame.thread}));
  visit("thread_minor_faults", frame.ownMinorFaults);
  visit("thread_major_faults", frame.ownMajorFaults);
  visit("thread_zeroed_bytes", frame.ownZeroedBytes);
  visit("thread_fault_ns", count(frame.ownFaultTime));
  visit("late", some(std::uint64_t{verdict.late}));
  visit("excess_ns", verdict.late ? count(verdict.excess) : std::nullopt);
  visit("explained_share", verdict.explained);
  visit("costly", some(std::uint64_t{verdict.costly}));
  const auto part = [&](Nanoseconds FaultTimeParts::* which) {
    return frame.faultParts ? count((*frame.faultParts).*which) : std::nullopt;
  };
  visit("fault_on_processor_ns", part(&FaultTimeParts::onProcessor));
  visit("fault_waiting_ns", part(&FaultTimeParts::waiting));
  visit("fault_blocked_ns", part(&FaultTimeParts::blocked));
  visit("timed_faults", frame.timedFaults || !frame.faultTime ? frame.timedFaults : some(frame.faults()));
}

std::string csvHead() {
  std::string head;
  forEachColumn({}, {}, [&](const char* name, const auto&) { head.append(head.empty() ? "" : ",").append(name); });
  return head.append(",").append(kCulprit) + "\r\n";
}

void appendCsv(const GameFrame& frame, const FrameVerdict& verdict, std::string_view culprit, std::string& out) {
  bool first = true;
  forEachColumn(frame, verdict, [&](const char*, const auto& value) {
    if (!first) out += ',';
    first = false;
    if (value) appendNumber(*value, out);
  });
  out.append(",").append(csvField(csvName(culprit))).append("\r\n");
}

Json frameJson(const GameFrame& frame, const FrameVerdict& verdict, std::string_view culprit) {
  Json json = Json::object();
  forEachColumn(frame, verdict,
                [&](const char* name, const auto& value) { json[name] = value ? Json(*value) : Json(); });
  json[kCulprit] = culprit.empty() ? Json() : Json(validUtf8(culprit));
  return json;
}

Json watchedJson(const WatchedGame& watched) {
  Json out{{"pid", watched.pid}, {"name", validUtf8(watched.name)}};
  if (!isUtf8(watched.name)) out["name_hex"] = hexBytes(watched.name);
  out["method"] = std::string(wireName(watched.by));
  out["mark"] = validUtf8(watched.mark);
  out["grade"] = gradeName(watched.faults.grade);
  out["how"] = validUtf8(watched.faults.how);
  return out;
}

double microseconds(Nanoseconds duration) {
  return static_cast<double>(duration.count()) / 1000;
}

// A row of its own for each thread that ends frames: on the thread's they would cut through the game's own slices.
std::uint64_t rowOf(const GameFrame& frame) {
  constexpr std::uint64_t kBeyondThreads = std::uint64_t{1} << 30U;  // and within 32 bits, as readers have it
  return kBeyondThreads + frame.thread;
}

Json nameEvent(const char* what, std::uint32_t pid, std::uint64_t row, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", row}, {"args", {{"name", name}}}};
}

std::string traceEvents(const GameFrame& frame, const FrameVerdict& verdict, std::string_view culprit,
                        std::uint32_t pid) {
  const Json slice{{"name", verdict.lateByFaults ? "frame, late by page faults"
                            : verdict.late       ? "frame, late"
                                                 : "frame"},
                   {"cat", "frame"},
                   {"ph", "X"},
                   {"ts", microseconds(frame.start.sinceEpoch)},
                   {"dur", microseconds(frame.duration)},
                   {"pid", pid},
                   {"tid", rowOf(frame)},
                   {"args", frameJson(frame, verdict, culprit)}};
  const Json counter{{"name", "page faults per frame"},
                     {"ph", "C"},
                     {"ts", microseconds(frame.start.sinceEpoch)},
                     {"pid", pid},
                     {"args", {{"minor", frame.minorFaults}, {"major", frame.majorFaults}}}};
  return slice.dump() + ",\n" + counter.dump();
}

}  // namespace

void FrameExport::begin(const WatchedGame& watched, std::string& out) {
  m_pid = watched.pid;
  switch (m_format) {
    case FrameFormat::Csv:
      out += csvHead();
      return;
    case FrameFormat::Json:
      out += "{\"watched\":" + watchedJson(watched).dump() + ",\n\"frames\":[";
      return;
    case FrameFormat::Trace:
      out += "{\"displayTimeUnit\":\"ms\",\"otherData\":" + watchedJson(watched).dump() + ",\n\"traceEvents\":[\n" +
             nameEvent("process_name", m_pid, 0, validUtf8(watched.name)).dump();
      m_any = true;
      return;
  }
}

void FrameExport::add(const GameFrame& frame, const FrameVerdict& verdict, std::string& out, std::string_view culprit) {
  if (m_format == FrameFormat::Csv) return appendCsv(frame, verdict, culprit, out);
  out += m_any ? ",\n" : "\n";
  m_any = true;
  if (m_format == FrameFormat::Trace && m_rows.insert(rowOf(frame)).second)
    out += nameEvent("thread_name", m_pid, rowOf(frame), "Frames of thread " + std::to_string(frame.thread)).dump() +
           ",\n";
  out += m_format == FrameFormat::Json ? frameJson(frame, verdict, culprit).dump()
                                       : traceEvents(frame, verdict, culprit, m_pid);
}

void FrameExport::end(std::string& out) const {
  if (m_format != FrameFormat::Csv) out += "\n]}\n";
}

}  // namespace faultline
