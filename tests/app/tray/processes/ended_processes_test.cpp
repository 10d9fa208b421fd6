#include "app/tray/processes/ended_processes.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr double kMs = 1e6;

std::vector<ProcessKey> keysOf(const EndedProcesses& ended) {
  std::vector<ProcessKey> keys;
  ended.appendKeys(keys);
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

TEST_CASE("An ended process is kept for half a minute if it was costly enough") {
  EndedProcesses ended;
  ended.add({1, 1}, {10s}, 5 * kMs);
  ended.add({2, 2}, {10s}, 0.1 * kMs);
  ended.forget({40s});
  CHECK(keysOf(ended) == std::vector{ProcessKey{1, 1}});
  ended.forget({40s + 1ns});
  CHECK(keysOf(ended).empty());
}

TEST_CASE("Only the costliest of a thousand processes are kept, in any order") {
  EndedProcesses ended;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::uint32_t pid = i * 7919 % 1000;
    ended.add({pid, 1}, {10s}, kMs * (1 + pid));
  }
  std::vector<ProcessKey> costliest;
  for (std::uint32_t pid = 1000 - EndedProcesses::kMost; pid < 1000; ++pid) costliest.push_back({pid, 1});
  CHECK(keysOf(ended) == costliest);
}

TEST_CASE("A process that ended later than now belongs to another stream") {
  EndedProcesses ended;
  ended.add({1, 1}, {10s}, 5 * kMs);
  ended.forget({9s});
  CHECK(ended.size() == 0);
}

TEST_CASE("Without fault times, the number of faults gives the cost") {
  CHECK(costOf(41.0, std::nullopt, std::nullopt) == 41);
  CHECK(costOf(std::nullopt, 4000, 0) == costOf(std::nullopt, 2000, 10));
}

}  // namespace faultline
