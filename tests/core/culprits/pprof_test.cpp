#include "core/culprits/pprof.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace faultline {
namespace {

using namespace std::chrono_literals;

// A message as a reader sees it: numbers and bytes by the numbers of their fields.
struct Read {
  explicit Read(std::string_view bytes) {
    std::size_t at = 0;
    const auto varint = [&] {
      std::uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(bytes.at(at++));
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < bytes.size()) {
      const std::uint64_t key = varint();
      const std::uint64_t value = varint();
      if ((key & 7U) == 0) {
        numbers[key >> 3U].push_back(value);
      } else {
        texts[key >> 3U].emplace_back(bytes.substr(at, value));
        at += value;
      }
    }
  }
  std::map<std::uint64_t, std::vector<std::uint64_t>> numbers;
  std::map<std::uint64_t, std::vector<std::string>> texts;
};

// Of gzip's stored blocks.
std::string unpacked(std::string_view gzip) {
  std::string bytes;
  const auto byte = [&](std::size_t at) { return std::size_t{static_cast<std::uint8_t>(gzip.at(at))}; };
  std::size_t at = 10;
  for (bool last = false; !last;) {
    last = byte(at) == 1;
    const std::size_t size = byte(at + 1) + (byte(at + 2) << 8U);
    bytes += gzip.substr(at + 5, size);
    at += 5 + size;
  }
  return bytes;
}

// "thread: main Level::load:212 16 500" for each sample, with the lines that are known.
std::vector<std::string> samplesOf(const std::string& bytes) {
  const Read profile(unpacked(bytes));
  const auto& words = profile.texts.at(6);
  std::map<std::uint64_t, std::string> functions;
  for (const std::string& function : profile.texts.at(5)) {
    const Read read(function);
    const std::string& file = words.at(read.numbers.at(4)[0]);
    functions[read.numbers.at(1)[0]] = words.at(read.numbers.at(2)[0]) + (file.empty() ? "" : " of " + file);
  }
  std::map<std::uint64_t, std::string> locations;
  for (const std::string& location : profile.texts.at(4)) {
    const Read read(location);
    const Read line(read.texts.at(4)[0]);
    const std::uint64_t number = line.numbers.at(2)[0];
    locations[read.numbers.at(1)[0]] =
        functions.at(line.numbers.at(1)[0]) + (number == 0 ? "" : ":" + std::to_string(number));
  }
  std::vector<std::string> samples;
  for (const std::string& sample : profile.texts.at(2)) {
    const Read read(sample);
    const Read label(read.texts.at(3)[0]);
    std::string text = words.at(label.numbers.at(2)[0]) + ":";
    const auto calls = read.numbers.find(1);
    if (calls != read.numbers.end())
      for (auto call = calls->second.rbegin(); call != calls->second.rend(); ++call) text += " " + locations.at(*call);
    for (const std::uint64_t value : read.numbers.at(2)) text += " " + std::to_string(value);
    samples.push_back(std::move(text));
  }
  return samples;
}

CallStack stackOf(const std::vector<std::string>& innermostFirst) {
  CallStack stack;
  for (const std::string& function : innermostFirst) stack.emplace_back().function = function;
  return stack;
}

}  // namespace

TEST_CASE("pprof has a sample for each stack, of its faults, their kinds, pages and time; the thread is a label") {
  CallTree tree;
  addStack(tree, "loader", stackOf({"memset", "Level::load", "main"}), {64, 500ns, 3});
  addStack(tree, "loader", stackOf({"Level::load", "main"}), {16, 100ns});
  addStack(tree, "audio", {}, {4});
  const std::string bytes = pprofOf(tree, 4096);
  CHECK(samplesOf(bytes) == std::vector<std::string>{"loader: main Level::load memset 64 61 3 262144 500",
                                                     "loader: main Level::load 16 16 0 65536 100",
                                                     "audio: 4 4 0 16384 0"});
  const Read profile(unpacked(bytes));
  CHECK(profile.texts.at(6)[0].empty());
  CHECK(profile.texts.at(1).size() == 5);
  CHECK(profile.texts.at(6)[profile.numbers.at(14)[0]] == "page_faults");
}

TEST_CASE("pprof has a location for each line of a function, and the function once") {
  CallTree tree;
  for (const int line : {212, 213, 212}) {
    CallStack stack = stackOf({"Level::load", "main"});
    stack.front().file = "/src/level.cpp";
    stack.front().line = line;
    addStack(tree, "loader", stack, {1});
  }
  const std::string bytes = pprofOf(tree, 0);
  CHECK(samplesOf(bytes) == std::vector<std::string>{"loader: main Level::load of /src/level.cpp:212 2 2 0",
                                                     "loader: main Level::load of /src/level.cpp:213 1 1 0"});
  CHECK(Read(unpacked(bytes)).texts.at(5).size() == 2);
  CHECK(foldedText(tree) == "loader;main;Level::load 3\n");
}

TEST_CASE("pprof of faults without times has their number alone, and of no faults is a profile") {
  CallTree tree;
  addStack(tree, "loader", stackOf({"main"}), {3});
  CHECK(samplesOf(pprofOf(tree, 0)) == std::vector<std::string>{"loader: main 3 3 0"});
  const std::string none = unpacked(pprofOf({}, 0));
  CHECK(Read(none).texts.count(2) == 0);
  CHECK(Read(none).texts.at(6)[0].empty());
}

}  // namespace faultline
