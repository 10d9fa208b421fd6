// The lab as a program. Counts alone are checked: times belong to the machine.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/killed_linux.h"
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
assert 2047 <= faults('8 MiB by malloc, fixed threshold', 'touch') <= 2049
assert faults('8 MiB by malloc', 'touch') == 0, 'glibc keeps the block'
assert 8191 <= faults('32 MiB by malloc', 'touch') <= 8193, 'glibc gives the block back'
if report['freed']:
    assert report['freed']['touched_pages'] == 4096, report['freed']
    assert 4096 - 64 <= report['freed']['freed_pages'] <= report['freed']['faults'], report['freed']
else: assert report['not_freed']
large = row('16 MiB, large pages', 'touch')
assert large['summary'] is None and large['note'] or large['summary']['faults'] == 8, large
)PY");
}

TEST_CASE("lab topdown: mappings that cannot merge are listed one by one, and others are not") {
  requireCounts("topdown", R"PY(
assert all(s['result'] >= 4000 for s in row('by the kernel', 'n = 4000')['samples'])
assert all(s['result'] < 10 for s in row('by the kernel, mergeable', 'n = 2000')['samples'])
assert row('by the kernel', 'n = 16000')['note'].endswith(' of CPU time in all turns was in the kernel.')
)PY");
}

TEST_CASE("lab serialise and nodes: threads fault once a page, and a warm heap faults never") {
  requireCounts("serialise", R"PY(
assert faults('2 threads, own mappings', 'touch') == 8192
assert 8192 <= faults('2 processes, own mappings', 'touch') <= 8192 * 1.01
cold = row('disk', 'hard fault')
assert cold['note'] if cold['summary'] is None else cold['summary']['faults'] == 1, cold
)PY");
  requireCounts("nodes", R"PY(
assert faults('fresh heap, pooled', 'insert') > 0
assert faults('growing heap, malloc per node', 'insert') > 0
for way in ('malloc per node', 'pooled'):
    assert row('two threads, ' + way, 'insert')['alone'] is False
    assert {s['result'] for s in row('warm, ' + way, 'queue')['samples']} == {20000 * 20001 // 2}
for malloc in ('jemalloc', 'mimalloc', 'tcmalloc'):  # each is measured, or the report says why not
    told = [r for r in report['remarks'] if r.startswith(malloc + ' is not measured: ')]
    rows = [r for r in report['rows'] if r['way'] == malloc + ', warm, pooled']
    assert len(told) + len(rows) == 1, (malloc, told, rows)
)PY");
}

namespace {

constexpr const char* kLabs = R"PY([['faultline-cli', 'calibrate'],
    ['faultline-cli', 'lab', 'pool', '--quick', '--trace', 'lanes.pftrace'],
    ['faultline-cli', 'lab', 'pool', '--quick', '--lanes']] +
    [['faultline-cli', 'lab', name, '--quick'] for name in
     ('cost', 'topdown', 'pool', 'serialise', 'nodes', 'eager', 'all')])PY";

}  // namespace

TEST_CASE("A lab that is killed leaves no process, setting, probe or file behind") {
  test::requireNoneLeft(kLabs, 3);
}

TEST_CASE("A lab that is killed 100 times leaves no process, setting, probe or file behind", "[slow]") {
  test::requireNoneLeft(kLabs, test::killsAskedFor(100));
}

TEST_CASE("lab pool: blocks that are reused fault once, new ones each time, and all find the same") {
  requireCounts("pool", R"PY(
workers = next(r['phase'] for r in report['rows'] if r['phase'] != '1 worker')
fixed = row('malloc, fixed threshold', workers)
assert 0.98 <= fixed['summary']['faults'] / fixed['amount'] <= 1.02, fixed
for size in ('320', '1280'): assert faults(f'malloc, blocks of {size} KiB', workers) < fixed['summary']['faults'] / 2
note = row('system', workers)['note']
assert '100 blocks of 640 KiB, 62.5 MiB in all; the queue held up to ' in note, note
assert 'blocks of 768 KiB' in row('pool', '1 worker')['note'], row('pool', '1 worker')['note']
)PY");
}

TEST_CASE("lab --trace writes every page fault of the experiment, in a lane for each thread, or says why not") {
  if (test::kSanitizer) SKIP("the shadow memory of a sanitizer faults, too");
  const Shell shell;
  shell.file("check.py", R"PY(
import json, os, re
report, = json.load(open('lab.json'))['lab']
assert report['seen_faults'] == report['own_faults']
assert all(len(row['samples']) == 1 for row in report['rows'] if row['samples']), 'each way runs once'
told, = [r for r in report['remarks'] if r.startswith('lanes.pftrace holds ')]
told = told.replace(' ', '')
kept = int(re.search(r'holds (\d+)', told).group(1))
lost = int((re.search(r'\((\d+) more', told) or [0, 0])[1])
of_rows = sum(sample['faults'] for row in report['rows'] for sample in row['samples'])
assert of_rows <= kept + lost <= report['own_faults'], (of_rows, kept, lost, report['own_faults'])
picture, = [p for p in report['lanes'] if p['run'] == 'system, 1 worker']
assert ' faults, the median ' in picture['text'], picture['text']
assert {lane['thread'].split(' (')[0] for lane in picture['lanes']} >= {'reader', 'worker'}, picture['lanes']
for lane in picture['lanes']:
    assert lane['faults'] > 0 and len(lane['inside_percent']) == 800 and 0 < max(lane['inside_percent']) <= 100, lane
in_lanes = sum(lane['faults'] for p in report['lanes'] for lane in p['lanes'])
assert in_lanes <= kept, (in_lanes, kept)
trace = open('lanes.pftrace', 'rb').read()
for name in (b'(reader)', b'(worker)', b'system, 1 worker'): assert name in trace, name
)PY");
  const Outcome ran =
      shell.run("faultline-cli lab pool --quick --trace lanes.pftrace --format json > lab.json 2> said");
  const std::string said = shell.run("cat said").output;
  INFO(said);
  if (ran.code != 0) {
    CHECK(said.find("Single page faults cannot be traced: ") != std::string::npos);
    CHECK(shell.run("test -e lanes.pftrace").code == 1);
    return;
  }
  const Outcome told = shell.run("python3 check.py 2>&1");
  INFO(told.output);
  CHECK(told.code == 0);
  CHECK(shell.run("faultline-cli lab eager --quick --lanes 2>&1").output.find("The lanes hold ") != std::string::npos);
  CHECK(shell.run("faultline-cli lab all --trace x.pftrace 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab pool --quick --trace nowhere/x.pftrace 2>/dev/null").code == 1);
}

TEST_CASE("lab refuses unknown experiments and formats, and lists those it has") {
  const Shell shell;
  CHECK(shell.run("faultline-cli lab nonsense 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab eager --format xml 2>/dev/null").code == 2);
  CHECK(shell.run("faultline-cli lab --help").output.find("eager") != std::string::npos);
}

TEST_CASE("lab names what it has not measured, and measures on", "[slow]") {
  const Shell shell;
  const Outcome ran = shell.run("faultline-cli lab eager --quick --collector /bin/false --format csv");
  CHECK(ran.code == 0);
  CHECK(ran.output.find("eager,lazy,hot,") != std::string::npos);
  CHECK(shell.run("faultline-cli lab eager --quick --collector /bin/false 2>/dev/null | grep 'not measured'").code ==
        0);
}
