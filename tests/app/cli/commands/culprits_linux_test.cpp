// The culprits that `faultline-cli frames` names for a game's bursts of faults.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

namespace {

constexpr const char* kCheckCulprits = R"PY(
import csv, json, re
source = open('LEVEL').read().splitlines()
line = next(i for i, text in enumerate(source, 1) if 'tests look for this line' in text)
culprit = f'Level::load (fake_level.cpp:{line})'
def share(text):
    assert culprit in text, text
    return float(re.search(r'([0-9.]+) % in', text.replace('\u202f', '')).group(1))
rows = list(csv.DictReader(open('f.csv', newline='')))
bursts = [r for r in rows if int(r['minor_faults']) >= 8192]
named = [r for r in bursts if r['culprit']]  # a busy machine sometimes loses all samples of a burst
assert named and all(share(r['culprit']) > 90 for r in named), bursts
assert all(r['culprit'] == '' for r in rows if r['costly'] == '0' and r['late'] == '0')
assert [f['culprit'] or '' for f in json.load(open('f.json'))['frames']] == [r['culprit'] for r in rows]
told = [share(l) for l in open('said').read().splitlines() if f' % in fake::{culprit}' in l]
assert told and min(told) > 90, told
stacks = [l.rsplit(' ', 1) for l in open('f.folded').read().splitlines() if not l.startswith('[no call stack]')]
total = sum(int(n) for _, n in stacks)
loads = sum(int(n) for stack, n in stacks if 'Level::load' in stack)
assert loads > 0.9 * total > 0.9 * 1024, stacks
assert any(';main;' in stack and stack.endswith(';fake::Level::load') for stack, _ in stacks), stacks
)PY";

void skipWithoutCulprits(const Outcome& watched) {
  for (const char* reason : {"ingle faults are unavailable", "built without libdw", "built without libelf"})
    if (watched.output.find(reason) != std::string::npos) SKIP(watched.output);
}

// `game` has a burst in every 40th frame, and is watched once it has mapped `ready`; `how` are options of `frames`.
void checkCulprits(const std::string& without, const std::string& game, const std::string& ready,
                   const std::string& how) {
  const Shell shell;
  shell.file("check.py", kCheckCulprits);
  const Outcome watched =
      shell.run("sed -i 's|LEVEL|" FAULTLINE_FIXTURES "/../support/programs/fake_level.cpp|' check.py; " + without +
                "fake_game frames=100000 every=40 " + game + " & game=$!; until grep -q " + ready +
                " /proc/$game/maps; do sleep 0.05; done; " + without + "faultline-cli frames -d 2s " + how +
                " --csv f.csv --json f.json --folded f.folded $game >said 2>&1; kill $game; cat said");
  INFO(watched.output);
  skipWithoutCulprits(watched);
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

}  // namespace

TEST_CASE("The report, every file and the folded stacks name the function and line that caused a burst", "[slow]") {
  if (geteuid() != 0) SKIP("calls and single faults need a collector with privileges, such as root's");
  checkCulprits("", "mark=", "fake_game", "--mark :fakeGamePresent");
}

TEST_CASE("Without privileges, too, the frames of a game's own marks have culprits, if the kernel allows that") {
  const bool root = geteuid() == 0;  // root without capabilities is as good as anybody
  checkCulprits(root ? "setpriv --inh-caps=-all --bounding-set=-all " : "", "", "faultline-frames", "");
}

TEST_CASE("The culprit of a late frame is on its path, though a thread beside it faults more", "[slow][alone]") {
  if (geteuid() != 0) SKIP("BPF programs need privileges");
  const Shell shell;
  shell.file("check.py", R"PY(
import csv, json
late = [r for r in csv.DictReader(open('f.csv', newline='')) if r['late_by_faults'] == '1']
own = [r for r in late if int(r['thread']) and int(r['thread_awaited_fault_ns'] or 0) < 10**6]
named = [r['culprit'] for r in own if r['culprit'] and ' in thread ' not in r['culprit']]
print(late, json.load(open('f.json'))['advice'])
assert len(late) >= 5 and 2 * len(named) >= len(own) and named, 'few'
assert sum('Game::faults' in text for text in named) >= 0.9 * len(named), named
assert 'Game::touchAllTheTime' not in ((json.load(open('f.json'))['advice'] or {}).get('line') or ''), 'advice'
)PY");
  const Outcome watched = shell.run(
      "faultline-cli frames --csv f.csv --json f.json -- planted_game faults display=0 work=12 plant=12 "
      "bystander=1 2>&1");
  INFO(watched.output);
  skipWithoutCulprits(watched);
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

// The worker wakes another thread, which wakes that of the frames.
TEST_CASE("Of two threads that fault, the culprit is the one for which the frame waited", "[slow][alone]") {
  if (geteuid() != 0) SKIP("BPF programs need privileges");
  const Shell shell;
  shell.file("check.py", R"PY(
import csv
rows = list(csv.DictReader(open('f.csv', newline='')))
late = [r for r in rows if r['late_by_faults'] == '1' and int(r['thread_awaited_fault_ns'] or 0) > 5 * 10**6]
told = [r for r in late if r['awaited_thread']]
print([(r['frame'], r['thread'], r['awaited_thread'], r['culprit']) for r in late])
assert len(late) >= 5 and len(told) >= 0.8 * len(late), 'few'
assert all(r['awaited_thread'] != r['thread'] for r in told)
named = [r['culprit'] for r in told if r['culprit'] and ' in thread ' not in r['culprit']]
assert 2 * len(named) >= len(told), 'few named'
assert all('Game::faults' in text and 'perhaps' not in text for text in named), named
known = [r for r in rows if r['costly'] == '1' and r['thread_awaited_fault_ns']]
beside = [r for r in known if int(r['path_ns']) < 0.02 * int(r['budget_ns'])]  # a costly frame has more on its path
assert not beside, beside
)PY");
  const Outcome watched =
      shell.run("faultline-cli frames --csv f.csv -- planted_game queue display=0 work=12 plant=12 bystander=1 2>&1");
  INFO(watched.output);
  skipWithoutCulprits(watched);
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}
