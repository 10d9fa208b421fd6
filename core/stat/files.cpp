#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/export/csv.h"
#include "core/export/quality_json.h"
#include "core/model/names.h"
#include "core/stat/text.h"
#include "core/text/number.h"
#include "core/text/quantity.h"
#include "core/text/table.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;
constexpr double kExact = 9007199254740992;  // 2^53: from here on a double is no exact count

// Whole numbers without a decimal point: faults are counted.
Json number(double value) {
  if (std::trunc(value) == value && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json figureJson(const std::vector<double>& values) {
  const auto summary = summaryOf(values);
  if (!summary) return nullptr;
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return {{"median", number(summary->median)},
          {"least", number(summary->least)},
          {"most", number(summary->most)},
          {"values", list}};
}

Json sitesJson(const CallSites& found) {
  Json sites = Json::array();
  for (const CallSite& site : found.sites)
    sites.push_back({{"function", site.function},
                     {"module", site.module},
                     {"file", site.file},
                     {"line", site.line},
                     {"source", site.source},
                     {"caller", site.caller},
                     {"program", site.program},
                     {"faults", site.faults},
                     {"major_faults", site.majors},
                     {"pages", site.pages},
                     {"fault_ns", site.time ? Json(site.time->count()) : Json()}});
  return {{"why_not", found.whyNot},       {"each_fault", found.each},    {"faults", found.faults},
          {"processes", found.others + 1}, {"passed_over", found.passed}, {"sites", sites}};
}

// Of an earlier version, which has one process, and neither its major faults nor times.
CallSites sitesFrom(const Json& json) {
  CallSites found{.faults = json.at("faults"),
                  .each = json.at("each_fault"),
                  .others = std::max(json.value("processes", std::uint64_t{1}), std::uint64_t{1}) - 1,
                  .passed = json.value("passed_over", std::uint64_t{0}),
                  .whyNot = json.at("why_not")};
  for (const Json& site : json.at("sites")) {
    const Json time = site.value("fault_ns", Json());
    found.sites.push_back(
        {.function = site.at("function"),
         .module = site.at("module"),
         .file = site.at("file"),
         .line = site.at("line"),
         .source = site.at("source"),
         .caller = site.at("caller"),
         .program = site.value("program", std::string()),
         .faults = site.at("faults"),
         .pages = site.at("pages"),
         .majors = site.value("major_faults", std::uint64_t{0}),
         .time = time.is_null() ? std::nullopt : std::optional(Nanoseconds(time.get<std::int64_t>()))});
  }
  return found;
}

Json programJson(const StatProgram& program) {
  Json command = Json::array();
  for (const std::string& word : program.command) command.push_back(printableName(word));
  Json figures;
  for (std::size_t i = 0; i < kStatFields.size(); ++i)
    figures[std::string(kStatFields[i].name)] = figureJson(program.values[i]);
  Json document{{"name", printableName(program.name)},
                {"command", command},
                {"failed_runs", program.failed},
                {"peak_is_upper_bound", program.peakAtMost},
                {"figures", figures}};
  for (const StatProcess& process : program.processes) {
    Json faults = Json::array();
    for (const double count : process.faults) faults.push_back(number(count));
    document["faults_by_process"][printableName(process.name)] = faults;
  }
  if (program.callSites) document["call_sites"] = sitesJson(*program.callSites);
  return document;
}

Json placeJson(const StatPlace& place) {
  return {{"system", validUtf8(place.machine.system)},
          {"processor", validUtf8(place.machine.processor)},
          {"processors", place.machine.processors},
          {"settings", validUtf8(place.machine.settings)},
          {"page_bytes", place.pageBytes},
          {"allocator", place.allocator}};
}

StatPlace placeFrom(const Json& json) {
  return {.machine = {.system = json.at("system"),
                      .processor = json.at("processor"),
                      .processors = json.at("processors"),
                      .settings = json.at("settings")},
          .pageBytes = json.at("page_bytes"),
          .allocator = json.at("allocator")};
}

// Figures that a later version has added are left out, and those that an earlier one lacked stay empty.
StatProgram programFrom(const Json& json) {
  StatProgram program{.name = json.at("name"),
                      .command = json.at("command"),
                      .failed = json.at("failed_runs"),
                      .peakAtMost = json.at("peak_is_upper_bound")};
  const Json& figures = json.at("figures");
  for (std::size_t i = 0; i < kStatFields.size(); ++i) {
    const auto found = figures.find(kStatFields[i].name);
    if (found != figures.end() && !found->is_null()) found->at("values").get_to(program.values[i]);
  }
  if (json.contains("faults_by_process"))
    for (const auto& [name, faults] : json.at("faults_by_process").items()) program.processes.push_back({name, faults});
  if (json.contains("call_sites")) program.callSites = sitesFrom(json.at("call_sites"));
  return program;
}

OfStatFields<Quality> qualitiesFrom(const Json& json) {
  OfStatFields<Quality> qualities;
  for (std::size_t i = 0; i < kStatFields.size(); ++i) {
    const auto found = json.find(kStatFields[i].name);
    if (found == json.end()) continue;
    qualities[i] = {.grade = gradeNamed(found->at("grade").get<std::string>()),
                    .how = found->at("how"),
                    .enable = found->at("enable")};
  }
  return qualities;
}

std::string textOf(double value) {
  std::string text;
  appendNumber(value, text);
  return text;
}

}  // namespace

std::string statJson(const StatReport& report) {
  Json programs = Json::array();
  for (const StatProgram& program : report.programs) programs.push_back(programJson(program));
  Json qualities;
  for (std::size_t i = 0; i < kStatFields.size(); ++i)
    qualities[std::string(kStatFields[i].name)] = qualityJson(report.qualities[i]);
  const Json document{{"version", kVersion},
                      {"place", report.place ? placeJson(*report.place) : Json()},
                      {"runs_wanted", report.runs},
                      {"watched_runs_wanted", report.watchedRuns},
                      {"interrupted", report.interrupted},
                      {"programs", programs},
                      {"qualities", qualities}};
  return Json{{"stat", document}}.dump(2) + "\n";
}

Result<StatReport> parseStat(std::string_view document) {
  try {
    const Json stat = Json::parse(document).at("stat");
    if (const int version = stat.at("version"); version != kVersion)
      return fail(fmt::format("is of version {} of the format, and this program reads version {}.", version, kVersion));
    StatReport report{.qualities = qualitiesFrom(stat.at("qualities")),
                      .runs = stat.at("runs_wanted"),
                      .watchedRuns = stat.at("watched_runs_wanted"),
                      .interrupted = stat.at("interrupted")};
    if (!stat.at("place").is_null()) report.place = placeFrom(stat.at("place"));
    for (const Json& program : stat.at("programs")) report.programs.push_back(programFrom(program));
    if (report.programs.empty()) return fail("holds no program.");
    return report;
  } catch (const Json::exception&) {
    return fail("is no result of 'faultline-cli stat --format json' or 'guard --save'.");
  }
}

std::string statCsv(const StatReport& report) {
  std::string out = "program,figure,unit,grade,runs,median,least,most\r\n";
  for (const StatProgram& program : report.programs)
    for (std::size_t i = 0; i < kStatFields.size(); ++i) {
      const auto summary = summaryOf(program.values[i]);
      out += csvField(csvName(program.name)) + "," + std::string(kStatFields[i].name) + "," +
             std::string(unitName(kStatFields[i].unit)) + "," + std::string(gradeName(report.qualities[i].grade)) +
             "," + std::to_string(program.values[i].size()) + ",";
      if (summary) out += textOf(summary->median) + "," + textOf(summary->least) + "," + textOf(summary->most);
      else out += ",,";
      out += "\r\n";
    }
  return out;
}

std::string statBencher(const StatReport& report) {
  Json document = Json::object();
  for (const StatProgram& program : report.programs) {
    Json measures = Json::object();
    for (std::size_t i = 0; i < kStatFields.size(); ++i) {
      const auto summary = summaryOf(program.values[i]);
      if (!summary) continue;
      std::string slug(kStatFields[i].name);
      for (char& letter : slug)
        if (letter == '_') letter = '-';
      measures[slug] = {{"value", number(summary->median)},
                        {"lower_value", number(summary->least)},
                        {"upper_value", number(summary->most)}};
    }
    document[printableName(program.name)] = measures;
  }
  return document.dump(2) + "\n";
}

std::string statSmallerIsBetter(const StatReport& report) {
  Json document = Json::array();
  for (const StatProgram& program : report.programs)
    for (std::size_t i = 0; i < kStatFields.size(); ++i)
      if (const auto summary = summaryOf(program.values[i]))
        document.push_back({{"name", printableName(program.name) + ": " + std::string(kStatFields[i].title)},
                            {"unit", unitName(kStatFields[i].unit)},
                            {"value", number(summary->median)},
                            {"range", textOf(summary->most - summary->least)}});
  return document.dump(2) + "\n";
}

}  // namespace faultline
