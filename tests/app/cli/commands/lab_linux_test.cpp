// The lab as a program. Counts alone are checked: times belong to the machine.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"
#include "tests/support/huge_pages.h"
#include "tests/support/plain.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

// Runs an experiment, and requires that all its claims about counts hold. `more` sees `report`, and `row(way, phase)`.
void requireCounts(const std::string& experiment, const std::string& more = {}) {
  if (test::kSanitizer) SKIP("the shadow memory of a sanitizer faults, too");
  const Shell shell;
  shell.file("check.py", R"PY(
import json, sys
report, = json.load(open('lab.json'))['lab']
for check in report['checks']:
    if check['of_counts']: assert check['verdict'] == 'held', check
def row(way, phase):
    found, = [r for r in report['rows'] if (r['way'], r['phase']) == (way, phase)]
    return found
def faults(way, phase): return row(way, phase)['summary']['faults']
assert report['seen_faults'] == report['own_faults'] > 0
)PY" + more);
  const Outcome ran =
      shell.run("faultline-cli lab " + experiment + " --quick --format json > lab.json && python3 check.py");
  const Outcome told = shell.run("cat lab.json; python3 check.py 2>&1");
  INFO(told.output);
  CHECK(ran.code == 0);
}

}  // namespace

TEST_CASE("lab eager: mapping in advance moves all faults out of the hot loop, and a prefetch none") {
  requireCounts("eager", R"PY(
assert faults('lazy', 'prepare') <= 1, row('lazy', 'prepare')
assert 9764 <= faults('lazy', 'hot') <= 9766
assert faults('lazy mapping', 'hot') == 9765
)PY");
}

TEST_CASE("lab cost: 16 MiB cost 4096 faults of 4 KiB or 8 of 2 MiB, and none the second time") {
  const test::HugePagesTurn turn;
  requireCounts("cost", R"PY(
assert faults('16 MiB, a byte a page', 'touch') == 4096
assert faults('16 MiB, a byte a page', 'again') == 0
assert faults('16 MiB, dropped', 'again') == 4096
large = row('16 MiB, large pages', 'touch')
assert large['summary'] is None and large['note'] or large['summary']['faults'] == 8, large
)PY");
}

TEST_CASE("lab topdown: mappings that cannot merge are listed one by one, and others are not") {
  requireCounts("topdown", R"PY(
assert all(s['result'] >= 4000 for s in row('by the kernel', 'n = 4000')['samples'])
assert all(s['result'] < 10 for s in row('by the kernel, mergeable', 'n = 2000')['samples'])
)PY");
}

TEST_CASE("lab serialise and nodes: threads fault once a page, and a warm heap faults never") {
  requireCounts("serialise", "assert faults('2 threads, own mappings', 'touch') == 8192");
  requireCounts("nodes", "assert faults('fresh heap, pooled', 'insert') > 0");
}

namespace {

// `rounds`: how often a lab is killed, at random moments.
void requireNoneLeft(int rounds) {
  const Shell shell;
  shell.file("kill.py", R"PY(
import ctypes, os, random, signal, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans come here
for round in range(int(sys.argv[1])):
    lab = subprocess.Popen(['faultline-cli', 'lab', 'all', '--quick'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0, 0.5))
    os.kill(lab.pid, random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
    lab.wait()
    deadline = time.time() + 60
    while True:
        try: pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError: break
        assert time.time() < deadline, 'a process is left'
        if pid == 0: time.sleep(0.01)
)PY");
  const Outcome killed = shell.run("python3 kill.py " + std::to_string(rounds) + " 2>&1");
  INFO(killed.output);
  CHECK(killed.code == 0);
}

}  // namespace

TEST_CASE("A lab that is killed leaves no process behind") {
  requireNoneLeft(3);
}

TEST_CASE("A lab that is killed 300 times leaves no process behind", "[slow]") {
  requireNoneLeft(300);
}

TEST_CASE("lab pool: blocks that are reused fault once, new ones each time, and all find the same") {
  requireCounts("pool");
}

TEST_CASE("lab refuses unknown experiments and formats, and lists those it has") {
  const Shell shell;
  CHECK(shell.run("faultline-cli lab nonsense 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab eager --format xml 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab --help").output.find("eager") != std::string::npos);
}

TEST_CASE("lab names what it has not measured, and measures on") {
  const Shell shell;
  const Outcome ran = shell.run("faultline-cli lab eager --quick --collector /bin/false --format csv");
  CHECK(ran.code == 0);
  CHECK(ran.output.find("eager,lazy,hot,") != std::string::npos);
  CHECK(shell.run("faultline-cli lab eager --quick --collector /bin/false 2>/dev/null | grep 'not measured'").code ==
        0);
}
