#include "app/collector/watch_loop.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>

#include "core/stream/decoder.h"
#include "tests/support/fake_clock.h"

using namespace faultline;
using namespace std::chrono_literals;
using faultline::test::FakeClock;

namespace {

// A game with `perTurn` frames per turn, which exits in its last turn.
class FakeGame final : public FrameSource {
 public:
  FakeGame(std::uint64_t turns, std::uint64_t perTurn) : m_turns(turns), m_perTurn(perTurn) {}

  [[nodiscard]] Hello hello() const override {
    Hello hello;
    hello.interval = 10ms;
    hello.watched.emplace();
    if (m_turns <= renamesAt) hello.watched->mark = "found";
    return hello;
  }
  [[nodiscard]] bool helloChanged() override { return renamesAt > 0 && m_turns == renamesAt; }
  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override {
    for (std::uint64_t i = 0; i < m_perTurn; ++i) {
      GameFrame frame;
      frame.number = ++m_number;
      batch.frames.push_back(frame);
    }
    for (std::uint64_t i = 0; i < samplesPerTurn; ++i) samples.samples.emplace_back().stack.resize(stackBytes);
    if (tellsLost) batch.lost = 5;
    if (--m_turns == 0) batch.state = GameState::Exited;
  }

  std::uint64_t renamesAt = 0;  // turns before its end; 0: never
  std::uint64_t samplesPerTurn = 0;
  std::size_t stackBytes = 1;
  bool tellsLost = true;

 private:
  std::uint64_t m_turns;
  std::uint64_t m_perTurn;
  std::uint64_t m_number = 0;
};

// A reader that is slow, and leaves, as the test requires.
class WatchOutlet final : public Outlet {
 public:
  explicit WatchOutlet(FakeClock& clock) : m_clock(clock) {}

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> frame) override {
    const Sent sent = answer(++m_sends);
    if (sent == Sent::Accepted) m_decoder.feed(frame);
    return sent;
  }
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override {
    m_clock.tickTo(deadline);
    return Wake::Deadline;
  }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override {
    return quick ? Result<Wake>(Wake::Room) : waitUntil(deadline);
  }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> frame) override {
    m_decoder.feed(frame);
    return Sent::Accepted;
  }

  std::function<Sent(int send)> answer = [](int) { return Sent::Accepted; };

  bool quick = false;  // the reader takes a packet while the loop waits

  std::vector<std::string> marks;  // of each Hello
  std::uint64_t samples = 0;
  std::uint64_t stacks = 0;
  bool newestHasStack = false;
  std::uint64_t samplesLost = 0;

  // All received frames, the last totals, and whether the stream ended with its last packet.
  bool read(GameFrameBatch& all) {
    for (;;) {
      const auto event = m_decoder.next();
      REQUIRE(event);
      if (std::holds_alternative<StreamEnd>(*event)) return true;
      if (std::holds_alternative<NeedMoreBytes>(*event)) return false;
      if (const auto* hello = std::get_if<Hello>(&*event)) marks.push_back(hello->watched->mark);
      if (const auto* faults = std::get_if<const FaultSampleBatch*>(&*event)) {
        samples += (*faults)->samples.size();
        for (const FaultSample& sample : (*faults)->samples) {
          newestHasStack = !sample.stack.empty();
          stacks += newestHasStack ? 1 : 0;
        }
        samplesLost = (*faults)->lost;
      }
      const auto* batch = std::get_if<const GameFrameBatch*>(&*event);
      if (batch == nullptr) continue;
      all.lost = (*batch)->lost;
      all.state = (*batch)->state;
      all.frames.insert(all.frames.end(), (*batch)->frames.begin(), (*batch)->frames.end());
    }
  }

 private:
  FakeClock& m_clock;
  Decoder m_decoder;
  int m_sends = 0;
};

struct ToldFrames {
  GameFrameBatch all;
  std::vector<std::string> marks;
  std::uint64_t samples = 0;
  std::uint64_t stacks = 0;
  bool newestHasStack = false;
  std::uint64_t samplesLost = 0;
  bool ended = false;
};

ToldFrames watch(FakeGame game, std::function<Sent(int)> answer, bool quick = false) {
  FakeClock clock;
  WatchOutlet outlet(clock);
  outlet.answer = std::move(answer);
  outlet.quick = quick;
  const Hello hello = game.hello();
  CHECK(runWatch(hello, std::make_unique<FakeGame>(std::move(game)), outlet, clock).empty());
  ToldFrames told;
  told.ended = outlet.read(told.all);
  told.marks = outlet.marks;
  told.samples = outlet.samples;
  told.stacks = outlet.stacks;
  told.newestHasStack = outlet.newestHasStack;
  told.samplesLost = outlet.samplesLost;
  return told;
}

}  // namespace

TEST_CASE("All frames of a game arrive in order, then its end") {
  const ToldFrames told = watch({30, 7}, [](int) { return Sent::Accepted; });
  CHECK(told.ended);
  CHECK(told.all.state == GameState::Exited);
  CHECK(told.all.lost == 5);
  REQUIRE(told.all.frames.size() == 210);
  for (std::uint64_t i = 0; i < 210; ++i) REQUIRE(told.all.frames[i].number == i + 1);
}

TEST_CASE("Frames that a slow reader did not accept are sent with the next frames") {
  const ToldFrames told =
      watch({30, 7}, [](int send) { return send > 3 && send % 3 != 0 ? Sent::Dropped : Sent::Accepted; });
  REQUIRE(told.all.frames.size() == 210);
  for (std::uint64_t i = 0; i < 210; ++i) REQUIRE(told.all.frames[i].number == i + 1);
}

TEST_CASE("Frames beyond the limit for a stuck reader are dropped, the oldest first, and counted as lost") {
  const ToldFrames told = watch({10, 10'000}, [](int send) { return send > 1 ? Sent::Dropped : Sent::Accepted; });
  REQUIRE(told.all.frames.size() == 60'000);
  CHECK(told.all.frames.front().number == 40'001);
  CHECK(told.all.lost == 40'005);
  FakeGame quiet(10, 10'000);
  quiet.tellsLost = false;
  CHECK(watch(quiet, [](int send) { return send > 1 ? Sent::Dropped : Sent::Accepted; }).all.lost == 40'000);
}

TEST_CASE("Nothing is sent after the reader has left") {
  const ToldFrames told = watch({30, 7}, [](int send) { return send > 5 ? Sent::ReaderGone : Sent::Accepted; });
  CHECK_FALSE(told.ended);
  CHECK(told.all.frames.size() == 28);
}

TEST_CASE("A quiet game is reported as running twice per second") {
  int sends = 0;
  CHECK(watch({301, 0}, [&](int send) {
          sends = send;
          return Sent::Accepted;
        }).ended);
  CHECK(sends >= 6);
  CHECK(sends <= 10);  // the last three end the stream
}

TEST_CASE("A mark that becomes known late is sent in another Hello, however slow the reader is") {
  FakeGame game(30, 1);
  game.renamesAt = 20;
  CHECK(watch(game, [](int) { return Sent::Accepted; }).marks == std::vector<std::string>{"", "found"});
  CHECK(watch(game, [](int send) { return send > 1 && send < 18 ? Sent::Dropped : Sent::Accepted; }).marks ==
        std::vector<std::string>{"", "found"});
}

TEST_CASE("Fault samples that a slow reader did not accept are sent later; the oldest lose their stacks") {
  FakeGame game(10, 0);
  game.samplesPerTurn = 1000;
  const ToldFrames all = watch(game, [](int) { return Sent::Accepted; });
  CHECK(all.samples == 10'000);
  CHECK(all.samplesLost == 0);
  FakeGame calmer(10, 0);
  calmer.samplesPerTurn = 400;
  const ToldFrames late = watch(calmer, [](int send) { return send % 3 == 0 ? Sent::Dropped : Sent::Accepted; });
  CHECK(late.samples == 4000);
  CHECK(late.samplesLost == 0);
  game.stackBytes = 8192;
  const ToldFrames some = watch(game, [](int send) { return send > 1 ? Sent::Dropped : Sent::Accepted; });
  CHECK(some.samples == 10'000);
  CHECK(some.samplesLost == 0);
  CHECK(some.stacks == 4096 + 64);  // in 32 MiB, and in the piece that the reader did not accept
  CHECK(some.newestHasStack);
}

TEST_CASE("Fault samples go on in the same turn once the reader has room") {
  FakeGame game(10, 1);
  game.samplesPerTurn = 60'000;
  std::uint64_t taken = 0;
  const ToldFrames told = watch(game, [&](int) { return ++taken % 2 == 0 ? Sent::Dropped : Sent::Accepted; }, true);
  CHECK(told.samples == 600'000);
  CHECK(told.samplesLost == 0);
  CHECK(told.stacks == 600'000);
  CHECK(told.all.frames.size() == 10);
}

TEST_CASE("Too many fault samples for a slow reader are counted as lost") {
  FakeGame game(10, 0);
  game.samplesPerTurn = 10'000;
  game.stackBytes = 0;
  const ToldFrames all = watch(game, [](int) { return Sent::Accepted; });
  CHECK(all.samples == 100'000);
  CHECK(all.samplesLost == 0);
  const ToldFrames some = watch(game, [](int send) { return send > 1 ? Sent::Dropped : Sent::Accepted; });
  CHECK(some.samples == 65'536 + 2048);
  CHECK(some.samplesLost == 100'000 - some.samples);
}

TEST_CASE("A reader that is paused while the game ends gets every frame, before the faults that are told whole") {
  FakeGame game(30, 7);
  game.samplesPerTurn = 1000;
  int sends = 0;
  const auto paused = [&](int send) {
    sends = send;
    return send > 5 && send < 5000 ? Sent::Dropped : Sent::Accepted;
  };
  const ToldFrames told = watch(game, paused);
  CHECK(told.ended);
  REQUIRE(told.all.frames.size() == 210);
  CHECK(told.all.lost == 5);
  CHECK(told.samples + told.samplesLost == 30'000);
  CHECK(sends > 5000);
}

TEST_CASE("Frames do not wait behind the faults that a slow reader must take") {
  FakeGame game(400, 1);
  game.samplesPerTurn = 1000;
  std::uint64_t taken = 0;
  const ToldFrames told = watch(game, [&](int) { return ++taken % 2 == 0 ? Sent::Dropped : Sent::Accepted; });
  CHECK(told.all.frames.size() == 400);
  CHECK(told.all.lost == 5);
}
