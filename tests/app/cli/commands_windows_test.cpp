// The built programs, run as child processes.
#include <windows.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/text/exit_code.h"
#include "core/export/csv.h"
#include "core/recording/recording.h"
#include "platform/host/child_process.h"
#include "platform/host/nt/command_line.h"
#include "platform/host/programs.h"
#include "platform/system/windows/spawn.h"
#include "platform/system/windows/system_text.h"
#include "tests/app/cli/outcome_windows.h"
#include "tests/support/fixture.h"

using namespace faultline;
using test::bytesOf;
using test::finished;
using test::Outcome;
using namespace std::chrono_literals;

namespace {

ChildProcess startCli(std::vector<std::string> words) {
  return test::startBuilt("faultline-cli", std::move(words));
}

Outcome run(std::vector<std::string> words) {
  return finished(startCli(std::move(words)));
}

std::string nameOf(const std::filesystem::path& path) {
  return toUtf8(path.native());
}

// A name with letters of several alphabets, which no single code page holds.
struct RunFolder : test::FilesFolder {
  std::filesystem::path recording = path / std::filesystem::path(u8"grün 🦀.faultline");
  std::string name = nameOf(recording);
};

// The CSV that the program must write on every system.
std::string tableOf(const std::filesystem::path& recording) {
  auto file = RecordingFile::open(recording);
  REQUIRE(file);
  std::string table = csvHeader();
  Hello hello;
  Moment moment;
  std::optional<Snapshot> previous;
  for (;;) {
    const auto event = file->next();
    REQUIRE(event);
    if (std::holds_alternative<RecordingEnd>(*event)) return table;
    if (const auto* told = std::get_if<Hello>(&*event)) hello = *told;
    const auto* snapshot = std::get_if<const Snapshot*>(&*event);
    if (snapshot == nullptr) continue;
    derive(hello, previous ? &*previous : nullptr, **snapshot, moment);
    appendCsv(moment, table);
    previous = **snapshot;
  }
}

bool isWhole(const std::filesystem::path& recording) {
  return run({"export", nameOf(recording)}).code == ExitCode::kOk;
}

}  // namespace

TEST_CASE("An export of a recording from another system is byte-identical") {
  for (const char* name : {"format_1_0.faultline", "format_1_1.faultline"}) {
    INFO(name);
    const std::filesystem::path recording = std::filesystem::path(FAULTLINE_FIXTURES) / "stream" / name;
    const Outcome exported = run({"export", nameOf(recording)});
    CHECK(exported.code == 0);
    CHECK(exported.output == tableOf(recording));
    CHECK(exported.output.find("\r\r") == std::string::npos);
  }
}

TEST_CASE("export reads a recording from standard input unchanged") {
  const std::filesystem::path recording = std::filesystem::path(FAULTLINE_FIXTURES) / "stream/format_1_1.faultline";
  const RunFolder folder;
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  const auto open = [&](const std::filesystem::path& file, DWORD access, DWORD how) {
    return UniqueHandle(::CreateFileW(file.c_str(), access, FILE_SHARE_READ, &inherited, how, 0, nullptr));
  };
  const std::filesystem::path program = executableFolder() / "faultline-cli.exe";
  const std::array streams{open(recording, GENERIC_READ, OPEN_EXISTING),
                           open(folder.path / "out.csv", GENERIC_WRITE, CREATE_ALWAYS), emptyStream()};
  const auto child = spawn(program.native(), toWide(commandLine("faultline-cli", {"export", "-"})), streams, false);
  REQUIRE(child);
  REQUIRE(::WaitForSingleObject(child->process.get(), 60'000) == WAIT_OBJECT_0);
  CHECK(bytesOf(folder.path / "out.csv") == tableOf(recording));
}

TEST_CASE("A reader that closes the pipe ends export without a message") {
  const std::filesystem::path recording = std::filesystem::path(FAULTLINE_FIXTURES) / "noise/idle_hour.faultline";
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  HANDLE ours = nullptr;
  HANDLE theirs = nullptr;
  REQUIRE(::CreatePipe(&ours, &theirs, &inherited, 4096) != 0);
  UniqueHandle reader(ours);
  DWORD code = 0;
  {
    const std::filesystem::path program = executableFolder() / "faultline-cli.exe";
    const std::array streams{emptyStream(), UniqueHandle(theirs), emptyStream()};
    const auto line = toWide(commandLine("faultline-cli", {"export", nameOf(recording)}));
    const auto child = spawn(program.native(), line, streams, false);
    REQUIRE(child);
    std::array<char, 10> some{};
    DWORD got = 0;
    REQUIRE(::ReadFile(reader.get(), some.data(), static_cast<DWORD>(some.size()), &got, nullptr) != 0);
    reader.reset();
    REQUIRE(::WaitForSingleObject(child->process.get(), 60'000) == WAIT_OBJECT_0);
    ::GetExitCodeProcess(child->process.get(), &code);
  }
  CHECK(code == ExitCode::kReaderGone);
}

TEST_CASE("Wrong usage exits with 2 and writes no data, also for words that are not ASCII") {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{}, {"bogus"}, {"snapshot", "-i", "5"}, {"top", "--", "sleep", "1"}}) {
    const Outcome outcome = run(words);
    CHECK(outcome.code == ExitCode::kUsage);
    CHECK(outcome.output.empty());
    CHECK(outcome.errors.starts_with("faultline-cli: "));
  }
  CHECK(run({"snapshot", "--grün🦀"}).errors.find("--grün🦀") != std::string::npos);
  const Outcome help = run({"--help"});
  CHECK(help.code == 0);
  CHECK(help.output.find("faultline-cli doctor") != std::string::npos);
  CHECK(run({"export", "/nowhere/r.faultline"}).code == ExitCode::kFailure);  // a file, no option
}

TEST_CASE("The error for a missing collector names the file") {
  const Outcome outcome = run({"--collector", "Z:\\nowhere\\grün.exe", "snapshot"});
  CHECK(outcome.code == ExitCode::kFailure);
  CHECK(outcome.errors.find("Z:\\nowhere\\grün.exe could not be started") != std::string::npos);
}

TEST_CASE("The option --synthetic shows a synthetic machine as CSV, as JSON, and as plain text") {
  const Outcome csv = run({"--synthetic", "snapshot", "-i", "50ms"});
  CHECK(csv.code == 0);
  CHECK(csv.output.starts_with(csvHeader()));
  CHECK(std::ranges::count(csv.output, '\n') == 63);
  const Outcome json = run({"--synthetic", "snapshot", "-i", "50ms", "-f", "json"});
  CHECK(json.output.starts_with("{\"hello\":"));
  CHECK(json.output.ends_with("\n]}\n"));
  const Outcome top = run({"--synthetic", "top", "-i", "50ms", "-c", "2"});
  CHECK(top.code == 0);
  CHECK(top.output.find("compositor") != std::string::npos);
  CHECK(top.output.find('\x1b') == std::string::npos);
}

TEST_CASE("record writes a complete recording that can be exported, and does not overwrite it") {
  const RunFolder folder;
  const Outcome recorded = run({"--synthetic", "record", "-i", "20ms", "-d", "300ms", "-o", folder.name});
  CHECK(recorded.errors.starts_with("Recorded "));
  REQUIRE(recorded.code == 0);
  const Outcome exported = run({"export", folder.name});
  CHECK(exported.code == 0);
  CHECK(exported.output == tableOf(folder.recording));
  CHECK(run({"--synthetic", "record", "-d", "100ms", "-o", folder.name}).code == ExitCode::kFailure);
}

TEST_CASE("record returns all 32 bits of its program's exit code and leaves a complete recording") {
  const RunFolder folder;
  const std::string program = nameOf(executableFolder() / "child_windows");
  for (const auto& [given, expected] : {std::pair("7", 7), std::pair("3221225477", static_cast<int>(0xC0000005))}) {
    CHECK(
        run({"--synthetic", "record", "-i", "20ms", "--force", "-o", folder.name, "--", program, "exit", given}).code ==
        expected);
    CHECK(isWhole(folder.recording));
  }
  const Outcome words = run({"--synthetic", "record", "-i", "20ms", "--force", "-o", folder.name, "--", program,
                             "words", "[a,b]", "", "a \"b\"", "-o", "--"});
  CHECK(words.output == "[[a,b]][][a \"b\"][-o][--]");
  CHECK(run({"--synthetic", "record", "-o", nameOf(folder.path / "n"), "--", "Z:\\nowhere\\at-all"}).code ==
        ExitCode::kNotStarted);
}

TEST_CASE("A request to end record leaves a complete recording") {
  const RunFolder folder;
  ChildProcess recording = startCli({"--synthetic", "record", "-i", "20ms", "-o", folder.name});
  for (int i = 0; i < 500 && bytesOf(folder.recording).size() < 1000; ++i) ::Sleep(20);
  recording.terminate();
  const Outcome outcome = finished(std::move(recording));
  CHECK(outcome.code == 0);
  CHECK(outcome.errors.starts_with("Recorded "));
  CHECK(isWhole(folder.recording));
}

namespace {

std::vector<std::string> splitAt(char separator, const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

// The values of two columns of frames as CSV; absent: empty.
using Number = std::optional<std::uint64_t>;
std::vector<std::pair<Number, Number>> columns(const std::filesystem::path& csv, const std::string& first,
                                               const std::string& second) {
  std::ifstream file(csv);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = splitAt(',', line);
  const auto place = [&](const std::string& name) {
    const auto found = std::ranges::find(header, name);
    REQUIRE(found != header.end());
    return static_cast<std::size_t>(found - header.begin());
  };
  const std::size_t one = place(first);
  const std::size_t two = place(second);
  const auto number = [](const std::string& field) { return field.empty() ? Number() : Number(std::stoull(field)); };
  std::vector<std::pair<Number, Number>> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = splitAt(',', line);
    rows.emplace_back(number(fields.at(one)), number(fields.at(two)));
  }
  return rows;
}

}  // namespace

TEST_CASE("frames tells the faults of each frame that a game marks, exactly") {
  const RunFolder folder;
  const std::filesystem::path csv = folder.path / "frames.csv";
  const Outcome outcome =
      run({"frames", "--csv", nameOf(csv), "--", nameOf(executableFolder() / "marked_game_windows.exe")});
  INFO(outcome.errors);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("render") != std::string::npos);
  const auto frames = columns(csv, "frame", "minor_faults");
  CHECK(frames.size() >= 99);
  for (const auto& [number, faults] : frames) REQUIRE(faults == 10 * *number);  // the game's count wraps meanwhile
  for (const auto& [number, major] : columns(csv, "frame", "major_faults")) REQUIRE_FALSE(major);
}

TEST_CASE("frames names what a running program lacks that marks no frames") {
  const Outcome outcome = run({"frames", std::to_string(::GetCurrentProcessId())});
  CHECK(outcome.code == ExitCode::kFailure);
  CHECK(outcome.errors.find("games that call faultline_frame() of faultline_frame.h") != std::string::npos);
}

TEST_CASE("frames refuses a game whose faults Wine does not count, in place of showing none") {
  const Outcome outcome = run({"frames", "--", nameOf(executableFolder() / "marked_game_windows.exe"), "uncounted"});
  CHECK(outcome.errors.find("Wine counts no page faults") != std::string::npos);
}

TEST_CASE("doctor warns if the machine lets all programs allocate top down") {
  constexpr const wchar_t* kKey = L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management";
  const auto doctor = [] { return run({"doctor"}).output; };
  CHECK(doctor().find("AllocationPreference") == std::string::npos);
  const DWORD topDown = MEM_TOP_DOWN;
  REQUIRE(::RegSetKeyValueW(HKEY_LOCAL_MACHINE, kKey, L"AllocationPreference", REG_DWORD, &topDown, sizeof topDown) ==
          ERROR_SUCCESS);
  const std::string warned = doctor();
  ::RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, kKey, L"AllocationPreference");
  INFO(warned);
  CHECK(warned.find("AllocationPreference in the registry makes all programs allocate from the top") !=
        std::string::npos);
}

TEST_CASE("try says why no remedy can be tried on Windows, and how a developer does") {
  const Outcome outcome = run({"try", "--", "program.exe"});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.code == ExitCode::kFailure);
  CHECK(outcome.errors.find("segment-heap is unavailable: a manifest inside the program asks for this heap") !=
        std::string::npos);
  CHECK(outcome.errors.find("top-down is unavailable: AllocationPreference") != std::string::npos);
  CHECK(outcome.errors.find("No remedy can be tried with program.exe.") != std::string::npos);
}

TEST_CASE("stat counts the processes of a program on Windows, and says of a number that Wine has none") {
  const std::string program = nameOf(executableFolder() / "child_windows.exe");
  const Outcome one = run({"stat", "-r", "2", "--counts", "--format", "json", "-i", "--", program, "exit", "3"});
  INFO(one.output << one.errors);
  REQUIRE(one.code == ExitCode::kOk);
  const auto stat = nlohmann::json::parse(one.output)["stat"];
  const auto& figures = stat["programs"][0]["figures"];
  CHECK(stat["programs"][0]["failed_runs"] == 2);
  CHECK(figures["wall_ns"]["values"].size() == 2);
  CHECK(figures["processes"]["least"] >= 1);
  CHECK(figures["minor_faults"].is_null());
  CHECK(stat["qualities"]["processes"]["grade"] == "exact");
  CHECK(stat["qualities"]["minor_faults"]["how"] == "Windows counts minor and major page faults of a job as one");
  const Outcome failing = run({"stat", "-r", "2", "--", program, "exit", "3"});
  CHECK(failing.code == ExitCode::kFailure);
  CHECK(failing.errors.find("ended with code 3. To count it all the same, give --ignore-failure.") !=
        std::string::npos);
  const Outcome none = run({"stat", "--", "no such program"});
  CHECK(none.code == ExitCode::kNotStarted);
  CHECK(none.errors.find("no such program could not be started: ") != std::string::npos);
}

TEST_CASE("stat measures what runs on Windows") {
  const Outcome all = run({"stat", "-a", "-d", "1s", "--format", "csv"});
  INFO(all.output << all.errors);
  CHECK(all.code == ExitCode::kOk);
  CHECK(all.output.find("All processes,faults,count,") != std::string::npos);
}

TEST_CASE("doctor and lab check the zeroing threads, or say that Wine has none") {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"doctor", "--zeroing-threads"}, std::vector<std::string>{"lab", "zero-stimulus"}}) {
    const Outcome outcome = run(command);
    INFO(outcome.output << outcome.errors);
    CHECK(
        (outcome.output.find("base priority") != std::string::npos ||
         (outcome.code == ExitCode::kFailure && outcome.errors.find("Wine has no such process") != std::string::npos)));
  }
}
