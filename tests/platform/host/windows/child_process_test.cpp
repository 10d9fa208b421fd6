#include "platform/host/child_process.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <string>

#include "platform/host/processes.h"
#include "platform/host/programs.h"
#include "platform/system/windows/unique_handle.h"
#include "tests/support/read_all.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;
using test::readAll;
using namespace std::chrono_literals;

namespace {

std::filesystem::path childProgram() {
  return executableFolder() / "child_windows.exe";
}

ChildCommand command(std::vector<std::string> words) {
  return {.program = childProgram(),
          .arguments = std::move(words),
          .output = ChildStream::Pipe,
          .errors = ChildStream::Pipe,
          .quietInput = true};
}

ChildProcess started(const ChildCommand& command) {
  auto child = ChildProcess::start(command);
  REQUIRE(child);
  return std::move(*child);
}

std::string firstWords(ChildProcess& child) {
  std::array<std::byte, 64> buffer{};
  const std::size_t got = child.readOutput(buffer);
  return {reinterpret_cast<const char*>(buffer.data()), got};
}

DWORD openHandles() {
  DWORD count = 0;
  ::GetProcessHandleCount(::GetCurrentProcess(), &count);
  return count;
}

UniqueHandle opened(std::uint32_t pid) {
  return UniqueHandle(::OpenProcess(SYNCHRONIZE | PROCESS_TERMINATE, FALSE, pid));
}

bool runs(const UniqueHandle& process) {
  return ::WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

}  // namespace

TEST_CASE("A child's two streams and its exit code arrive") {
  ChildProcess child = started(command({"both"}));
  CHECK(readAll(child, &ChildProcess::readOutput) == "out\n");
  CHECK(readAll(child, &ChildProcess::readErrors) == "err\n");
  const ExitStatus status = child.wait();
  CHECK(status == ExitStatus{.code = 7, .signal = 0});
  CHECK(child.wait() == status);
  CHECK(readAll(child, &ChildProcess::readOutput).empty());
}

TEST_CASE("All 32 bits of an exit code arrive") {
  CHECK(started(command({"exit", "259"})).wait().shellCode() == 259);  // STILL_ACTIVE, of one that is not
  CHECK(started(command({"exit", "3221225477"})).wait().shellCode() == static_cast<int>(0xC0000005));
}

TEST_CASE("A child gets its arguments unchanged") {
  const std::vector<std::string> words{
      "a b",    "",   "q\"'\n$x", "C:\\a folder\\", "\\\"", "\\\\server\\share", "%PATH%", "^&|<>",
      "grün €", "🦀", "-- [a,b]", "\"\"",           "a\tb"};
  std::vector<std::string> arguments{"words"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::string expected;
  for (const std::string& word : words) expected += "[" + word + "]";
  ChildProcess child = started(command(arguments));
  CHECK(readAll(child, &ChildProcess::readOutput) == expected);
}

TEST_CASE("More than fits into a pipe arrives whole") {
  ChildProcess child = started(command({"much"}));
  CHECK(readAll(child, &ChildProcess::readOutput) == std::string(1'000'000, 'x'));
}

TEST_CASE("A child with quietInput reads an empty input") {
  ChildProcess child = started(command({"input"}));
  CHECK(readAll(child, &ChildProcess::readOutput) == "0\n");
}

TEST_CASE("The error for a missing program is a sentence") {
  const auto child = ChildProcess::start({.program = "Z:\\nowhere\\at-all", .arguments = {}});
  REQUIRE_FALSE(child);
  CHECK(child.error().message.starts_with("Z:\\nowhere\\at-all could not be started: "));
}

TEST_CASE("A program is found in PATH without its extension, also in a folder with non-ASCII letters") {
  const std::filesystem::path root = test::makeScratchFolder();
  const std::filesystem::path folder = root / std::filesystem::path(u8"grün 🦀");
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(childProgram(), folder / "surely-nowhere-else.exe");
  std::wstring before(32767, L'\0');
  before.resize(::GetEnvironmentVariableW(L"PATH", before.data(), 32767));
  ::SetEnvironmentVariableW(L"PATH", (before + L";" + folder.native()).c_str());
  ChildCommand words = command({"words", "found"});
  words.program = "surely-nowhere-else";
  {
    ChildProcess child = started(words);
    CHECK(readAll(child, &ChildProcess::readOutput) == "[found]");
    CHECK(child.wait().code == 0);
  }
  ::SetEnvironmentVariableW(L"PATH", before.c_str());
  CHECK_FALSE(ChildProcess::start(words));
  std::filesystem::remove_all(root);
}

TEST_CASE("A program of the current folder is not started by its bare name") {
  const std::filesystem::path folder = test::makeScratchFolder();
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::copy_file(childProgram(), folder / "planted-here.exe");
  std::filesystem::current_path(folder);
  ChildCommand words = command({"words", "found"});
  for (const char* const name : {"planted-here", "planted-here.exe"}) {
    words.program = name;
    const auto child = ChildProcess::start(words);
    REQUIRE_FALSE(child);
    CHECK(child.error().message.starts_with(std::string(name) + " could not be started: "));
  }
  words.program = ".\\planted-here";
  {
    ChildProcess child = started(words);
    CHECK(readAll(child, &ChildProcess::readOutput) == "[found]");
  }
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

TEST_CASE("A batch file runs, and an argument that cmd.exe would interpret is an error") {
  const std::filesystem::path folder = test::makeScratchFolder() / "two words";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.cmd") << "@echo %1 %2\r\n@exit /b 5\r\n";
  ChildCommand words = command({"a b", "c&d"});
  words.program = folder / "a";
  {
    ChildProcess child = started(words);
    CHECK(readAll(child, &ChildProcess::readOutput) == "\"a b\" \"c&d\"\r\n");
    CHECK(child.wait().code == 5);
  }
  words.arguments = {"\" & echo hello"};
  CHECK_FALSE(ChildProcess::start(words));
  std::filesystem::remove_all(folder.parent_path());
}

TEST_CASE("A child inherits no other handle of its parent") {
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  const UniqueHandle event(::CreateEventW(&inherited, TRUE, FALSE, nullptr));
  ChildProcess child = started(command({"set", std::to_string(reinterpret_cast<std::uintptr_t>(event.get()))}));
  REQUIRE(child.wait().code == 0);
  CHECK(::WaitForSingleObject(event.get(), 0) == WAIT_TIMEOUT);
}

TEST_CASE("Children leave no handle open") {
  CHECK(started(command({"exit", "1"})).wait().code == 1);  // what is made once is there from here on
  const DWORD before = openHandles();
  for (int i = 0; i < 5; ++i) CHECK(started(command({"exit", "1"})).wait().code == 1);
  {
    ChildProcess running = started(command({"sleep"}));
  }
  CHECK(openHandles() == before);
}

TEST_CASE("waitFor() returns after the timeout or at the end of the child") {
  ChildProcess child = started(command({"polite"}));
  REQUIRE(firstWords(child) == "ready\n");
  CHECK_FALSE(child.waitFor(10ms));
  child.terminate();
  const auto status = child.waitFor(10s);
  REQUIRE(status);
  CHECK(status->code == 3);
  CHECK(firstWords(child) == "bye\n");
}

TEST_CASE("A collector can be asked to end by its process id; other programs cannot") {
  ChildProcess collector = started(command({"polite"}));
  REQUIRE(firstWords(collector) == "ready\n");
  CHECK(askToEnd(collector.pid()));
  const auto status = collector.waitFor(10s);
  REQUIRE(status);
  CHECK(status->code == 3);
  ChildProcess other = started(command({"sleep"}));
  CHECK_FALSE(askToEnd(other.pid()));
}

TEST_CASE("A child that cannot be asked to end is killed at once") {
  ChildProcess child = started(command({"sleep"}));
  child.terminate();
  REQUIRE(child.waitFor(10s));
  CHECK(static_cast<std::uint32_t>(child.wait().code) == 0xC000013A);
}

TEST_CASE("The destructor kills a child that ignores SIGTERM") {
  UniqueHandle process;
  {
    ChildProcess stubborn = started(command({"stubborn"}));
    REQUIRE(firstWords(stubborn) == "ready\n");
    process = opened(stubborn.pid());
    REQUIRE(runs(process));
  }
  CHECK_FALSE(runs(process));
}

TEST_CASE("A child survives the destructor after detach()") {
  UniqueHandle process;
  {
    ChildProcess child = started(command({"sleep"}));
    process = opened(child.pid());
    child.detach();
  }
  CHECK(runs(process));
  ::TerminateProcess(process.get(), 0);
}

TEST_CASE("waitAny() reports which handles are ready") {
  ChildProcess silent = started(command({"sleep"}));
  ChildProcess talking = started(command({"polite"}));
  const std::array handles{silent.outputReady(), kNoHandle, talking.outputReady(), silent.ended()};
  CHECK(waitAny(handles, 10s) == 0b100U);
  CHECK(waitAny(handles, 0s) == 0b100U);  // until it is read
  CHECK(firstWords(talking) == "ready\n");
  CHECK(waitAny(handles, 0s) == 0);
  CHECK(waitAny(std::array{silent.outputReady()}, 10ms) == 0);
  CHECK(waitAny(std::array{kNoHandle}, 10ms) == 0);
  talking.terminate();
  REQUIRE(talking.waitFor(10s));
  CHECK((waitAny(handles, 0s) & 0b100U) != 0);  // an end is something to read, too
}

TEST_CASE("descendantsOf() finds children") {
  ChildProcess parent = started(command({"parent"}));
  const auto grandchild = static_cast<std::uint32_t>(std::stoul(firstWords(parent)));
  const auto found = descendantsOf(parent.pid());  // its console may be one of them
  CHECK(std::ranges::find(found, grandchild) != found.end());
  CHECK(descendantsOf(grandchild).empty());
  CHECK(nameProcess(grandchild) == "child_windows.exe (" + std::to_string(grandchild) + ")");
  CHECK(nameProcess(4'000'000'001) == "4000000001");
  CHECK(whyNotWatchable(grandchild) == "The process does not call faultline_frame() of faultline_frame.h.");
  ::TerminateProcess(opened(grandchild).get(), 0);
}
