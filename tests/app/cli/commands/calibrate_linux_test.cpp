// Calibration as a program. A busy machine may refuse it; both ends are checked.
#include <catch2/catch_test_macros.hpp>

#include "tests/app/cli/shell_linux.h"
#include "tests/support/plain.h"

using namespace faultline;
using test::Outcome;
using test::Shell;

TEST_CASE("calibrate keeps the prices of this machine, or says why it is too busy") {
  if (test::kSanitizer) SKIP("the shadow memory of a sanitizer faults, too");
  const Shell shell;
  const std::string home = "XDG_CONFIG_HOME=$PWD/config ";
  const Outcome none = shell.run(home + "faultline-cli calibrate --show 2>&1");
  CHECK(none.code == 1);
  CHECK(none.output.find("There is no calibration of this machine yet.") != std::string::npos);
  const Outcome made = shell.run(home + "faultline-cli calibrate 2> said");
  const std::string said = shell.run("cat said").output;
  INFO(said);
  CHECK(said.find("calibration: process ") != std::string::npos);
  if (made.code == 0) {
    CHECK(made.output.find(" a fault (±") != std::string::npos);
    CHECK(shell.run(home + "faultline-cli calibrate --show").output == made.output);
    REQUIRE(shell.run("sed -i 's/\"system\": \"/&Old /' config/faultline/calibration.json").code == 0);
    const std::string old = shell.run(home + "faultline-cli calibrate --show").output;
    CHECK(old.find("The calibration is old: the system is another (was Old ") != std::string::npos);
  } else {
    CHECK(said.find("The machine is too busy") != std::string::npos);
    CHECK(shell.run("ls config 2>/dev/null").output.empty());
  }
}

TEST_CASE("calibrate beside two busy loops finds the same price within 15 %, or refuses") {
  if (test::kSanitizer) SKIP("the shadow memory of a sanitizer faults, too");
  const Shell shell;
  shell.file("check.py", R"PY(
import json, os, statistics, subprocess, sys
env = dict(os.environ, XDG_CONFIG_HOME=os.getcwd() + '/config')
def price():  # None: refused
    ran = subprocess.run(['faultline-cli', 'calibrate'], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ran.returncode != 0:
        assert b'The machine is too busy' in ran.stderr, ran.stderr
        return None
    one, = json.load(open('config/faultline/calibration.json'))['calibrations']
    return one['touch']['median_ns']
# Turns of both, so that another program disturbs both alike.
alone, beside = [], []
accepted = lambda prices: [p for p in prices if p is not None]
few = os.cpu_count() < 7  # two busy loops take more than a quarter
for turn in range(1 if few else 4):
    alone.append(price())
    loops = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(2)]
    try: beside.append(price())
    finally:
        for loop in loops: loop.kill(); loop.wait()
print('alone', alone, 'beside two busy loops', beside)
if few: assert not accepted(beside)
if min(len(accepted(alone)), len(accepted(beside))) >= 3:
    ratio = statistics.median(accepted(beside)) / statistics.median(accepted(alone))
    print('ratio', ratio)
    assert 0.85 <= ratio <= 1.15, ratio
)PY");
  const Outcome ran = shell.run("python3 check.py 2>&1");
  INFO(ran.output);
  CHECK(ran.code == 0);
}

TEST_CASE("time in faults that is not measured is estimated by the calibration, and marked, in recordings too",
          "[slow]") {
  const Shell shell;
  shell.file("check.py", R"PY(
import json, os, subprocess, sys
env = dict(os.environ, XDG_CONFIG_HOME=os.getcwd() + '/config')
def output(*arguments, **more):
    return subprocess.run(['faultline-cli', *arguments], check=True, stdout=subprocess.PIPE, **more).stdout
def snapshot(): return json.loads(output('--no-fault-time', 'snapshot', '--format', 'json', env=env))
def recording():  # read without the calibration, as on another machine
    said = output('--no-fault-time', 'record', '-o', 'r.faultline', '--force', '--interval', '100ms', '--', 'sleep', '0.5',
                  env=env, stderr=subprocess.STDOUT).decode()
    return said, json.loads(output('export', 'r.faultline', '--format', 'json'))
plain = snapshot()
_, raw = recording()
machine = plain['hello']['machine']
os.makedirs('config/faultline')
price = {'median_ns': 1000.0, 'low_ns': 900.0, 'high_ns': 1100.0}
json.dump({'calibrations': [{'when_ns': 0, 'version': '1', 'system': machine['system'], 'processor': machine['processor'],
    'processors': machine['processors'], 'settings': '', 'load': None, 'touch': price, 'touch_large': None,
    'release': price}]}, open('config/faultline/calibration.json', 'w'))
after = snapshot()
def quality(document): return [m for m in document['hello']['process_metrics'] if m['name'] == 'fault_ns'][0]

assert quality(plain)['grade'] == quality(raw)['grade'] == 'unavailable', quality(plain)
assert quality(after)['grade'] == 'estimated', quality(after)
for process in after['moments'][0]['processes']:
    if process['minor_faults'] is not None: assert process['fault_ns'] == 1000 * process['minor_faults'], process
said, kept = recording()
assert 'sleep: ≈ ' in said, said
assert quality(kept)['grade'] == 'estimated', quality(kept)
rows = [p for moment in kept['moments'] for p in moment['processes'] if p['minor_faults']]
assert rows and all(p['fault_ns'] == 1000 * p['minor_faults'] for p in rows), rows
)PY");
  const Outcome ran = shell.run("python3 check.py 2>&1");
  INFO(ran.output);
  CHECK(ran.code == 0);
}
