// Frame times that other tools wrote: small files of each layout, whose truth is known, and hostile ones.
#include "core/join/frame_times.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/fixture.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

FrameTimes only(std::string_view text, std::optional<double> ticksPerSecond = {}) {
  const auto all = parseFrameTimes(text, ticksPerSecond);
  INFO((all ? "" : all.error().message));
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  return all->front();
}

const std::vector<FrameSpan> kThree{{8ms, 8ms}, {16ms, 16ms}, {32ms, 4ms}};

}  // namespace

TEST_CASE("PresentMon 1.x: a row ends with its call of Present") {
  const FrameTimes times = only(fixture("frame_times/presentmon_1.csv"));
  CHECK(times.tool == "PresentMon");
  CHECK(times.program == "game.exe");
  CHECK(times.pid == 4711);
  CHECK(times.clock == TimesClock::Log);
  CHECK(times.columns == "TimeInSeconds, msBetweenPresents");
  CHECK(times.leftOut == 0);
  CHECK_FALSE(times.sampled);
  CHECK(times.frames == kThree);
}

TEST_CASE("PresentMon 1.x with the performance counter is on the machine's clock, in ticks or seconds") {
  const std::string head = "ProcessID,msBetweenPresents,QPCTime\n";
  for (const char* rows : {"7,8,50000160000\n7,16,50000320000\n7,4,50000360000\n",  // 10 MHz
                           "7,8,5000.016\n7,16,5000.032\n7,4,5000.036\n",           // as --qpc_time_ms wrote it
                           "7,8,5000016\n7,16,5000032\n7,4,5000036\n"}) {           // and as it is called
    const FrameTimes times = only(head + rows);
    CHECK(times.clock == TimesClock::Counter);
    CHECK(times.columns == "QPCTime, msBetweenPresents");
    REQUIRE(times.frames.size() == 3);
    CHECK(times.frames[0] == FrameSpan{5000s + 8ms, 8ms});
    CHECK(times.frames[2] == FrameSpan{5000s + 32ms, 4ms});
  }
  const FrameTimes named = only(head + "7,8,48000024000\n7,16,48000072000\n7,4,48000084000\n", 3e6);
  CHECK(named.frames[1] == FrameSpan{16000s + 8ms, 16ms});
}

TEST_CASE("PresentMon 2.x: a row begins when the processor begins, with NA where nothing was measured") {
  const FrameTimes times = only(fixture("frame_times/presentmon_2.csv"));
  CHECK(times.pid == 4711);
  CHECK(times.columns == "CPUStartTime, FrameTime");
  CHECK(times.leftOut == 2);  // one without a time, one that the driver put in between
  CHECK(times.frames == kThree);
  const FrameTimes inMilliseconds = only("CPUStartTime,FrameTime,ProcessID\n8,8,1\n16,16,1\n32,4,1\n");
  CHECK(inMilliseconds.frames == kThree);
}

TEST_CASE("PresentMon 2.4 tells both; the calls of Present are taken") {
  const FrameTimes times = only(fixture("frame_times/presentmon_2_4.csv"));
  CHECK(times.columns == "TimeInSeconds, msBetweenPresents");
  CHECK(times.frames == kThree);
}

TEST_CASE("PresentMon with --date_time tells dates, which count from the log's first row") {
  for (const char* head : {"TimeInDateTime,msBetweenPresents,ProcessID\n", "CPUStartDateTime,FrameTime,ProcessID\n"}) {
    const FrameTimes times = only(std::string(head) +
                                  "2026-11-22 23:59:59.990000000,10,7\n2026-11-23 0:00:00.006000000,16,7\n"
                                  "not a date,4,7\n2026-11-23 0:00:00.010000500,4,7\n");
    CHECK(times.clock == TimesClock::Log);
    CHECK(times.leftOut == 1);
    REQUIRE(times.frames.size() == 3);
    CHECK(times.frames[1].start - times.frames[0].start == (head[0] == 'T' ? 10ms : 16ms));
    CHECK(times.frames[2].duration == 4ms);
    CHECK(times.frames[2].end() - times.frames[1].end() == (head[0] == 'T' ? 4ms + 500ns : -8ms + 500ns));
  }
}

TEST_CASE("Several processes and swap chains in one file are kept apart, the longest first") {
  const auto all = parseFrameTimes(
      "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents\r\n"
      "dwm.exe,9,0x1,0.016,16\r\ngame.exe,7,0x2,0.016,8\r\ngame.exe,7,0x2,0.032,16\r\n"
      "game.exe,7,0x3,0.033,1\r\ngame.exe,7,0x2,0.036,4\r\ndwm.exe,9,0x1,0.032,16");
  REQUIRE(all);
  REQUIRE(all->size() == 3);
  CHECK((*all)[0].program == "game.exe");
  CHECK((*all)[0].frames == kThree);
  CHECK((*all)[1].pid == 9);
  CHECK((*all)[1].frames.size() == 2);
  CHECK((*all)[2].frames.size() == 1);
}

TEST_CASE("MangoHud: a row ends when it was written; milliseconds since 0.6.9, microseconds before") {
  const FrameTimes now = only(fixture("frame_times/mangohud_0_8.csv"));
  CHECK(now.tool == "MangoHud");
  CHECK(now.clock == TimesClock::Log);
  CHECK_FALSE(now.namedAtEnd);
  CHECK_FALSE(now.sampled);
  CHECK(now.frames == kThree);
  const FrameTimes before = only(fixture("frame_times/mangohud_0_6.csv"));
  CHECK(before.namedAtEnd);
  CHECK(before.frames == kThree);
  const FrameTimes oldest = only("fps,frametime,elapsed\n125,8000,16000\n62.5,16000,32000\n250,4000,36000\n");
  CHECK(oldest.frames == kThree);
}

TEST_CASE("A MangoHud log with an interval tells only some of the frames, and that it does") {
  const FrameTimes times = only(
      "os,cpu\nDebian,A \"B\", 3,\nfps,frametime,elapsed\n60,16.7,100000000\n60,16.6,200000000\n60,16.7,300000000\n");
  CHECK(times.sampled);
  CHECK(times.frames.size() == 3);
}

TEST_CASE("What holds no frame times is a sentence") {
  for (const char* text : {"", "\xEF\xBB\xBF", "\n\n\n", "a,b,c\n1,2,3\n", "0.1% Min FPS,1% Min FPS\n1,2\n", ",,,,\n",
                           "ProcessID,TimeInSeconds\n1,2\n", "fps,frametime\n1,2\n", "\"", "\"\n\"\n,"}) {
    CAPTURE(text);
    const auto all = parseFrameTimes(text);
    REQUIRE_FALSE(all);
    CHECK(all.error().message.ends_with("."));
  }
}

TEST_CASE("Rows that cannot be true make no frame") {
  const FrameTimes times = only(
      "fps,frametime,elapsed\n125,8,16000000\n125,-8,16000000\n0,8,16000000\nnan,nan,nan\ninf,inf,inf\n1e308,1e308,"
      "1e308\n"
      "125,8\n125,8,16000000x\n62.5,16,32000000\n250,4,3600000");  // cut in the last number
  CHECK(times.leftOut == 7);
  REQUIRE(times.frames.size() == 3);
  CHECK(times.frames[0] == FrameSpan{-400us, 4ms});
  CHECK_FALSE(parseFrameTimes("ProcessID,TimeInSeconds,MsBetweenPresents\n1,1e300,5\n1,NA,NA\n1,2\n1,2,0\n1,2,3,4\n"));
  CHECK(only("ProcessID,QPCTime,MsBetweenPresents\n1,1e-300,5\n1,2e-300,1e300\n").leftOut == 1);
}

TEST_CASE("The local time in a file's name is found") {
  const Nanoseconds expected =
      std::chrono::sys_days(std::chrono::year(2026) / 11 / 21).time_since_epoch() + 22h + 15min + 3s;
  CHECK(localTimeInName("my_game_2026-11-21_22-15-03.csv") == expected);
  CHECK(localTimeInName("PresentMon-2026-11-21T221503-game.exe-4711.csv") == expected);
  CHECK(localTimeInName("2026-11-21 22:15:03") == expected);
  for (const char* none : {"", "game.csv", "g_2026-11-21.csv", "2026-13-21_22-15-03", "2026-11-21_25-15-03",
                           "2026-11-21_22-15-0", "0000-00-00_00-00-00"})
    CHECK_FALSE(localTimeInName(none));
}

}  // namespace faultline::test
