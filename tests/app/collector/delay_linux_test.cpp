// A collector that delays the faults of a game, killed at any moment, leaves neither a delay nor a program that could
// make one. FAULTLINE_RUNS=1000 kills as many.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "tests/app/collector/running_collector.h"
#include "tests/support/function_place.h"
#include "tests/support/game.h"
#include "tests/support/loaded_bpf.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::BpfId;
using test::Collector;
using test::exists;
using test::Game;
using test::loadedBy;

namespace {

std::vector<std::string> delayed(const Game& game) {
  return {"watch",
          std::to_string(game.pid()),
          "--probe",
          FAULTLINE_BIN "/fake_game",
          std::to_string(test::fakeGamePresent()),
          "present",
          "--delay",
          "100us"};
}

// Waits until a frame with a delay has come; false: the collector says why none can come.
bool seesDelay(const Collector& collector) {
  bool sees = false;
  test::followUntil(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) {
      const auto& delay = hello->watched->delay;
      return !delay || delay->grade == Grade::Unavailable;
    }
    if (const auto* batch = std::get_if<const GameFrameBatch*>(&event))
      sees = std::ranges::any_of((*batch)->frames, [](const GameFrame& frame) {
        return frame.values.delay() && frame.values.delay()->added > 0ns;
      });
    return sees;
  });
  return sees;
}

void expectGone(const std::vector<BpfId>& ids) {
  // The kernel removes them some time after their last owner has ended.
  for (int patience = 0; patience < 600 && std::ranges::any_of(ids, exists); ++patience)
    std::this_thread::sleep_for(100ms);
  CHECK(std::ranges::count_if(ids, exists) == 0);
}

}  // namespace

TEST_CASE("A collector that is killed while it delays faults delays none from then on", "[slow][alone]") {
  if (geteuid() != 0) SKIP("only root may look for BPF programs");
  const Game game({"rate=1000", "frames=1000000", "mark=", "every=1000000"});
  waitForGame(game);
  std::vector<BpfId> ids;
  {
    Collector collector(delayed(game));
    if (!seesDelay(collector)) SKIP("faults cannot be delayed here: " + collector.readErrors());
    ids = loadedBy(collector.pid());
    REQUIRE_FALSE(ids.empty());
    CHECK(std::ranges::all_of(ids, exists));
    collector.signal(SIGKILL);
    CHECK(collector.exitCode() == -SIGKILL);
  }
  expectGone(ids);
  CHECK(game.plays());
}

TEST_CASE("Collectors that delay faults and are killed at random moments leave nothing behind", "[slow][alone]") {
  if (geteuid() != 0) SKIP("only root may look for BPF programs");
  const Game game({"rate=240", "frames=1000000", "mark=", "every=1000000"});
  waitForGame(game);
  {
    const Collector collector(delayed(game));
    if (!seesDelay(collector)) SKIP("faults cannot be delayed here");
  }
  const char* const asked = std::getenv("FAULTLINE_RUNS");
  const int kills = asked == nullptr ? 30 : std::atoi(asked);
  std::mt19937 random(17);
  std::uniform_int_distribution<int> moment(0, 400'000);
  std::vector<BpfId> ids;
  for (int i = 0; i < kills; ++i) {
    Collector collector(delayed(game));
    std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
    for (const BpfId& id : loadedBy(collector.pid())) ids.push_back(id);
    collector.signal(i % 4 == 3 ? SIGTERM : SIGKILL);
  }
  CHECK_FALSE(ids.empty());
  expectGone(ids);
  CHECK(game.plays());
}
