// PresentMon's CSV as it comes from a running PresentMon, in the columns of 1.x, 2.0 and 2.4.
#include "core/join/presentmon_stream.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kPid = 4711;
constexpr double kTicks = 1e7;

// Present calls 10 ms and 30 ms after the tick 1 000 000 (100 ms).
const std::string kFirstRow =
    "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,"
    "msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,"
    "QPCTime\r\n"
    "game.exe,4711,0x1,DXGI,1,0,0,0.01,0.21,10.0,0,Composed: Flip,3.1,12.2,16.6,1100000\r\n"
    "game.exe,4711,0x1,DXGI,1,0,1,0.03,0.21,20.0,0,Composed: Flip,3.1,0,0,1300000\r\n";
const std::string kSecond =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,"
    "CPUStartQPC,FrameTime,CPUBusy,CPUWait\r\n"
    "game.exe,4711,0x1,DXGI,1,0,0,Composed: Flip,1000000,10.0,3.1,4.9\r\n"
    "game.exe,4711,0x1,DXGI,1,0,0,Composed: Flip,1100000,20.0,3.1,4.9\r\n";
const std::string kLater =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,"
    "TimeInQPC,MsBetweenSimulationStart,MsBetweenPresents,MsBetweenDisplayChange,CPUStartQPC,MsBetweenAppStart\r\n"
    "game.exe,4711,0x1,DXGI,0,512,1,Hardware: Independent Flip,1100000,NA,10.0,8.1,1000010,9.9\r\n"
    "game.exe,4711,0x1,DXGI,0,512,1,Hardware: Independent Flip,1300000,NA,20.0,NA,1100010,20.1\r\n";
const std::vector<FrameSpan> kFrames{{100ms, 10ms}, {110ms, 20ms}};

std::vector<FrameSpan> inPieces(const std::string& csv, std::size_t size) {
  PresentMonStream stream(kPid, kTicks);
  std::vector<FrameSpan> frames;
  for (std::size_t at = 0; at < csv.size(); at += size) REQUIRE(stream.feed(csv.substr(at, size), frames));
  CHECK(stream.begun());
  return frames;
}

std::string whyNot(const std::string& text) {
  PresentMonStream stream(kPid, kTicks);
  std::vector<FrameSpan> frames;
  const auto fed = stream.feed(text, frames);
  return fed ? "taken" : fed.error().message;
}

std::string rowOf(const char* chain, int ms, int pid = 4711) {
  return "game.exe," + std::to_string(pid) + "," + chain + ",DXGI,1,0,0,Composed: Flip," + std::to_string(ms * 10'000) +
         ",1.0,3.1,4.9\n";
}

}  // namespace

TEST_CASE("A running PresentMon's frames are read in the columns of each version, in pieces of any length") {
  for (const std::string& csv : {kFirstRow, kSecond, kLater})
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{100}, csv.size()})
      CHECK(inPieces(csv, size) == kFrames);
}

TEST_CASE("A row counts once its line has ended") {
  PresentMonStream stream(kPid, kTicks);
  std::vector<FrameSpan> frames;
  REQUIRE(stream.feed(kSecond.substr(0, kSecond.size() - 2), frames));
  CHECK(frames.size() == 1);
  REQUIRE(stream.feed("\n", frames));
  CHECK(frames == kFrames);
}

TEST_CASE("The swap chain with the most frames counts, until it ends and another goes on") {
  PresentMonStream stream(kPid, kTicks);
  std::vector<FrameSpan> frames;
  const std::string head = kSecond.substr(0, kSecond.find('\n') + 1);
  REQUIRE(stream.feed(head + rowOf("0xB", 1) + rowOf("0xA", 2) + rowOf("0xA", 3) + rowOf("0xC", 3, 99), frames));
  CHECK(frames.size() == 2);
  for (int ms = 4; ms < 100; ms += 2) REQUIRE(stream.feed(rowOf("0xB", ms) + rowOf("0xA", ms + 1), frames));
  CHECK(frames.size() == 2 + 48);
  frames.clear();
  for (int ms = 100; ms < 120; ++ms) REQUIRE(stream.feed(rowOf("0xB", ms), frames));
  CHECK(frames.size() == 11);
  CHECK(frames.back().start == 119ms);
}

TEST_CASE("Text that is not PresentMon's, and times of another clock, are refused with the remedy") {
  CHECK(whyNot("Usage: PresentMon\x1b [options]\n").starts_with("The program writes “Usage: PresentMon"));
  CHECK(whyNot("Usage\n").find("console program of PresentMon 1.x or 2.x") != std::string::npos);
  CHECK(whyNot("\r\n\n" + kSecond) == "taken");
  CHECK(whyNot(std::string(100'000, 'x')).starts_with("The program writes “xxx"));
  CHECK(whyNot(kSecond + std::string(100'000, 'x')).starts_with("The program writes “"));
  CHECK(whyNot("Application,ProcessID,TimeInSeconds,msBetweenPresents\ngame.exe,4711,0.5,16.0\n")
            .find("QueryPerformanceCounter") != std::string::npos);
}

TEST_CASE("A PresentMon that fails is told with its own words and the remedy") {
  const std::string denied = presentMonFailure(
      "C:\\PresentMon.exe", "ended with code 6",
      "warning: x\r\nerror: failed to start trace session: access denied.\r\n       PresentMon requires either ...");
  CHECK(
      denied.starts_with("PresentMon (C:\\PresentMon.exe) ended with code 6: error: failed to start trace session: "
                         "access denied. Windows lets members of the group \"Performance Log Users\""));
  CHECK(presentMonFailure("p", "ended with code 1", " \n").starts_with("PresentMon (p) ended with code 1. Run it"));
}

}  // namespace faultline::test
