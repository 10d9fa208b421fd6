// The verdict on a late frame, the share of memory in its lateness, and the words, of many made frames: all of one sum.
#include <fmt/format.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <vector>

#include "core/frames/files/formats.h"
#include "core/frames/tally.h"
#include "core/text/quantity.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

struct MadeGame {
  const char* name;
  Nanoseconds slot;  // of its display; 0: none
  Nanoseconds work;
  bool path;          // the watch follows the thread's waits
  bool timed = true;  // and measures faults
};

// One frame in eight has much of each: faults, giving back, waits for a processor and for other threads, work.
GameFrame made(const MadeGame& game, std::mt19937& random) {
  const auto upTo = [&](Nanoseconds most) { return Nanoseconds(random() % static_cast<std::uint32_t>(most.count())); };
  const auto part = [&](Nanoseconds usual, Nanoseconds most) { return upTo(random() % 8 == 0 ? most : usual); };
  const ThreadTime of{.inFaults = {part(200us, 12ms), 0ms, 0ms}, .waiting = part(300us, 25ms), .sleeping = 0ms};
  const Nanoseconds teardown = part(50us, 4ms);
  const Nanoseconds awaiting = part(100us, 9ms);
  const Nanoseconds busy = game.work + part(300us, 9ms) + of.faults() + teardown + of.waiting + awaiting;
  const Nanoseconds length = game.slot.count() > 0 ? game.slot * (busy / game.slot + 1) : busy;
  GameFrame frame;
  frame.duration = length;
  const auto faults = static_cast<std::uint64_t>(of.faults() / 1us);
  for (const FrameMetric metric : {FrameMetric::MinorFaults, FrameMetric::ThreadMinorFaults})
    frame.values.set(metric, faults);
  frame.values.setThreadTime(ThreadTime{.inFaults = game.timed ? of.inFaults : FaultTimeParts{},
                                        .waiting = of.waiting,
                                        .sleeping = length - busy + awaiting});
  if (game.timed) {
    frame.values.set(FrameMetric::FaultTime, of.faults());
    frame.values.set(FrameMetric::ThreadFaultTime, of.faults());
    frame.values.set(FrameMetric::ThreadTeardownTime, teardown);
  }
  if (!game.path) return frame;
  frame.values.set(FrameMetric::ThreadAwaiting, awaiting);
  frame.values.set(FrameMetric::ThreadAwaitedFaultTime, upTo(awaiting + 1ns));
  frame.values.set(FrameMetric::ThreadAwaitedTeardownTime, 0ns);
  return frame;
}

std::vector<JudgedFrame> judged(const MadeGame& game, std::uint32_t seed) {
  std::mt19937 random(seed);
  FrameJudge judge({.nsPerFault = 1000});
  std::vector<JudgedFrame> frames;
  for (std::uint64_t number = 1; number <= 400; ++number) {
    GameFrame frame = made(game, random);
    frame.number = number;
    const FrameVerdict verdict = judge.judge(frame);
    frames.push_back({frame, verdict});
  }
  return frames;
}

std::string exported(const std::vector<JudgedFrame>& frames, const std::unique_ptr<FrameExporter>& exporter) {
  std::string out;
  exporter->begin({WatchedGame{}, "1.2.3"}, out);
  for (const JudgedFrame& one : frames) exporter->add({one.frame, one.verdict, {}, nullptr, {}}, out);
  exporter->end(out);
  return out;
}

// Of the row of CSV, "" where empty.
std::string cell(const std::string& head, const std::string& row, const std::string& column) {
  std::istringstream names(head);
  std::istringstream cells(row);
  std::string value;
  for (std::string name; std::getline(names, name, ',');) {
    std::getline(cells, value, ',');
    if (name == column) return value;
  }
  FAIL("no column " << column);
  return {};
}

constexpr std::array<MadeGame, 6> kMadeGames{{{"slots", 16'667us, 6ms, true},
                                              {"slots, nearly full", 16'667us, 15ms, true},
                                              {"free", 0ms, 12ms, true},
                                              {"free and slow", 0ms, 30ms, true},
                                              {"fast", 0ms, 3ms, false},
                                              {"faults without times", 0ms, 12ms, false, false}}};

}  // namespace

TEST_CASE("A late frame's verdict, share and words are of one sum, in terminal, JSON and CSV") {
  int byWaits = 0;
  int without = 0;
  for (const MadeGame& game : kMadeGames) {
    const auto frames = judged(game, 7);
    const auto document = nlohmann::json::parse(exported(frames, jsonFrames()));
    std::istringstream rows(exported(frames, csvFrames()));
    std::string head;
    std::getline(rows, head);
    int blamed = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      std::string row;
      std::getline(rows, row);
      const auto& json = document["frames"][i];
      const std::string words = frameText(frames[i]);
      const auto column = [&](const char* name) {
        const std::string value = cell(head, row, name);
        REQUIRE(value.empty() == json[name].is_null());
        if (!value.empty()) REQUIRE(std::abs(std::stod(value) - json[name].get<double>()) < 1e-6);
        return value;
      };
      if (!frames[i].verdict.late) continue;
      CAPTURE(game.name, words, row);
      REQUIRE(column("late") == "1");
      const bool byMemory = column("late_by_faults") == "1" || column("late_by_teardown") == "1";
      const std::string share = column("explained_with_waits_share");
      const std::string alone = column("explained_share");
      REQUIRE(share.empty() == alone.empty());
      REQUIRE((!byMemory || !share.empty()));
      if (share.empty()) continue;
      blamed += byMemory ? 1 : 0;
      const bool most = std::stod(share) >= 0.5 - 1e-6;
      const bool open = column("late_by_faults").empty();
      const bool lateToo = words.find(", but late without them, too") != std::string::npos;
      const bool waits = words.find(" and the waits for a processor that came with th") != std::string::npos;
      const std::string told = formatPercent(frames[i].verdict.explainedWithWaits().value());
      REQUIRE(words.find(", " + told + " of it by ") != std::string::npos);
      REQUIRE(std::stod(share) >= std::stod(alone) - 1e-6);
      REQUIRE(waits == (told != formatPercent(frames[i].verdict.explained.value())));
      REQUIRE((byMemory ? most && !lateToo : open || most == lateToo));
      byWaits += byMemory && std::stod(alone) < 0.5 ? 1 : 0;
      without += lateToo ? 1 : 0;
    }
    CAPTURE(game.name);
    CHECK(blamed > 10);
  }
  CHECK(byWaits > 10);
  CHECK(without > 10);
}

}  // namespace faultline::test
