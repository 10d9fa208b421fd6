// Names and texts of other programs cannot send control sequences to the terminal.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/recording/writer.h"
#include "tests/app/cli/shell_linux.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kHostile =
    "\x1b]2;owned\x07\xc2\x9b"
    "2J\xe2\x80\xae";
constexpr const char* kShown = "\\x1b]2;owned\\x07\\u{9b}2J\\u{202e}";

// What a command writes to a terminal, and what it writes to pipes.
constexpr const char* kTerminal = R"PY(
import os, pty, subprocess, sys
def on_terminal(command, **environment):
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**os.environ, 'TERM': 'xterm', **environment}):
        os.close(theirs)
        seen = b''
        try:
            while piece := os.read(ours, 65536): seen += piece
        except OSError: pass
    return seen
def in_pipes(command, **environment):
    return subprocess.run(command, capture_output=True, env={**os.environ, **environment})
)PY";

constexpr const char* kBoth = R"PY(
from terminal import *
hostile, shown = [bytes(text, 'utf-8') for text in (sys.argv[1], sys.argv[2])]
seen = on_terminal(sys.argv[3:])
for control in (b'\x1b]', b'\xc2\x9b', b'\xe2\x80\xae', b'\x07'): assert control not in seen, seen
assert shown in seen, seen
piped = in_pipes(sys.argv[3:])
assert hostile in piped.stdout + piped.stderr, piped
)PY";

RecordingWriter begin(const std::filesystem::path& file, Hello hello) {
  hello.clock = "CLOCK_MONOTONIC";
  hello.interval = 500ms;
  auto writer = RecordingWriter::create(file, hello);
  REQUIRE(writer);
  return std::move(*writer);
}

void recordFrames(const std::filesystem::path& file) {
  Hello hello;
  hello.source = "watch";
  hello.watched = WatchedGame{.pid = 7,
                              .name = "game",
                              .by = FrameEnd::OwnMarks,
                              .mark = "render",
                              .faults = {.grade = Grade::Exact, .how = kHostile, .enable = {}},
                              .nsPerFault = {}};
  auto writer = begin(file, hello);
  GameFrameBatch batch;
  for (int i = 0; i < 100; ++i) {
    GameFrame& frame = batch.frames.emplace_back();
    frame.number = static_cast<std::uint64_t>(i);
    frame.start = {1s + i * 16ms};
    frame.duration = 16ms;
  }
  REQUIRE(writer.add(batch));
  REQUIRE(writer.finish());
}

void recordSweeps(const std::filesystem::path& file) {
  auto writer = begin(file, {});
  Snapshot snapshot;
  snapshot.processes.push_back({{7, 1}, kHostile, {}});
  snapshot.processes.push_back({{8, 1}, "one\nrow", {}});
  for (const Nanoseconds time : {1s, 2s}) {
    snapshot.time = {time};
    REQUIRE(writer.add(snapshot));
  }
  REQUIRE(writer.finish());
}

void checkBoth(const Shell& shell, const std::string& command, const std::string& hostile = kHostile,
               const std::string& shown = kShown) {
  const Outcome checked = shell.run("python3 both.py '" + hostile + "' '" + shown + "' " + command + " 2>&1");
  INFO(command << ": " << checked.output);
  CHECK(checked.code == 0);
}

}  // namespace

TEST_CASE("Control characters of other programs' texts are escaped on a terminal, and exact in a pipe") {
  const Shell shell;
  shell.file("terminal.py", kTerminal);
  shell.file("both.py", kBoth);
  recordSweeps(shell.folder / "sweeps.faultline");
  recordFrames(shell.folder / "game.faultline");
  std::string log = "os,cpu\na,b\nfps,frametime,cpu_load,elapsed\n";
  for (int i = 1; i < 90; ++i) log += "62,16,5," + std::to_string(i * 16'000'000) + "\n";
  shell.file("hud.csv", log);
  checkBoth(shell, "faultline-cli export sweeps.faultline --format csv");
  checkBoth(shell, "faultline-cli export sweeps.faultline --format csv", "one\nrow", "one\\nrow");
  checkBoth(shell, "faultline-cli join --anchor 0s hud.csv game.faultline");
  shell.file("game.py",
             "import sys\nopen('/proc/self/comm', 'w').write(sys.argv[1])\nprint(flush=True)\nsys.stdin.read()\n");
  const Outcome live = shell.run(
      "coproc python3 game.py $'\\e]2;owned\\a'; read -r -u ${COPROC[0]}; "
      "python3 both.py $'\\e]2;owned\\a' '\\x1b]2;owned\\x07' "
      "faultline-cli snapshot --interval 50ms 2>&1");
  INFO(live.output);
  CHECK(live.code == 0);
}

TEST_CASE("On a terminal whose locale is not UTF-8 every character is ASCII, and in a pipe none changes", "[slow]") {
  const Shell shell;
  shell.file("terminal.py", kTerminal);
  shell.file("ascii.py", R"PY(
from terminal import *
for locale, ascii in (('C', True), ('de_DE@euro', True), ('', True), ('C.UTF-8', False), ('de_DE.utf8', False)):
    settings = {'LC_ALL': locale, 'LC_CTYPE': '', 'LANG': ''}
    seen = on_terminal(sys.argv[1:], **settings)
    assert seen.isascii() == ascii, (locale, seen)
    assert not in_pipes(sys.argv[1:], **settings).stdout.isascii(), locale
)PY");
  for (const char* const command : {"doctor --all", "top --count 2"}) {
    const Outcome checked = shell.run("python3 ascii.py faultline-cli --synthetic " + std::string(command) + " 2>&1");
    INFO(checked.output);
    CHECK(checked.code == 0);
  }
}

}  // namespace faultline::test
