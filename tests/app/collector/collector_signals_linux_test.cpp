#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "tests/app/collector/running_collector.h"

using namespace faultline;
using test::Collector;
using test::follow;

TEST_CASE("SIGUSR1 asks for a sample at once") {
  Collector collector({"sweep", "--interval", "30s"});
  std::vector<MonotonicTime> times;
  follow(collector, [&](const StreamEvent& event) {
    const auto* const snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    times.push_back((*snapshot)->time);
    collector.signal(times.size() < 3 ? SIGUSR1 : SIGTERM);
  });
  REQUIRE(times.size() == 4);  // the last by SIGTERM
  CHECK(times[2] - times[0] < std::chrono::seconds(30));
  CHECK(collector.exitCode() == 0);
}

TEST_CASE("SIGTERM and SIGINT end the stream with its last packet") {
  for (const int number : {SIGTERM, SIGINT}) {
    Collector collector({"sweep", "--interval", "30s"});
    bool ended = false;
    follow(collector, [&](const StreamEvent& event) {
      if (std::holds_alternative<const Snapshot*>(event)) collector.signal(number);
      if (std::holds_alternative<StreamEnd>(event)) ended = true;
    });
    CHECK(ended);
    CHECK(collector.exitCode() == 0);
  }
}
