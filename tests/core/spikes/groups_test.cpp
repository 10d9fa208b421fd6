#include "core/spikes/groups.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <random>

#include "core/monitor/monitor.h"
#include "core/spikes/text.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

Spike spike(std::uint64_t id, const char* name, Nanoseconds start, std::uint64_t faults, std::uint32_t pid = 7) {
  Spike out;
  out.id = id;
  out.key = {pid, 1};
  out.name = name;
  out.start = {start};
  out.end = {start + 500ms};
  out.faults = faults;
  out.open = false;
  return out;
}

struct Weighing {
  explicit Weighing(Nanoseconds interval = 500ms) : scene(interval) { monitor.ingest(helloOf(interval)); }
  void sweep() {
    scene.tick();
    monitor.ingest(scene.now);
  }
  Scene scene;
  Monitor monitor;
};

}  // namespace

TEST_CASE("zeroed bytes that are estimated are so in the words for a spike") {
  for (const Grade grade : {Grade::Exact, Grade::Estimated}) {
    Weighing watching;
    Hello hello = helloOf(500ms);
    hello.quality(ProcessMetric::ZeroedBytes).grade = grade;
    watching.monitor.ingest(hello);
    ProcessValues& values = watching.scene.process(1).values;
    values.set(ProcessMetric::ZeroedBytes, 0);
    for (int i = 0; i < 40; ++i) watching.sweep();
    values.set(ProcessMetric::ZeroedBytes, std::uint64_t{512} << 20U);
    watching.sweep();
    REQUIRE(watching.monitor.spikes().size() == 1);
    const Spike& spike = watching.monitor.spikes().front();
    const std::string mark = grade == Grade::Exact ? "" : "≈ ";
    CHECK(spikeAmount(spike) == mark + "512 MiB zeroed in 500 ms");
    CHECK(spikePeak(spike) == "peak " + mark + "1.00 GiB/s");
  }
}

TEST_CASE("repeated spikes are one group, with their count, period and typical cost") {
  std::deque<Spike> spikes;
  for (std::uint64_t i = 0; i < 22; ++i) spikes.push_back(spike(i + 1, "game", i * 5s, 26'000 + i * 33));
  spikes.push_back(spike(23, "game", 111s, 500'000));
  spikes.push_back(spike(24, "clang", 112s, 26'000, 8));
  spikes.push_back(spike(25, "clang", 113s, 27'000, 9));
  const std::vector<SpikeGroup> groups = groupSpikes(spikes);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].times() == 22);
  CHECK(rhythm(groups[0].pauses()) == 5s);
  CHECK(habitTimes(groups[0]) == "22 times, every 5.00 s");
  CHECK(habitAmount(groups[0]) == "26\u202f363 minor faults each");
  CHECK(groups[1].times() == 1);
  CHECK(habitTimes(groups[1]) == "once");
  CHECK(groups[2].processes() == 2);
  CHECK(habitTimes(groups[2]) == "2 times, 1.00 s apart");
  CHECK(groupSpikes(std::deque<Spike>()).empty());
}

TEST_CASE("irregular spikes have no regular period") {
  std::deque<Spike> spikes;
  Nanoseconds at{0};
  for (std::uint64_t i = 0; i < 9; ++i) spikes.push_back(spike(i + 1, "web", at += (1 + i * 7 % 5) * 1s, 5000));
  const std::vector<SpikeGroup> groups = groupSpikes(spikes);
  REQUIRE(groups.size() == 1);
  CHECK_FALSE(rhythm(groups[0].pauses()));
  CHECK(habitTimes(groups[0]) == "9 times, irregular, between 1.00 s and 5.00 s");
}

TEST_CASE("a rhythm is told only where there is one") {
  const auto told = [](const std::vector<Nanoseconds>& starts) {
    std::deque<Spike> spikes;
    for (const Nanoseconds start : starts)
      spikes.push_back(spike(spikes.size() + 1, "python3", start, 257'547, static_cast<std::uint32_t>(spikes.size())));
    const std::vector<SpikeGroup> groups = groupSpikes(spikes);
    REQUIRE(groups.size() == 1);
    return habitTimes(groups[0]);
  };
  CHECK(told({0s, 88s, 91s}) == "3 times, irregular, between 3.00 s and 88.0 s");
  CHECK(told({0s, 88s, 170s}) == "3 times, every 88.0 s");
  CHECK(told({0s, 88s}) == "2 times, 88.0 s apart");
  CHECK(told({7s, 7s}) == "2 times at once");
  CHECK(told({7s, 7100ms, 7s, 7400ms}) == "4 times at once");
  CHECK(told({0s, 0s, 60s, 60s, 0s}) == "5 times on 2 occasions, 60.0 s apart");  // told late, in another order
  CHECK(told({0s, 0s, 60s, 60s, 120s, 120s}) == "6 times on 3 occasions, every 60.0 s");
}

TEST_CASE("spikes of processes that other programs started are groups of their own, those of one process are not") {
  std::deque<Spike> spikes;
  for (const char* parent : {"bash", "cron", "bash"}) {
    spikes.push_back(spike(spikes.size() + 1, "python3", spikes.size() * 10s, 5000, 7));
    spikes.back().parent = parent;
    spikes.back().key.startTime = spikes.size();
  }
  std::vector<SpikeGroup> groups = groupSpikes(spikes);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].times() == 2);
  CHECK(groups[1].first().parent == "cron");
  spikes[1].key = spikes[0].key;  // its parent is no longer known
  spikes[1].parent.clear();
  CHECK(groupSpikes(spikes).size() == 1);
}

TEST_CASE("a spike has the name of the program that started its process, where that is known") {
  Weighing watching;
  watching.scene.process(3).name = "cron";
  for (const std::uint32_t pid : {7U, 8U})
    watching.scene.process(pid).values.set(ProcessMetric::ParentPid, pid == 7 ? 3 : 999);
  for (int i = 0; i < 60; ++i) watching.sweep();
  watching.scene.fault(7, 100'000);
  watching.scene.fault(8, 100'000);
  watching.sweep();
  REQUIRE(watching.monitor.spikes().size() == 2);
  CHECK(watching.monitor.spikes()[0].parent == "cron");
  CHECK(watching.monitor.spikes()[1].parent.empty());
}

TEST_CASE("only a spike twice as heavy as those of the last minute is news") {
  const std::deque<Spike> before{spike(1, "game", 0s, 8000)};
  CHECK(repeatsHabit(spike(2, "game", 5s, 12'000), before));
  CHECK_FALSE(repeatsHabit(spike(2, "game", 5s, 20'000), before));
  CHECK_FALSE(repeatsHabit(spike(2, "game", 70s, 8000), before));
  CHECK_FALSE(repeatsHabit(spike(2, "game", 5s, 8000, 8), before));
  CHECK_FALSE(repeatsHabit(spike(1, "game", 0s, 8000), before));
}

TEST_CASE("a habit of one of forty browser processes is reported at most once a minute") {
  constexpr std::uint32_t kProcesses = 40;
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    std::lognormal_distribution<double> flurry(std::log(6000.0), 0.5);  // garbage collection, a new image
    Weighing browser;
    for (std::uint32_t pid = 1; pid <= kProcesses; ++pid) browser.scene.process(pid).name = "Web Content";
    std::map<ProcessKey, std::vector<Spike>> flagged;
    for (int i = 0; i < 2 * 60 * 10; ++i) {
      for (std::uint32_t pid = 1; pid <= kProcesses; ++pid) {
        const bool bursts = uniform() < 0.06;  // about every eight seconds
        browser.scene.fault(pid, static_cast<std::uint64_t>(bursts ? flurry(random) : 40 * uniform()));
      }
      browser.sweep();
    }
    REQUIRE(browser.monitor.spikes().size() > 100);
    for (const Spike& each : browser.monitor.spikes())
      if (!each.again) flagged[each.key].push_back(each);
    for (const auto& [key, spikes] : flagged) {
      for (std::size_t i = 1; i < spikes.size(); ++i) {
        const bool heavier = spikeWeight(spikes[i]) > 2 * spikeWeight(spikes[i - 1]);
        CHECK((heavier || spikes[i].start - spikes[i - 1].end > 60s));
      }
    }
    CHECK(groupSpikes(browser.monitor.spikes()).size() <= 8);
  }
}
