#include "platform/host/answers.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

Result<std::string> twice(std::string_view question) {
  if (question.empty()) return fail("Nothing is asked.");
  return std::string(question) + std::string(question);
}

}  // namespace

TEST_CASE("A question is answered by a program of the same user on Windows, or refused with its sentence") {
  CHECK(askRunning("ab").error().message.starts_with("No Faultline"));
  {
    const auto server = AnswerServer::start("serve", twice);
    REQUIRE(server);
    for (int i = 0; i < 20; ++i) CHECK(askRunning("ab").value() == "abab");
    CHECK(askRunning("").error().message == "Nothing is asked.");
    CHECK(askRunning(std::string(300, 'x')).error().message.starts_with("No Faultline"));  // too long a question
    CHECK_FALSE(AnswerServer::start("serve", twice));
    const auto tray = AnswerServer::start("tray", [](auto) { return Result<std::string>("tray"); });
    REQUIRE(tray);
    CHECK(askRunning("ab").value() == "tray");
  }
  CHECK_FALSE(askRunning("ab"));
}

TEST_CASE("A long answer comes whole on Windows to whoever allows its length and time") {
  const std::string text(std::size_t{20} << 20U, 'a');
  const auto slow = AnswerServer::start("tray", [&](auto) {
    std::this_thread::sleep_for(600ms);
    return Result<std::string>(text);
  });
  REQUIRE(slow);
  CHECK(askRunning("all", {.within = 1min, .bytes = text.size() + 1}).value() == text);
  CHECK_FALSE(askRunning("all", {.within = 1min, .bytes = 1000}));
  CHECK_FALSE(askRunning("all", {.within = 50ms, .bytes = text.size() + 1}));
}

TEST_CASE("Several programs ask at once on Windows, and each has its answer") {
  const auto server = AnswerServer::start("tray", twice);
  REQUIRE(server);
  std::array<std::string, 8> answers;
  {
    std::array<std::jthread, 8> asking;
    for (std::size_t i = 0; i < asking.size(); ++i)
      asking[i] =
          std::jthread([&, i] { answers[i] = askRunning(std::to_string(i), {.within = 20s}).value_or("none"); });
  }
  for (std::size_t i = 0; i < answers.size(); ++i) CHECK(answers[i] == std::to_string(i) + std::to_string(i));
}
