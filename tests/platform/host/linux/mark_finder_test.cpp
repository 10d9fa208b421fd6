// Functions found by name, compared with where the programs that hold them say that they are.
#include "platform/host/mark_finder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/parse/proc_maps.h"
#include "platform/host/child_process.h"
#include "tests/support/game.h"

using namespace faultline;

namespace {

const std::string kMarked = FAULTLINE_MARKED "/";

// Where an address of a process lies, told by the kernel.
std::optional<ProbePoint> placeOf(std::uint32_t pid, std::uint64_t address) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto mapping = parseProcMapping(line);
    if (mapping && address >= mapping->begin && address < mapping->end)
      return ProbePoint{mappedPath(mapping->name), address - mapping->begin + mapping->offset, {}};
  }
  return std::nullopt;
}

struct Player {
  ChildProcess process;
  std::map<std::string, ProbePoint> truth{};

  explicit Player(const std::string& program, std::vector<std::string> libraries = {})
      : process(*ChildProcess::start(
            {.program = program, .arguments = std::move(libraries), .output = ChildStream::Pipe})) {
    std::string text;
    std::array<std::byte, 4096> buffer{};
    while (!text.ends_with("ready\n")) {
      const std::size_t got = process.readOutput(buffer);
      REQUIRE(got > 0);
      text.append(reinterpret_cast<const char*>(buffer.data()), got);
    }
    while (text != "ready\n") {
      const std::string line = text.substr(0, text.find('\n'));
      text.erase(0, line.size() + 1);
      const std::size_t blank = line.rfind(' ');
      const auto place = placeOf(pid(), std::stoull(line.substr(blank + 1), nullptr, 16));
      REQUIRE(place);
      truth[line.substr(0, blank)] = *place;
    }
  }
  [[nodiscard]] std::uint32_t pid() const { return process.pid(); }
};

void checkFound(const Player& player, const std::string& file, const std::string& function) {
  const auto found = MarkFinder().find(player.pid(), {file, function});
  INFO(function << ": " << (found ? "" : found.error().message));
  REQUIRE(found);
  REQUIRE(player.truth.contains(function));
  CHECK(found->file == player.truth.at(function).file);
  CHECK(found->offset == player.truth.at(function).offset);
}

std::string complaint(const Player& player, const std::string& file, const std::string& function) {
  const auto found = MarkFinder().find(player.pid(), {file, function});
  REQUIRE_FALSE(found);
  return found.error().message;
}

std::string who(const Player& player, const std::string& name) {
  return name + " (" + std::to_string(player.pid()) + ")";
}

// A folder of its own, in which libraries can have other names.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("faultline-marks-" + std::to_string(getpid()));

  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string library(const std::string& name) const {
    std::filesystem::copy_file(kMarked + "libmarked_library.so", path / name);
    return (path / name).string();
  }
};

}  // namespace

TEST_CASE("A program's functions are found at their addresses, however it was linked") {
  const std::string name = GENERATE("player_pie", "player_no_pie", "player_static", "player_static_pie");
  const Player player(kMarked + name);
  checkFound(player, "", "present");
  checkFound(player, name, "Renderer::show()");
  checkFound(player, kMarked + name, "Renderer::show(int)");
  CHECK(complaint(player, name, "Renderer::show") ==
        name + " has 2 functions 'Renderer::show': Renderer::show(), Renderer::show(int). Name one of them.");
  const auto symbol = MarkFinder().find(player.pid(), {"", "_ZN8Renderer4showEi"});
  REQUIRE(symbol);
  CHECK(symbol->offset == player.truth.at("Renderer::show(int)").offset);
  CHECK(symbol->name == "Renderer::show(int) (" + name + ")");
}

#ifdef FAULTLINE_LIBERTY
TEST_CASE("A function of Rust is found and named without its hash") {
  const Player player(kMarked + "player_pie");
  for (const std::string name : {"game::update", "game::draw"}) {
    checkFound(player, "", name);
    CHECK(MarkFinder().find(player.pid(), {"", name})->name == name + " (player_pie)");
  }
}
#endif

TEST_CASE("A function is found in the program that a process has just started, not in the one before", "[slow]") {
  const std::string player = kMarked + "player_static";
  int times = 0;
  for (int delay = 0; delay < 300; ++delay) {
    const pid_t pid = fork();
    if (pid == 0) {
      close(STDOUT_FILENO);
      usleep(static_cast<useconds_t>(delay) * 10);
      execl(player.c_str(), player.c_str(), nullptr);
      _exit(1);
    }
    const auto found = MarkFinder().find(static_cast<std::uint32_t>(pid), {"", "Renderer::show()"});
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    if (!found) continue;  // at that moment it ran this test
    CHECK(found->file == player);
    ++times;
  }
  CHECK(times > 0);
}

TEST_CASE("The default version of a library's function is found, unless another version is named") {
  const std::string library = GENERATE("libmarked_library.so", "libmarked_library.so_stripped");
  const Player player(kMarked + "player_pie", {kMarked + library});
  checkFound(player, library, "swapFrames");
  checkFound(player, kMarked + library, "swapFrames@MARKED_1");
  checkFound(player, "libmarked_library", "swapFrames@@MARKED_2");
  CHECK(player.truth.at("swapFrames").offset != player.truth.at("swapFrames@MARKED_1").offset);
  CHECK(complaint(player, library, "chosenSwap") ==
        "'chosenSwap' of " + library +
            " is resolved to one of several functions when the program starts. "
            "Name the chosen one.");
}

TEST_CASE("The error for an unknown name lists similar names and a remedy") {
  const Player player(kMarked + "player_pie", {kMarked + "libmarked_library.so_stripped"});
  CHECK(complaint(player, "", "presents") == "player_pie has no function 'presents'. Similar names: present.");
  CHECK(complaint(player, "libmarked_library", "oldSwapFrames") ==
        "libmarked_library.so_stripped has no function 'oldSwapFrames'. Similar names: swapFrames@MARKED_1, "
        "swapFrames@MARKED_2. The file is stripped: only exported functions have names. Use a build with symbols, "
        "install "
        "the debug symbols, or name an address.");
  std::string similar = complaint(player, "libmarked.so", "swapFrames");
  constexpr std::string_view kByClang = "libm.so.6, ";  // which GCC does not link
  if (const auto at = similar.find(kByClang); at != std::string::npos) similar.erase(at, kByClang.size());
  CHECK(similar == who(player, "player_pie") +
                       " has mapped no code of a file 'libmarked.so'. Similar names: libmarked_library.so_stripped.");
  CHECK(complaint(player, "libc", "") == "Name a function after the colon, such as game:present.");
  const Player alone(kMarked + "player_static_stripped");
  CHECK(complaint(alone, "", "present") ==
        "player_static_stripped has no function 'present'. The file is linked statically and stripped: none of its "
        "functions has a name. Use a build with symbols, name an address, or assume a rate, such as --assume 60.");
  CHECK(complaint(alone, "libGL", "glXSwapBuffers") ==
        who(alone, "player_static_s") + " has mapped no code of a file 'libGL'. Mapped are: player_static_stripped.");
}

TEST_CASE("An address as printed by nm is accepted if it is code") {
  const std::string name = GENERATE("player_pie", "player_static");
  const Player player(kMarked + name);
  const auto nm = ChildProcess::start({.program = "sh",
                                       .arguments = {"-c", "nm '" + kMarked + name + "' | grep ' T present$'"},
                                       .output = ChildStream::Pipe});
  std::array<std::byte, 100> line{};
  const std::size_t got = const_cast<ChildProcess&>(*nm).readOutput(line);
  REQUIRE(got > 16);
  const std::string digits(reinterpret_cast<const char*>(line.data()), 16);
  const std::string address = GENERATE_COPY(digits, "0x" + digits);
  const auto found = MarkFinder().find(player.pid(), {"", address});
  REQUIRE(found);
  CHECK(found->offset == player.truth.at("present").offset);
  CHECK(complaint(player, "", "0x1") == "'0x1' of " + name + " is not an address of code.");
}

TEST_CASE("A library's exact name wins over names that only begin with it") {
  const Folder folder;
  const Player player(kMarked + "player_pie", {folder.library("libgame.so.6"), folder.library("libgame-extra.so.1")});
  const auto found = MarkFinder().find(player.pid(), {"libgame", "swapFrames"});
  REQUIRE(found);
  CHECK(found->name == "swapFrames (libgame.so.6)");
  CHECK(complaint(player, "libgame", "swapFrame").find("Similar names: swapFrames") != std::string::npos);
}

TEST_CASE("Known functions that end frames are found by their libraries' names, in order of preference") {
  const Folder folder;
  const std::string glx = folder.library("libGLX.so.0.0.0");
  const std::string glfw = folder.library("libglfw.so.3.3");
  const std::string unknown = folder.library("libglfw_like.so");
  const Player player(kMarked + "player_pie", {glx, unknown, glfw});
  MarkFinder finder;
  for (int again = 0; again < 2; ++again) {
    const auto found = finder.look(player.pid());
    REQUIRE(found);
    CHECK_FALSE(found->own);
    CHECK_FALSE(found->ownExpected);
    REQUIRE(found->functions.size() == 3);
    CHECK(found->functions[0].name == "SDL_GL_SwapWindow (player_pie)");
    CHECK(found->functions[0].offset == player.truth.at("SDL_GL_SwapWindow").offset);
    CHECK(found->functions[1].name == "glfwSwapBuffers (libglfw.so.3)");
    CHECK(found->functions[1].file == glfw);
    CHECK(found->functions[1].offset == player.truth.at("glfwSwapBuffers").offset);
    CHECK(found->functions[2].name == "glXSwapBuffers (libGLX.so.0)");
    CHECK(found->functions[2].file == glx);
  }
}

TEST_CASE("A library replaced while the game runs is reported, and a name with a blank is found") {
  const Folder folder;
  const std::string glx = folder.library("libGLX.so.0.0.0");
  const std::string odd = folder.library("lib odd (deleted)");
  const Player player(kMarked + "player_no_pie_stripped", {glx, odd});
  std::filesystem::remove(glx);
  const auto found = MarkFinder().look(player.pid());
  REQUIRE(found);
  const std::string sentence =
      glx + " has been deleted or replaced since " + who(player, "player_no_pie_s") + " mapped it. Restart the game.";
  CHECK(found->functions.empty());
  CHECK(found->obstacle == sentence);
  CHECK(complaint(player, "libGLX", "glXSwapBuffers") == sentence);
}

TEST_CASE("A program rebuilt while it runs is read as it was mapped") {
  const Folder folder;
  const std::string program = (folder.path / "game").string();
  std::filesystem::copy_file(kMarked + "player_pie", program);
  const Player player(program);
  std::filesystem::copy_file(kMarked + "player_static", folder.path / "new");
  std::filesystem::rename(folder.path / "new", program);
  const auto found = MarkFinder().find(player.pid(), {"", "Renderer::show()"});
  INFO((found ? "" : found.error().message));
  REQUIRE(found);
  CHECK(found->file == program);
  CHECK(found->offset == player.truth.at("Renderer::show()").offset);
}

TEST_CASE("A game's own marks are found, and expected if the program contains the call") {
  const test::Game game({"frames=1000", "then=linger"});
  const test::Game silent({"frames=1000", "mark=", "then=linger"});
  MarkFinder finder;
  FoundMarks marks;
  for (int i = 0; i < 6000 && !marks.own; ++i) {
    usleep(10'000);
    if (const auto look = finder.look(game.pid())) marks = *look;
  }
  CHECK(marks.own);
  const auto none = finder.look(silent.pid());
  REQUIRE(none);
  CHECK_FALSE(none->own);
  CHECK(none->ownExpected);
  CHECK(none->nothing());
}

TEST_CASE("The error for a missing process is a sentence") {
  CHECK(MarkFinder().look(4'000'000).error().message == "There is no process 4000000.");
  const ChildProcess ended = *ChildProcess::start({.program = "true", .arguments = {}});
  CHECK(waitAny(std::array{ended.ended()}, std::nullopt) != 0);
  CHECK(MarkFinder().look(ended.pid()).error().message ==
        "Process true (" + std::to_string(ended.pid()) + ") has exited, or is part of the kernel.");
  CHECK(MarkFinder().find(4'000'000, {"", "present"}).error().message == "There is no process 4000000.");
}
