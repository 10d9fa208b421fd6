#include "core/watch/game_client.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/stream/encoder.h"
#include "tests/core/watch/scripted_marks.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t kGame = 7;
constexpr std::uint32_t kChild = 8;
const GameClient::Time kBegin{};
const ProbePoint kGameSdl{"/usr/lib/libSDL2-2.0.so.0", 4096, "SDL_GL_SwapWindow (libSDL2-2.0.so.0)"};
const ProbePoint kGameGlx{"/usr/lib/libGLX.so.0", 8192, "glXSwapBuffers (libGLX.so.0)"};
const ProbePoint kGamePut{"/usr/lib/libX11.so.6", 4096, "XPutImage (libX11.so.6)"};

struct Owner final : GameClientOwner {
  std::vector<std::vector<std::string>> started;
  bool runs = false;
  bool refusesEvents = false;
  std::size_t hellos = 0;
  std::optional<double> price;
  std::size_t frames = 0;
  std::vector<std::string> said;

  Result<void> startCollector(const std::vector<std::string>& arguments) override {
    started.push_back(arguments);
    runs = true;
    return {};
  }
  void endCollector() override { runs = false; }
  Result<void> take(const StreamEvent& event) override {
    if (refusesEvents) return fail("The disk is full.");
    if (const auto* hello = std::get_if<Hello>(&event); hello != nullptr && ++hellos)
      price = hello->watched->nsPerFault;
    if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) frames += (*batch)->frames.size();
    return {};
  }
  void say(const std::string& sentence) override { said.push_back(sentence); }
};

// The functions that the last collector was asked to watch, in order of preference.
std::vector<std::string> watched(const Owner& owner) {
  std::vector<std::string> names;
  const auto& arguments = owner.started.back();
  for (std::size_t i = 0; i + 3 < arguments.size(); ++i)
    if (arguments[i] == "--probe") names.push_back(arguments[i + 3]);
  return names;
}

// A client, its surroundings, and collectors that say what a test lets them say.
struct Stage {
  Owner owner;
  test::ScriptedMarks marks;
  GameClient client;
  Encoder encoder;

  explicit Stage(GameClientOptions options = {}) : client(owner, marks, with(std::move(options))) {}
  static GameClientOptions with(GameClientOptions options) {
    options.pid = kGame;
    return options;
  }

  void hello(FrameEnd by, const std::string& mark, GameClient::Time now = kBegin) {
    encoder = Encoder();
    Hello hello;
    WatchedGame& game = hello.watched.emplace();
    game.pid = client.choice().pid;
    game.name = "game";
    game.by = by;
    game.mark = mark;
    game.nsPerFault = 500;
    client.onBytes(encoder.hello(hello), now);
  }
  void frames(std::size_t count, GameState state = GameState::Running, GameClient::Time now = kBegin) {
    GameFrameBatch batch;
    batch.state = state;
    batch.frames.resize(count);
    client.onBytes(encoder.gameFrames(batch), now);
  }
  void end(GameClient::Time now = kBegin) {
    client.onBytes(encoder.end(), now);
    client.onCollectorEnd({"", "The collector ended with code 0."}, now);
  }
};

}  // namespace

TEST_CASE("A game with marks of its own is watched until it exits") {
  Stage stage({.samples = SampleMode::None});
  stage.marks.processes[kGame] = {.own = true};
  stage.client.begin(kBegin);
  REQUIRE(stage.owner.started == std::vector<std::vector<std::string>>{{"watch", "7", "--samples", "none"}});
  CHECK(stage.client.state() == GameClient::State::Starting);
  stage.hello(FrameEnd::OwnMarks, "render");
  CHECK(stage.client.state() == GameClient::State::Watching);
  stage.frames(3);
  stage.frames(2, GameState::Exited);
  CHECK(stage.client.state() == GameClient::State::Exited);
  CHECK_FALSE(stage.client.ended());
  stage.end();
  CHECK(stage.client.ended());
  CHECK(stage.owner.hellos == 1);
  CHECK(stage.owner.frames == 5);
  CHECK(stage.owner.said.empty());
  CHECK_FALSE(stage.owner.runs);
}

TEST_CASE("Events wait until a function has been called; after two seconds others are tried") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameSdl}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, "");
  stage.frames(1);
  CHECK(stage.client.state() == GameClient::State::Waiting);
  CHECK(stage.owner.hellos == 0);
  REQUIRE(stage.client.due() == kBegin + 2s);
  stage.client.onTime(kBegin + 1s);
  CHECK(stage.owner.started.size() == 1);

  stage.marks.children[kGame] = {kChild};
  stage.marks.processes[kChild] = {.functions = {kGameGlx}};
  stage.client.onTime(kBegin + 2s);
  REQUIRE(stage.owner.started.size() == 2);
  CHECK(stage.owner.started.back()[1] == "8");
  CHECK(stage.owner.said.back().starts_with("Waiting for the first frame: SDL_GL_SwapWindow"));
  stage.hello(FrameEnd::Function, "glXSwapBuffers (libGLX.so.0)");
  CHECK(stage.client.state() == GameClient::State::Watching);
  CHECK(stage.owner.hellos == 1);
  CHECK(stage.owner.said.back() ==
        "Watching game (8), which program (7) has started. Frames end with glXSwapBuffers "
        "(libGLX.so.0).");
}

TEST_CASE("The game's own marks replace a function as soon as they are there") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameSdl}};
  stage.client.begin(kBegin);
  stage.marks.processes[kGame].own = true;
  stage.hello(FrameEnd::Function, kGameSdl.name);
  stage.frames(4);
  CHECK(stage.owner.frames == 0);
  REQUIRE(stage.client.due() == kBegin);
  stage.client.onTime(kBegin);
  REQUIRE(stage.owner.started.size() == 2);
  CHECK(stage.client.choice().by == FrameEnd::OwnMarks);
}

TEST_CASE("A collector that refuses functions is followed by an assumed rate, and the reason is told") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameSdl}};
  stage.client.begin(kBegin);
  stage.client.onCollectorEnd({"Functions take a privilege.", "The collector ended with code 1."}, kBegin);
  REQUIRE(stage.owner.started.size() == 2);
  CHECK(stage.client.choice().by == FrameEnd::AssumedRate);
  CHECK(stage.client.choice().why.starts_with("Functions take a privilege."));
  stage.client.onCollectorEnd({"It is not yours.", "The collector ended with code 1."}, kBegin);
  CHECK(stage.client.state() == GameClient::State::Failed);
  CHECK(stage.client.why() == "It is not yours.");
}

TEST_CASE("The game's own marks replace PresentMon, whose refusal is told and not followed by an assumed rate") {
  Stage stage({.wishes = {.presentMon = "C:\\mine.exe"}, .mayAssume = true});
  stage.marks.processes[kGame] = {.presentMon = "C:\\found.exe"};
  stage.client.begin(kBegin);
  REQUIRE(stage.owner.started.size() == 1);
  CHECK(stage.client.choice().presentMon == "C:\\mine.exe");
  stage.client.onCollectorEnd({"PresentMon ended with code 6.", "The collector ended with code 1."}, kBegin);
  CHECK(stage.owner.started.size() == 1);
  CHECK(stage.client.why() == "PresentMon ended with code 6.");
  stage.client.begin(kBegin);
  stage.marks.processes[kGame].own = true;
  stage.hello(FrameEnd::Log, "PresentMon");
  stage.client.onTime(kBegin);
  REQUIRE(stage.owner.started.size() == 3);
  CHECK(stage.client.choice().by == FrameEnd::OwnMarks);
}

TEST_CASE("A started game has two seconds to mark a frame before PresentMon is asked") {
  Stage stage({.wishes = {.started = true}});
  stage.marks.processes[kGame] = {.presentMon = "C:\\found.exe"};
  stage.client.begin(kBegin);
  CHECK(stage.owner.started.empty());
  stage.client.onTime(kBegin + 1s);
  CHECK(stage.owner.started.empty());
  stage.client.onTime(kBegin + 2s);
  REQUIRE(stage.owner.started.size() == 1);
  CHECK(stage.client.choice().by == FrameEnd::Log);
}

TEST_CASE("A mark that a person has named is not replaced by an assumed rate") {
  Stage stage({.wishes = {.mark = "libSDL2:SDL_Flip"}});
  stage.marks.processes[kGame] = {.functions = {kGameSdl}};
  stage.client.begin(kBegin);
  CHECK(stage.client.state() == GameClient::State::Failed);
  CHECK(stage.client.why() == "It has no SDL_Flip.");
  CHECK(stage.owner.started.empty());
}

TEST_CASE("A process that cannot be looked at is an error, or is watched at an assumed rate where that may be") {
  Stage strict;
  strict.client.begin(kBegin);
  CHECK(strict.client.why() == "There is no process 7.");
  Stage lenient({.mayAssume = true});
  lenient.client.begin(kBegin);
  CHECK(lenient.client.choice().by == FrameEnd::AssumedRate);
  CHECK(lenient.client.choice().why.starts_with("There is no process 7."));
}

TEST_CASE("A process that becomes another program is looked at again") {
  Stage stage;
  stage.marks.processes[kGame] = {.own = true};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::OwnMarks, "render");
  stage.frames(1, GameState::ProgramLeft);
  CHECK(stage.client.state() == GameClient::State::ProgramLeft);
  stage.marks.processes[kGame] = {};
  stage.end();
  CHECK_FALSE(stage.client.ended());
  CHECK_FALSE(stage.owner.runs);
  CHECK(stage.owner.said == std::vector<std::string>{"game (7) now runs another program."});
  stage.marks.processes[kGame] = {.own = true};
  REQUIRE(stage.client.due());
  stage.client.onTime(*stage.client.due());
  CHECK(stage.owner.started.size() == 2);
  stage.marks.processes.clear();
  stage.hello(FrameEnd::OwnMarks, "render");
  stage.frames(1, GameState::ProgramLeft);
  stage.end();
  CHECK(stage.client.ended());
  CHECK(stage.client.state() == GameClient::State::Exited);
}

TEST_CASE("A launcher whose game has ended is asked for the next one, until the launcher has ended, too") {
  Stage stage;
  stage.marks.processes[kGame] = {};
  stage.marks.processes[kChild] = {.own = true};
  stage.marks.children[kGame] = {kChild};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::OwnMarks, "render");
  stage.frames(1, GameState::Exited);
  CHECK(stage.client.state() == GameClient::State::ProgramLeft);
  stage.client.programEnded();
  stage.end();
  CHECK(stage.client.ended());
  CHECK(stage.client.state() == GameClient::State::Exited);
}

TEST_CASE("A game that never drew is told with its Hello") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameSdl}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, "");
  stage.frames(0, GameState::Exited);
  stage.end();
  CHECK(stage.client.ended());
  CHECK(stage.owner.hellos == 1);
  CHECK(stage.owner.said.back() == "No frame ended: SDL_GL_SwapWindow (libSDL2-2.0.so.0) has not been called yet.");
}

TEST_CASE("A function that is missing is told soon, and again as the reason if the program ends without it") {
  Stage stage({.wishes = {.mark = ":swp", .started = true}});
  stage.marks.processes[kGame] = {};
  stage.client.begin(kBegin);
  stage.client.onTime(kBegin + 100ms);
  CHECK(stage.owner.said.empty());
  stage.client.onTime(kBegin + 400ms);
  stage.client.onTime(kBegin + 500ms);
  CHECK(stage.owner.said == std::vector<std::string>{"It has no swp. Waiting up to 10 s for it."});
  stage.client.programEnded();
  stage.client.onTime(kBegin + 600ms);
  CHECK(stage.client.why() == "It has no swp.");
}

TEST_CASE("A wrapper that cannot be read does not hide the game that it has started") {
  Stage stage;
  stage.marks.children[kGame] = {kChild};
  stage.marks.processes[kChild] = {.functions = {kGameSdl}};
  stage.client.begin(kBegin);
  CHECK(stage.client.choice().pid == kChild);
}

TEST_CASE("A collector that dies after its Hello, and an event that is refused, end the watch") {
  Stage lost;
  lost.marks.processes[kGame] = {.own = true};
  lost.client.begin(kBegin);
  lost.hello(FrameEnd::OwnMarks, "render");
  lost.client.onCollectorEnd({"", "The collector was killed by signal 9."}, kBegin);
  CHECK(lost.client.why() == "The collector was killed by signal 9.");
  Stage full;
  full.owner.refusesEvents = true;
  full.marks.processes[kGame] = {.own = true};
  full.client.begin(kBegin);
  full.hello(FrameEnd::OwnMarks, "render");
  CHECK(full.client.state() == GameClient::State::Failed);
  CHECK(full.client.why() == "The disk is full.");
}

TEST_CASE("Stopped while it looks, a client ends; stopped while it watches, it takes the last events") {
  Stage looking({.wishes = {.started = true}});
  looking.marks.processes[kGame] = {};
  looking.client.begin(kBegin);
  CHECK(looking.client.state() == GameClient::State::Looking);
  looking.client.stop();
  CHECK(looking.client.ended());
  Stage watching;
  watching.marks.processes[kGame] = {.own = true};
  watching.client.begin(kBegin);
  watching.hello(FrameEnd::OwnMarks, "render");
  watching.client.stop();
  CHECK_FALSE(watching.client.ended());
  watching.frames(2);
  watching.end();
  CHECK(watching.owner.frames == 2);
  CHECK(watching.client.ended());
}

TEST_CASE("Bytes that are no stream end the watch with a reason") {
  Stage stage;
  stage.marks.processes[kGame] = {.own = true};
  stage.client.begin(kBegin);
  const std::string nonsense(1 << 16, 'y');
  stage.client.onBytes(std::as_bytes(std::span(nonsense)), kBegin);
  CHECK(stage.client.state() == GameClient::State::Failed);
  CHECK_FALSE(stage.client.why().empty());
}

TEST_CASE("A library that comes after the first frames has a better function, and both are watched") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGamePut}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, kGamePut.name);
  stage.frames(3, GameState::Running, kBegin + 2s);
  REQUIRE(stage.client.due() == kBegin + 3s);
  stage.client.onTime(kBegin + 3s);
  CHECK(stage.owner.started.size() == 1);
  stage.frames(3, GameState::Running, kBegin + 5s);
  stage.marks.processes[kGame] = {.functions = {kGameGlx, kGamePut}};
  REQUIRE(stage.client.due() == kBegin + 6s);
  stage.client.onTime(kBegin + 6s);
  REQUIRE(stage.owner.started.size() == 2);
  CHECK(watched(stage.owner) == std::vector{kGameGlx.name, kGamePut.name});

  stage.hello(FrameEnd::Function, "", kBegin + 6s);
  stage.hello(FrameEnd::Function, kGamePut.name, kBegin + 7s);
  stage.frames(2, GameState::Running, kBegin + 7s);
  CHECK(stage.owner.said == std::vector<std::string>{"Frames end with XPutImage (libX11.so.6)."});
  stage.hello(FrameEnd::Function, kGameGlx.name, kBegin + 8s);
  stage.frames(2, GameState::Running, kBegin + 8s);
  CHECK(stage.owner.said.back() ==
        "Frames now end with glXSwapBuffers (libGLX.so.0), no longer with XPutImage (libX11.so.6).");
  CHECK(stage.owner.frames == 10);
  stage.client.onTime(*stage.client.due());
  CHECK(stage.owner.started.size() == 2);
}

TEST_CASE("A function farther from the game than the one that ends frames changes nothing while frames come") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameGlx}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, kGameGlx.name);
  stage.marks.processes[kGame] = {.functions = {kGameGlx, kGamePut}};
  stage.frames(1, GameState::Running, kBegin + 2s);
  stage.client.onTime(kBegin + 3s);
  CHECK(stage.owner.started.size() == 1);
  stage.client.onTime(kBegin + 6s);
  stage.client.onTime(kBegin + 9s);
  CHECK(stage.owner.started.size() == 1);
  stage.client.onTime(kBegin + 12s);  // no frame for ten seconds
  REQUIRE(stage.owner.started.size() == 2);
  CHECK(watched(stage.owner) == std::vector{kGameGlx.name, kGamePut.name});
}

TEST_CASE("Later than a minute after its first frame, a game is searched for better functions once a minute") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameGlx}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, kGameGlx.name);
  stage.marks.looks = 0;
  while (*stage.client.due() < kBegin + 10min) {
    const auto now = *stage.client.due();
    stage.frames(1, GameState::Running, now);
    stage.client.onTime(now);
  }
  CHECK(stage.marks.looks == 20 + 8);
}

TEST_CASE("The function that ends frames is among the first four, which can be watched without privileges") {
  Stage stage;
  const auto named = [](const std::string& name) { return ProbePoint{"/" + name, 1, name}; };
  stage.marks.processes[kGame] = {.functions = {named("a"), named("b"), named("e")}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, "e");
  stage.marks.processes[kGame].functions = {named("a"), named("b"), named("c"), named("d"), named("e"), named("f")};
  stage.client.onTime(kBegin + 3s);
  CHECK(watched(stage.owner) == std::vector<std::string>{"b", "c", "d", "e", "f", "a"});
}

TEST_CASE("A function that comes after a rate was assumed is tried, and the rate comes back if it is not called") {
  Stage stage;
  stage.marks.processes[kGame] = {};
  stage.client.begin(kBegin);
  REQUIRE(stage.client.choice().by == FrameEnd::AssumedRate);
  stage.hello(FrameEnd::AssumedRate, "60 Hz");
  stage.marks.processes[kGame] = {.functions = {kGameGlx}};
  stage.client.onTime(kBegin + 3s);
  REQUIRE(stage.client.choice().by == FrameEnd::Function);
  stage.hello(FrameEnd::Function, "", kBegin + 3s);
  auto now = kBegin;
  while (stage.client.choice().by == FrameEnd::Function) stage.client.onTime(now = *stage.client.due());
  CHECK(now == kBegin + 13s);
  stage.hello(FrameEnd::AssumedRate, "60 Hz", now);
  CHECK(stage.owner.said.back() ==
        "Frames of 1/60 s are assumed again: glXSwapBuffers (libGLX.so.0) has not been called yet.");
  stage.client.onTime(*stage.client.due());
  CHECK(stage.client.choice().by == FrameEnd::AssumedRate);
}

TEST_CASE("The child of a launcher that draws no more is watched, and the launcher again if the child does not draw") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGameGlx}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, kGameGlx.name);
  stage.frames(1);
  stage.marks.children[kGame] = {kChild};
  stage.marks.processes[kChild] = {.functions = {kGameSdl}};
  auto now = kBegin;
  while (stage.client.choice().pid == kGame) stage.client.onTime(now = *stage.client.due());
  CHECK(now == kBegin + 10s);
  stage.hello(FrameEnd::Function, "", now);
  while (stage.client.choice().pid == kChild) stage.client.onTime(now = *stage.client.due());
  CHECK(now == kBegin + 14s);
  stage.hello(FrameEnd::Function, kGameGlx.name, now);
  CHECK(stage.client.state() == GameClient::State::Watching);
}

TEST_CASE("A better choice that the collector refuses gives way to the one before") {
  Stage stage;
  stage.marks.processes[kGame] = {.functions = {kGamePut}};
  stage.client.begin(kBegin);
  stage.hello(FrameEnd::Function, kGamePut.name);
  stage.marks.processes[kGame].functions = {kGameGlx, kGamePut};
  stage.client.onTime(kBegin + 3s);
  REQUIRE(stage.owner.started.size() == 2);
  stage.client.onCollectorEnd({"Too many breakpoints.", "The collector ended with code 1."}, kBegin + 3s);
  REQUIRE(stage.owner.started.size() == 3);
  CHECK(watched(stage.owner) == std::vector{kGamePut.name});
  stage.hello(FrameEnd::Function, kGamePut.name, kBegin + 4s);
  stage.client.onTime(*stage.client.due());
  CHECK(stage.owner.started.size() == 3);
}

TEST_CASE("A mark that a person has named is not searched for a better one") {
  for (const MarkWishes& wishes : {MarkWishes{.mark = ":XPutImage"}, MarkWishes{.rate = 60}}) {
    Stage stage({.wishes = wishes});
    stage.marks.processes[kGame] = {.functions = {kGamePut}};
    stage.client.begin(kBegin);
    const bool rate = wishes.rate > 0;
    stage.hello(rate ? FrameEnd::AssumedRate : FrameEnd::Function, rate ? "60 Hz" : kGamePut.name);
    CHECK((rate != stage.client.due().has_value()));
    stage.marks.processes[kGame].functions = {kGameGlx, kGamePut};
    for (auto now = kBegin; now < kBegin + 1min; now += 1s) stage.client.onTime(now);
    CHECK(stage.owner.started.size() == 1);
  }
}

TEST_CASE("A library that the game swaps for a new build is followed once no frame comes any more") {
  for (const std::string mark : {"", "libSDL2:SDL_GL_SwapWindow"}) {
    Stage stage({.wishes = {.mark = mark}});
    stage.marks.processes[kGame] = {.functions = {kGameSdl}, .files = {{kGameSdl.file, 1}}};
    if (!mark.empty()) stage.marks.processes[kGame].functions.front().name = mark.substr(mark.find(':') + 1);
    stage.client.begin(kBegin);
    stage.hello(FrameEnd::Function, kGameSdl.name);
    stage.frames(3, GameState::Running, kBegin + 5s);
    const auto until = [&](GameClient::Time end) {
      for (auto now = kBegin; now < end; now += 500ms) stage.client.onTime(now);
    };
    until(kBegin + 40s);
    CHECK(stage.owner.started.size() == 1);  // silent, but the same file: the game is paused
    stage.marks.processes[kGame].functions.front().offset = 5000;
    stage.marks.processes[kGame].files[kGameSdl.file] = 2;
    until(kBegin + 60s);
    REQUIRE(stage.owner.started.size() == 2);
    const auto& arguments = stage.owner.started.back();
    CHECK(std::ranges::count(arguments, "5000") == 1);
  }
}

TEST_CASE("A fault has the price that this user has measured, else that of the collector") {
  for (const std::optional<double> kept : {std::optional(800.0), std::optional<double>()}) {
    Stage stage({.synthetic = true, .price = [kept](const Machine&) { return kept; }});
    stage.client.begin(kBegin);
    stage.hello(FrameEnd::OwnMarks, "render");
    CHECK(stage.owner.price == kept.value_or(500));
  }
}
