#include "platform/host/signals.h"

#include <windows.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "platform/host/programs.h"
#include "platform/host/terminal.h"
#include "platform/system/windows/stop_event.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("A stop request is reported once") {
  auto signals = Signals::listen();
  REQUIRE(signals);
  CHECK(waitAny(std::array{signals->ready()}, 0s) == 0);
  CHECK_FALSE(signals->next());
  REQUIRE(askToStop(::GetCurrentProcessId()));
  CHECK(waitAny(std::array{signals->ready()}, 0s) == 1);
  CHECK(signals->next() == Signal::Terminate);
  CHECK_FALSE(signals->next());
  CHECK(waitAny(std::array{signals->ready()}, 0s) == 0);
}

TEST_CASE("askToStop() fails for a process without a stop event") {
  CHECK_FALSE(askToStop(0));
}

TEST_CASE("A file is not a terminal") {
  if (isTerminal(StandardStream::Output)) return;  // somebody watches
  CHECK_FALSE(terminalSize(StandardStream::Output));
  CHECK(terminalIsDumb());
}

TEST_CASE("programArguments() starts with the program's name") {
  const auto words = programArguments(0, nullptr);
  REQUIRE_FALSE(words.empty());
  CHECK(words.front().find("test_platform") != std::string::npos);
}
