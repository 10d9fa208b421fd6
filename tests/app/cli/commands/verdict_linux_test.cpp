// The verdict on games whose late frames have one planted cause. A busy machine makes further frames late, and waits
// longer than the game works: none of these may be blamed on page faults.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/app/cli/shell_linux.h"

namespace faultline::test {
namespace {

constexpr const char* kCheck = R"(
import csv, sys
cause = sys.argv[1]
rows = [r for r in csv.DictReader(open('f.csv')) if r['thread_sleeping_ns']]
planted = [r for r in rows if int(r['frame']) % 10 == 0]
assert len(planted) >= 5, len(rows)
by = 'late_by_teardown' if cause == 'teardown' else 'late_by_faults'
columns = ['thread_teardown_ns', 'thread_fault_on_processor_ns', 'thread_fault_waiting_ns', 'thread_fault_blocked_ns', 'thread_waiting_ns', 'thread_sleeping_ns']
for r in rows:
    assert sum(int(r[c] or 0) for c in columns) <= int(r['duration_ns']), r
    if r not in planted and cause != 'teardown': assert r['late_by_faults'] == '0', r
    if r not in planted: assert r['late_by_teardown'] == '0', r
late = [r for r in planted if r['late'] == '1']
blamed = [r for r in planted if r[by] == '1']
assert len(late) >= len(planted) / 2, (len(late), len(planted))
if cause in ('faults', 'populate', 'teardown'): assert 2 * len(blamed) >= len(late), (len(blamed), len(late))
elif cause != 'workers': assert not blamed, blamed[0]
if cause == 'sleep': assert all(int(r['thread_sleeping_ns']) >= 27e6 for r in planted), planted
if cause == 'hog': assert sum(int(r['thread_waiting_ns']) >= 20e6 for r in late) >= len(late) / 2, late
)";

// The part of a frame that must be measured: thread_sleeping_ns or thread_teardown_ns, by its place in the file.
void checkVerdicts(const std::string& cause, int column, const std::string& lacking) {
  if (geteuid() != 0) SKIP("BPF programs need privileges, and so does the class FIFO");
  const std::string display = GENERATE("60", "0");
  CAPTURE(cause, display);
  const Shell shell;
  shell.file("check.py", kCheck);
  const Outcome outcome = shell.run("faultline-cli frames --stacks none --csv f.csv -- planted_game " + cause +
                                    " frames=200 display=" + display + " 2>&1; grep -q '[0-9]$' f.csv");
  CAPTURE(outcome.output);
  if (shell.run("cut -d, -f" + std::to_string(column) + " f.csv | grep -q '[0-9]'").code != 0) SKIP(lacking);
  const Outcome checked = shell.run("python3 check.py " + cause + " 2>&1");
  CAPTURE(checked.output);
  CHECK(checked.code == 0);
}

}  // namespace

TEST_CASE("Frames are blamed on page faults where these made them late, and nowhere else", "[slow]") {
  checkVerdicts(GENERATE("faults", "work", "sleep", "hog", "offpath", "workers"), 28,
                "no BPF program measures the threads' time");
}

TEST_CASE("Frames are blamed on memory that they populate in advance, or give back", "[slow]") {
  checkVerdicts(GENERATE("populate", "teardown"), 29, "no BPF program can be attached to functions of this kernel");
}

}  // namespace faultline::test
