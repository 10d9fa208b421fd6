// Frame times of tools beside PresentMon and MangoHud; whose rows are left out and why; files that hold none.
#include <catch2/catch_test_macros.hpp>

#include "core/join/frame_times.h"
#include "core/join/times_text.h"
#include "tests/support/fixture.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

const std::vector<FrameSpan> kThreeFrames{{8ms, 8ms}, {16ms, 16ms}, {32ms, 4ms}};
const std::vector<FrameSpan> kThreeFromZero{{0ms, 8ms}, {8ms, 16ms}, {24ms, 4ms}};

std::vector<FrameTimes> allOf(std::string_view name, const std::string& bytes) {
  const auto text = timesText(name, bytes);
  INFO((text ? "" : text.error().message));
  REQUIRE(text);
  auto all = parseFrameTimes(*text);
  INFO((all ? "" : all.error().message));
  REQUIRE(all);
  return *std::move(all);
}

FrameTimes onlyOf(const std::string& name) {
  const auto all = allOf(name, fixture("frame_times/" + name));
  REQUIRE(all.size() == 1);
  CHECK(all.front().leftOut.total() == 0);
  return all.front();
}

std::string refusal(std::string_view name, const std::string& bytes) {
  const auto text = timesText(name, bytes);
  if (!text) return text.error().message;
  const auto all = parseFrameTimes(*text);
  REQUIRE_FALSE(all);
  return all.error().message;
}

std::string inUtf16(std::string_view ascii) {
  std::string bytes = "\xFF\xFE";
  for (const char c : ascii) bytes.append({c, '\0'});
  return bytes;
}

}  // namespace

TEST_CASE("CapFrameX: the runs of a capture file are told apart like swap chains") {
  const auto all = allOf("capframex.json", fixture("frame_times/capframex.json"));
  REQUIRE(all.size() == 2);
  CHECK(all[0].tool == "CapFrameX");
  CHECK(all[0].program == "game.exe");
  CHECK(all[0].swapChain == "1");
  CHECK(all[0].clock == TimesClock::Log);  // QPCTime is 0 in all rows
  CHECK(all[0].frames == kThreeFrames);
  CHECK(all[1].swapChain == "2");
  CHECK(all[1].frames.size() == 2);
}

TEST_CASE("CapFrameX's JSON with times of the performance counter is on the machine's clock") {
  const auto all =
      allOf("a.json", R"({"Runs":[{"CaptureData":{"QPCTime":[50000160000,50000320000],"TimeInSeconds":[1,2],)"
                      R"("MsBetweenPresents":[8,16]}}]})");
  CHECK(all.front().clock == TimesClock::Counter);
  CHECK(all.front().frames[1] == FrameSpan{5000s + 16ms, 16ms});
}

TEST_CASE("CapFrameX's JSON of several runs has sums of durations in place of times") {
  const auto all =
      allOf("a.json", R"({"Runs":[{"CaptureData":{"TimeInSeconds":[0,0.008,0.024],"MsBetweenPresents":[8,16,4]}}]})");
  CHECK(all.front().frames == kThreeFromZero);
}

TEST_CASE("CapFrameX's CSV begins with lines about the machine, and has the machine's clock beside the log's") {
  const FrameTimes times = onlyOf("capframex.csv");
  CHECK(times.pid == 4711);
  CHECK(times.headLine == 5);
  CHECK(times.clock == TimesClock::Counter);
  CHECK(times.columns == "CPUStartQPCTimeInMs, msBetweenAppStart");
  CHECK(times.frames[0] == FrameSpan{5000s + 8100us, 7900us});
  CHECK(times.frames[2] == FrameSpan{5000s + 32100us, 4ms});
  CHECK(times.frames[2].line == 8);
}

TEST_CASE("FrameView's rows end with a comma") {
  const FrameTimes times = onlyOf("frameview.csv");
  CHECK(times.tool == "FrameView");
  CHECK(times.frames == kThreeFrames);
}

TEST_CASE("Fraps has the time of each frame, so that the last one has no duration") {
  const FrameTimes times = onlyOf("fraps_frametimes.csv");
  CHECK(times.tool == "Fraps");
  CHECK(times.frames == kThreeFromZero);
}

TEST_CASE("Unreal's CSV profiler: columns may join while it runs, and stand at the end again") {
  const FrameTimes times = onlyOf("unreal.csv");
  CHECK(times.tool == "Unreal's CSV profiler");
  CHECK(times.frames == kThreeFromZero);
}

TEST_CASE("PresentMon writes dates into the columns of seconds with --v1_metrics --date_time") {
  const auto all = allOf("pm.csv",
                         "Application,ProcessID,TimeInSeconds,msInPresentAPI,msBetweenPresents\n"
                         "game.exe,7,2026-11-22 23:59:59.990000000,0.1,10\ngame.exe,7,2026-11-23 0:00:00.006,0.1,16\n");
  REQUIRE(all.front().frames.size() == 2);
  CHECK(all.front().frames[1].end() - all.front().frames[0].end() == 16ms);
}

TEST_CASE("UTF-16, as PowerShell writes what a program prints, is read") {
  const auto all = allOf("pm.csv", inUtf16(fixture("frame_times/presentmon_1.csv")));
  CHECK(all.front().frames == kThreeFrames);
  CHECK(refusal("pm.csv", inUtf16("a,b\r\n") + "x").ends_with("."));
}

TEST_CASE("Rows that are left out are counted by their reason, and the first one is told") {
  const auto all = allOf("pm.csv",
                         "Application,ProcessID,FrameType,TimeInSeconds,MsBetweenPresents,MsCPUBusy\r\n"
                         "game.exe,7,Application,0.016,8,1\r\n"
                         "game.exe,7,Application,0.016,NA,1\r\n"
                         "game.exe,7,Intel XeSS-FG,0.02,4,1\r\n"
                         "game.exe,7,Application,0.02,-4,1\r\n"
                         "game.exe,7,Application,0.02,4,1,1\r\n"
                         "game.exe,7,Application,0.02\r\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].frames.size() == 1);
  CHECK(all[0].leftOut.text() ==
        "5 rows hold no frame of the game: 2 with fewer or more fields than the columns, 1 without a number, 1 with a "
        "time out of range, 1 generated by the driver (the first: line 3, column msBetweenPresents: “NA” is no "
        "number).");
}

TEST_CASE("Rows of a process without a frame are counted, too") {
  const auto all = allOf("pm.csv", "ProcessID,TimeInSeconds,MsBetweenPresents\n7,0.016,8\n8,NA,8\n8,NA,8\n");
  REQUIRE(all.size() == 2);
  CHECK(all[1].pid == 8);
  CHECK(all[1].rows() == 2);
}

TEST_CASE("A log without a frame is refused by line and column") {
  CHECK(refusal("a.csv", "ProcessID,TimeInSeconds,MsBetweenPresents\n\n1,0.5,\"1,5\"\n") ==
        "has the right columns but no frames: line 3, column msBetweenPresents: “1,5” is no number.");
  CHECK(refusal("a.csv", "ProcessID,TimeInSeconds,MsBetweenPresents\n") ==
        "has the right columns but no frames: no row follows them.");
  CHECK(refusal("a.csv", "fps,frametime,elapsed\n60,nan,5\n").find("line 2, column frametime: “nan”") !=
        std::string::npos);
  CHECK(refusal("a.csv", "Frame, Time (ms)\n1,0\n2,-5\n").find("line 3, column Time (ms): “-5” is out of range") !=
        std::string::npos);
  CHECK(refusal("a.csv", "FrameTime,GameThreadTime\n1e300,1\n").find("line 2") != std::string::npos);
}

TEST_CASE("Files of known formats without frame times are named, with the remedy") {
  const std::string recording = "FAULTLINE\n123";
  for (const auto& [name, bytes, words] :
       {std::array<std::string, 3>{"Trace.ETL", "x", "PresentMon --etl_file"},
        {"a.hml", "x", "MSI Afterburner"},
        {"a.txt", "00, 22-11-2026 22:15:03, Hardware monitoring log v1.6 \r\n", "MSI Afterburner"},
        {"a.nsys-rep", "x", "Nsight Systems"},
        {"a.gpa_stream", "x", "Intel GPA"},
        {"a.utrace", "x", "csvprofile"},
        {"Profile.csv.bin", "x", "CsvConvert"},
        {"a.data", "x", "Unity"},
        {"a", recording, "TIMES come first"},
        {"a.csv", "frame,start_ns,duration_ns\n1,2,3\n", "TIMES come first"},
        {"a.gz", "\x1F\x8B\b", "compressed"},
        {"a", std::string("a\0b", 3), "no text"},
        {"a.csv", "TimeInSeconds;MsBetweenPresents\n0,1;8\n", "semicolons"},
        {"f.csv", "FPS\n60\n", "frametimes.csv"},
        {"a.csv", "0.1% Min FPS,1% Min FPS\n1,2\n", "summary"},
        {"a.json", "{\"traceEvents\":[]}", "no capture of CapFrameX"},
        {"a.json", "{\"Runs\":[{", "cut off"}}) {
    CAPTURE(name);
    const std::string message = refusal(name, bytes);
    CHECK(message.find(words) != std::string::npos);
    CHECK(message.ends_with("."));
  }
}

TEST_CASE("JSON of another shape than CapFrameX's is refused") {
  for (const char* text :
       {"[]", "{}", "[1]", "{\"Runs\":1}", "{\"Runs\":[1,null,{}]}", "{\"Runs\":[{\"CaptureData\":[]}]}",
        "{\"Runs\":[{\"CaptureData\":{\"TimeInSeconds\":[]}}]}", "{\"Info\":1,\"Runs\":[{\"CaptureData\":{}}]}",
        "{\"Runs\":[{\"CaptureData\":{\"TimeInSeconds\":[{},[]],\"MsBetweenPresents\":[1]}}]}",
        "{\"Runs\":[{\"CaptureData\":{\"TimeInSeconds\":[1],\"a\\n,\\\"b\":[1]}}]}"}) {
    CAPTURE(text);
    CHECK(refusal("a.json", text).ends_with("."));
  }
}

}  // namespace faultline::test
