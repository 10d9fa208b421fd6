// Children that commands start and wait for, where the system helps little.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

// A program whose loader waits; its name tells it from those of other tests.
constexpr const char* kAwaiting = "cp \"$(which awaiting)\" aw$$; mkfifo libawaited.so; ";

// Starts `command` in the background, sends it a signal as soon as the program runs, and prints the exit code.
std::string signalled(const std::string& signal, const std::string& command) {
  return kAwaiting + command +
         " >/dev/null 2>said & started=$!; until pgrep -x aw$$ >/dev/null; do sleep 0.05; done; sleep 0.3; kill -" +
         signal + " $started; wait $started; echo $?";
}

constexpr const char* kAtMost = "timeout -s KILL --foreground 100 ";

}  // namespace

TEST_CASE("A signal ends frames, though the loader of its program waits for ever") {
  for (const char* const signal : {"INT", "TERM", "HUP"}) {
    const Shell shell;
    const Outcome ended =
        shell.run(signalled(signal, std::string(kAtMost) + "faultline-cli frames --assume 60 -- ./aw$$"));
    INFO(signal << ": " << ended.output);
    CHECK(ended.output == "143\n");
  }
}

TEST_CASE("frames obeys --duration, though the loader of its program waits for ever") {
  const Shell shell;
  const Outcome ended = shell.run(std::string(kAwaiting) + kAtMost +
                                  "faultline-cli frames --assume 60 -d 300ms -- ./aw$$ >told 2>said & frames=$!; "
                                  "for i in $(seq 600); do grep -q 'Waiting for' said && break; sleep 0.1; done; "
                                  "grep -c 'Waiting for ./aw' said; pkill -x aw$$; wait $frames; echo $?");
  INFO(ended.output);
  CHECK(ended.output == "1\n143\n");
}

TEST_CASE("A signal ends try, though the loader of its program waits for ever") {
  const Shell shell;
  const Outcome ended =
      shell.run(signalled("TERM", std::string(kAtMost) + "faultline-cli try --frames -- ./aw$$") + "; pgrep -x aw$$");
  INFO(ended.output);
  CHECK(ended.output == "130\n");
}

TEST_CASE("Commands see the end of their children where the system refuses pidfd_open") {
  const Shell shell;
  const std::string sandboxed = std::string(kAtMost) + "without_pidfd faultline-cli ";
  CHECK(shell.run(sandboxed + "record -i 50ms -o r.faultline -- sh -c 'exit 6' 2>&1").code == 6);
  CHECK(shell.run(sandboxed + "frames --assume 60 -- sh -c 'exit 5' 2>&1").code == 5);
  CHECK(shell.run(sandboxed + "try --with keep --runs 1 -- true 2>&1").code == 0);
  CHECK(shell.run(sandboxed + "snapshot >/dev/null 2>&1").code == 0);
}

TEST_CASE("Commands end where few files can be opened, and say so") {
  const Shell shell;
  for (int most = 4; most < 12; ++most)
    for (const char* const command : {"record -d 300ms --force -o r.faultline -- true", "frames --assume 60 -- true",
                                      "try --with keep --runs 1 -- true"}) {
      const Outcome ended = shell.run("ulimit -n " + std::to_string(most) + "; " + kAtMost + "faultline-cli " +
                                      command + " 2>&1 >/dev/null");
      INFO(most << ": " << command << ": " << ended.output);
      CHECK(ended.code < 128);
      CHECK((ended.code == 0 || !ended.output.empty()));
    }
}

TEST_CASE("The exit code of a program is its own where SIGCHLD is ignored") {
  const Shell shell;
  shell.file("ignoring.py",
             "import os, signal, sys\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
             "os.execvp(sys.argv[1], sys.argv[1:])\n");
  const std::string ignoring = "python3 ignoring.py faultline-cli ";
  for (const char* const command : {"record -i 50ms --force -o r.faultline", "frames --assume 60"}) {
    CHECK(shell.run(ignoring + command + " -- sh -c 'exit 6' 2>/dev/null").code == 6);
    CHECK(shell.run(ignoring + command + " -- sh -c 'kill -9 $$' 2>/dev/null").code == 137);
  }
  const Outcome tried = shell.run(
      ignoring + "try --with keep --runs 1 -f json -- sh -c 'exit 6' 2>/dev/null | grep -c '\"exit_code\": *6'");
  CHECK(tried.output != "0\n");
}

TEST_CASE("A recording that reaches the limit of a file's size ends with a sentence") {
  const Shell shell;
  const Outcome ended = shell.run("ulimit -f 16; faultline-cli --synthetic record -i 10ms -d 20s -o r.faultline 2>&1");
  INFO(ended.output);
  CHECK(ended.code == 1);
  CHECK(ended.output.find("File too large") != std::string::npos);
  CHECK(shell
            .run("ulimit -f 16; faultline-cli record --force -i 50ms -o k.faultline -- "
                 "sh -c 'exec 2>/dev/null; head -c 100000 /dev/zero >big' >/dev/null 2>&1")
            .code == 153);  // for the program, the limit is as it was: SIGXFSZ
}

TEST_CASE("A command ends by a second signal, though its collector is stopped", "[slow]") {
  const Shell shell;
  shell.file("stopped.sh", R"SH(
"$@" >/dev/null 2>said & started=$!
until pgrep -P $started -f faultline-collector >collector; do sleep 0.05; done
sleep 0.7
kill -STOP $(cat collector)
kill -TERM $started; sleep 0.3; kill -TERM $started
wait $started; echo $?
pgrep -F collector | wc -l
)SH");
  for (const char* const command : {"record -i 50ms -o r.faultline", "frames --assume 60 $$"}) {
    const Outcome ended = shell.run(std::string(kAtMost) + "bash stopped.sh faultline-cli " + command + " 2>&1");
    INFO(command << ": " << ended.output);
    CHECK(ended.output == "1\n0\n");
  }
}

TEST_CASE("record without --force writes through no link to a file that does not exist") {
  const Shell shell;
  const Outcome refused = shell.run(
      "ln -s aim r.faultline; faultline-cli --synthetic record -d 100ms -o r.faultline 2>&1; "
      "faultline-cli --synthetic frames -d 300ms --record r.faultline 2>&1 >/dev/null; ls");
  INFO(refused.output);
  CHECK(refused.output.find("r.faultline is a link to a file that does not exist.") != std::string::npos);
  CHECK(refused.output.ends_with("\nr.faultline\n"));
  CHECK(shell.run("faultline-cli --synthetic record --force -d 100ms -o r.faultline 2>/dev/null && test -s aim").code ==
        0);
}
