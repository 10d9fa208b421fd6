// faultline-cli try with programs whose cost is planted. Counts and behaviour are checked: times belong to the machine.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"
#include "tests/support/huge_pages.h"
#include "tests/support/plain.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

// Runs `faultline-cli try OPTIONS`, and the Python `check`, which sees `trial` and `remedy(name)`.
void requireTrial(const std::string& options, const std::string& check) {
  const Shell shell;
  shell.file("check.py", R"PY(
import json
trial = json.load(open('try.json'))['try']
def remedy(name):
    found, = [r for r in trial['remedies'] if r['name'] == name]
    return found
)PY" + check);
  const Outcome checked =
      shell.run("(faultline-cli try --format json " + options + " > try.json && python3 check.py) 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

}  // namespace

TEST_CASE("Memory that is kept saves all faults but those of the first round, to the page", "[slow]") {
  if (test::kSanitizer) SKIP("the time of a sanitizer's programs");
  const test::HugePagesTurn turn;
  requireTrial("--with keep --runs 3 -- trial_subject blocks", R"PY(
if '[always]' in open('/sys/kernel/mm/transparent_hugepage/enabled').read(): raise SystemExit
PAGES = 40 * 256 + 1  # malloc's own header is on a page more
for plain in trial['plain']['samples']: assert 0 <= plain['minor_faults'] - 20 * PAGES < 400, plain
keep = remedy('keep')
for sample in keep['samples']: assert 0 <= sample['minor_faults'] - PAGES < 400, sample
assert abs(keep['more_faults'] + 19 * PAGES) < 16, keep['more_faults']
assert keep['verdict'] == 'too_few_runs' and not keep['recommended']
assert trial['plain']['medians']['peak_bytes'] >= 40 << 20
)PY");
}

TEST_CASE("Faults of the children are the program's", "[slow]") {
  const test::HugePagesTurn turn;
  requireTrial("--with keep --runs 2 -- sh -c 'trial_subject blocks & trial_subject blocks & wait'", R"PY(
if '[always]' in open('/sys/kernel/mm/transparent_hugepage/enabled').read(): raise SystemExit
PAGES = 40 * 256 + 1
for plain in trial['plain']['samples']: assert 0 <= plain['minor_faults'] - 40 * PAGES < 2000, plain
for sample in remedy('keep')['samples']: assert 0 <= sample['minor_faults'] - 2 * PAGES < 2000, sample
)PY");
}

TEST_CASE("A remedy that changes the output or the exit code is reported as such") {
  requireTrial("--with keep --with no-huge --runs 2 -- trial_subject environment", R"PY(
assert remedy('keep')['verdict'] == 'changes_output', remedy('keep')
assert all(r['name'] != 'no-huge' or r['verdict'] == 'too_few_runs' for r in trial['remedies'])
assert not trial['output_varies']
)PY");
  requireTrial("--with keep --runs 2 -- trial_subject code",
               "assert remedy('keep')['verdict'] == 'changes_exit_code'\n");
  requireTrial("--with keep --runs 2 -- trial_subject pid", R"PY(
assert trial['output_varies'] and remedy('keep')['verdict'] == 'too_few_runs'
)PY");
}

TEST_CASE("The present environment is kept, and standard input is empty or a file") {
  const Shell shell;
  shell.file("words", "three short words\n");
  shell.file("show.sh", "#!/bin/sh\necho \"$GLIBC_TUNABLES\" >> tunables\nwc -c >> input\n");
  const Outcome ran = shell.run(
      "chmod +x show.sh; export GLIBC_TUNABLES=glibc.malloc.arena_max=3; faultline-cli try --with keep --runs 1 -- "
      "./show.sh > /dev/null && faultline-cli try --with keep --runs 1 --input words -- ./show.sh > /dev/null; "
      "sort -u tunables; sort -u input");
  INFO(ran.output);
  CHECK(ran.output ==
        "glibc.malloc.arena_max=3\n"
        "glibc.malloc.arena_max=3:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824\n"
        "0\n18\n");
}

TEST_CASE("Nothing outlives a trial that is interrupted or killed", "[slow]") {
  const Shell shell;
  shell.file("check.py", R"PY(
import glob, os, signal, subprocess, sys, time
mark = 'mark-%d' % os.getpid()
def standing():
    found = 0
    for name in glob.glob('/proc/[0-9]*/cmdline'):
        try: found += open(name).read().split('\0')[:3] == ['trial_subject', 'stand', mark]
        except OSError: pass
    return found
def until(condition):
    for _ in range(600):
        if condition(): return
        time.sleep(0.05)
    raise SystemExit('%s after 30 s: %d' % (sys.argv, standing()))
for end, code in (signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9):
    trial = subprocess.Popen(['faultline-cli', 'try', '--', 'trial_subject', 'stand', mark], stdout=subprocess.PIPE)
    until(lambda: standing() == 2)
    trial.send_signal(end)
    assert trial.wait() == code, (end, trial.returncode)
    until(lambda: standing() == 0)
    assert trial.stdout.read() == b''
)PY");
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

TEST_CASE("Processes that a program leaves behind end with its run") {
  const Shell shell;
  const Outcome ran = shell.run(
      "mark=left-$$; faultline-cli try --with keep --runs 1 -- sh -c \"trial_subject stand $mark & sleep 0.2\" > out; "
      "echo $?; pgrep -fc \"trial_subject stand $mark\"");
  INFO(ran.output);
  CHECK(ran.output == "0\n0\n");
}

TEST_CASE("The exit code of a trial") {
  const Shell shell;
  CHECK(shell.run("faultline-cli try --with keep -- ./no-such-program 2> words").code == 127);
  CHECK(shell.run("cat words").output ==
        "faultline-cli: ./no-such-program could not be started: No such file or directory.\n");
  CHECK(shell.run("faultline-cli try 2> /dev/null").code == 2);
  CHECK(shell.run("faultline-cli try --with no-such-remedy -- true 2> /dev/null").code == 2);
  CHECK(shell.run("faultline-cli try --with keep --runs 1 --fail-under 0 -- true > /dev/null").code == 7);
  CHECK(shell.run("faultline-cli try --with keep --runs 1 --input missing -- true 2> /dev/null").code == 127);
}
