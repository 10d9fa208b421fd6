#include "core/query/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/model/metric.h"
#include "core/query/sums.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostSeconds = 3.6e6;

struct Argument {
  Takes what;
  std::string_view name;
  std::string_view type;  // of JSON Schema
  std::string_view about;
  double least = 0;
  double most = 0;
};

// Milliseconds and seconds have their unit in the name.
constexpr auto kArguments = std::to_array<Argument>({
    {Takes::File, "file", "string", "A recording, by a name of the tool recordings. Without it: the running machine."},
    {Takes::Pid, "pid", "integer", "In place of a file: a game that runs, by its process; its frames are watched.", 1,
     1U << 30U},
    {Takes::From, "from_s", "number", "Begin at this time since the start of the recording.", 0, kMostSeconds},
    {Takes::To, "to_s", "number", "End at this time since the start of the recording.", 0, kMostSeconds},
    {Takes::Top, "top", "integer", "The most rows of each list; 10 if absent.", 1, kMostRows},
    {Takes::By, "by", "string", "What to sum by; the first choice if absent."},
    {Takes::Metric, "metric", "string", "The number to rank by; minor_faults if absent."},
    {Takes::Frame, "frame", "integer", "The number of a frame.", 0, 9007199254740991.0},
    {Takes::Budget, "budget_ms", "number", "The longest frame in time; the game's own cadence, or 16.7, if absent.",
     0.1, 10'000},
    {Takes::Measure, "measure_s", "number", "Of the running machine: measure for so long; 2 if absent.", 0.1, 600},
});

std::vector<std::string_view> byOf(const QuestionKind& kind) {
  std::vector<std::string_view> names;
  for (const std::string_view name : kind.by)
    if (!name.empty()) names.push_back(name);
  return names;
}

template <class Names>
std::string listOf(const Names& names) {
  std::string list;
  for (const auto& name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

bool fits(const Argument& argument, const nlohmann::json& value) {
  if (argument.type == "string") return value.is_string();
  if (!value.is_number()) return false;
  const auto number = value.get<double>();
  return number >= argument.least && number <= argument.most &&
         (argument.type == "number" || number == std::floor(number));
}

Nanoseconds inUnits(const nlohmann::json& value, double unit) {
  return Nanoseconds(std::llround(value.get<double>() * unit));
}

void put(const Argument& argument, const nlohmann::json& value, Question& question) {
  constexpr double kSecond = 1e9;
  constexpr double kMillisecond = 1e6;
  switch (argument.what) {
    case Takes::File:
      question.file = value.get<std::string>();
      break;
    case Takes::Pid:
      question.pid = value.get<std::uint32_t>();
      break;
    case Takes::From:
      question.from = inUnits(value, kSecond);
      break;
    case Takes::To:
      question.to = inUnits(value, kSecond);
      break;
    case Takes::Top:
      question.top = value.get<std::size_t>();
      break;
    case Takes::By:
      question.by = value.get<std::string>();
      break;
    case Takes::Metric:
      question.metric = value.get<std::string>();
      break;
    case Takes::Frame:
      question.frame = value.get<std::uint64_t>();
      break;
    case Takes::Budget:
      question.budget = inUnits(value, kMillisecond);
      break;
    case Takes::Measure:
      question.measure = inUnits(value, kSecond);
      break;
  }
}

}  // namespace

const QuestionKind& kindOf(Ask ask) {
  return *std::ranges::find(kQuestions, ask, &QuestionKind::ask);
}

const QuestionKind* questionNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kQuestions, name, &QuestionKind::name);
  return found == kQuestions.end() ? nullptr : found;
}

bool ofFrames(Ask ask) {
  return ask == Ask::Frames || ask == Ask::Frame || ask == Ask::Culprits;
}

Result<void> checkQuestion(const Question& question) {
  const QuestionKind& kind = kindOf(question.ask);
  const auto choices = byOf(kind);
  if (!question.by.empty() && std::ranges::find(choices, question.by) == choices.end())
    return fail(fmt::format("{} can be asked by {}.", kind.name, choices.empty() ? "nothing" : listOf(choices)));
  if (kind.may(Takes::Metric) && !summedMetric(question.metric))
    return fail(fmt::format("There is no metric of this name. The metrics are {}.", listOf(summedNames())));
  if (question.ask == Ask::Frame && !question.frame) return fail("Name the frame by its number.");
  if (ofFrames(question.ask) && question.file.empty() && question.pid == 0)
    return fail(
        fmt::format("Frames are those of a recording, made by 'faultline-cli frames --record FILE -- PROGRAM'{}.",
                    kind.may(Takes::Pid) ? ", or of a game that runs: name its process" : ""));
  if (question.pid != 0 && !question.file.empty())
    return fail("Frames are those of a recording or of a process: name one of both.");
  if (question.to < question.from) return fail("The end of the time that is asked for is earlier than its begin.");
  return {};
}

Json argumentSchema(const QuestionKind& kind) {
  Json properties = Json::object();
  for (const Argument& argument : kArguments) {
    if (!kind.may(argument.what)) continue;
    Json& property = properties[std::string(argument.name)];
    property = {{"type", argument.type}, {"description", argument.about}};
    if (argument.most > 0) property.update({{"minimum", argument.least}, {"maximum", argument.most}});
    if (argument.what == Takes::By) property["enum"] = byOf(kind);
    if (argument.what == Takes::Metric) property["enum"] = summedNames();
  }
  Json required = Json::array();
  if (ofFrames(kind.ask) && !kind.may(Takes::Pid)) required.push_back("file");
  if (kind.ask == Ask::Frame) required.push_back("frame");
  return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

Result<Question> questionFrom(const QuestionKind& kind, const nlohmann::json& arguments) {
  Question question{.ask = kind.ask};
  if (!arguments.is_object()) return fail("The arguments are an object.");
  for (const auto& [name, value] : arguments.items()) {
    const auto* const argument = std::ranges::find(kArguments, name, &Argument::name);
    if (argument == kArguments.end() || !kind.may(argument->what))
      return fail(fmt::format("{} has no argument '{}'.", kind.name, validUtf8(name)));
    if (!fits(*argument, value))
      return fail(argument->most > 0 ? fmt::format("{} is {} from {} to {}.", argument->name,
                                                   argument->type == "integer" ? "a whole number" : "a number",
                                                   argument->least, argument->most)
                                     : fmt::format("{} is a text.", argument->name));
    put(*argument, value, question);
  }
  if (const auto checked = checkQuestion(question); !checked) return tl::unexpected(checked.error());
  return question;
}

Json answerHead(const Question& question, const std::string& remark) {
  return {{"schema", kAnswerSchema},
          {"ask", kindOf(question.ask).name},
          {"file", question.file.empty() ? Json() : Json(validUtf8(question.file))},
          {"remark", remark.empty() ? Json() : Json(validUtf8(remark))},
          {"units",
           {{"names that end in _ns", "nanoseconds"},
            {"_bytes", "bytes"},
            {"_per_s", "the same per second"},
            {"share", "0 to 1"},
            {"others", "counts"},
            {"null", "not known; quality has the reason"}}}};
}

Json briefAnswerSchema() {
  const Json text{{"type", {"string", "null"}}};
  return {{"type", "object"},
          {"properties",
           {{"schema", {{"const", kAnswerSchema}}},
            {"ask", {{"type", "string"}}},
            {"file", text},
            {"remark", text},
            {"units", {{"type", "object"}}},
            {"quality", {{"type", "object"}}}}},
          {"required", {"schema", "ask", "file", "remark", "units", "quality"}}};
}

}  // namespace faultline
