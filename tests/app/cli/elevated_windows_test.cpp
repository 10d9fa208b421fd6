// The two halves of an elevated collector: the program that reads it, and the collector, started by hand. Only the
// prompt of Windows is left out.
#include <windows.h>
// after windows.h
#include <shellapi.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "app/cli/text/exit_code.h"
#include "core/stream/decoder.h"
#include "platform/host/child_process.h"
#include "platform/system/windows/stream_pipes.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"
#include "tests/app/cli/outcome_windows.h"

using namespace faultline;
using test::finished;
using test::Outcome;
using test::startBuilt;
using namespace std::chrono_literals;

namespace {

const std::vector<std::string> kThree{"sweep", "--synthetic", "windows", "--count", "3", "--fast"};
const std::vector<std::string> kEndless{"sweep", "--synthetic", "windows", "--interval", "20ms"};

// The reading half. `words`: what the administrator is asked to type, without the program.
struct Reader {
  ChildProcess process;
  std::vector<std::string> words;

  explicit Reader(const std::vector<std::string>& arguments) : process(started(arguments)) {
    std::string line;
    for (std::byte byte{}; line.find('\n') == std::string::npos;) {
      REQUIRE(process.readErrors({&byte, 1}) == 1);
      line += static_cast<char>(byte);
    }
    int count = 0;
    LPWSTR* const split = ::CommandLineToArgvW(toWide(line.substr(0, line.find_first_of("\r\n"))).c_str(), &count);
    REQUIRE(count > 1);
    CHECK(toUtf8(split[0]).ends_with("faultline-collector.exe"));
    for (int i = 1; i < count; ++i) words.push_back(toUtf8(split[i]));
    ::LocalFree(split);
  }
  static ChildProcess started(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"elevated", "--by-hand", "--"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return startBuilt("faultline-cli", all);
  }
  [[nodiscard]] std::string after(const std::string& option) const {
    const auto found = std::ranges::find(words, option);
    REQUIRE(found + 1 < words.end());
    return *(found + 1);
  }
};

std::size_t snapshotsIn(const std::string& stream) {
  Decoder decoder;
  decoder.feed(std::as_bytes(std::span(stream)));
  std::size_t snapshots = 0;
  bool ended = false;
  for (auto event = decoder.next(); event && !std::holds_alternative<NeedMoreBytes>(*event); event = decoder.next()) {
    snapshots += std::holds_alternative<const Snapshot*>(*event) ? 1 : 0;
    ended |= std::holds_alternative<StreamEnd>(*event);
  }
  CHECK(ended);
  return snapshots;
}

}  // namespace

TEST_CASE("A collector that an administrator starts by hand sends its stream through the reader") {
  Reader reader(kThree);
  CHECK(isStreamName(reader.after("--streams")));
  CHECK(reader.after("--reader") == std::to_string(reader.process.pid()));
  const Outcome collector = finished(startBuilt("faultline-collector", reader.words));
  INFO(collector.errors);
  CHECK(collector.code == 0);
  CHECK(collector.output.empty());
  const Outcome read = finished(std::move(reader.process));
  INFO(read.errors);
  CHECK(read.code == 0);
  CHECK(snapshotsIn(read.output) == 3);
}

TEST_CASE("A collector that asks whether a user is looking hears the end of the reader's input") {
  Reader reader({"sweep", "--synthetic", "windows", "--count", "3", "--attended"});
  ChildProcess collector = startBuilt("faultline-collector", reader.words);
  CHECK(finished(std::move(reader.process)).code == 0);
  CHECK(finished(std::move(collector)).code == 0);
}

TEST_CASE("A collector does not connect to the pipes of another process than it was told") {
  Reader reader(kThree);
  *(std::ranges::find(reader.words, "--reader") + 1) = std::to_string(::GetCurrentProcessId());
  const Outcome collector = finished(startBuilt("faultline-collector", reader.words));
  CHECK(collector.code == 3);
  CHECK(collector.errors.find(" is not that of process " + std::to_string(::GetCurrentProcessId())) !=
        std::string::npos);
  const Outcome read = finished(std::move(reader.process));
  CHECK(read.code == ExitCode::kFailure);
  CHECK(read.errors.find("The collector ended with code 3 before it was connected.") != std::string::npos);
  CHECK(read.output.empty());
}

TEST_CASE("Another program in the collector's place is refused") {
  Reader reader(kThree);
  const UniqueHandle intruder(::CreateFileW(streamPipe(reader.after("--streams"), 0).c_str(), GENERIC_READ, 0, nullptr,
                                            OPEN_EXISTING, 0, nullptr));
  REQUIRE(intruder);
  const Outcome read = finished(std::move(reader.process));
  CHECK(read.code == ExitCode::kFailure);
  CHECK(read.errors.find(", which connected, is not ") != std::string::npos);
}

TEST_CASE("A name of pipes that leads elsewhere is refused") {
  for (const std::string name : {"..\\..\\C:\\x", "0123456789abcdef0123456789abcdeX"}) {
    const Outcome outcome = finished(startBuilt(
        "faultline-collector", {"sweep", "--synthetic", "--count", "1", "--streams", name, "--reader", "4"}));
    CHECK(outcome.code == 3);
    CHECK(outcome.errors.find("is not a name of pipes") != std::string::npos);
  }
}

TEST_CASE("A collector that could start another program is not elevated") {
  const Outcome outcome = finished(startBuilt("faultline-cli", {"elevated", "--by-hand", "--", "watch", "4"}));
  CHECK(outcome.code == ExitCode::kUsage);
  CHECK(outcome.errors.find("begin with sweep or threads") != std::string::npos);
}

TEST_CASE("Either half ends with the other") {
  {
    Reader reader(kEndless);
    ChildProcess collector = startBuilt("faultline-collector", reader.words);
    std::array<std::byte, 64> bytes{};
    REQUIRE(reader.process.readOutput(bytes) > 0);
    const UniqueHandle handle(::OpenProcess(PROCESS_TERMINATE, FALSE, collector.pid()));
    REQUIRE(::TerminateProcess(handle.get(), 9) != 0);
    CHECK(finished(std::move(reader.process)).code == 9);
  }
  Reader reader(kEndless);
  ChildProcess collector = startBuilt("faultline-collector", reader.words);
  std::array<std::byte, 64> bytes{};
  REQUIRE(reader.process.readOutput(bytes) > 0);
  const UniqueHandle handle(::OpenProcess(PROCESS_TERMINATE, FALSE, reader.process.pid()));
  REQUIRE(::TerminateProcess(handle.get(), 9) != 0);
  CHECK(collector.wait().shellCode() == 0);
}
