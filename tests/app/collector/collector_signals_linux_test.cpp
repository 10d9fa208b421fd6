#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "tests/app/collector/running_collector.h"

using namespace faultline;
using test::Collector;
using test::follow;

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
