#include "core/query/sweeps.h"

#include <catch2/catch_test_macros.hpp>

#include "core/export/quality_json.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

Hello hello(Quality zeroed) {
  Hello hello;
  hello.source = "sweep";
  hello.interval = 1s;
  hello.collectorPid = 99;
  hello.machine.pageBytes = 16384;
  for (Quality& quality : hello.process) quality = exact("counted");
  hello.quality(ProcessMetric::ZeroedBytes) = std::move(zeroed);
  hello.quality(ProcessMetric::SwappedBytes) = unavailable("no swap", "add one");
  return hello;
}

Snapshot sweep(int second, std::uint64_t faults) {
  Snapshot snapshot;
  snapshot.time = {second * 1s};
  snapshot.wallTime = {1'000'000s + second * 1s};
  for (std::uint32_t pid = 1; pid <= 3; ++pid) {
    ProcessSample process{.key = {pid, pid}, .name = pid == 3 ? "x\xfe" : "game", .values = {}};
    process.values.set(ProcessMetric::MinorFaults, faults * pid);
    process.values.set(ProcessMetric::ResidentBytes, 1000 * pid);
    snapshot.processes.push_back(process);
  }
  return snapshot;
}

SweepAnswer answering(const Question& question) {
  SweepAnswer answer(question);
  answer.monitor().ingest(hello(exact("counted")));
  for (int second = 1; second <= 5; ++second) answer.take(sweep(second, static_cast<std::uint64_t>(second) * 10));
  return answer;
}

}  // namespace

TEST_CASE("The sums of a time are those of its sweeps, each with the time before it") {
  const auto all = answering({.ask = Ask::Processes}).json({}, 0);
  REQUIRE(all);
  CHECK((*all)["processes"][0]["pid"] == 3);
  CHECK((*all)["processes"][0]["minor_faults"] == 120);  // of four intervals
  CHECK((*all)["processes"][0]["name"] == "x\\xfe");
  CHECK((*all)["processes"][0]["name_hex"] == "78fe");
  CHECK((*all)["processes"][0]["resident_bytes"] == 3000);
  CHECK((*all)["processes"][0]["major_faults"].is_null());
  CHECK((*all)["duration_ns"] == 4'000'000'000);
  const auto part = answering({.ask = Ask::Processes, .from = 2s, .to = 3s, .top = 1, .by = "program"}).json({}, 0);
  REQUIRE(part);
  CHECK((*part)["programs"].size() == 1);
  CHECK((*part)["programs"][0]["name"] == "game");
  CHECK((*part)["programs"][0]["minor_faults"] == 60);
  CHECK((*part)["programs"][0]["running"] == 2);
  CHECK((*part)["others"]["count"] == 1);
  CHECK((*part)["others"]["sums"]["minor_faults"] == 60);
  CHECK((*part)["since"] == "1970-01-12T13:46:43.000000000Z");
}

TEST_CASE("What is not available cannot be ranked by, and is null with a reason") {
  const auto refused = answering({.ask = Ask::Processes, .metric = "swapped_bytes"}).json({}, 0);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "Nothing can be ranked by swapped_bytes, which is unavailable: no swap");
  const auto answer = answering({.ask = Ask::Processes}).json({}, 0);
  REQUIRE(answer);
  CHECK((*answer)["processes"][0]["swapped_bytes"].is_null());
  CHECK((*answer)["quality"]["swapped_bytes"] == qualityJson(unavailable("no swap", "add one")));
  const auto late = answering({.ask = Ask::Summary, .from = 1h}).json({}, 0);
  CHECK_FALSE(late);
}

TEST_CASE("A number that is known in a part of the time alone is an estimate") {
  SweepAnswer answer({.ask = Ask::Summary});
  answer.monitor().ingest(hello(exact("counted")));
  answer.take(sweep(1, 10));
  answer.monitor().ingest(hello(unavailable("no right")));
  answer.take(sweep(2, 20));
  answer.take(sweep(3, 30));
  const auto json = answer.json("It is cut.", 4);
  REQUIRE(json);
  CHECK((*json)["quality"]["zeroed_bytes"] == qualityJson(estimated("Of a part of the time alone: counted")));
  CHECK((*json)["quality"]["minor_faults"]["grade"] == "exact");
  CHECK((*json)["lost_sweeps"] == 4);
  CHECK((*json)["remark"] == "It is cut.");
  CHECK((*json)["hello"]["machine"]["page_bytes"] == 16384);
  CHECK((*json)["sweeps"] == 3);
  CHECK((*json)["total"]["minor_faults"] == 120);
}
