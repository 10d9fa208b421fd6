// The lab as a program. Counts alone are checked: times belong to the machine.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

// Runs an experiment, and requires that all its claims about counts hold. `more` sees `report`, and `row(way, phase)`.
void requireCounts(const std::string& experiment, const std::string& more = {}) {
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
