// The real collector watches a real game at calls of one of its functions.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "platform/sampling/linux/facts/privilege.h"
#include "tests/app/collector/capable_copy_linux.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/function_place.h"
#include "tests/support/game.h"
#include "tests/support/loaded_bpf.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::CapableCopy;
using test::Collector;
using test::CollectorStart;
using test::Game;

namespace {

constexpr uid_t kOrdinaryUser = 54321;

std::vector<std::string> watch(std::uint32_t pid) {
  return {"watch",  std::to_string(pid), "--probe", FAULTLINE_BIN "/fake_game", std::to_string(test::fakeGamePresent()),
          "present"};
}

struct Told {
  std::optional<WatchedGame> game;
  GameFrameBatch frames;
  std::string complaint;
};

// The game plays for long enough on a busy machine, and ends when its frames have been seen.
Told follow(Collector& collector, const Game& game) {
  constexpr std::size_t kEnough = 100;
  Told told;
  test::follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) told.game = hello->watched;
    const auto* batch = std::get_if<const GameFrameBatch*>(&event);
    if (batch == nullptr) return;
    told.frames.lost = (*batch)->lost;
    told.frames.state = (*batch)->state;
    told.frames.frames.insert(told.frames.frames.end(), (*batch)->frames.begin(), (*batch)->frames.end());
    if (told.frames.frames.size() > kEnough) game.crash();
  });
  told.complaint = collector.readErrors();
  return told;
}

}  // namespace

TEST_CASE("The collector reports a game's frames by calls of a function, or names an alternative") {
  const Game game({"rate=240", "frames=100000", "mark="});
  waitForGame(game);
  Collector collector(watch(game.pid()));
  const Told told = follow(collector, game);
  if (!told.game) {
    CHECK(told.complaint.find("faultline_frame.h") != std::string::npos);
    CHECK(told.complaint.find("--assume 60") != std::string::npos);
    CHECK(collector.exitCode() == 1);
    SKIP(told.complaint);
  }
  CHECK(collector.exitCode() == 0);
  CHECK(told.game->by == FrameEnd::Function);
  CHECK(told.game->mark == "present");
  CHECK(told.frames.state == GameState::Exited);
  CHECK(told.frames.frames.size() > 50);
  if (told.game->faults.grade != Grade::Exact) SKIP(told.game->faults.how);
  CHECK(std::ranges::all_of(told.frames.frames, [](const GameFrame& frame) {
    return frame.values.minorFaults() == 16 || frame.values.minorFaults() == 8192;
  }));
}

TEST_CASE("An ordinary user's collector watches only that user's games by BPF with the granted capabilities") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  const CollectorStart start{.program = copy.program(), .user = kOrdinaryUser};
  const Game foreign({"rate=240", "frames=100000", "mark="});
  waitForGame(foreign);
  Collector refused(watch(foreign.pid()), Collector::Input::Inherit, start);
  CHECK(follow(refused, foreign).complaint.find("belongs to another user") != std::string::npos);

  const Game own({"rate=240", "frames=100000", "mark="}, kOrdinaryUser);
  waitForGame(own);
  Collector collector(watch(own.pid()), Collector::Input::Inherit, start);
  const Told told = follow(collector, own);
  if (!told.game) SKIP(told.complaint);
  CHECK(told.game->faults.grade == Grade::Exact);
  CHECK(told.frames.frames.size() > 50);
  if (told.game->zeroed.how.find("built without libbpf") != std::string::npos) SKIP(told.game->zeroed.how);
  CHECK(told.game->zeroed.grade == Grade::Estimated);
}

TEST_CASE("With only cap_perfmon an ordinary user's collector gives exact counts, and keeps no capability") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const CapableCopy copy;
  if (!copy.grant("cap_perfmon")) SKIP("setcap is not installed, or cannot give this capability here");
  const Game game({"rate=240", "frames=100000", "mark="}, kOrdinaryUser);
  waitForGame(game);
  Collector collector(watch(game.pid()), Collector::Input::Inherit, {.program = copy.program(), .user = kOrdinaryUser});
  std::ifstream status;
  Told told;
  test::follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) told.game = hello->watched;
    const auto* batch = std::get_if<const GameFrameBatch*>(&event);
    if (batch == nullptr) return;
    const auto& frames = (*batch)->frames;
    told.frames.frames.insert(told.frames.frames.end(), frames.begin(), frames.end());
    if (told.frames.frames.size() > 100) game.crash();
    if (!status.is_open()) status.open("/proc/" + std::to_string(collector.pid()) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("CapPrm:") || line.starts_with("CapEff:"))
        CHECK(line.substr(line.find('\t') + 1) == "0000000000000000");
  });
  if (!told.game) SKIP(collector.readErrors());
  CHECK(told.game->faults.grade == Grade::Exact);
  CHECK(told.game->zeroed.grade == Grade::Unavailable);
  CHECK(told.frames.frames.size() > 50);
  CHECK(std::ranges::all_of(told.frames.frames, [](const GameFrame& frame) {
    return frame.values.minorFaults() == 16 || frame.values.minorFaults() == 8192;
  }));
}

TEST_CASE("A killed watcher leaves no probe, program, map or link behind, and its game plays on") {
  if (!isRoot()) SKIP("only root may look for BPF programs");
  const Game game({"rate=240", "frames=1000000", "mark="});
  waitForGame(game);
  std::vector<test::BpfId> ids;
  for (int cycle = 0; cycle < 10; ++cycle) {
    Collector collector(watch(game.pid()));
    if (collector.readOutput().empty()) SKIP(collector.readErrors());
    for (const test::BpfId& id : test::loadedBy(collector.pid())) ids.push_back(id);
    if (ids.empty()) SKIP("the collector cannot load BPF programs here");
    if (cycle == 0) CHECK(std::ranges::all_of(ids, test::exists));
    collector.signal(cycle % 2 == 0 ? SIGKILL : SIGTERM);
  }
  CHECK(std::ranges::count(ids, BPF_LINK_GET_FD_BY_ID, &test::BpfId::open) >= 50);
  for (int patience = 0; patience < 600 && std::ranges::any_of(ids, test::exists); ++patience)
    std::this_thread::sleep_for(100ms);
  CHECK(std::ranges::count_if(ids, test::exists) == 0);
  std::ifstream probes("/sys/kernel/tracing/uprobe_events");
  for (std::string line; std::getline(probes, line);) CHECK(line.find("fake_game") == std::string::npos);
  CHECK(game.plays());
}
