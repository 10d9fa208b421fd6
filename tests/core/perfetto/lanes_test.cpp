#include "core/perfetto/lanes.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/python.h"
#include "tests/support/some_samples.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("Lanes are rows of a trace: threads, runs, and the moments in which threads resume together") {
  FaultLanes lanes(42, "lab");
  FaultLanes untraced(42, "lab");
  std::string trace;
  for (const std::uint32_t thread : {7U, 8U})
    for (const Nanoseconds took : {1us, 3000us}) {
      FaultSample sample = sampleAt(5s + took + thread * 1us);
      sample.thread = thread;
      sample.threadName = "worker";
      sample.took = took;
      lanes.add(sample, &trace);
      untraced.add(sample, nullptr);
    }
  CHECK(lanes.faults() == 4);
  const LaneRun run{.name = "system, 2 workers", .from = {5s}, .to = {6s}};
  const auto pictures = lanes.finish({&run, 1}, &trace);
  REQUIRE(pictures.size() == 1);
  CHECK(pictures[0].run == "system, 2 workers");
  CHECK(pictures[0].sentence.starts_with("4 faults, the median "));
  CHECK(pictures == untraced.finish({&run, 1}, nullptr));
  const auto read = runPython("perfetto/read_trace.py", trace);
  if (!read) SKIP("There is no python3 on this machine.");
  if (read->starts_with("missing:")) SKIP("Python's package perfetto is not installed: " + *read);
  CHECK(read->find("5000008000 lab (42)/Page faults of thread 7 (worker) end\n") != std::string::npos);
  CHECK(read->find("5000008000 lab (42)/Page faults of thread 8 (worker) begin 'page fault' 1 -\n") !=
        std::string::npos);
  CHECK(
      read->ends_with("5000000000 lab (42)/Runs begin 'system, 2 workers'\n6000000000 lab (42)/Runs end\n"
                      "5003008000 lab (42)/Resumed together instant '2 threads resume'\n"));
}

TEST_CASE("Of runs with the same name the one with the most faults has a picture") {
  FaultLanes lanes(42, "lab");
  for (const Nanoseconds time : {1s, 11s, 12s}) {
    FaultSample sample = sampleAt(time);
    sample.took = 1us;
    lanes.add(sample, nullptr);
  }
  const std::vector<LaneRun> runs{{.name = "disk", .from = {0s}, .to = {5s}},
                                  {.name = "disk", .from = {10s}, .to = {15s}},
                                  {.name = "disk", .from = {20s}, .to = {25s}}};
  const auto pictures = lanes.finish(runs, nullptr);
  REQUIRE(pictures.size() == 1);
  CHECK(pictures[0].faults == 2);
}

}  // namespace faultline::test
