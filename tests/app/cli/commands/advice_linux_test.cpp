// The advice of faultline-cli frames on programs whose cause is planted, and on healthy ones; the rerun by `try`.
// Kinds and counts are checked: times belong to the machine.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/app/cli/shell_linux.h"
#include "tests/support/huge_pages.h"
#include "tests/support/plain.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

// Runs the Python `check`, which sees `advice(kind)`: the advice on that kind of advised_game, as JSON, or None.
void requireAdvice(const std::string& check) {
  const Shell shell;
  shell.file("check.py", R"PY(
import json, subprocess
memory = {}  # of each kind, ns in faults and in giving memory back, by frame, the most last
untimed = set()  # kinds of which giving memory back has no time on this kernel
def advice(kind, frames=60):
    command = ['faultline-cli', 'frames', '--json', 'frames.json', '--', 'advised_game', kind, 'frames=%d' % frames]
    report = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    document = json.load(open('frames.json'))
    if 'Watch it again.' in report.stdout and frames < 4000: return advice(kind, 4 * frames)  # it had ended before
    if 'ingle faults are unavailable' in report.stdout: raise SystemExit(77)
    memory[kind] = sorted((f['thread_fault_ns'] or 0) + (f['thread_teardown_ns'] or 0) for f in document['frames'])
    if all(f['thread_teardown_ns'] is None for f in document['frames']): untimed.add(kind)
    found = document['advice']
    if found: assert found['text'] in report.stdout, (found, report.stdout)
    return found
# The first advised remedy saves the advised share of the game's faults.
def confirm(kind, found):
    words = found['try'].split()
    words[words.index('--'):words.index('--')] = ['--runs', '1', '--format', 'json']
    trial = json.loads(subprocess.run(words, stdout=subprocess.PIPE).stdout)['try']
    faults = lambda samples: samples[0]['frames']['minor_faults']
    remedy, = [r for r in trial['remedies'] if r['name'] == found['remedies'][0]]
    saved = 1 - faults(remedy['samples']) / faults(trial['plain']['samples'])
    print(kind, found['share'], saved)
    assert abs(saved - found['share']) < 0.15, (kind, saved, found)
)PY" + check);
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  if (std::getenv("FAULTLINE_RUNS") != nullptr) std::cout << checked.output;
  if (checked.code == 77) SKIP("single faults cannot be read here");
  CHECK(checked.code == 0);
}

}  // namespace

TEST_CASE("A game that frees what it takes again is advised to keep it, and the rerun confirms that", "[slow]") {
  const test::HugePagesTurn turn;
  requireAdvice(R"PY(
for frames in 60, 240, 960:  # on an overloaded machine a game of 60 frames may end before its faults are timed
    found = advice('no_pool', frames)
    if found: break
assert found and found['kind'] == 'keep' and found['line'].startswith('touch (advised_game.cpp:'), found
assert found['remedies'][0] == 'keep' and found['try'].endswith(' -- advised_game no_pool frames=%d' % frames), found
confirm('no_pool', found)
)PY");
}

TEST_CASE("A game that maps memory anew is not told to try a remedy of malloc, which a game that frees it is",
          "[slow]") {
  const test::HugePagesTurn turn;
  requireAdvice(R"PY(
def patient(kind):
    for frames in 60, 240, 960:
        found = advice(kind, frames)
        if found: return found
own, trim = patient('own_mapping'), patient('trim')
assert own['kind'] == trim['kind'] == 'keep', (own, trim)
assert trim['served_by_malloc'] and trim['try'], trim
# A mapping beside another one is a part of that one, and has other bounds.
assert own['served_by_malloc'] is None and ' If malloc serves this memory, try: ' in own['text'] or not own['try'], own
)PY");
}

TEST_CASE("A healthy game gets no advice") {
  const test::HugePagesTurn turn;
  requireAdvice("for kind in 'none', 'pool': assert advice(kind, 40) is None, kind\n");
}

// Ten causes and twelve healthy games take two minutes: a run has two causes and their remedied games, by the day. With
// FAULTLINE_RUNS it has all.
TEST_CASE("Of ten planted causes nine are advised on rightly, and no healthy game is", "[slow][alone]") {
  const test::HugePagesTurn turn;
  requireAdvice(R"PY(
import os, time
planted = {'no_pool': 'keep', 'trim': 'keep', 'arena': 'keep', 'first_touch': 'prefault', 'pieces': 'one_piece',
           'split': 'whole_huge', 'copies': 'no_copies', 'file': 'populate_file', 'device': 'keep_device',
           'teardown': 'give_back_later'}
remedied = dict(zip(planted, 'pool kept_blocks kept_arena populated one_piece whole spawned populated_file kept_device '
                             'freed_elsewhere'.split()))
everything = 'FAULTLINE_RUNS' in os.environ
day = int(time.time()) // 86400
causes = list(planted) if everything else [list(planted)[(2 * day + i) % len(planted)] for i in range(2)]
healthy = [remedied[kind] for kind in causes] + (['none', 'background'] if everything else [])
print('day', day, 'causes', causes)
def patient(kind):  # on an overloaded machine a game of 60 frames may end before its faults are timed
    for frames in (60,) if everything else (60, 240, 960):
        found = advice(kind, frames) or {}
        if found: break
    return found
found = {kind: patient(kind) for kind in causes} | {kind: advice(kind) or {} for kind in healthy}
got = {kind: found[kind].get('kind') for kind in found}
causes = [kind for kind in causes if kind != 'teardown' or kind not in untimed]
right = [kind for kind in causes if got[kind] == planted[kind]]
wrong = [kind for kind in healthy if got[kind]]
print(got)
assert 10 * len(right) >= 9 * len(causes) and not wrong, (right, wrong)
# The same game with the advised change saves what was expected, in the frames that were advised on.
confirmed = 0
for kind in right:
    expected, frames = found[kind]['expected_gain_ns'], found[kind]['frames']
    if expected is None: continue
    saved = (sum(memory[kind][-frames:]) - sum(memory[remedied[kind]][-frames:])) / frames
    confirmed += abs(expected / saved - 1) <= 0.15
    print('%-12s expected %6.2f ms, saved %6.2f ms' % (kind, expected / 1e6, saved / 1e6))
if everything:  # a mean of a few frames belongs to the machine
    assert confirmed >= 9 or confirmed >= 8 and 'teardown' not in right, confirmed
    for kind in 'trim', 'arena', 'first_touch': confirm(kind, found[kind])
)PY");
}
