// `faultline-cli join` on a recorded game with known numbers of faults, and on logs of the same frames in the formats
// of other tools.
#include <catch2/catch_test_macros.hpp>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

namespace {

// Records a game that marks its frames, and writes frames 20 to 280 as MangoHud would: each a few microseconds later,
// on a clock that starts half a second before the first frame.
constexpr const char* kRecord =
    "faultline-cli frames --record game.faultline --csv frames.csv -- fake_game frames=300 every=37 >/dev/null 2>&1; "
    "python3 log.py";

constexpr const char* kLog = R"PY(
import csv, random
rows = list(csv.DictReader(open('frames.csv', newline='')))
random.seed(1)
ends = [int(r['start_ns']) + int(r['duration_ns']) + random.randrange(20000) for r in rows]
zero = ends[0] - 500_000_000
with open('hud.csv', 'w') as f:
    print('os,cpu,gpu,ram,kernel,driver,cpuscheduler', 'a,b,c,d,e,f,g', 'fps,frametime,cpu_load,elapsed', sep='\n', file=f)
    for n in range(20, 280):
        ms = (ends[n] - ends[n - 1]) / 1e6
        print(f'{1000 / ms:g},{ms:.6g},5,{ends[n] - zero}', file=f)
with open('pm.csv', 'w', newline='') as f:
    print('Application,ProcessID,TimeInSeconds,msBetweenPresents', end='\r\n', file=f)
    for n in range(20, 280):
        print(f'other.exe,1,{n},1', end='\r\n', file=f)
        print(f'game.exe,4711,{(ends[n] - zero) / 1e9:.9f},{(ends[n] - ends[n - 1]) / 1e6:.6f}', end='\r\n', file=f)
open('anchor', 'w').write(f"{(zero - int(rows[0]['start_ns'])) / 1e9:.9f}s")
)PY";

constexpr const char* kCheck = R"PY(
import csv
rows = list(csv.DictReader(open('joined.csv', newline='')))
assert [int(r['frame']) for r in rows] == list(range(1, 261)), len(rows)
for r in rows:
    number = int(r['frame']) + 21   # the first row of frames.csv is frame 2
    r['more'] = int(r['minor_faults']) - (8192 if number % 37 == 0 else 16)
# the probe's first hit adds one fault per thread to one frame
assert sorted(r['more'] for r in rows)[:-1] == [0] * 259 and max(r['more'] for r in rows) <= 2, [r for r in rows if r['more']]
)PY";

Outcome recorded(const Shell& shell) {
  shell.file("log.py", kLog);
  shell.file("check.py", kCheck);
  return shell.run(kRecord);
}

}  // namespace

TEST_CASE("join finds the place of a MangoHud log by the durations, and adds the exact counts") {
  const Shell shell;
  REQUIRE(recorded(shell).code == 0);
  for (const char* recording : {"game.faultline", "frames.csv"}) {
    const Outcome joined = shell.run(std::string("faultline-cli join --csv joined.csv hud.csv ") + recording +
                                     " 2>&1; python3 check.py 2>&1");
    INFO(joined.output);
    CHECK(joined.code == 0);
    CHECK(joined.output.find(" of 260 frames late because of page faults") != std::string::npos);
    CHECK(joined.output.find("found by the durations of the frames") != std::string::npos);
    CHECK(joined.output.find("Their faults are exact") != std::string::npos);
  }
}

TEST_CASE("join names the culprits of frames by the call stacks of the recording", "[slow]") {
  const Shell shell;
  shell.file("log.py", kLog);
  const Outcome joined = shell.run(
      "faultline-cli --synthetic frames -d 4s --record game.faultline --csv frames.csv >said && python3 log.py && "
      "faultline-cli join --csv joined.csv hud.csv game.faultline 2>&1 && "
      "python3 -c 'import csv; rows = list(csv.DictReader(open(\"joined.csv\", newline=\"\"))); "
      "print({\" in Vertices::append (mesh.h:44)\" in row[\"culprit\"] for row in rows if row[\"costly\"] == "
      "\"1\"})'");
  INFO(joined.output);
  CHECK(joined.output.find(" in Vertices::append (mesh.h:44)") < joined.output.find('\n'));
  CHECK(joined.output.ends_with("{True}\n"));
}

TEST_CASE("join takes the recorded process of several in PresentMon's file, and refuses others") {
  const Shell shell;
  REQUIRE(recorded(shell).code == 0);
  const Outcome other = shell.run("faultline-cli join pm.csv frames.csv -p 1 2>&1");
  INFO(other.output);
  CHECK(other.code == 1);
  const Outcome joined =
      shell.run("faultline-cli join pm.csv frames.csv --pid 4711 --csv joined.csv 2>&1 && python3 check.py 2>&1");
  INFO(joined.output);
  CHECK(joined.code == 0);
}

TEST_CASE(
    "The option --anchor sets the place of the log; faults at the borders of frames are divided and called estimated") {
  const Shell shell;
  REQUIRE(recorded(shell).code == 0);
  shell.file("near.py", R"PY(
import csv
rows = list(csv.DictReader(open('joined.csv', newline='')))
assert len(rows) == 260
total = sum(int(r['minor_faults']) for r in rows)
bursts = [r for r in rows if int(r['minor_faults']) > 7000]
assert 7 <= len(bursts) <= 8 and abs(total - 260 * 16 - 8176 * len(bursts)) < 2000, (total, len(bursts))
)PY");
  const Outcome joined = shell.run(
      "faultline-cli join hud.csv game.faultline --anchor $(cat anchor) --csv joined.csv 2>&1 && python3 near.py 2>&1");
  INFO(joined.output);
  CHECK(joined.code == 0);
  CHECK(joined.output.find("as --anchor says; all 260 frames there last as long") != std::string::npos);
  CHECK(joined.output.find("Their faults are estimated") != std::string::npos);
  CHECK(shell.run("faultline-cli join hud.csv game.faultline --anchor 5min 2>&1").code == 1);
  CHECK(shell.run("faultline-cli join hud.csv game.faultline --anchor soon 2>&1").code == 1);
}

TEST_CASE("join divides the faults of sweeps among the frames, and their sum stays") {
  const Shell shell;
  shell.file("log.py", R"PY(
import csv, os, time
rows = [r for r in csv.DictReader(open('all.csv', newline='')) if r['pid'] == open('pid').read().strip()]
first, last = (int(rows[i]['monotonic_ns']) for i in (0, -1))
with open('hud.csv', 'w') as f:
    print('fps,frametime,elapsed', file=f)
    elapsed = 0
    while elapsed < last - first:  # to the end: the last few ms may hold many faults
        length = min(4_000_000, last - first - elapsed)
        elapsed += length
        print(f'250,{length / 1e6},{elapsed}', file=f)
open('total', 'w').write(str(int(rows[-1]['minor_faults']) - int(rows[0]['minor_faults'])))
)PY");
  shell.file("check.py", R"PY(
import csv
rows = list(csv.DictReader(open('joined.csv', newline='')))
total, wanted = sum(int(r['minor_faults']) for r in rows), int(open('total').read())
assert len(rows) > 100 and 0.98 * wanted - 100 <= total <= wanted > 1000, (len(rows), total, wanted)
)PY");
  const Outcome joined = shell.run(
      "fake_game then=linger frames=100000 >/dev/null & echo $! > pid; "
      "faultline-cli record -o all.faultline -i 50ms -d 1s 2>/dev/null; kill $!; "
      "faultline-cli export all.faultline > all.csv && python3 log.py && "
      "faultline-cli join hud.csv all.faultline --pid $(cat pid) --anchor 0 --csv joined.csv && python3 check.py 2>&1");
  INFO(joined.output);
  CHECK(joined.code == 0);
  CHECK(joined.output.find("Their faults are estimated") != std::string::npos);
  const Outcome unnamed = shell.run("faultline-cli join hud.csv all.faultline 2>&1");
  CHECK(unnamed.code == 1);
  CHECK(unnamed.output.find("--pid") != std::string::npos);
  const Outcome byTimes = shell.run("faultline-cli join hud.csv all.faultline --pid $(cat pid) 2>&1");
  INFO(byTimes.output);
  CHECK(byTimes.output.find("times of the files, give or take") != std::string::npos);
}

TEST_CASE("join keeps the columns of the other tool, and tells on standard error which rows it leaves out") {
  const Shell shell;
  shell.file("log.py", R"PY(
with open('rec.csv', 'w') as f:
    print('frame,start_ns,duration_ns,minor_faults,major_faults', file=f)
    for n in range(20): print(f'{n},{10**9 + n * 16_000_000},16000000,{n},0', file=f)
with open('pm.csv', 'w') as f:
    print('Application,ProcessID,SwapChainAddress,FrameType,TimeInSeconds,MsBetweenPresents,MsPsoCompileTime,Note', file=f)
    for n in range(20):
        print(f'"a ""b"", =c.exe",7,0x2,Application,{(n + 1) * 0.016:.3f},16,{n}.50,-x', file=f)
        if n % 2: print(f'"a ""b"", =c.exe",7,0x3,Application,{(n + 1) * 0.016:.3f},32,1', file=f)
    print('"a ""b"", =c.exe",7,0x2,Intel XeSS-FG,0.1,8,0,', file=f)
    print('dwm.exe,9,0x1,Application,0.5,16,0,', file=f)
)PY");
  const Outcome first = shell.run(
      "python3 log.py && faultline-cli join pm.csv rec.csv --anchor 0 --csv a.csv 2>said >out; cat said; "
      "python3 -c 'import csv; rows = list(csv.DictReader(open(\"a.csv\", newline=\"\"))); "
      "print(len(rows), {r[\"Application\"] for r in rows}, [r[\"MsPsoCompileTime\"] for r in rows][3], "
      "{r[\"Note\"] for r in rows}, [r[\"minor_faults\"] for r in rows][:5])'");
  CHECK(first.output ==
        "1 row holds no frame of the game: 1 generated by the driver (the first: line 32, column FrameType: “Intel "
        "XeSS-FG” is no frame of the game).\n"
        "11 rows of others are left out (a \"b\", =c.exe (7), swap chain 0x3: 10; dwm.exe (9), swap chain 0x1: 1). "
        "--pid and --swap-chain select others.\n"
        "20 {'a \"b\", =c.exe'} 3.50 {\"'-x\"} ['0', '1', '2', '3', '4']\n");
  const Outcome other = shell.run("faultline-cli join pm.csv rec.csv --anchor 0 --swap-chain 0X3 2>&1");
  CHECK(other.output.starts_with("0 of 10 frames late"));
  CHECK(other.output.find("swap chain 0x2: 21") != std::string::npos);
  const Outcome none = shell.run("faultline-cli join pm.csv rec.csv --anchor 0 --swap-chain 0x4 2>&1");
  CHECK(none.code == 1);
  CHECK(none.output.find("no frames of swap chain 0x4. The log has rows of") != std::string::npos);
  const Outcome fallback = shell.run("faultline-cli join pm.csv rec.csv --anchor 0 --pid 8 2>&1");
  INFO(fallback.output);
  CHECK(fallback.output.find("no frames of process 8; those of a \"b\", =c.exe (7), swap chain 0x2 are taken.") !=
        std::string::npos);
}

TEST_CASE("join reports a file that is no log, and a file that is no recording") {
  const Shell shell;
  shell.file("text", "hello\nworld\n");
  shell.file("hud.csv", "fps,frametime,elapsed\n250,4,4000000\n250,4,8000000\n");
  CHECK(shell.run("faultline-cli join text text 2>&1").output.find("text has no frame times") != std::string::npos);
  CHECK(shell.run("faultline-cli join hud.csv text 2>&1")
            .output.find("text is neither a Faultline recording nor a CSV file") != std::string::npos);
  CHECK(shell.run("faultline-cli join nowhere text 2>&1").output == "faultline-cli: nowhere cannot be opened.\n");
  CHECK(shell.run("faultline-cli join 2>/dev/null").code == 2);
}
