#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/export/quality_json.h"
#include "core/text/quantity.h"
#include "core/trial/frame_text.h"
#include "core/trial/text.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json intervalJson(const std::optional<MedianInterval>& interval) {
  if (!interval) return nullptr;
  return {{"median", interval->median}, {"low", interval->low}, {"high", interval->high}};
}

Json known(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

void addTimes(const FrameFigures& figures, Json& json) {
  json["mean_ns"] = figures.mean;
  json["p50_ns"] = figures.p50;
  json["p99_ns"] = figures.p99;
  json["low_1_percent_per_s"] = figures.low;
  json["estimated_fault_ns"] = known(figures.inFaultsAbout);
  for (const FrameField& row : kFrameFields)
    if (isMean(row)) json[std::string(row.name)] = known(figures.of(row.metric));
}

Json memoryJson(const RunMemory& memory) {
  Json json;
  for (std::size_t i = 0; i < memory.size(); ++i) json[kRunFigures[i].json] = known(memory[i]);
  return json;
}

Json mediansJson(const FrameFigures& frames, double processor) {
  Json json{{"count", frames.frames},
            {"late_share", frames.late},
            {"late_by_memory_share", frames.lateByMemory},
            {"faults", frames.faults},
            {"processor_ns", processor}};
  addTimes(frames, json);
  return json;
}

Json framesJson(const FrameFigures& frames) {
  const auto count = [&frames](double share) { return std::llround(share * frames.frames); };
  Json json{{"count", count(1)},
            {"late", count(frames.late)},
            {"late_by_memory", count(frames.lateByMemory)},
            {"minor_faults", count(frames.faults) - count(frames.majorFaults)},
            {"major_faults", count(frames.majorFaults)}};
  addTimes(frames, json);
  return json;
}

Json mediansJson(const TrialMedians& medians) {
  Json json{{"wall_ns", medians.wall},
            {"processor_ns", medians.processor},
            {"minor_faults", medians.minorFaults},
            {"major_faults", medians.majorFaults},
            {"peak_bytes", medians.peakBytes},
            {"peak_is_upper_bound", medians.peakAtMost}};
  if (medians.frames) json["frames"] = mediansJson(*medians.frames, medians.processorPerFrame);
  else json["memory"] = memoryJson(medians.memory);
  return json;
}

Json samplesJson(const std::vector<TrialSample>& samples) {
  Json list = Json::array();
  for (const TrialSample& sample : samples) {
    list.push_back({{"wall_ns", sample.wall.count()},
                    {"processor_ns", sample.processor.count()},
                    {"waited_share", sample.waited ? Json(*sample.waited) : Json(nullptr)},
                    {"minor_faults", sample.minorFaults},
                    {"major_faults", sample.majorFaults},
                    {"peak_bytes", sample.peakBytes},
                    {"exit_code", sample.code},
                    {"signal", sample.signal},
                    {"ended_after_duration", sample.ended},
                    {"output_bytes", sample.outputBytes}});
    if (sample.frames) list.back()["frames"] = framesJson(*sample.frames);
  }
  return list;
}

// In the order of TrialVerdict.
constexpr std::array kTrialVerdicts{"better",       "worse",          "no_difference_shown",
                                    "too_few_runs", "changes_output", "changes_exit_code"};

Json memoryGainsJson(const RunMemoryGains& gains) {
  Json json;
  for (std::size_t i = 0; i < gains.size(); ++i) json[kRunFigures[i].json] = intervalJson(gains[i]);
  return json;
}

Json memoryRunsJson(const std::vector<RunMemory>& runs) {
  Json list = Json::array();
  for (const RunMemory& run : runs) list.push_back(memoryJson(run));
  return list;
}

Json qualitiesJson(const std::optional<RunMemoryQuality>& qualities) {
  if (!qualities) return nullptr;
  Json json;
  for (std::size_t i = 0; i < qualities->size(); ++i) json[kRunFigures[i].json] = qualityJson((*qualities)[i]);
  return json;
}

Json outputJson(const std::optional<OutputDifference>& difference) {
  if (!difference) return nullptr;
  const auto text = [](const std::optional<std::string>& line) { return line ? Json(*line) : Json(); };
  Json lines = Json::array();
  for (const OutputLine& line : difference->lines)
    lines.push_back({{"line", line.number}, {"plain", text(line.plain)}, {"remedy", text(line.other)}});
  return {{"plain_bytes", difference->plainBytes}, {"remedy_bytes", difference->otherBytes}, {"lines", lines}};
}

Json rowJson(const TriedRemedy& tried, const TrialRow& row) {
  return {{"name", tried.remedy.name},
          {"what", tried.remedy.what},
          {"typed", printableName(asTyped(tried.remedy))},
          {"verdict", kTrialVerdicts.at(static_cast<std::size_t>(row.verdict))},
          {"recommended", row.recommended},
          {"output_difference", outputJson(row.output)},
          {"gain", intervalJson(row.gain)},
          {"processor_gain", intervalJson(row.processorGain)},
          {"p99_gain", intervalJson(row.p99Gain)},
          {"more_faults", row.moreFaults},
          {"more_peak_bytes", row.morePeakBytes},
          {"memory_gains", memoryGainsJson(row.memoryGains)},
          {"medians", mediansJson(row.medians)},
          {"samples", samplesJson(tried.samples)},
          {"watched_runs", memoryRunsJson(tried.memory)}};
}

}  // namespace

std::string trialJson(const TrialReport& report) {
  const TrialResult result = judge(report);
  Json command = Json::array();
  for (const std::string& word : report.command) command.push_back(printableName(word));
  Json remedies = Json::array();
  for (const TrialRow& row : result.rows) remedies.push_back(rowJson(report.tried[row.index], row));
  Json absent = Json::array();
  for (const Remedy& remedy : report.absent)
    absent.push_back({{"name", remedy.name}, {"why", remedy.absent->why}, {"enable", remedy.absent->enable}});
  const Json document{{"command", command},
                      {"input", report.input.empty() ? Json(nullptr) : Json(printableName(report.input))},
                      {"measure", measureName(result.measure)},
                      {"frames_end_with", report.watched ? Json(printableName(report.watched->mark)) : Json(nullptr)},
                      {"rounds", result.rounds},
                      {"rounds_wanted", report.rounds},
                      {"rounds_needed", neededRounds(report.tried.size())},
                      {"interrupted", report.interrupted},
                      {"confidence_of_each", result.confidence},
                      {"repeated_runs", report.repeated},
                      {"disturbed_runs_kept", result.disturbedRuns},
                      {"same_output_required", report.sameOutput},
                      {"output_varies", result.outputVaries},
                      {"exit_code_varies", result.exitCodeVaries},
                      {"memory", qualitiesJson(report.memoryQuality)},
                      {"plain",
                       {{"medians", mediansJson(result.plain)},
                        {"samples", samplesJson(report.plain)},
                        {"watched_runs", memoryRunsJson(report.plainMemory)}}},
                      {"remedies", remedies},
                      {"unavailable", absent},
                      {"advice", trialAdvice(report, result)},
                      {"markdown", trialMarkdown(report)}};
  return Json{{"try", document}}.dump(2) + "\n";
}

}  // namespace faultline
