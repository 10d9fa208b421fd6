#include "core/frames/game_session.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "core/frames/session_numbers.h"
#include "tests/support/some_samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// Frames of 10 ms; frame N starts at N times 10 ms. Frames with 5 ms in faults are flagged.
GameFrame numbered(std::uint64_t number, bool hurt) {
  GameFrame frame;
  frame.number = number;
  frame.start = {static_cast<std::int64_t>(number) * 10ms};
  frame.duration = 10ms;
  frame.values.set(FrameMetric::MinorFaults, 16);
  frame.values.set(FrameMetric::FaultTime, hurt ? 5ms : 10us);
  return frame;
}

struct Game {
  GameSession session;

  explicit Game(StackReader* reader = nullptr, std::size_t bytes = GameSession::kSampleBytes,
                const GameSession* before = nullptr)
      : session(FrameRules{}, reader, bytes, before) {
    Hello hello;
    hello.watched.emplace().by = FrameEnd::OwnMarks;
    REQUIRE(session.take(StreamEvent(hello)));
  }
  void take(std::vector<GameFrame> frames) {
    const GameFrameBatch batch{.lost = 0, .invalidMarks = 0, .state = GameState::Running, .frames = std::move(frames)};
    REQUIRE(session.take(StreamEvent(&batch)));
  }
  void frames(std::vector<GameFrame> frames) {
    take(std::move(frames));
    session.finish();
  }
  void samples(std::vector<FaultSample> samples) {
    const FaultSampleBatch batch{.lost = 0, .samples = std::move(samples)};
    REQUIRE(session.take(StreamEvent(&batch)));
  }
};

std::uint64_t weightOf(std::span<const FaultSample> samples) {
  return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const FaultSample& sample) { return sum + sample.weight; });
}

}  // namespace

TEST_CASE("Samples belong to the frame that contains their time, whether they arrive before or after it") {
  FakeStackReader reader;
  Game game(&reader);
  game.samples({sampleAt(5ms), sampleAt(27ms), sampleAt(20ms), sampleAt(30ms)});
  CHECK(reader.noticed == 4);
  game.frames({numbered(1, true), numbered(2, true)});
  CHECK(game.session.samplesOf(1).empty());
  REQUIRE(game.session.samplesOf(2).size() == 2);
  game.samples({sampleAt(22ms), sampleAt(15ms), sampleAt(31ms)});
  game.frames({numbered(3, true)});
  REQUIRE(game.session.samplesOf(1).size() == 1);
  CHECK(game.session.samplesOf(3).size() == 2);
  const auto second = game.session.samplesOf(2);
  REQUIRE(second.size() == 3);
  CHECK(second[0].time.sinceEpoch == 20ms);
  CHECK(second[1].time.sinceEpoch == 22ms);
  CHECK(second[2].time.sinceEpoch == 27ms);
  CHECK(game.session.totals().samples == 7);
}

TEST_CASE("Samples are kept only for flagged frames") {
  Game game;
  game.samples({sampleAt(11ms), sampleAt(21ms)});
  game.frames({numbered(1, false), numbered(2, true)});
  game.samples({sampleAt(12ms)});
  CHECK(game.session.samplesOf(1).empty());
  CHECK(game.session.samplesOf(2).size() == 1);
  CHECK(game.session.samplesOf(3).empty());
}

TEST_CASE("If memory is short, samples stand for their neighbours, in the worst frames last") {
  Game game(nullptr, 100'000);
  for (std::uint64_t number = 1; number <= 30; ++number) {
    std::vector<FaultSample> samples;
    samples.reserve(40);
    for (int i = 0; i < 40; ++i) samples.push_back(sampleAt(static_cast<std::int64_t>(number) * 10ms + 1ms));
    game.samples(samples);
    GameFrame hurt = numbered(number, true);
    if (number == 4) hurt.values.set(FrameMetric::FaultTime, 9ms);
    game.frames({hurt});
  }
  CHECK(game.session.samplesOf(4).size() == 40);
  CHECK(game.session.samplesOf(15).size() < 40);
  for (std::uint64_t number = 1; number <= 30; ++number) CHECK(weightOf(game.session.samplesOf(number)) == 40);
  CHECK(game.session.totals().evidence.frames == 30);
  CHECK(game.session.totals().evidence.leftOut == 0);
  CHECK(game.session.totals().evidence.merged > 0);
}

TEST_CASE("Frames whose samples find no room are counted, with their faults") {
  Game game(nullptr, 100'000);
  for (std::uint64_t number = 1; number <= 1000; ++number) {
    game.samples(
        {sampleAt(static_cast<std::int64_t>(number) * 10ms), sampleAt(static_cast<std::int64_t>(number) * 10ms)});
    GameFrame hurt = numbered(number, number % 10 != 0);
    if (number == 4) hurt.values.set(FrameMetric::FaultTime, 9ms);
    game.frames({hurt});
  }
  CHECK(weightOf(game.session.samplesOf(4)) == 2);
  std::uint64_t kept = 0;
  for (std::uint64_t number = 1; number <= 1000; ++number) kept += game.session.samplesOf(number).empty() ? 0 : 1;
  const SampleEvidence& evidence = game.session.totals().evidence;
  CHECK(kept > 2);
  CHECK(evidence.frames == 900);
  CHECK(evidence.withSamples == 900);
  CHECK(evidence.leftOut == 900 - kept);
  CHECK(evidence.faultsLeftOut == 2 * evidence.leftOut);
  CHECK(evidenceText(evidence) == "Culprits of " + std::to_string(kept) + " of 900 frames hit by faults; " +
                                      std::to_string(900 - kept) + " left out to save memory.");
}

TEST_CASE("Samples that have been used make room for others, and are no loss") {
  Game game(nullptr, 100'000);
  for (std::uint64_t number = 1; number <= 1000; ++number) {
    game.samples(
        {sampleAt(static_cast<std::int64_t>(number) * 10ms), sampleAt(static_cast<std::int64_t>(number) * 10ms)});
    game.frames({numbered(number, true)});
    REQUIRE(weightOf(game.session.samplesOf(number)) == 2);
    game.session.setUsed(number);
  }
  CHECK(evidenceText(game.session.totals().evidence).empty());
  game.samples({sampleAt(10'005ms)});
  CHECK(evidenceText(game.session.totals().evidence) ==
        "1 single faults came after the culprits of their frame had been found.");
}

TEST_CASE("Frames without a sampled fault are told") {
  Game game;
  game.samples({sampleAt(10ms)});
  game.frames({numbered(1, true), numbered(2, true), numbered(3, true)});
  CHECK(evidenceText(game.session.totals().evidence) ==
        "Culprits of 1 of 3 frames hit by faults; 2 without a sampled fault in time.");
  game.samples({sampleAt(20ms), sampleAt(30ms)});
  CHECK(evidenceText(game.session.totals().evidence).empty());
}

TEST_CASE("Ten minutes of every fault with its stack keep each frame within the memory", "[slow]") {
  constexpr std::size_t kBytes = std::size_t{64} << 20U;  // as the terminal has it
  SampleKeeper keeper(kBytes);
  std::size_t most = 0;
  FaultSample sample = sampleAt(0ms);
  sample.registers.assign(17, 0);
  for (std::uint64_t number = 1; number <= 6000; ++number) {
    for (std::uint64_t i = 0; i < 400; ++i) {
      sample.time = {static_cast<std::int64_t>(number) * 10ms + static_cast<std::int64_t>(i) * 10us};
      sample.address = (number * 400 + i) << 12U;
      sample.registers[5] = sample.address;
      sample.stack.assign(2048, std::byte(number));  // of a loop that is called once in a frame
      keeper.add(sample);
    }
    JudgedFrame judged{numbered(number, true), {}};
    judged.verdict.costly = true;
    keeper.add(judged);
    most = std::max(most, keeper.bytes());
  }
  CHECK(most < kBytes);
  for (std::uint64_t number = 1; number <= 6000; ++number) REQUIRE(weightOf(keeper.of(number)) == 400);
  CHECK(keeper.evidence().leftOut == 0);
}

TEST_CASE("A frame with too many samples keeps some of them, with all faults and threads") {
  Game game(nullptr, 200'000);
  for (int i = 0; i < 4096; ++i) {
    FaultSample sample = sampleAt(10ms + i * 1us, static_cast<std::uint64_t>(i));
    sample.thread = i % 2 == 0 ? 1 : 2;
    game.samples({sample});
  }
  game.frames({numbered(1, true)});
  const auto samples = game.session.samplesOf(1);
  CHECK(samples.size() < 2000);
  CHECK(weightOf(samples) == 4096);
  std::uint64_t first = 0;
  for (const FaultSample& sample : samples) first += sample.thread == 1 ? sample.weight : 0;
  CHECK(first > 1500);
  CHECK(first < 2600);
  game.samples({sampleAt(21ms), sampleAt(22ms)});
  game.frames({numbered(2, true)});
  CHECK(game.session.samplesOf(2).size() == 2);  // none was dropped
}

TEST_CASE("Memory touched again is detected with the samples of earlier frames") {
  Game game;
  const auto judgedAs = [](std::uint64_t number) { return JudgedFrame{numbered(number, true), {}}; };
  game.samples({sampleAt(11ms, 5), sampleAt(21ms, 5), sampleAt(22ms, 6)});
  game.frames({numbered(1, true), numbered(2, true)});
  const auto kindsOf = [&](std::uint64_t number) {
    return findCulprits(game.session.searchFor(judgedAs(number), nullptr), game.session.samplesOf(number), 100).kinds;
  };
  REQUIRE(kindsOf(1).size() == 1);
  CHECK(kindsOf(1)[0].name == faultKindName(FaultKind::FirstTouch));
  CHECK(kindsOf(2).size() == 2);
  CHECK(game.session.searchFor(judgedAs(3), nullptr).found().samples == 0);
}

TEST_CASE("Late samples of a full frame are counted") {
  Game game(nullptr, 40'000);
  game.frames({numbered(1, true), numbered(2, false)});
  for (int i = 0; i < 1000; ++i) game.samples({sampleAt(10ms + i * 1us)});
  CHECK(game.session.samplesOf(1).size() < 400);
  CHECK(weightOf(game.session.samplesOf(1)) == 1000);
}

TEST_CASE("Judged frames are returned once; a further Hello updates the watched game") {
  Game game;
  game.frames({numbered(1, true), numbered(2, false)});
  const auto fresh = game.session.drain();
  REQUIRE(fresh.size() == 2);
  CHECK(fresh[0].flagged());
  CHECK_FALSE(fresh[1].flagged());
  CHECK(game.session.drain().empty());
  CHECK(game.session.tally().frames == 2);
  Hello again;
  again.watched = game.session.watched();
  again.watched->mark = "present";
  again.watched->nsPerFault = 500;
  REQUIRE(game.session.take(StreamEvent(again)));
  CHECK(game.session.watched()->mark == "present");
  CHECK(game.session.rules().nsPerFault == 500);
  CHECK(game.session.tally().frames == 2);
}

TEST_CASE("Numbers of frames go on where a game becomes another program, though a session of its own follows it") {
  const auto restarted = [](std::uint64_t number, Nanoseconds start) {
    GameFrame frame = numbered(number, true);
    frame.start = {start};
    return frame;
  };
  Game first;
  first.frames({numbered(1, true), numbered(2, true)});
  Game second(nullptr, GameSession::kSampleBytes, &first.session);
  second.frames({restarted(1, 50ms), restarted(2, 60ms)});
  Game third(nullptr, GameSession::kSampleBytes, &second.session);
  third.samples({sampleAt(81ms)});
  third.frames({restarted(1, 80ms)});
  CHECK(second.session.drain().back().frame.number == 4);
  CHECK(third.session.drain().back().frame.number == 5);
  CHECK(third.session.samplesOf(5).size() == 1);
  Game same(nullptr, GameSession::kSampleBytes, &first.session);  // its own marks have numbers
  same.frames({restarted(3, 30ms)});
  CHECK(same.session.drain().back().frame.number == 3);
}

TEST_CASE("All frames of a game are judged by one price, and by the cadence that later ones show") {
  Game game;
  Hello first;
  first.watched.emplace().by = FrameEnd::OwnMarks;
  first.watched->pid = 7;
  first.watched->nsPerFault = 1000;
  REQUIRE(game.session.take(StreamEvent(first)));
  std::vector<GameFrame> frames;
  MonotonicTime start;
  for (std::uint64_t number = 1; number <= 40; ++number) {
    GameFrame& frame = frames.emplace_back();
    frame.number = number;
    frame.start = start;
    frame.duration = number == 1 ? 13'888us : 6'944us;
    frame.values.setFaults(16, 0);
    start = frame.end();
  }
  game.take({frames.begin(), frames.begin() + 10});
  CHECK(game.session.drain().empty());
  Hello another = first;
  another.watched->nsPerFault = 3000;
  REQUIRE(game.session.take(StreamEvent(another)));
  CHECK(game.session.drain().empty());
  game.take({frames.begin() + 10, frames.end()});
  const auto judged = game.session.drain();
  REQUIRE(judged.size() == 40);
  for (const JudgedFrame& one : judged) {
    CHECK(one.verdict.faultTime == 16us);
    CHECK(one.verdict.deadline->after == 6'944us);
    CHECK(one.verdict.late == (one.frame.number == 1));
  }
  CHECK(game.session.watched()->nsPerFault == 1000);
  CHECK(game.session.tally().late == 1);
}

TEST_CASE("A price that is told later judges all frames of the game again, and none of an earlier one") {
  Game game;
  game.frames({numbered(1, true)});  // of the first game, with measured times
  const auto pricedBy = [&](std::uint32_t pid, std::optional<double> price) {
    Hello hello;
    hello.watched.emplace().by = FrameEnd::OwnMarks;
    hello.watched->pid = pid;
    hello.watched->nsPerFault = price;
    REQUIRE(game.session.take(StreamEvent(hello)));
  };
  static_cast<void>(game.session.drain());
  pricedBy(8, std::nullopt);
  std::vector<GameFrame> frames;
  for (std::uint64_t number = 1; number <= 40; ++number) {
    GameFrame& frame = frames.emplace_back();
    frame.number = number;
    frame.start = {1s + static_cast<std::int64_t>(number) * 30ms};
    frame.duration = number == 20 ? 30ms : 10ms;
    frame.thread = 5;
    frame.values.setFaults(number == 20 ? 20'000 : 16, 0);
  }
  game.frames({frames.begin(), frames.begin() + 30});
  auto judged = game.session.drain();
  REQUIRE(judged.size() == 30);
  CHECK_FALSE(judged[19].verdict.faultTime);
  CHECK_FALSE(judged[19].verdict.lateByMemory());
  CHECK_FALSE(game.session.judgedAnew());

  pricedBy(8, 1000);
  CHECK(game.session.judgedAnew() == 1U);
  CHECK_FALSE(game.session.judgedAnew());
  judged = game.session.drain();
  REQUIRE(judged.size() == 30);
  game.frames({frames.begin() + 30, frames.end()});
  for (const JudgedFrame& one : game.session.drain()) judged.push_back(one);
  REQUIRE(judged.size() == 40);
  FrameTally tally;
  tally.add(numbered(1, true), FrameVerdict{});
  for (std::size_t i = 0; i < judged.size(); ++i) {
    CAPTURE(i);
    ++frames[i].number;  // after the frame of the first game
    CHECK(judged[i].frame == frames[i]);
    CHECK(judged[i].verdict.faultTime == (i == 19 ? 20ms : Nanoseconds(16us)));
    CHECK(judged[i].verdict.estimated);
    tally.add(judged[i].frame, judged[i].verdict);
  }
  CHECK(game.session.tally().frames == 41);
  CHECK(game.session.tally().late == tally.late);
  CHECK(game.session.tally().longestInFaults == tally.longestInFaults);
  CHECK(game.session.totals().evidence.frames ==
        1 + static_cast<std::uint64_t>(std::ranges::count_if(judged, &JudgedFrame::flagged)));
  pricedBy(8, 3000);
  CHECK_FALSE(game.session.judgedAnew());
}

TEST_CASE("The first frames of a game that rests are judged by what is known") {
  Game game;
  game.take({numbered(1, true), numbered(2, false)});
  for (int i = 0; i < 3; ++i) game.take({});
  CHECK(game.session.drain().empty());
  game.take({});
  CHECK(game.session.drain().size() == 2);
}

TEST_CASE("Where another collector goes on, the numbers of frames go on, and losses add up") {
  Game game;
  const auto told = [&](std::uint64_t lost, std::uint64_t number, std::uint64_t place) {
    GameFrame next = numbered(place, true);
    next.number = number;
    const GameFrameBatch batch{.lost = lost, .invalidMarks = lost, .state = GameState::Running, .frames = {next}};
    REQUIRE(game.session.take(StreamEvent(&batch)));
    const FaultSampleBatch samples{.lost = 10 * lost, .samples = {}};
    REQUIRE(game.session.take(StreamEvent(&samples)));
    game.session.finish();
    return game.session.drain().at(0).frame.number;
  };
  CHECK(told(3, 2, 2) == 2);
  CHECK(told(4, 7, 3) == 7);
  CHECK(told(0, 2, 4) == 9);  // another collector
  CHECK(told(2, 3, 5) == 10);
  CHECK(told(2, 2, 6) == 12);  // and another, which has lost as many
  CHECK(game.session.totals().lostFrames == 8);
  CHECK(game.session.totals().invalidMarks == 8);
  CHECK(game.session.totals().lostSamples == 80);
}

TEST_CASE("Samples whose stack found no room are told") {
  Game game;
  FaultSample whole = sampleAt(5ms);
  whole.registers.resize(17);
  whole.stack.resize(8);
  FaultSample bare = whole;
  bare.stack.clear();
  FaultSample resolved = bare;
  resolved.calls = callsOf({codeOf("load")});
  FaultSample byWindows = bare;
  byWindows.registers.resize(1);  // never has a stack
  game.samples({whole, bare, resolved, byWindows});
  CHECK(game.session.totals().samples == 4);
  CHECK(game.session.totals().withoutStack == 1);
}

TEST_CASE("Frames without measured times are told where the others have them") {
  Game game;
  GameFrame early = numbered(1, false);
  early.values.clear(FrameMetric::FaultTime);
  Hello hello;
  hello.watched.emplace().faultTime = unavailable("no programs");
  REQUIRE(game.session.take(StreamEvent(hello)));
  game.frames({early});
  CHECK(game.session.totals().untimed == 0);
  hello.watched->faultTime.grade = Grade::Exact;
  REQUIRE(game.session.take(StreamEvent(hello)));
  early.number = 2;
  early.start = early.start + 10ms;
  game.frames({early, numbered(3, false)});
  CHECK(game.session.totals().untimed == 1);
}

TEST_CASE("Losses are told in a sentence or in short, and only those there are") {
  SessionTotals totals;
  CHECK(lossesOf(totals, &SessionNumber::sentence).empty());
  CHECK(lossesOf(totals, &SessionNumber::brief).empty());
  totals.samples = 70;
  totals.lostSamples = 5;
  totals.withoutStack = 4;
  totals.unseen = 6ms;
  totals.unseenFrames = 2;
  totals.evidence.leftOut = 3;
  using Losses = std::vector<std::string>;
  CHECK(lossesOf(totals, &SessionNumber::sentence) ==
        Losses{"5 of 75 single faults were lost; shares are of the others.",
               "4 of 70 single faults have no call stack, for want of room, or because the memory could not be read; "
               "such faults count for their function alone.",
               "About 2 frames in 6.00 ms were not seen, while one collector replaced another."});
  CHECK(lossesOf(totals, &SessionNumber::brief) == Losses{"5 single faults lost", "4 single faults without call stack",
                                                          "culprits of 3 frames left out to save memory",
                                                          "about 2 frames not seen while a collector was replaced"});
}

TEST_CASE("Frames that pass while one collector replaces another are told, by time and about how many") {
  Game game;
  const auto hello = [&](std::uint32_t pid) {
    Hello another;
    another.watched.emplace().pid = pid;
    REQUIRE(game.session.take(StreamEvent(another)));
  };
  hello(7);
  for (std::uint64_t number = 1; number <= 20; ++number) game.frames({numbered(number, false)});
  hello(7);  // of the same collector: nothing is missing
  game.frames({numbered(21, false)});
  CHECK(game.session.totals().unseen == 0ns);
  hello(7);
  game.frames({});
  game.frames({numbered(26, false), numbered(27, false)});
  CHECK(game.session.totals().unseen == 40ms);
  CHECK(game.session.totals().unseenFrames == 4);
  game.frames({numbered(40, false)});  // of the same collector: it counts what it loses
  hello(8);                            // another game
  game.frames({numbered(60, false)});
  CHECK(game.session.totals().unseen == 40ms);
}

TEST_CASE("A stream without a watched game is an error, and its end is noticed") {
  GameSession session{FrameRules{}};
  CHECK_FALSE(session.take(StreamEvent(Hello{})));
  CHECK_FALSE(session.watched());
  CHECK_FALSE(session.ended());
  REQUIRE(session.take(StreamEvent(StreamEnd{})));
  CHECK(session.ended());
}

TEST_CASE("Frames with extreme times are accepted") {
  Game game;
  GameFrame endless = numbered(1, true);
  endless.duration = Nanoseconds::max();
  game.samples({sampleAt(20ms)});
  game.frames({endless});
  game.session.finish();
  CHECK(game.session.samplesOf(1).size() == 1);
}

}  // namespace faultline::test
