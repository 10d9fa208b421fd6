#include "platform/host/linux/symbols/reader_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

std::string howItEnds(const std::function<std::string()>& work, Nanoseconds patience = 60s) {
  const auto answer = inReaderProcess(work, patience);
  return answer ? "answered " + *answer : answer.error().message;
}

// A file that is truncated while it is mapped, as happens when a file is rewritten in place.
std::string readCutFile(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDWR);
  const auto* const bytes = static_cast<const char*>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0));
  if (ftruncate(file, 0) != 0) return "not cut";
  return {bytes, 1};
}

// Allocates without end, and touches nothing.
std::string takeAllMemory() {
  std::vector<std::unique_ptr<char[]>> all;
  for (;;) all.emplace_back(new char[std::size_t{1} << 30U]);
}

}  // namespace

TEST_CASE("A reader process answers requests of any length, and inherits no descriptor") {
  const int other = open("/dev/null", O_RDONLY);
  REQUIRE(other >= 0);
  auto process = ReaderProcess::start([&] {
    return [](std::string_view request) {
      if (!request.empty()) return std::string(request) + std::string(request);
      std::string files;
      for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        files += std::filesystem::read_symlink(entry.path(), gone).string().substr(0, 7) + ' ';
      }
      return files;
    };
  });
  REQUIRE(process);
  const std::string text(3'000'000, 'x');
  CHECK(process->ask(text, 60s) == text + text);
  CHECK(process->ask("ab", 60s) == "abab");
  const auto files = process->ask("", 60s);
  REQUIRE(files);
  CHECK(files->starts_with("/dev/nu /dev/nu /dev/nu socket: /proc/"));
  close(other);
}

TEST_CASE("The error for every end of a reader process is half a sentence") {
  const std::filesystem::path folder = makeScratchFolder();
  const std::filesystem::path path = folder / "file";
  CHECK(howItEnds([] { return std::string("well"); }) == "answered well");
  CHECK(howItEnds([]() -> std::string { std::abort(); }).starts_with("was ended by signal 6"));
  CHECK(howItEnds(
            []() -> std::string {
              for (;;) pause();
            },
            200ms) == "took too long");
  std::filesystem::resize_file((close(open(path.c_str(), O_CREAT | O_RDWR, 0600)), path), 4096);
  CHECK(howItEnds([&] { return readCutFile(path); }).starts_with("was ended by signal 7"));
  CHECK(howItEnds(takeAllMemory).starts_with("ran out of memory"));
  CHECK(howItEnds([]() -> std::string { throw std::runtime_error("no such section"); }) == "failed: no such section");
  auto failing = ReaderProcess::start([]() -> ReaderProcess::Answer { throw std::length_error("too long"); });
  REQUIRE(failing);
  CHECK(failing->ask("x", 60s).error().message == "failed: too long");
  std::filesystem::remove_all(folder);
}

}  // namespace faultline::test
