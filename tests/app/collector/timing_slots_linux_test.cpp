// Of any number of collectors only few run programs at all processes' page faults.
#include <linux/bpf.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "platform/sampling/linux/facts/privilege.h"
#include "tests/app/collector/capable_copy_linux.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/function_place.h"
#include "tests/support/game.h"
#include "tests/support/loaded_bpf.h"

using namespace faultline;
using test::CapableCopy;
using test::Collector;
using test::Game;

namespace {

constexpr uid_t kMember = 54321;
constexpr std::size_t kCollectors = 50;
constexpr std::size_t kSlots = 4;
constexpr std::size_t kWatchers = 5;  // as many sweep between them; all others sweep, and are stopped

// Absent: the collector has ended.
std::optional<Hello> helloOf(const Collector& collector) {
  std::optional<Hello> found;
  test::followUntil(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) found = *hello;
    return found.has_value();
  });
  return found;
}

struct Started {
  std::unique_ptr<Collector> collector;
  Hello hello;
};

// On a machine so busy that placing a probe takes five seconds the collector is killed, as if it were stopped: then
// another is started.
Started start(const CapableCopy& copy, const std::vector<std::string>& arguments) {
  for (int attempt = 1;; ++attempt) {
    auto collector = std::make_unique<Collector>(arguments, Collector::Input::Inherit,
                                                 test::CollectorStart{.program = copy.program(), .user = kMember});
    if (auto hello = helloOf(*collector)) return {std::move(collector), std::move(*hello)};
    INFO(collector->readErrors());
    REQUIRE((collector->exitCode() == -SIGKILL && attempt < 10));
  }
}

std::size_t programsOf(const Collector& collector, const std::string& name) {
  std::set<std::uint32_t> programs;  // a link contains its program's id
  for (const test::BpfId& id : test::loadedBy(collector.pid()))
    if (test::programName(id) == name) programs.insert(id.number);
  return programs.size();
}

const Quality& timing(const Hello& hello) {
  return hello.watched ? hello.watched->faultTime : hello.quality(ProcessMetric::FaultTime);
}

}  // namespace

TEST_CASE("Four of fifty collectors run programs at all processes' faults, and the others name them", "[slow]") {
  if (!isRoot()) SKIP("it takes root to give file capabilities");
  const CapableCopy copy;
  if (!copy.grant()) SKIP("setcap is not installed, or cannot give these capabilities here");
  const Game game({"rate=240", "frames=1000000", "mark="}, kMember);
  const std::vector<std::string> sweep{"sweep", "--interval", "1s"};
  const std::vector<std::string> watch{"watch",
                                       std::to_string(game.pid()),
                                       "--probe",
                                       FAULTLINE_BIN "/fake_game",
                                       std::to_string(test::fakeGamePresent()),
                                       "present"};
  std::vector<std::unique_ptr<Collector>> collectors;
  std::vector<std::string> holders;
  std::size_t begins = 0;
  std::size_t clears = 0;
  for (std::size_t i = 0; i < kCollectors; ++i) {
    const bool watches = i % 2 == 1 && i < 2 * kWatchers;
    auto [started, hello] = start(copy, watches ? watch : sweep);
    const Collector& collector = *collectors.emplace_back(std::move(started));
    if (!hello.watched) collector.signal(SIGSTOP);  // a watching collector would be killed if stopped
    begins += programsOf(collector, "beginUserFault");
    clears += programsOf(collector, "countZeroed");
    if (i == 0 && timing(hello).grade != Grade::Exact) SKIP(timing(hello).how);
    if (timing(hello).grade == Grade::Exact) {
      holders.push_back(std::to_string(collector.pid()));
      continue;
    }
    CAPTURE(timing(hello).how);
    for (const std::string& holder : holders) CHECK(timing(hello).how.find(holder) != std::string::npos);
    const Quality& sampled = hello.quality(ProcessMetric::SampledZeroingTime);
    if (!hello.watched) CHECK(sampled.grade == Grade::Unavailable);
  }
  CHECK(holders.size() == kSlots);
  CHECK(begins == kSlots);
  CHECK(clears == kSlots);
  for (const auto& collector : collectors) collector->signal(SIGCONT);
  collectors.erase(collectors.begin());
  CHECK(timing(start(copy, sweep).hello).grade == Grade::Exact);
}
