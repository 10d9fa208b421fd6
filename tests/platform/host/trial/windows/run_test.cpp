#include "platform/host/trial/run.h"

#include <windows.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "platform/host/programs.h"
#include "platform/system/windows/system_text.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

TrialCommand child(std::vector<std::string> words) {
  words.insert(words.begin(), toUtf8((executableFolder() / "child_windows.exe").native()));
  return {.words = std::move(words), .output = TrialOutput::Dropped, .countsAll = true};
}

}  // namespace

TEST_CASE("A run on Windows has its end, its processes and the time that it took") {
  const auto sample = runTrial(child({"exit", "7"}), {});
  REQUIRE(sample);
  REQUIRE(*sample);
  CHECK((*sample)->code == 7);
  CHECK((*sample)->processes >= 1);
  CHECK((*sample)->byJob);
  CHECK((*sample)->wall > 0ns);
  CHECK_FALSE((*sample)->ended);
}

TEST_CASE("Processes that a program leaves behind on Windows are counted, and end with the run") {
  const auto alone = runTrial(child({"exit", "0"}), {});
  REQUIRE(alone);
  REQUIRE(*alone);
  const auto since = std::chrono::steady_clock::now();
  const auto sample = runTrial(child({"leave"}), {});
  REQUIRE(sample);
  REQUIRE(*sample);
  CHECK(*(*sample)->processes == *(*alone)->processes + 1);  // a console may have a process, too
  CHECK((*sample)->wall < std::chrono::steady_clock::now() - since);
}

TEST_CASE("A run on Windows that is cancelled has no sample, and one that its watch ends has") {
  const auto cancelled =
      runTrial(child({"sleep"}), {.ready = reinterpret_cast<WaitHandle>(::CreateEventW(nullptr, TRUE, TRUE, nullptr)),
                                  .requested = [] { return true; }});
  REQUIRE(cancelled);
  CHECK_FALSE(*cancelled);
  std::uint32_t pid = 0;
  int steps = 0;
  const TrialWatch watch{
      .begin = [&](std::uint32_t program) { pid = program; },
      .ready = [] { return kNoHandle; },
      .pause = [] { return std::optional<Nanoseconds>(10ms); },
      .step = [&] { return ++steps < 3 ? TrialWish::Hold
                           : steps < 5 ? TrialWish::Run
                                       : TrialWish::End; }};
  const auto sample = runTrial(child({"sleep"}), {}, &watch);
  REQUIRE(sample);
  REQUIRE(*sample);
  CHECK((*sample)->ended);
  CHECK((*sample)->wall > 0ns);
  CHECK(pid != 0);
  CHECK(steps == 5);
}

TEST_CASE("A run on Windows reads its file, and says why it cannot begin") {
  const std::filesystem::path folder = test::makeScratchFolder();
  TrialCommand reads = child({"input"});
  reads.input = folder / "in";
  const auto missing = runTrial(reads, {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("in cannot be read: ") != std::string::npos);
  std::ofstream(reads.input) << "text";
  const auto sample = runTrial(reads, {});
  REQUIRE(sample);
  REQUIRE(*sample);
  CHECK((*sample)->code == 0);
  const auto none = runTrial({.words = {"no such program"}, .output = TrialOutput::Dropped}, {});
  REQUIRE_FALSE(none);
  std::filesystem::remove_all(folder);
  CHECK(none.error().message.starts_with("no such program could not be started: "));
}
