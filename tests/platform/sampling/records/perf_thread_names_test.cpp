#include "platform/sampling/records/perf_thread_names.h"

#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <string_view>

namespace faultline::test {
namespace {

constexpr std::uint32_t kComm = 3;
constexpr std::uint32_t kExit = 4;
constexpr std::uint32_t kFork = 7;

void learn(PerfThreadNames& names, std::uint32_t type, std::initializer_list<std::uint32_t> numbers,
           std::string_view text = {}) {
  std::vector<std::byte> body(numbers.size() * sizeof(std::uint32_t) + text.size());
  std::memcpy(body.data(), std::data(numbers), numbers.size() * sizeof(std::uint32_t));
  if (!text.empty()) std::memcpy(body.data() + body.size() - text.size(), text.data(), text.size());
  names.learn({type, 0, body});
}

}  // namespace

TEST_CASE("A thread has its own name or that of its parent") {
  PerfThreadNames names;
  names.set(5, "game");
  CHECK(names.of(5) == "game");
  CHECK(names.of(6).empty());
  learn(names, kFork, {5, 5, 6, 5, 0, 0});
  CHECK(names.of(6) == "game");
  learn(names, kComm, {5, 6}, std::string_view("render\0\0rest", 12));
  CHECK(names.of(6) == "render");
  CHECK(names.of(5) == "game");
  learn(names, kExit, {5, 5, 6, 5, 0, 0});
  CHECK(names.of(6) == "render");  // what it did may not be read yet
  learn(names, kFork, {5, 5, 6, 5, 0, 0});
  CHECK(names.of(6) == "game");  // another thread of that number
}

TEST_CASE("Ended threads are forgotten when there are many") {
  PerfThreadNames names;
  names.set(5, "game");
  for (std::uint32_t thread = 100; thread < 10'000; ++thread) {
    learn(names, kFork, {5, 5, thread, 5, 0, 0});
    learn(names, kExit, {5, 5, thread, 5, 0, 0});
  }
  CHECK(names.of(5) == "game");
  CHECK(names.of(100).empty());
  CHECK(names.of(9999) == "game");
}

TEST_CASE("A name read before its thread's FORK record stays") {
  PerfThreadNames names;
  names.set(5, "game");
  learn(names, kComm, {5, 6}, "loader");
  learn(names, kFork, {5, 5, 6, 5, 0, 0});
  CHECK(names.of(6) == "loader");
}

TEST_CASE("Unterminated names and truncated records are read within their bounds") {
  PerfThreadNames names;
  learn(names, kComm, {5, 6}, "012345678901234567890123456789");
  CHECK(names.of(6) == "012345678901234");
  learn(names, kComm, {5});
  learn(names, kFork, {5, 5, 7});
  learn(names, kExit, {5, 5});
  learn(names, 9, {5, 5, 6, 5});
  CHECK(names.of(6) == "012345678901234");
  CHECK(names.of(7).empty());
}

}  // namespace faultline::test
