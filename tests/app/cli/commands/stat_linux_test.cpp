// faultline-cli stat with programs whose cost is planted. Counts and behaviour are checked: times belong to the
// machine.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"
#include "tests/support/plain.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

namespace {

constexpr const char* kHelpers = R"PY(
import csv, json, os, resource, subprocess, time
def figures(options):
    text = subprocess.run('faultline-cli stat --format json ' + options, shell=True, check=True, stdout=subprocess.PIPE).stdout
    stat = json.loads(text)['stat']
    return stat, [p['figures'] for p in stat['programs']]
)PY";

// A Python script with kHelpers.
void requireScript(const std::string& script) {
  const Shell shell;
  shell.file("check.py", kHelpers + script);
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  if (checked.code == 77) SKIP(checked.output);
  CHECK(checked.code == 0);
}

// Runs `faultline-cli ARGUMENTS`, which must end so.
void requireEnd(const std::string& arguments, int code, const std::string& sentence) {
  const Shell shell;
  const Outcome ended = shell.run("faultline-cli " + arguments + " 2>&1");
  INFO(arguments << "\n" << ended.output);
  CHECK(ended.code == code);
  CHECK(ended.output.find(sentence) != std::string::npos);
}

}  // namespace

TEST_CASE("Each page that a program touches is a fault of each of its runs, and its daemons' and children's are, too") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
PAGES = 10000
stat, (alone, daemon, family) = figures(
    "--counts -r 3 --command 'trial_subject pages 10000' --command 'trial_subject daemon 10000' "
    "--command 'sh -c \"trial_subject pages 10000 & trial_subject pages 10000 & wait\"'")
for run, pages in ((alone, PAGES), (daemon, PAGES), (family, 2 * PAGES)):
    assert len(run['faults']['values']) == 3, run
    for faults, minor, major in zip(run['faults']['values'], run['minor_faults']['values'], run['major_faults']['values']):
        assert faults == minor + major and pages < faults < pages + 900, run
    for cpu, user, system in zip(run['cpu_ns']['values'], run['user_ns']['values'], run['system_ns']['values']):
        assert cpu == user + system and cpu > 0, run
assert alone['peak_bytes']['median'] > 4096 * PAGES, alone
assert alone['faults']['most'] - alone['faults']['least'] < 20, alone
assert stat['qualities']['faults']['grade'] == 'exact' and stat['qualities']['fault_ns']['grade'] == 'unavailable', stat
assert '--counts' in stat['qualities']['fault_ns']['how'], stat
assert stat['place']['page_bytes'] == os.sysconf('SC_PAGESIZE') and stat['place']['allocator'].startswith('glibc'), stat
)PY");
}

TEST_CASE("Peak commit is a lower bound of what all processes together were promised, touched or not") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
open('hold.py', 'w').write("""import mmap, os, time
kept = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE)
open(f'{os.getppid()}.{os.getpid()}', 'w')
time.sleep(2)
""")
hold = 'python3 -S hold.py'
open('two.sh', 'w').write(f'{hold} & {hold} & wait')
stat, (one, two, short) = figures(f'--counts -r 1 --command "{hold}" --command "sh two.sh" --command true')
commit = one['peak_commit_bytes']['median']
assert 64 << 20 < commit < 96 << 20, commit
assert 1.95 * commit < two['peak_commit_bytes']['median'] < 2.1 * commit, (one, two)
assert one['peak_bytes']['median'] < 64 << 20, one
assert stat['qualities']['peak_commit_bytes']['grade'] == 'estimated', stat
busy = subprocess.Popen(['sh', 'two.sh'])
while len([name for name in os.listdir() if name.startswith(f'{busy.pid}.')]) < 2: time.sleep(0.01)
stat, (live,) = figures(f'-p {busy.pid} -d 300ms')
busy.wait()
assert 1.95 * commit < live['peak_commit_bytes']['median'] < 2.1 * commit, live
)PY");
}

TEST_CASE("Processes that nobody waits for count where the run has a control group, and the report says so") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
open('leave.py', 'w').write("""import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
child = os.spawnlp(os.P_NOWAIT, 'trial_subject', 'trial_subject', 'pages', '10000')
while os.path.exists(f'/proc/{child}'): time.sleep(0.01)
""")
stat, (run,) = figures("--counts -r 2 -- python3 -S leave.py")
faults, how = stat['qualities']['faults'], stat['qualities']['group_peak_bytes']['how']
groups = subprocess.run("find /sys/fs/cgroup -name 'faultline-[0-9]*' 2>/dev/null", shell=True, stdout=subprocess.PIPE, text=True)
left = [name for name in groups.stdout.split() if not os.path.exists('/proc/' + name.rsplit('-', 1)[1])]  # others run, too
assert left == [], left
if run['group_peak_bytes'] is None:
    assert faults['grade'] == 'exact' and 'SIGCHLD: ' in faults['how'], faults
    assert run['faults']['most'] < 10000, run
    print(how)
    raise SystemExit(77)
assert faults['grade'] == 'estimated' and 'nobody waited' in faults['how'], faults
assert 10000 < run['faults']['least'] < 13000, run
assert run['group_peak_bytes']['least'] > 10000 * 4096, run
stat, (run,) = figures("--counts -r 2 -- trial_subject pages 10000")
assert stat['qualities']['faults']['grade'] == 'exact', stat['qualities']['faults']
)PY");
}

TEST_CASE("The counts of stat are those that the kernel tells a parent") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
# Of the child alone: a process of its own waits for it.
def told(*command):
    out, inn = os.pipe()
    child = os.fork()
    if child == 0:
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)])
        _, _, usage = os.wait4(pid, 0)
        os.write(inn, str(usage.ru_minflt + usage.ru_majflt).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return int(os.read(out, 100))
for command in (('/bin/true',), ('/bin/sh', '-c', 'true & true; wait'), ('/bin/sh', '-c', 'exec /bin/ls /'),
                ('/usr/bin/env', 'python3', '-S', '-c', 'pass'), ('/bin/sh', '-c', 'seq 20000 | sort -n | tail -n 1')):
    expected = [told(*command) for _ in range(5)]
    line = ' '.join("'%s'" % word for word in command)
    _, (run,) = figures('--counts -r 5 -- ' + line)
    values = run['faults']['values']
    # The first pages of a process are its fork's, or its spawn's.
    assert abs(sorted(values)[2] - sorted(expected)[2]) <= 24 + 0.005 * expected[2], (command, values, expected)
)PY");
}

TEST_CASE("A collector that sees each process tells time, zeroed and freed memory and the processes of the runs") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
stat, (run,) = figures("-r 2 -- sh -c 'trial_subject pages 5000; trial_subject pages 5000; true'")
if stat['qualities']['processes']['grade'] == 'unavailable':
    print(stat['qualities']['processes']['how'])
    assert run['processes'] is None and stat['watched_runs_wanted'] == 0
    raise SystemExit(77)
assert run['processes']['values'] == [3, 3], run['processes']
assert len(run['wall_ns']['values']) == 2 and len(run['zeroed_bytes']['values']) == 2, run
for zeroed in run['zeroed_bytes']['values']: assert 10000 * 4096 < zeroed < 12000 * 4096, run
if stat['qualities']['fault_ns']['grade'] == 'exact':
    assert run['fault_ns']['least'] > 0, run
    parts = [run['fault_%s_ns' % part]['values'] for part in ('on_processor', 'waiting', 'blocked')]
    for whole, *each in zip(run['fault_ns']['values'], *parts): assert abs(whole - sum(each)) <= 0.01 * whole, run
)PY");
}

// At the same addresses in each run, a program faults as often but for a few.
TEST_CASE(
    "The faults of the processes of a run sum to those of the run, without those before the program is executed") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
from statistics import median
stat = json.loads(subprocess.run(['faultline-cli', 'stat', '--format', 'json', '-r', '5', '--', 'setarch', '-R', 'sh', '-c',
                                  'trial_subject pages 500; true'], check=True, stdout=subprocess.PIPE).stdout)['stat']
program = stat['programs'][0]
if not program.get('faults_by_process'):
    print(stat['qualities']['processes']['how'])
    raise SystemExit(77)
assert abs(sum(map(median, program['faults_by_process'].values())) - program['figures']['faults']['median']) < 8, program
)PY");
}

TEST_CASE("Lines run before each run and after all, and warm-up runs are not counted") {
  requireScript(R"PY(
_, (run,) = figures("--counts -r 2 -w 1 --prepare 'echo p >> log' --cleanup 'echo c >> log' -n some -- sh -c 'echo r >> log'")
assert open('log').read().split() == ['p', 'r'] * 3 + ['c'], open('log').read()
assert len(run['faults']['values']) == 2, run
open('words', 'w').write('one two')
shown = subprocess.run("faultline-cli stat --counts -r 1 --show-output --input words -- cat", shell=True, capture_output=True, text=True)
assert 'one two' in shown.stderr and 'one two' not in shown.stdout, shown
stat, _ = figures("--counts -r 1 --shell sh --command 'true | true'")
assert stat['programs'][0]['command'] == ['sh', '-c', 'true | true'], stat
)PY");
}

TEST_CASE("The report goes to a file in each format") {
  requireScript(R"PY(
for form in ('table', 'json', 'csv', 'markdown', 'bencher', 'smaller-is-better'):
    done = subprocess.run(f'faultline-cli stat --counts -r 2 -n it -f {form} -o it.{form} -- true', shell=True, capture_output=True)
    assert done.returncode == 0 and done.stdout == b'', done
rows = list(csv.DictReader(open('it.csv', newline='')))
assert [row['program'] for row in rows if row['figure'] == 'faults'] == ['it'], rows
assert all(row['median'] == '' for row in rows if row['grade'] == 'unavailable'), rows
assert json.load(open('it.bencher'))['it']['faults']['value'] > 0
assert any(row['name'] == 'it: Page faults' for row in json.load(open('it.smaller-is-better')))
assert open('it.table').read().startswith('it (true): 2 runs\n')
assert '| Page faults |' in open('it.markdown').read()
)PY");
}

TEST_CASE("A running process and the machine are measured for a time") {
  if (test::kSanitizer) SKIP("the memory of a sanitizer's programs");
  requireScript(R"PY(
busy = subprocess.Popen(['sh', '-c', 'while :; do trial_subject pages 1000; done'])
stat, (run,) = figures(f'-p {busy.pid} -d 1s')
_, (all,) = figures('-a -d 1s')
busy.kill()
assert stat['programs'][0]['name'] == f'sh ({busy.pid})', stat
assert run['faults']['median'] > 1000 and run['wall_ns']['median'] > 500e6, run
assert run['cpu_ns'] is None and all['faults']['median'] > 1000, all
)PY");
}

TEST_CASE("Wrong usage of stat is refused in a sentence") {
  requireEnd("stat", 2, "Name what to measure: a program and its arguments after --");
  requireEnd("stat -a -- true", 2, "Name what to measure");
  requireEnd("stat true", 2, "Put -- before a program, as in 'faultline-cli stat -- true'.");
  requireEnd("stat --folded x -- true", 2, "stat has no option --folded. Put -- before a program");
  requireEnd("stat -d 1s -- true", 2, "--duration is the time of -p and -a");
  requireEnd("stat -n a -n b -- true", 2, "2 names are given with -n, for 1 program.");
  requireEnd("stat --shell sh -- true", 2, "--shell runs lines: give the program as --command LINE.");
  requireEnd("stat --command \"a 'b\"", 2, "The quote ' is not closed");
  requireEnd("stat -r 0 -- true", 2, "");
}

TEST_CASE("A program that fails or cannot be started ends stat with a sentence") {
  requireEnd("stat --counts -r 2 -- sh -c 'exit 3'", 1,
             "sh -c exit 3 ended with code 3. To count it all the same, give --ignore-failure.");
  requireEnd("stat --counts -r 2 -- sh -c 'kill -9 $$'", 1, "was killed by signal 9");
  requireEnd("stat --counts -r 2 -i -- sh -c 'exit 3'", 0, "2 runs of sh -c exit 3 failed, and count all the same.");
  requireEnd("stat -- no-such-program", 127, "no-such-program could not be started: No such file or directory.");
  requireEnd("stat --prepare 'exit 5' -- true", 1, "The line of --prepare ended with code 5: exit 5");
  requireEnd("stat -p 999999999 -d 1s", 1, "There is no process 999999999.");
  requireEnd("stat -o /no/where.json -- true", 1, "/no/where.json");
  requireEnd("stat --input nowhere -- true", 127, "nowhere cannot be read: No such file or directory.");
}
