// Frames that PresentMon tells: the built programs, before a fake PresentMon and a known count of page faults.
#include <windows.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

#include "app/cli/text/exit_code.h"
#include "core/base/file_name.h"
#include "core/frames/files/recorded_frames.h"
#include "platform/host/child_process.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"
#include "platform/system/windows/unique_handle.h"
#include "tests/app/cli/outcome_windows.h"

using namespace faultline;
using test::bytesOf;
using test::finished;
using test::Outcome;
using namespace std::chrono_literals;

namespace {

void kill(DWORD pid) {
  const UniqueHandle process(::OpenProcess(PROCESS_TERMINATE, FALSE, pid));
  REQUIRE(::TerminateProcess(process.get(), 1) != 0);
}

ChildProcess startGame() {
  auto started = ChildProcess::start({.program = executableFolder() / "child_windows.exe",
                                      .arguments = {"sleep"},
                                      .output = ChildStream::Pipe,
                                      .errors = ChildStream::Inherit,
                                      .quietInput = true});
  REQUIRE(started);
  return std::move(*started);
}

// A game without marks, that runs until it is killed.
struct Game {
  ChildProcess child = startGame();
};

struct GameFolder : test::FilesFolder {
  std::filesystem::path csv = path / "frames.csv";
  std::filesystem::path pid = path / "pid";
};

ChildProcess watch(const GameFolder& folder, const Game& game, const char* plays, const char* duration,
                   const char* stacks = "spikes") {
  ::_putenv_s("FAULTLINE_FAKE_PRESENTMON", plays);
  ::_putenv_s("FAULTLINE_FAKE_PID", nameInUtf8(folder.pid).c_str());
  auto child = ChildProcess::start(
      {.program = executableFolder() / "faultline-cli.exe",
       .arguments = {"--collector", nameInUtf8(executableFolder() / "counting_collector.exe"), "frames", "--presentmon",
                     nameInUtf8(executableFolder() / "fake_presentmon.exe"), "--csv", nameInUtf8(folder.csv),
                     "--duration", duration, "--stacks", stacks, std::to_string(game.child.pid())},
       .output = ChildStream::Pipe,
       .errors = ChildStream::Pipe,
       .quietInput = true});
  REQUIRE(child);
  return std::move(*child);
}

bool runs(DWORD pid) {
  const UniqueHandle process(::OpenProcess(SYNCHRONIZE, FALSE, pid));
  return process && ::WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

std::vector<GameFrame> framesIn(const std::filesystem::path& csv) {
  std::ifstream file(csv, std::ios::binary);
  auto read = readRecordedFrames(file, std::nullopt);
  REQUIRE(read);
  return std::move(read->slots);
}

}  // namespace

TEST_CASE(
    "frames joins the frames that PresentMon tells with the count of page faults, in the columns of 1.x and 2.x") {
  for (const char* version : {"1", "2"}) {
    CAPTURE(version);
    const GameFolder folder;
    const Game game;
    const Outcome outcome = finished(watch(folder, game, version, "2s"));
    INFO(outcome.output << outcome.errors);
    CHECK(outcome.code == 0);
    CHECK(outcome.output.find(" by PresentMon. Their faults are estimated: ") != std::string::npos);
    const auto frames = framesIn(folder.csv);
    REQUIRE(frames.size() >= 10);
    std::uint64_t faults = 0;
    Nanoseconds lasted{0};
    for (const GameFrame& frame : frames) {
      CHECK_FALSE(frame.values.majorFaults());
      CHECK(frame.duration % 10ms < 1us);
      faults += frame.values.minorFaults();
      lasted += frame.duration;
    }
    const auto expected = static_cast<std::uint64_t>(lasted / 100us);  // ten faults in each millisecond
    CHECK(faults + expected / 10 > expected);
    CHECK(faults < expected + expected / 10);
    CHECK_FALSE(runs(std::stoul(bytesOf(folder.pid))));
  }
}

TEST_CASE("Each fault of a game has its code's function, once every fault is asked for, and that is said first") {
  const GameFolder folder;
  const Game game;
  ::_putenv_s("FAULTLINE_FAKE_BURSTS", "1");
  const Outcome outcome = finished(watch(folder, game, "2", "3s", "all"));
  ::_putenv_s("FAULTLINE_FAKE_BURSTS", "");
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.code == 0);
  CHECK(outcome.errors.find("Windows notes every page fault of this process from now on, until the process ends") == 0);
  CHECK(bytesOf(folder.csv).find("GetTickCount64") != std::string::npos);
  const Outcome unasked = finished(watch(folder, game, "2", "2s"));
  CHECK(unasked.errors.find("Windows notes every page fault") == std::string::npos);
}

TEST_CASE("The watch by PresentMon ends with the game") {
  const GameFolder folder;
  const Game game;
  ChildProcess cli = watch(folder, game, "2", "1000s");
  for (int i = 0; i < 2000 && bytesOf(folder.csv).size() < 3000; ++i) ::Sleep(10);
  kill(game.child.pid());
  const Outcome outcome = finished(std::move(cli));
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.code == 0);
  CHECK(framesIn(folder.csv).size() >= 2);
}

TEST_CASE("PresentMon does not outlive a collector that is killed") {
  const GameFolder folder;
  const Game game;
  ChildProcess cli = watch(folder, game, "2", "1000s");
  for (int i = 0; i < 2000 && bytesOf(folder.csv).size() < 3000; ++i) ::Sleep(10);
  const DWORD pid = std::stoul(bytesOf(folder.pid));
  REQUIRE(runs(pid));
  const auto children = descendantsOf(cli.pid());
  const auto collector = std::ranges::find_if(
      children, [](std::uint32_t child) { return nameProcess(child).starts_with("counting_collector"); });
  INFO([&] {
    std::string all;
    for (const std::uint32_t child : children) all += nameProcess(child) + " ";
    return all;
  }());
  REQUIRE(collector != children.end());
  kill(*collector);
  for (int i = 0; i < 2000 && runs(pid); ++i) ::Sleep(10);
  CHECK_FALSE(runs(pid));
  CHECK(finished(std::move(cli)).code == ExitCode::kFailure);
}

TEST_CASE("A PresentMon that fails, breaks or is another program is told with the remedy") {
  const GameFolder folder;
  const Game game;
  const auto said = [&](const char* plays) {
    const Outcome outcome = finished(watch(folder, game, plays, "20s"));
    CHECK(outcome.code == ExitCode::kFailure);
    return outcome.errors;
  };
  const std::string denied = said("denied");
  INFO(denied);
  CHECK(denied.find("ended with code 6: error: failed to start trace session: access denied. Windows") !=
        std::string::npos);
  CHECK(denied.find("Performance Log Users") != std::string::npos);
  CHECK(
      said("garbage").find("cannot be read. The program writes “Directory of C:\\” in place of PresentMon's columns") !=
      std::string::npos);
  const std::string broken = said("breaks");
  INFO(broken);
  CHECK(broken.find("ended with code 3: error: lost the trace session. Run it by hand") != std::string::npos);
}
