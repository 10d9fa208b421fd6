// The cost of a program and all that it starts, without privileges: against the rusage that wait4() gives for the same
// run.
#include <catch2/catch_test_macros.hpp>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

namespace {

// Runs its arguments and writes the faults of all children that have ended by then: python3 itself may be a script.
constexpr const char* kTruth = R"PY(
import os, resource, sys
before = resource.getrusage(resource.RUSAGE_CHILDREN)
pid = os.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
_, _, usage = os.wait4(pid, 0)
open('truth', 'w').write(str(sum(u.ru_minflt + u.ru_majflt for u in (before, usage))))
)PY";

// The program above is the one of the closing line. Its own faults are no part of the truth.
constexpr const char* kCheckFamily = R"PY(
import csv, re
truth = int(open('truth').read())
closing = open('said').read().splitlines()[-1]
pid = int(open('pid').read())
rows = [r for r in csv.DictReader(open('rows.csv', newline='')) if int(r['pid']) == pid]
count = lambda row, of: int(row[of + 'minor_faults']) + int(row[of + 'major_faults'])
told = int(''.join(re.search(r': ([\d\s]+) page faults', closing).group(1).split()))
print(closing, '| truth', truth, 'and own', count(rows[-1], ''), '| children in the row', count(rows[-1], 'child_'))
assert truth > 8 * 4096
assert count(rows[-1], 'child_') == truth
assert told == count(rows[-1], '') + truth
)PY";

// Root without capabilities is as good as anybody.
constexpr const char* kRecord =
    "[ $(id -u) != 0 ] || without='setpriv --inh-caps=-all --bounding-set=-all'; "
    "$without faultline-cli record -o r -- sh -c 'echo $$ >pid; exec python3 truth.py sh load.sh' >said 2>&1 && "
    "faultline-cli export r --format csv >rows.csv && python3 check.py 2>&1 || { cat said; false; }";

void checkLoad(const std::string& load) {
  const Shell shell;
  shell.file("truth.py", kTruth);
  shell.file("check.py", kCheckFamily);
  shell.file("load.sh", load);
  const Outcome outcome = shell.run(kRecord);
  INFO(outcome.output);
  CHECK(outcome.code == 0);
}

const std::string kProgram = "fake_game mark= frames=1 every=1 rate=0 burst=4096";

}  // namespace

TEST_CASE("Without privileges a shell that runs eight programs costs what wait4 says") {
  checkLoad("for i in 1 2 3 4 5 6 7 8; do " + kProgram + "; done; true");
}

TEST_CASE("Without privileges programs started two at a time, by shells of their own, cost what wait4 says") {
  checkLoad("two() { sh -c '" + kProgram + "; " + kProgram + "; true' & sh -c '" + kProgram +
            "; sleep 0.2; true' & wait; }; two; two; two; sleep 0.6; two");
}
