#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/lab/checks.h"
#include "core/lab/summary.h"
#include "core/lab/view/text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json optionalJson(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json spreadJson(const std::optional<LabSpread>& spread) {
  if (!spread) return nullptr;
  return {{"median", spread->median}, {"low", spread->low}, {"high", spread->high}};
}

Json summaryJson(const LabRow& row) {
  const auto summary = summarize(row);
  if (!summary) return nullptr;
  return {{"repetitions", summary->repetitions},
          {"disturbed", summary->disturbed()},
          {"other_frequency", summary->otherFrequency},
          {"wall_ns", spreadJson(summary->wall)},
          {"processor_ns", spreadJson(summary->processor)},
          {"undisturbed_wall_ns", spreadJson(summary->quietWall)},
          {"undisturbed_processor_ns", spreadJson(summary->quietProcessor)},
          {"faults", summary->faults}};
}

Json rowJson(const LabRow& row) {
  Json samples = Json::array();
  for (const LabSample& sample : row.samples)
    samples.push_back({{"wall_ns", sample.wall.count()},
                       {"processor_ns", sample.processor ? Json(sample.processor->count()) : Json(nullptr)},
                       {"faults", sample.faults},
                       {"involuntary_switches", optionalJson(sample.switches)},
                       {"result", sample.result},
                       {"frequency_ratio", optionalJson(sample.frequency)}});
  return {{"way", row.way},
          {"phase", row.phase},
          {"pages", row.pages},
          {"amount", row.amount},
          {"unit", row.unit},
          {"alone", row.alone},
          {"expected_faults", optionalJson(row.expectedFaults)},
          {"published", row.published},
          {"note", row.note},
          {"summary", summaryJson(row)},
          {"samples", std::move(samples)}};
}

Json freedJson(const std::optional<LabFreed>& freed) {
  if (!freed) return nullptr;
  return {{"touched_pages", freed->touched}, {"faults", freed->faults}, {"freed_pages", freed->freed}};
}

Json lanesJson(const LanePicture& picture) {
  Json lanes = Json::array();
  for (const LanePicture::Lane& lane : picture.lanes)
    lanes.push_back({{"thread", lane.thread},
                     {"faults", lane.faults},
                     {"longest_ns", lane.longest.count()},
                     {"inside_percent", lane.inside}});
  Json resumed = Json::array();
  for (const LanePicture::Resume& each : picture.resumed)
    resumed.push_back({{"column", each.column}, {"threads", each.threads}});
  return {{"run", picture.run},       {"wall_ns", picture.took.count()}, {"text", picture.sentence},
          {"faults", picture.faults}, {"lanes", std::move(lanes)},       {"resumed_together", std::move(resumed)}};
}

Json reportJson(const LabReport& report) {
  Json rows = Json::array();
  for (const LabRow& row : report.rows) rows.push_back(rowJson(row));
  Json lanes = Json::array();
  for (const LanePicture& picture : report.lanes) lanes.push_back(lanesJson(picture));
  Json checks = Json::array();
  for (const LabCheck& check : labChecks(report))
    checks.push_back({{"claim", check.claim},
                      {"value", check.value},
                      {"verdict", labVerdictText(check.verdict)},
                      {"of_counts", check.ofCounts}});
  return {{"experiment", report.experiment}, {"title", report.title},
          {"machine", report.machine},       {"quick", report.quick},
          {"own_faults", report.ownFaults},  {"seen_faults", optionalJson(report.seenFaults)},
          {"not_seen", report.notSeen},      {"freed", freedJson(report.freed)},
          {"not_freed", report.notFreed},    {"others_share", optionalJson(report.others)},
          {"remarks", report.remarks},       {"derived", labDerived(report)},
          {"rows", std::move(rows)},         {"checks", std::move(checks)},
          {"lanes", std::move(lanes)}};
}

template <class T>
std::optional<T> optionalOf(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

LabSample readSample(const Json& json) {
  LabSample sample{.wall = Nanoseconds(json.at("wall_ns").get<std::int64_t>()),
                   .processor = std::nullopt,
                   .faults = json.at("faults"),
                   .switches = optionalOf<std::uint64_t>(json.at("involuntary_switches")),
                   .result = json.at("result"),
                   .frequency = std::nullopt};
  if (const auto time = optionalOf<std::int64_t>(json.at("processor_ns"))) sample.processor = Nanoseconds(*time);
  if (json.contains("frequency_ratio")) sample.frequency = optionalOf<double>(json.at("frequency_ratio"));
  return sample;
}

LabRow readRow(const Json& json) {
  LabRow row{.way = json.at("way"),
             .phase = json.at("phase"),
             .pages = json.at("pages"),
             .amount = json.at("amount"),
             .unit = json.at("unit"),
             .alone = json.at("alone"),
             .expectedFaults = optionalOf<std::uint64_t>(json.at("expected_faults")),
             .published = json.at("published"),
             .note = json.at("note"),
             .samples = {}};
  for (const Json& sample : json.at("samples")) row.samples.push_back(readSample(sample));
  return row;
}

LanePicture readLanes(const Json& json) {
  LanePicture picture{.run = json.at("run"),
                      .took = Nanoseconds(json.at("wall_ns").get<std::int64_t>()),
                      .sentence = json.at("text"),
                      .faults = json.at("faults")};
  for (const Json& lane : json.at("lanes"))
    picture.lanes.push_back({.thread = lane.at("thread"),
                             .faults = lane.at("faults"),
                             .longest = Nanoseconds(lane.at("longest_ns").get<std::int64_t>()),
                             .inside = lane.at("inside_percent")});
  for (const Json& each : json.at("resumed_together"))
    picture.resumed.push_back({.column = each.at("column"), .threads = each.at("threads")});
  return picture;
}

LabReport readReport(const Json& json) {
  LabReport report{.experiment = json.at("experiment"),
                   .title = json.at("title"),
                   .machine = json.at("machine"),
                   .quick = json.at("quick"),
                   .ownFaults = json.at("own_faults"),
                   .seenFaults = optionalOf<std::uint64_t>(json.at("seen_faults")),
                   .notSeen = json.at("not_seen"),
                   .freed = std::nullopt,
                   .notFreed = json.value("not_freed", std::string()),
                   .others = optionalOf<double>(json.value("others_share", Json())),
                   .remarks = json.at("remarks"),
                   .rows = {},
                   .lanes = {}};
  if (const Json freed = json.value("freed", Json()); !freed.is_null())
    report.freed =
        LabFreed{.touched = freed.at("touched_pages"), .faults = freed.at("faults"), .freed = freed.at("freed_pages")};
  for (const Json& row : json.at("rows")) report.rows.push_back(readRow(row));
  for (const Json& picture : json.value("lanes", Json::array())) report.lanes.push_back(readLanes(picture));
  return report;
}

}  // namespace

std::string labJson(std::span<const LabReport> reports) {
  Json all = Json::array();
  for (const LabReport& report : reports) all.push_back(reportJson(report));
  return Json{{"lab", std::move(all)}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<LabReport>> parseLabJson(std::string_view document) {
  try {
    std::vector<LabReport> reports;
    const Json all = Json::parse(document);
    for (const Json& report : all.at("lab")) reports.push_back(readReport(report));
    return reports;
  } catch (const Json::exception& error) {
    return fail(fmt::format("This is no result of the lab: {}.", error.what()));
  }
}

}  // namespace faultline
