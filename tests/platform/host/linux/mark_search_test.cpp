// The choice of what ends frames, of programs that really run; the time that passes is invented.
#include "core/watch/mark_search.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>

#include "platform/host/child_process.h"
#include "platform/host/mark_finder.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

const std::string kPlayer = FAULTLINE_MARKED "/player_pie_stripped";
const std::string kLibrary = FAULTLINE_MARKED "/libmarked_library.so";
const MarkSearch::Time kBegin{};
MarkFinder marks;

// A program of known libraries that waits; it is told what to load.
ChildProcess start(const std::string& program, std::vector<std::string> arguments) {
  auto process =
      ChildProcess::start({.program = program, .arguments = std::move(arguments), .output = ChildStream::Pipe});
  REQUIRE(process);
  std::string said;
  std::array<std::byte, 4096> buffer{};
  while (!said.ends_with("ready\n")) {
    const std::size_t got = process->readOutput(buffer);
    REQUIRE(got > 0);
    said.append(reinterpret_cast<const char*>(buffer.data()), got);
  }
  return std::move(*process);
}

// Of libraries that look like others, gone with it.
struct MarkedFolder {
  std::filesystem::path path = test::makeScratchFolder();
  MarkedFolder() = default;
  ~MarkedFolder() { std::filesystem::remove_all(path); }
  MarkedFolder(const MarkedFolder&) = delete;
  MarkedFolder& operator=(const MarkedFolder&) = delete;
};

std::string named(const MarkedFolder& folder, const std::string& name) {
  std::filesystem::copy_file(kLibrary, folder.path / name);
  return (folder.path / name).string();
}

WatchChoice choice(MarkSearch& search, MarkSearch::Time now) {
  const auto look = search.look(now);
  INFO((look ? "" : look.error().message));
  REQUIRE(look);
  REQUIRE(*look);
  return **look;
}

bool undecided(MarkSearch& search, MarkSearch::Time now) {
  const auto look = search.look(now);
  return look && !*look;
}

}  // namespace

TEST_CASE("A program with known functions is watched by them at once") {
  const MarkedFolder folder;
  const ChildProcess player = start(kPlayer, {named(folder, "libglfw.so.3.3")});
  MarkSearch search(marks, player.pid(), {.started = true}, kBegin);
  const WatchChoice chosen = choice(search, kBegin);
  CHECK(chosen.by == FrameEnd::Function);
  CHECK(chosen.why == "Frames end with glfwSwapBuffers (libglfw.so.3).");
  CHECK_FALSE(search.searchAgain());
}

TEST_CASE("A started program gets ten seconds to load a known function, a running program none") {
  const ChildProcess player = start(kPlayer, {});
  MarkSearch started(marks, player.pid(), {.started = true}, kBegin);
  CHECK(undecided(started, kBegin));
  CHECK(undecided(started, kBegin + 9s));
  CHECK(choice(started, kBegin + 10s).by == FrameEnd::AssumedRate);
  MarkSearch running(marks, player.pid(), {}, kBegin);
  CHECK(choice(running, kBegin).by == FrameEnd::AssumedRate);
  MarkSearch asked(marks, player.pid(), {.rate = 144}, kBegin);
  CHECK(choice(asked, kBegin).rate == 144);
}

TEST_CASE("If functions cannot be watched, the search waits for own marks before it assumes a rate") {
  const MarkedFolder folder;
  const ChildProcess player = start(kPlayer, {named(folder, "libGLX.so.0.0.0")});
  MarkSearch search(marks, player.pid(), {.started = true}, kBegin);
  CHECK_FALSE(search.refused("It is not up to me.", kBegin));
  CHECK(choice(search, kBegin).by == FrameEnd::Function);
  CHECK(search.refused("Functions take a privilege.", kBegin + 1s));
  CHECK(undecided(search, kBegin + 2s));
  const WatchChoice chosen = choice(search, kBegin + 3s);
  CHECK(chosen.by == FrameEnd::AssumedRate);
  CHECK(chosen.why.starts_with("Functions take a privilege. Frames of 1/60 s are assumed."));
}

TEST_CASE("A mark named by the user is not replaced by another choice") {
  const MarkedFolder folder;
  const ChildProcess player = start(kPlayer, {named(folder, "libglfw.so.3.3")});
  MarkSearch search(marks, player.pid(), {.mark = "libglfw:swapFrames"}, kBegin);
  CHECK(choice(search, kBegin).why == "Frames end with swapFrames (libglfw.so.3).");
  CHECK_FALSE(search.refused("Functions take a privilege.", kBegin));
  CHECK_FALSE(search.searchAgain());
  MarkSearch missing(marks, player.pid(), {.mark = "libSDL2:SDL_Flip", .started = true}, kBegin);
  CHECK(undecided(missing, kBegin + 9s));
  CHECK(missing.look(kBegin + 10s).error().message.find("has mapped no code of a file 'libSDL2'") != std::string::npos);
}

TEST_CASE("If a launcher has no known function, its descendants are tried one after another") {
  const MarkedFolder folder;
  const std::string glx = named(folder, "libGLX.so.0.0.0");
  const std::string glfw = named(folder, "libglfw.so.3.3");
  const ChildProcess script =
      start("sh", {"-c", kPlayer + " " + glx + " >/dev/null & " + kPlayer + " " + glfw + " & wait"});
  MarkSearch search(marks, script.pid(), {.started = true}, kBegin);
  const WatchChoice first = choice(search, kBegin);
  CHECK(first.pid != script.pid());
  CHECK(first.why.starts_with("Frames end with "));
  std::optional<WatchChoice> second;
  for (int i = 0; i < 100 && !second; ++i) second = search.searchAgain();
  REQUIRE(second);
  CHECK(second->pid != first.pid);
  CHECK(second->functions.front().name != first.functions.front().name);
}

TEST_CASE("If none of many functions is called, the list is rotated, because not all can be watched at once") {
  const MarkedFolder folder;
  std::vector<std::string> libraries;
  for (const char* name : {"libglfw.so.1", "libglfw.so.2", "libGLX.so.0", "libGLX.so.1", "libGL.so.1"})
    libraries.push_back(named(folder, name));
  const ChildProcess player = start(kPlayer, libraries);
  MarkSearch search(marks, player.pid(), {}, kBegin);
  const WatchChoice first = choice(search, kBegin);
  REQUIRE(first.functions.size() == 5);
  const auto second = search.searchAgain();
  REQUIRE(second);
  CHECK(second->functions.front() == first.functions.back());
  CHECK(search.searchAgain() == first);
  CHECK_FALSE(search.betterOwnMarks(first));
}

TEST_CASE("A process that has executed another program is searched again, and no rate is assumed") {
  const ChildProcess player = start(kPlayer, {});
  MarkSearch search(marks, player.pid(), {}, kBegin);
  CHECK(choice(search, kBegin).by == FrameEnd::AssumedRate);
  search.restart(kBegin + 1s);
  CHECK(undecided(search, kBegin + 1h));
}
