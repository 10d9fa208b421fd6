#include "core/query/mcp.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <sstream>

using namespace faultline;
using nlohmann::json;

namespace {

struct Asked {
  std::optional<Question> last;
  McpServer server{{.answer = [this](const Question& question) -> Result<std::string> {
                      last = question;
                      if (question.file == "missing") return fail("There is no \xff.");
                      return R"({"schema":1,"big":18446744073709551615})";
                    },
                    .recordings = [] { return nlohmann::ordered_json{{"files", nlohmann::ordered_json::array()}}; }},
                   "1.2.3"};

  json ask(const std::string& text) {
    const std::string answer = server.take({.text = text, .tooLong = false});
    CHECK(answer.find('\n') == std::string::npos);
    return answer.empty() ? json() : json::parse(answer);
  }
  json initialize(const std::string& version) {
    return ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + version + "\"}}");
  }
};

constexpr const char* kMissing =
    R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"summary","arguments":{"file":"missing"}}})";

}  // namespace

TEST_CASE("A client gets the version that it asks for, or else the newest") {
  Asked asked;
  CHECK(asked.initialize("2024-11-05")["result"]["protocolVersion"] == "2024-11-05");
  CHECK(asked.initialize("2030-01-01")["result"]["protocolVersion"] == "2025-06-18");
  CHECK(asked.initialize("2025-03-26")["result"]["serverInfo"] == json{{"name", "faultline"}, {"version", "1.2.3"}});
}

TEST_CASE("A tool's answer is text, and structured for clients that read that") {
  Asked asked;
  const std::string call =
      R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"spikes","arguments":{"top":3}}})";
  json answer = asked.ask(call);
  REQUIRE(asked.last);
  CHECK(asked.last->ask == Ask::Spikes);
  CHECK(asked.last->top == 3);
  CHECK(answer["id"] == "a");
  CHECK(answer["result"]["content"][0]["text"] == R"({"schema":1,"big":18446744073709551615})");
  CHECK_FALSE(answer["result"].contains("structuredContent"));
  asked.initialize("2025-06-18");
  answer = asked.ask(call);
  CHECK(answer["result"]["structuredContent"]["big"] == 18446744073709551615U);
  CHECK(answer["result"]["isError"] == false);
}

TEST_CASE("Why a tool has no answer is told as its text, in valid UTF-8") {
  Asked asked;
  asked.initialize("2025-06-18");
  const json answer = asked.ask(kMissing);
  CHECK(answer["result"]["isError"] == true);
  CHECK(answer["result"]["content"][0]["text"] == "There is no \\xff.");
  CHECK_FALSE(answer["result"].contains("structuredContent"));
}

TEST_CASE("A tool that is not called right is not asked") {
  Asked asked;
  for (const char* const params : {R"({"name":"frame","arguments":{}})", R"({"name":"none"})", R"({"name":[]})", "{}",
                                   R"({"name":"summary","arguments":7})", "[]"}) {
    const auto answer =
        asked.ask(std::string(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)") + params + "}");
    CHECK(answer["error"]["code"] == -32602);
    CHECK_FALSE(asked.last);
  }
}

TEST_CASE("Brackets inside texts are not depth, and depth has an end") {
  Asked asked;
  const std::string brackets(1000, '[');
  CHECK(asked.ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\"\\)" + brackets + "\"}}")["result"]
            .empty());
  CHECK(asked.ask(brackets)["error"]["code"] == -32700);
  const std::string deep(kDeepestMessage - 2, '[');
  const std::string closed(kDeepestMessage - 2, ']');
  CHECK(
      asked.ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)" + deep + closed + "}}").contains("result"));
  CHECK(asked.ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[)" + deep + closed + "]}}")
            .contains("error"));
}

TEST_CASE("Notifications and answers of the client get no answer") {
  Asked asked;
  for (const char* const text : {"", " \r", R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"summary"}})",
                                 R"({"jsonrpc":"2.0","id":1,"error":{}})"})
    CHECK(asked.ask(text).is_null());
  CHECK_FALSE(asked.last);
}

TEST_CASE("Lines are read up to their longest, and the rest of a longer one is skipped") {
  std::stringbuf in("ab\nabcd\nabcde\n\nx");
  std::vector<std::string> read;
  std::vector<bool> tooLong;
  while (const auto line = readMcpLine(in, 4)) {
    read.push_back(line->text);
    tooLong.push_back(line->tooLong);
  }
  CHECK(read == std::vector<std::string>{"ab", "abcd", "", "", "x"});
  CHECK(tooLong == std::vector<bool>{false, false, true, false, false});
  Asked asked;
  CHECK(json::parse(asked.server.take({.text = {}, .tooLong = true}))["error"]["code"] == -32600);
}
