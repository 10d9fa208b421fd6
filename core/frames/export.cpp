#include "core/frames/export.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <vector>

#include "core/export/csv.h"
#include "core/frames/formats.h"
#include "core/model/names.h"
#include "core/text/number.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCulprit = "culprit";  // comes last, and is a text
constexpr const char* kOfTheWatch = ",version,budget_ns,lost_frames,samples,lost_samples,";

std::string csvHead() {
  std::string head;
  forEachColumn({}, {}, [&](const char* name, const auto&) { head.append(head.empty() ? "" : ",").append(name); });
  return head.append(kOfTheWatch).append(kCulprit) + "\r\n";
}

void appendCsv(const ExportedFrame& exported, std::string_view version, Nanoseconds budget, std::string& out) {
  bool first = true;
  forEachColumn(exported.frame, exported.verdict, [&](const char*, const auto& value) {
    if (!first) out += ',';
    first = false;
    if (value) appendNumber(*value, out);
  });
  const SessionTotals& totals = exported.totals;
  out.append(",").append(csvField(csvName(version)));
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(budget.count()), totals.lostFrames, totals.samples, totals.lostSamples})
    appendNumber(number, out += ',');
  out.append(",").append(csvField(csvName(exported.culprit))).append("\r\n");
}

Json frameJson(const GameFrame& frame, const FrameVerdict& verdict, std::string_view culprit) {
  Json json = Json::object();
  forEachColumn(frame, verdict,
                [&](const char* name, const auto& value) { json[name] = value ? Json(*value) : Json(); });
  json[kCulprit] = culprit.empty() ? Json() : Json(validUtf8(culprit));
  return json;
}

Json qualityJson(const Quality& quality) {
  return {{"grade", gradeName(quality.grade)}, {"how", validUtf8(quality.how)}};
}

Json watchedJson(const WatchedGame& watched) {
  Json out{{"pid", watched.pid}, {"name", validUtf8(watched.name)}};
  if (!isUtf8(watched.name)) out["name_hex"] = hexBytes(watched.name);
  out["method"] = std::string(wireName(watched.by));
  out["mark"] = validUtf8(watched.mark);
  for (const std::string& mark : watched.marks) out["marks"].push_back(validUtf8(mark));
  out.update(qualityJson(watched.faults));
  out["zeroed"] = qualityJson(watched.zeroed);
  out["fault_time"] = qualityJson(watched.faultTime);
  out["fault_parts"] = qualityJson(watched.faultParts);
  out["teardown"] = qualityJson(watched.teardown);
  return out;
}

Json gameJson(const ExportedGame& game) {
  return {{"version", validUtf8(game.version)}, {"budget_ns", game.budget.count()}};
}

// The text of an object that goes on.
std::string withoutEnd(const Json& object) {
  std::string text = object.dump();
  text.pop_back();
  return text;
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
  const Json slice{{"name", frameTitle(verdict)},
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

class CsvFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& out) override {
    m_version = game.version;
    m_budget = game.budget;
    out += csvHead();
  }
  void add(const ExportedFrame& exported, std::string& out) override { appendCsv(exported, m_version, m_budget, out); }
  void end(std::string& /*out*/) override {}

 private:
  std::string m_version;
  Nanoseconds m_budget{0};
};

// Percentiles by nearest rank; lows are frames per second over the slowest 1 % and 0.1 % of the frames.
class Summary {
 public:
  void add(const ExportedFrame& exported) {
    m_durations.push_back(exported.frame.duration);
    m_late += exported.verdict.late ? 1 : 0;
    m_lateByFaults += exported.verdict.lateByFaults ? 1 : 0;
    m_lateByTeardown += exported.verdict.lateByTeardown ? 1 : 0;
    m_perhapsByTeardown += exported.verdict.perhapsByTeardown ? 1 : 0;
    m_faults += exported.frame.faults();
    m_totals = exported.totals;
  }

  [[nodiscard]] Json json() {
    std::ranges::sort(m_durations);
    return {{"frames", m_durations.size()},
            {"late", m_late},
            {"late_by_faults", m_lateByFaults},
            {"late_by_teardown", m_lateByTeardown},
            {"late_perhaps_by_teardown", m_perhapsByTeardown},
            {"faults", m_faults},
            {"faults_after_last", m_totals.faultsAfter ? Json(*m_totals.faultsAfter) : Json()},
            {"lost_frames", m_totals.lostFrames},
            {"samples", m_totals.samples},
            {"lost_samples", m_totals.lostSamples},
            {"p50_ns", percentile(500)},
            {"p99_ns", percentile(990)},
            {"p999_ns", percentile(999)},
            {"low_1_percent_per_s", low(100)},
            {"low_0_1_percent_per_s", low(1000)}};
  }

 private:
  [[nodiscard]] Json percentile(std::size_t perMille) const {
    if (m_durations.empty()) return {};
    return m_durations[(m_durations.size() * perMille + 999) / 1000 - 1].count();
  }
  [[nodiscard]] Json low(std::size_t part) const {
    const std::size_t count = std::max<std::size_t>(1, m_durations.size() / part);
    if (m_durations.empty()) return {};
    const Nanoseconds sum =
        std::accumulate(m_durations.end() - static_cast<std::ptrdiff_t>(count), m_durations.end(), Nanoseconds(0));
    return sum.count() > 0 ? Json(static_cast<double>(count) * 1e9 / static_cast<double>(sum.count())) : Json();
  }

  std::vector<Nanoseconds> m_durations;
  std::uint64_t m_late = 0;
  std::uint64_t m_lateByFaults = 0;
  std::uint64_t m_lateByTeardown = 0;
  std::uint64_t m_perhapsByTeardown = 0;
  std::uint64_t m_faults = 0;
  SessionTotals m_totals;
};

class JsonFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& out) override {
    Json head = gameJson(game);
    head["watched"] = watchedJson(game.watched);
    out += withoutEnd(head) + ",\n\"frames\":[";
  }
  void add(const ExportedFrame& exported, std::string& out) override {
    out += m_any ? ",\n" : "\n";
    m_any = true;
    out += frameJson(exported.frame, exported.verdict, exported.culprit).dump();
    m_summary.add(exported);
  }
  void advise(std::string_view json) override { m_advice = json; }
  void end(std::string& out) override {
    out += "\n],\n\"summary\":" + m_summary.json().dump() + ",\n\"advice\":" + m_advice + "}\n";
  }
  [[nodiscard]] std::string_view closing() const override { return "\n],\n\"summary\":null,\n\"advice\":null}\n"; }

 private:
  bool m_any = false;
  std::string m_advice = "null";
  Summary m_summary;
};

class TraceFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& out) override {
    m_pid = game.watched.pid;
    Json data = gameJson(game);
    data.update(watchedJson(game.watched));
    out += "{\"displayTimeUnit\":\"ms\",\"otherData\":" + data.dump() + ",\n\"traceEvents\":[\n" +
           nameEvent("process_name", m_pid, 0, validUtf8(game.watched.name)).dump();
  }
  void add(const ExportedFrame& exported, std::string& out) override {
    const GameFrame& frame = exported.frame;
    out += ",\n";
    if (m_rows.insert(rowOf(frame)).second)
      out += nameEvent("thread_name", m_pid, rowOf(frame), "Frames of thread " + std::to_string(frame.thread)).dump() +
             ",\n";
    out += traceEvents(frame, exported.verdict, exported.culprit, m_pid);
  }
  void end(std::string& out) override { out += closing(); }
  [[nodiscard]] std::string_view closing() const override { return "\n]}\n"; }

 private:
  std::uint32_t m_pid = 0;
  std::set<std::uint64_t> m_rows;  // that have their name
};

// The call stacks of all frames' culprits, written at the end.
class FoldedFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& /*game*/, std::string& /*out*/) override {}
  void add(const ExportedFrame& exported, std::string& /*out*/) override {
    if (exported.calls != nullptr) addTree(m_stacks, *exported.calls);
  }
  void end(std::string& out) override {
    sortTree(m_stacks);
    out += foldedText(m_stacks);
  }

 private:
  CallTree m_stacks;
};

}  // namespace

const char* frameTitle(const FrameVerdict& verdict) {
  if (verdict.lateByTeardown) return "frame, late by giving memory back";
  return verdict.lateByFaults ? "frame, late by page faults" : verdict.late ? "frame, late" : "frame";
}

std::unique_ptr<FrameExporter> csvFrames() {
  return std::make_unique<CsvFrames>();
}

std::unique_ptr<FrameExporter> jsonFrames() {
  return std::make_unique<JsonFrames>();
}

std::unique_ptr<FrameExporter> traceFrames() {
  return std::make_unique<TraceFrames>();
}

std::unique_ptr<FrameExporter> foldedFrames() {
  return std::make_unique<FoldedFrames>();
}

}  // namespace faultline
