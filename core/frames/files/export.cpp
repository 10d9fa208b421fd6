#include "core/frames/files/export.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/ranked.h"
#include "core/export/csv.h"
#include "core/export/quality_json.h"
#include "core/frames/files/export_json.h"
#include "core/frames/files/formats.h"
#include "core/frames/session_numbers.h"
#include "core/text/number.h"
#include "core/text/table.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCulprit = "culprit";  // comes last, and is a text
constexpr double kLeastBooked = 0.005;
constexpr std::size_t kMostCulprits = 16;
constexpr const char* kOfTheWatch =
    ",waiting_behind,deadline_by,version,budget_ns,lost_frames,samples,lost_samples,unseen_ns,culprits,";

Json culpritsJson(const Culprits* culprits) {
  Json json = Json::array();
  if (culprits == nullptr) return json;
  for (const CulpritShare& share : culpritList(culprits->ofAll)) {
    const double part = culprits->shareOfAll(share);
    if (part < kLeastBooked || json.size() == kMostCulprits) break;
    json.push_back({validUtf8(share.name), std::round(part * 1e4) / 1e4});
  }
  return json;
}

std::string behindText(const GameFrame& frame) {
  const auto behind = frame.values.waitedBehind();
  return behind ? behind->program : std::string();
}

std::string csvHead(std::string_view more) {
  std::string head;
  forEachColumn({}, {}, [&](std::string_view name, const auto&) { head.append(head.empty() ? "" : ",").append(name); });
  return head.append(kOfTheWatch).append(kCulprit).append(more.empty() ? "" : ",").append(more) + "\r\n";
}

void appendFrameCsv(const ExportedFrame& exported, std::string_view version, Nanoseconds budget, std::string& out) {
  bool first = true;
  forEachColumn(exported.frame, exported.verdict, [&](std::string_view, const auto& value) {
    if (!first) out += ',';
    first = false;
    if (value) appendNumber(*value, out);
  });
  const SessionTotals& totals = exported.totals;
  const auto& deadline = exported.verdict.deadline;
  out.append(",").append(csvField(csvName(behindText(exported.frame))));
  out.append(",").append(deadline ? deadlineBy(*deadline) : std::string_view());
  out.append(",").append(csvField(csvName(version)));
  for (const std::uint64_t number : {static_cast<std::uint64_t>(budget.count()), totals.lostFrames, totals.samples,
                                     totals.lostSamples, static_cast<std::uint64_t>(totals.unseen.count())})
    appendNumber(number, out += ',');
  const Json culprits = culpritsJson(exported.culprits);
  out.append(",").append(culprits.empty() ? std::string() : csvField(culprits.dump()));
  out.append(",").append(csvField(csvName(exported.culprit)));
  out.append(exported.more.empty() ? "" : ",").append(exported.more).append("\r\n");
}

}  // namespace

Json frameJson(const ExportedFrame& exported) {
  const auto& [frame, verdict, culprit, culprits, totals, samples, more] = exported;
  Json json = Json::object();
  forEachColumn(frame, verdict, [&](std::string_view name, const auto& value) {
    json[std::string(name)] = value ? Json(*value) : Json();
  });
  const std::string behind = behindText(frame);
  json["waiting_behind"] = behind.empty() ? Json() : Json(validUtf8(behind));
  json["deadline_by"] = verdict.deadline ? Json(deadlineBy(*verdict.deadline)) : Json();
  json["culprits"] = culpritsJson(culprits);
  json["culprit_faults"] = culprits != nullptr ? culprits->faults : 0;
  json[kCulprit] = culprit.empty() ? Json() : Json(validUtf8(culprit));
  return json;
}

Json watchedJson(const WatchedGame& watched) {
  Json out{{"pid", watched.pid}, {"name", validUtf8(watched.name)}};
  if (!isUtf8(watched.name)) out["name_hex"] = hexBytes(watched.name);
  out["method"] = std::string(wireName(watched.by));
  out["mark"] = validUtf8(watched.mark);
  for (const std::string& mark : watched.marks) out["marks"].push_back(validUtf8(mark));
  out.update(qualityJson(watched.faults));  // where earlier versions have it
  for (const FrameQuality& row : kFrameQualities) out[std::string(row.name)] = qualityJson(watched.*row.quality);
  if (watched.delay) out["delay"] = qualityJson(*watched.delay);
  return out;
}

namespace {

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
  return inNs(duration) / 1000;
}

// A row of its own for each thread that ends frames: on the thread's they would cut through the game's own slices.
std::uint64_t rowOf(const GameFrame& frame) {
  constexpr std::uint64_t kBeyondThreads = std::uint64_t{1} << 30U;  // and within 32 bits, as readers have it
  return kBeyondThreads + frame.thread;
}

Json nameEvent(const char* what, std::uint32_t pid, std::uint64_t row, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", row}, {"args", {{"name", name}}}};
}

std::string traceEvents(const ExportedFrame& exported, std::uint32_t pid) {
  const GameFrame& frame = exported.frame;
  const Json slice{{"name", frameTitle(exported.verdict)},
                   {"cat", "frame"},
                   {"ph", "X"},
                   {"ts", microseconds(frame.start.sinceEpoch)},
                   {"dur", microseconds(frame.duration)},
                   {"pid", pid},
                   {"tid", rowOf(frame)},
                   {"args", frameJson(exported)}};
  Json faults{{"minor", frame.minorFaults()}};
  if (frame.majorFaults()) faults["major"] = *frame.majorFaults();
  const Json counter{{"name", "page faults per frame"},
                     {"ph", "C"},
                     {"ts", microseconds(frame.start.sinceEpoch)},
                     {"pid", pid},
                     {"args", faults}};
  return slice.dump() + ",\n" + counter.dump();
}

class CsvFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& out) override {
    m_version = game.version;
    m_budget = game.budget;
    out += csvHead(game.moreColumns);
  }
  void add(const ExportedFrame& exported, std::string& out) override {
    appendFrameCsv(exported, m_version, m_budget, out);
  }

 private:
  std::string m_version;
  Nanoseconds m_budget{0};
};

}  // namespace

Json summaryJson(const FrameSum& sum, const SessionTotals& totals) {
  const std::vector<double> durations = sum.durations();
  const auto lasted = [&](double share) {
    const auto duration = percentile(durations, share);
    return duration ? Json(std::llround(*duration)) : Json();
  };
  const auto perSecond = [&](double share) {
    const auto rate = low(durations, share);
    return rate ? Json(*rate * 1e9) : Json();
  };
  const FrameTally& tally = sum.tally();
  const auto& deadline = tally.deadline;  // of the last frame
  Json json{{"frames", tally.frames},
            {"late", tally.late},
            {"late_by_faults", tally.lateByFaults},
            {"late_by_teardown", tally.lateByTeardown},
            {"late_perhaps_by_teardown", tally.perhapsByTeardown},
            {"late_perhaps_by_faults", tally.perhapsByFaults},
            {"late_by_sampling", tally.lateBySampling},
            {"late_perhaps_by_watching", tally.perhapsByWatching},
            {"deadline_ns", deadline ? Json(deadline->after.count()) : Json()},
            {"deadline_by", deadline ? Json(deadlineBy(*deadline)) : Json()},
            {"faults", tally.minorFaults + tally.majorFaults}};
  for (const SessionNumber& row : kSessionNumbers)
    json[std::string(row.name)] = row.of(totals) ? Json(*row.of(totals)) : Json();
  json.update({{"p50_ns", lasted(0.5)},
               {"p99_ns", lasted(0.99)},
               {"p999_ns", lasted(0.999)},
               {"low_1_percent_per_s", perSecond(0.01)},
               {"low_0_1_percent_per_s", perSecond(0.001)}});
  return json;
}

namespace {

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
    out += frameJson(exported).dump();
    m_sum.add(exported.frame, exported.verdict);
    m_totals = exported.totals;
  }
  void conclude(std::string_view advice, std::string_view delay) override {
    if (!advice.empty()) m_advice = advice;
    if (!delay.empty()) m_delay = delay;
  }
  void end(std::string& out) override {
    out += "\n],\n\"summary\":" + summaryJson(m_sum, m_totals).dump() + ",\n\"advice\":" + m_advice +
           ",\n\"delay\":" + m_delay + "}\n";
  }
  [[nodiscard]] std::string_view closing() const override {
    return "\n],\n\"summary\":null,\n\"advice\":null,\n\"delay\":null}\n";
  }

 private:
  bool m_any = false;
  std::string m_advice = "null";
  std::string m_delay = "null";
  FrameSum m_sum;
  SessionTotals m_totals;
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
    out += traceEvents(exported, m_pid);
  }
  void end(std::string& out) override { out += closing(); }
  [[nodiscard]] std::string_view closing() const override { return "\n]}\n"; }

 private:
  std::uint32_t m_pid = 0;
  std::set<std::uint64_t> m_rows;  // that have their name
};

}  // namespace

std::unique_ptr<FrameExporter> csvFrames() {
  return std::make_unique<CsvFrames>();
}

std::unique_ptr<FrameExporter> jsonFrames() {
  return std::make_unique<JsonFrames>();
}

std::unique_ptr<FrameExporter> traceFrames() {
  return std::make_unique<TraceFrames>();
}

}  // namespace faultline
