#include "core/query/question.h"

#include <catch2/catch_test_macros.hpp>

#include "core/query/schema.h"

using namespace faultline;
using nlohmann::json;

namespace {

Result<Question> parsed(std::string_view name, const char* arguments) {
  return questionFrom(*questionNamed(name), json::parse(arguments));
}

}  // namespace

TEST_CASE("A question takes its arguments in their units") {
  const auto frames = parsed("frames", R"({"file": "a", "from_s": 0.5, "to_s": 3, "top": 7, "budget_ms": 8.3})");
  REQUIRE(frames);
  CHECK(frames->ask == Ask::Frames);
  CHECK(frames->file == "a");
  CHECK(frames->from == std::chrono::milliseconds(500));
  CHECK(frames->to == std::chrono::seconds(3));
  CHECK(frames->top == 7);
  CHECK(frames->budget == std::chrono::microseconds(8300));
  const auto frame = parsed("frame", R"({"file": "a", "frame": 412.0})");
  REQUIRE(frame);
  CHECK(frame->frame == 412);
  const auto none = parsed("summary", "{}");
  REQUIRE(none);
  CHECK(none->file.empty());
  CHECK(none->measure == std::chrono::seconds(2));
}

TEST_CASE("An argument of another type, range or question is an error that names it") {
  const auto why = [](std::string_view name, const char* arguments) {
    const auto question = parsed(name, arguments);
    return question ? std::string() : question.error().message;
  };
  CHECK(why("summary", R"({"top": 3})") == "summary has no argument 'top'.");
  CHECK(why("summary", R"({"a\u0000": 3})") == "summary has no argument 'a\\x00'.");
  CHECK(why("frames", R"({"file": 3})") == "file is a text.");
  CHECK(why("frames", R"({"file": "a", "top": 1001})") == "top is a whole number from 1 to 1000.");
  CHECK(why("frames", R"({"file": "a", "top": true})") == "top is a whole number from 1 to 1000.");
  CHECK(why("frames", R"({"file": "a", "from_s": -1})").starts_with("from_s is a number from 0 to "));
  CHECK(why("processes", R"({"by": "thread"})") == "processes can be asked by process, program, service.");
  CHECK(why("processes", R"({"metric": "x"})").starts_with("There is no metric of this name. The metrics are minor_"));
  CHECK(why("frames", "{}").find("frames --record") != std::string::npos);
  CHECK(why("frame", R"({"file": "a"})") == "Name the frame by its number.");
  CHECK(why("spikes", R"({"from_s": 2, "to_s": 1})").find("earlier") != std::string::npos);
  CHECK(why("spikes", "[]") == "The arguments are an object.");
}

TEST_CASE("Each question has a schema of its arguments and of its answer") {
  const auto schemas = questionSchemas();
  CHECK(schemas["schema"] == kAnswerSchema);
  CHECK(schemas["questions"].size() == kQuestions.size());
  for (const QuestionKind& kind : kQuestions) {
    CAPTURE(kind.name);
    const auto& question = schemas["questions"][std::string(kind.name)];
    for (const auto& [name, property] : question["arguments"]["properties"].items()) {
      CAPTURE(name);
      CHECK_FALSE(property["description"].get<std::string>().empty());
    }
    CHECK(question["arguments"]["properties"].contains("by") == !kind.by[0].empty());
    const auto& answer = question["answer"];
    CHECK(answer["properties"]["ask"]["const"] == kind.name);
    for (const char* const name : {"schema", "ask", "file", "remark", "units", "quality"})
      CHECK(answer["properties"].contains(name));
    CHECK(answer.dump().find("\"optional\"") == std::string::npos);
  }
  const auto& row = schemas["questions"]["frame"]["answer"]["properties"]["frames"]["items"]["properties"];
  CHECK(row["zeroed_bytes"]["type"] == json({"integer", "null"}));
}
