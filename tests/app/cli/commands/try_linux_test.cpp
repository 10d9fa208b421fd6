// faultline-cli try with programs whose cost is planted. Counts and behaviour are checked: times belong to the machine.
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

// Runs `faultline-cli try OPTIONS`, and the Python `check`, which sees `trial` and `remedy(name)`.
void requireTrial(const std::string& options, const std::string& check) {
  const Shell shell;
  shell.file("check.py", R"PY(
import json
trial = json.load(open('try.json'))['try']
def remedy(name):
    found, = [r for r in trial['remedies'] if r['name'] == name]
    return found
def skip(why):
    print(why)
    raise SystemExit(77)
def skip_huge():
    if '[always]' in open('/sys/kernel/mm/transparent_hugepage/enabled').read(): skip('huge pages are for every program')
)PY" + check);
  const Outcome checked =
      shell.run("(faultline-cli try --format json " + options + " > try.json && python3 check.py) 2>&1");
  INFO(checked.output);
  if (checked.code == 77) SKIP(checked.output);
  CHECK(checked.code == 0);
}

}  // namespace

TEST_CASE("Memory that is kept saves all faults but those of the first round, to the page", "[slow]") {
  if (test::kSanitizer) SKIP("the time of a sanitizer's programs");
  const test::HugePagesTurn turn;
  requireTrial("--with keep --runs 3 -- trial_subject blocks", R"PY(
skip_huge()
PAGES = 40 * 256 + 1  # malloc's own header is on a page more
for plain in trial['plain']['samples']: assert 0 <= plain['minor_faults'] - 20 * PAGES < 400, plain
keep = remedy('keep')
for sample in keep['samples']: assert 0 <= sample['minor_faults'] - PAGES < 400, sample
assert abs(keep['more_faults'] + 19 * PAGES) < 16, keep['more_faults']
assert keep['verdict'] == 'too_few_runs' and not keep['recommended']
assert trial['plain']['medians']['peak_bytes'] >= 40 << 20
)PY");
}

// A process frees pages of others, too, that wait in its processor's batch of new pages: up to 31 with each switch to
// it, which comes each 700 pages on a machine with many programs.
TEST_CASE("Memory that whole runs zero is counted to the page, of all their processes, and what they free", "[slow]") {
  if (test::kSanitizer) SKIP("the time of a sanitizer's programs");
  const test::HugePagesTurn turn;
  requireTrial("--with keep --runs 2 -- sh -c 'trial_subject blocks & trial_subject blocks & wait'", R"PY(
skip_huge()
if trial['memory']['zeroed_bytes']['grade'] == 'unavailable': skip(trial['memory']['zeroed_bytes']['how'])
BLOCK = (40 * 256 + 1) * 4096
PROGRAMS = 8 << 20  # of the shell and two programs
for runs, blocks in (trial['plain']['watched_runs'], 40), (remedy('keep')['watched_runs'], 2):
    assert len(runs) == 1, runs
    for run in runs:
        assert 0 <= run['zeroed_bytes'] - blocks * BLOCK < PROGRAMS, run
        if trial['memory']['freed_bytes']['grade'] != 'unavailable':
            assert abs(run['freed_bytes'] - blocks * BLOCK) < PROGRAMS + blocks * BLOCK // 20, run
if trial['memory']['fault_ns']['grade'] == 'exact':
    assert trial['plain']['watched_runs'][0]['fault_ns'] > 4 * remedy('keep')['watched_runs'][0]['fault_ns'], trial
)PY");
}

TEST_CASE("A trial goes on without the figures of memory where the collector fails, and says why") {
  requireTrial("--collector /bin/false --with keep --runs 2 -- trial_subject", R"PY(
for figure in trial['memory'].values(): assert figure['grade'] == 'unavailable' and 'false' in figure['how'], figure
assert trial['rounds'] == 2 and not trial['plain']['watched_runs'], trial
)PY");
}

TEST_CASE("The heap is populated at the start, with as much as is asked for", "[slow]") {
  if (test::kSanitizer) SKIP("the time of a sanitizer's programs");
  requireTrial("--with prefault --prefault 100 --runs 2 -- trial_subject", R"PY(
prefault = remedy('prefault')
assert 'populates 100 MiB' in prefault['what'] and 'FAULTLINE_HEAP=populate=104857600' in prefault['typed'], prefault
for plain, sample in zip(trial['plain']['samples'], prefault['samples']):
    assert 100 << 20 <= sample['peak_bytes'] < 110 << 20 and plain['peak_bytes'] < 20 << 20, (plain, sample)
    assert sample['exit_code'] == 0 and sample['output_bytes'] == 0, sample
)PY");
}

TEST_CASE("A heap of any size is prepared before a program runs") {
  if (test::kSanitizer) SKIP("a sanitizer's runtime must come first");
  const Shell shell;
  for (const char* const what : {"populate", "advise"})
    for (const char* const bytes : {"1", "15", "4095", "4096", "4097", "100000", "18446744073709551615"}) {
      const Outcome ended =
          shell.run(std::string("LD_PRELOAD='" FAULTLINE_BIN "/libfaultline-heap.so' FAULTLINE_HEAP=") + what + "=" +
                    bytes + " true 2>/dev/null");
      INFO(what << " " << bytes);
      CHECK(ended.code == 0);
    }
}

TEST_CASE("Blocks are freed by another thread, and each has one owner", "[slow]") {
  requireTrial("--same-output --with free-later --runs 1 -- trial_subject threads", R"PY(
assert remedy('free-later')['verdict'] == 'changes_output', remedy('free-later')  # 2 threads in place of 1
)PY");
  requireTrial("--with free-later --runs 3 -- trial_subject churn", R"PY(
for sample in trial['plain']['samples'] + remedy('free-later')['samples']:
    assert sample['exit_code'] == 0 and sample['signal'] == 0, sample
)PY");
}

TEST_CASE("Each remedy that can be tried leaves a healthy program as it is", "[slow]") {
  requireTrial("--runs 1 -- trial_subject churn", R"PY(
for r in trial['remedies']: assert r['verdict'] == 'too_few_runs', r
names = {r['name'] for r in trial['remedies'] + trial['unavailable']}
assert {'keep', 'huge-pool', 'advise', 'prefault', 'free-later', 'advised-huge'} <= names, names
for r in trial['unavailable']: assert r['why'], r
)PY");
}

TEST_CASE("Faults of the children are the program's", "[slow]") {
  const test::HugePagesTurn turn;
  requireTrial("--with keep --runs 2 -- sh -c 'trial_subject blocks & trial_subject blocks & wait'", R"PY(
skip_huge()
PAGES = 40 * 256 + 1
for plain in trial['plain']['samples']: assert 0 <= plain['minor_faults'] - 40 * PAGES < 2000, plain
for sample in remedy('keep')['samples']: assert 0 <= sample['minor_faults'] - 2 * PAGES < 2000, sample
)PY");
}

TEST_CASE("A remedy that changes the output is told with the difference, and rejected only by --same-output") {
  requireTrial("--with keep --runs 2 -- trial_subject environment", R"PY(
keep = remedy('keep')
assert keep['verdict'] == 'too_few_runs', keep
line, = keep['output_difference']['lines']
assert line['line'] == 1 and line['plain'] == '' and line['remedy'].startswith('glibc.malloc.mmap_threshold='), line
)PY");
  requireTrial("--same-output --with keep --with no-huge --runs 2 -- trial_subject environment", R"PY(
assert remedy('keep')['verdict'] == 'changes_output', remedy('keep')
assert all(r['name'] != 'no-huge' or r['verdict'] == 'too_few_runs' for r in trial['remedies'])
assert not trial['output_varies']
)PY");
}

TEST_CASE("A remedy that changes the exit code is rejected, and output that varies by itself is not compared") {
  requireTrial("--with keep --runs 2 -- trial_subject code",
               "assert remedy('keep')['verdict'] == 'changes_exit_code'\n");
  requireTrial("--same-output --with keep --runs 2 -- trial_subject pid", R"PY(
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

TEST_CASE("A game that takes memory anew loses its faults where it keeps memory", "[slow]") {
  const test::HugePagesTurn turn;
  requireTrial("--frames --with keep --runs 6 --fail-under 50 -- planted_game blocks frames=60 display=0 pages=10240",
               R"PY(
PAGES = 10240
keep = remedy('keep')
late = lambda samples: [s['frames']['late_by_memory'] for s in samples]
for samples, planted in (trial['plain']['samples'], 6), (keep['samples'], 1):
    assert len(samples) == 6, samples
    for s in samples:
        assert s['frames']['count'] == 59, s
        assert 0 <= s['frames']['minor_faults'] - planted * PAGES < 64, s
        assert 0 <= s['minor_faults'] - s['frames']['minor_faults'] < 600, s  # of the program's start, and of nobody else
assert max(late(keep['samples'])) <= 1, keep
assert trial['frames_end_with'] == 'render'
if trial['measure'] == 'faults_per_frame': assert 0.8 < keep['gain']['low'] <= keep['gain']['high'] < 0.84, keep
assert keep['verdict'] == 'better' and keep['recommended'], keep
assert 'mean ' in trial['advice'] and ' of a frame' in trial['advice'], trial['advice']
)PY");
}

TEST_CASE("For a game whose frames have no faults, nothing is recommended", "[slow]") {
  requireTrial("--frames --with keep --runs 6 -- planted_game none frames=60 display=0", R"PY(
for s in trial['plain']['samples'] + remedy('keep')['samples']:
    assert s['frames']['count'] == 59 and s['frames']['minor_faults'] < 64 and s['frames']['late_by_memory'] == 0, s
assert not remedy('keep')['recommended'] and trial['advice'].startswith('No remedy is recommended'), trial
)PY");
}

TEST_CASE("The frames of a started game are watched from the first call of a function on, or the error says why not") {
  const Shell shell;
  const Outcome watched = shell.run(
      "faultline-cli try --frames --mark :fakeGamePresent --with keep --runs 1 --format json -- "
      "fake_game frames=50 rate=0 every=1000 mark= 2> words | "
      "python3 -c \"import json, sys; print([s['frames']['count'] for s in "
      "json.load(sys.stdin)['try']['plain']['samples']])\"; cat words");
  INFO(watched.output);
  if (watched.output.find("Frames end with fakeGamePresent") == std::string::npos) SKIP("functions cannot be watched");
  // The first call pays for a probe, and is not noted then; a hardware breakpoint notes it.
  CHECK((watched.output.starts_with("[48]\n") || watched.output.starts_with("[49]\n")));
}

TEST_CASE("A remedy with which a game ends without a frame is reported by its exit code", "[slow]") {
  requireTrial(
      "--frames --with keep --runs 1 -- sh -c '[ -z \"$GLIBC_TUNABLES\" ] || exit 3; exec planted_game none "
      "frames=240'",
      R"PY(
keep = remedy('keep')
assert keep['verdict'] == 'changes_exit_code' and keep['samples'][0]['exit_code'] == 3, keep
assert 'frames' not in keep['samples'][0] and trial['plain']['samples'][0]['frames']['count'] == 239, trial
)PY");
}

TEST_CASE("A game that does not end by itself ends after --duration, though it ignores SIGTERM", "[slow]") {
  requireTrial("--frames --duration 300ms --with keep --runs 1 -- sh -c 'trap \"\" TERM; exec fake_game frames=100000'",
               R"PY(
for s in trial['plain']['samples'] + remedy('keep')['samples']:
    assert s['ended_after_duration'] and s['frames']['count'] > 0 and s['signal'] == 0, s
assert remedy('keep')['verdict'] == 'too_few_runs', trial
)PY");
}

TEST_CASE("A program without frames is told what to do, and the exit code is 5") {
  const Shell shell;
  CHECK(shell.run("faultline-cli try --frames --with keep -- true 2> words").code == 5);
  CHECK(shell.run("cat words").output ==
        "faultline-cli: No frame has ended. Name the function that ends a frame (--mark FILE:FUNCTION), or let the "
        "program call faultline_frame() of faultline_frame.h.\n");
  CHECK(shell.run("faultline-cli try --frames --with keep -- ./no-such-program 2> words").code == 127);
  CHECK(shell.run("faultline-cli try --mark :present -- true 2> words").code == 2);
  CHECK(shell.run("faultline-cli try --duration 1s -- true 2> words").code == 2);
}

TEST_CASE("Neither game nor collector outlives a trial of frames that is interrupted or killed", "[slow]") {
  const Shell shell;
  shell.file("check.py", R"PY(
import os, signal, subprocess, time
def processes():
    found = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try: text = open('/proc/%s/stat' % pid).read()
        except OSError: continue
        fields = text[text.rindex(')') + 2:].split()
        if fields[0] != 'Z': found[int(pid), int(fields[19])] = text[text.index('(') + 1:text.rindex(')')], int(fields[1])
    return found
def family(root):
    all, found = processes(), []
    wanted = {root}
    for _ in all:
        more = [k for k, (name, parent) in all.items() if parent in wanted and k not in found]
        found += more
        wanted |= {k[0] for k in more}
        if not more: break
    return {k: all[k][0] for k in found}
def until(condition):
    for _ in range(600):
        if condition(): return
        time.sleep(0.05)
    raise SystemExit('30 s are over: %s' % left())
left = lambda: [name for k, name in members.items() if k in processes()]
for end, code in (signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9):
    trial = subprocess.Popen(['faultline-cli', 'try', '--frames', '--', 'fake_game', 'frames=1000000'],
                             stdout=subprocess.PIPE)
    members = {}
    def complete():
        members.update(family(trial.pid))
        return {'fake_game', 'faultline-colle'} <= set(members.values())
    until(complete)
    time.sleep(0.3)
    trial.send_signal(end)
    assert trial.wait() == code, (end, trial.returncode)
    until(lambda: not left())
    assert trial.stdout.read() == b''
)PY");
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
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

TEST_CASE("A trial that is killed 30 times leaves no process, setting, probe or file behind", "[slow]") {
  test::requireNoneLeft(
      R"PY([['faultline-cli', 'try', '--', 'trial_subject', kind] for kind in ('stand', 'churn', 'blocks')] +
    [['faultline-cli', 'try', '--frames', '--', 'fake_game', 'frames=100000'],
     ['faultline-cli', 'try', '--frames', '--duration', '300ms', '--', 'fake_game', 'frames=100000']])PY",
      test::killsAskedFor(30));
}

TEST_CASE("Processes that a program leaves behind end with its run") {
  const Shell shell;
  const Outcome ran = shell.run(
      "mark=left-$$; faultline-cli try --with keep --runs 1 -- sh -c \"trial_subject stand $mark & sleep 0.2\" > out; "
      "echo $?; pgrep -fc \"trial_subject stand $mark\"");
  INFO(ran.output);
  CHECK(ran.output == "0\n0\n");
}

TEST_CASE("A trial of too few rounds for a verdict says so before they begin; by default there are enough", "[slow]") {
  const Shell shell;
  CHECK(
      shell
          .run("faultline-cli try --with keep --with no-huge --with pad --rounds 3 --format json -- true 2> words | "
               "grep -c too_few_runs; grep -c 'A verdict on . remed.* needs . rounds, about .*: give --rounds .' words")
          .output == "3\n1\n");
  requireTrial("--with keep -- true", R"PY(
assert trial['rounds'] == 12 and trial['rounds_needed'] == 6, trial
assert remedy('keep')['verdict'] != 'too_few_runs', trial
)PY");
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
