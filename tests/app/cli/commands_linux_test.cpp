// The built programs, run by a shell.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/app/cli/shell_linux.h"

using namespace faultline;

using test::Outcome;
using test::Shell;

TEST_CASE("CSV and JSON carry hostile process names exactly") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv, io, json, subprocess, sys
names = ['we b) (x', 'a"b,c', 'two\nlines', '=1+1', 'fünfzehn-byte-x'.encode()[:15].decode('utf-8', 'ignore')]
script = "import sys; open('/proc/self/comm', 'w').write(sys.argv[1]); print(flush=True); sys.stdin.read()"
children = [subprocess.Popen([sys.executable, '-c', script, n], stdin=subprocess.PIPE, stdout=subprocess.PIPE) for n in names]
for child in children: child.stdout.readline()
cli = ['faultline-cli', 'snapshot', '--interval', '50ms', '--format']
table = subprocess.run(cli + ['csv'], capture_output=True, check=True).stdout.decode()
rows = {int(r['pid']): r for r in csv.DictReader(io.StringIO(table, newline=''))}
document = json.loads(subprocess.run(cli + ['json'], capture_output=True, check=True).stdout)
named = {p['pid']: p['name'] for p in document['moments'][-1]['processes']}
for child, name in zip(children, names):
    assert rows[child.pid]['name'] == ("'" + name if name[0] == '=' else name), (name, rows[child.pid]['name'])
    assert rows[child.pid]['minor_faults_per_s'] != ''
    assert named[child.pid] == name, (name, named.get(child.pid))
for child in children: child.stdin.close(); child.wait()
)PY");
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

TEST_CASE("An export of the synthetic machine is complete, and its rates match its counters") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv, sys
before, moments, compared = {}, set(), 0
for row in csv.DictReader(open('out.csv', newline='')):
    key, time, faults = (row['pid'], row['start_time']), int(row['monotonic_ns']), int(row['minor_faults'])
    moments.add(time)
    if key in before:
        expected = (faults - before[key][1]) * 1e9 / (time - before[key][0])
        assert abs(float(row['minor_faults_per_s']) - expected) <= 1e-6 * max(1, expected), row
        compared += 1
    before[key] = (time, faults)
assert len(moments) == 20 and compared > 200, (len(moments), compared)
)PY");
  const Outcome checked = shell.run(
      "(faultline-collector sweep --synthetic --fast --count 20 > r.faultline && faultline-cli export r.faultline > "
      "out.csv && "
      "python3 check.py) 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
  CHECK(shell
            .run("cat r.faultline | faultline-cli export - --format json | "
                 "python3 -c 'import json, sys; print(len(json.load(sys.stdin)[\"moments\"]))'")
            .output == "20\n");
}

TEST_CASE("export writes the readable part of a truncated recording and exits with 3") {
  const Shell shell;
  const Outcome cut = shell.run(
      "faultline-collector sweep --synthetic --fast --count 20 > r.faultline; head -c -100 r.faultline > "
      "cut.faultline; "
      "faultline-cli export cut.faultline --format jsonl 2>said; code=$?; grep -c 'is cut off in the middle of a "
      "packet' "
      "said; exit $code");
  CHECK(cut.code == 3);
  CHECK(cut.output.size() > 1000);
  CHECK(cut.output.ends_with("}\n1\n"));
}

TEST_CASE("A file that is no recording exits with 1, wrong usage with 2, and neither writes data") {
  const Shell shell;
  CHECK(shell.run("faultline-cli export /etc/passwd 2>/dev/null").code == 1);
  CHECK(shell.run("faultline-cli export nowhere.faultline 2>/dev/null").code == 1);
  for (const char* wrong : {"", "bogus", "snapshot -i 5", "snapshot -i 1ms", "snapshot -f xml", "export", "top -n -1",
                            "top -- sleep 1", "frames --csv - --json - 1", "frames --stacks most 1"}) {
    INFO(wrong);
    const Outcome outcome = shell.run(std::string("faultline-cli ") + wrong + " 2>/dev/null");
    CHECK(outcome.code == 2);
    CHECK(outcome.output.empty());
  }
}

TEST_CASE("The error for a missing -- before PROGRAM shows where -- belongs") {
  const Shell shell;
  for (const char* words : {"frames ls", "frames ls -l 5", "frames '[a,b]'", "record -o r ls", "record -o r ls -l"}) {
    INFO(words);
    const Outcome outcome = shell.run(std::string("faultline-cli ") + words + " 2>&1");
    CHECK(outcome.code == 2);
    CHECK(outcome.output.find("Put -- before a program, as in 'faultline-cli ") != std::string::npos);
  }
  CHECK(shell.run("faultline-cli frames 5 -- ls 2>/dev/null").code == 2);
}

TEST_CASE("record returns its program's exit code and leaves a complete recording") {
  const Shell shell;
  CHECK(shell.run("faultline-cli record -i 50ms -o r.faultline -- sh -c 'sleep 0.3; exit 7' 2>/dev/null").code == 7);
  CHECK(shell.run("faultline-cli export r.faultline >/dev/null").code == 0);
  CHECK(shell.run("faultline-cli record -o k.faultline -- sh -c 'kill -9 $$' 2>/dev/null").code == 137);
  CHECK(shell.run("faultline-cli record -o n.faultline -- /nowhere/at-all 2>/dev/null").code == 127);
}

TEST_CASE("record tells that its collector was killed while the last sweep was awaited") {
  const Shell shell;
  const Outcome killed = shell.run(
      "faultline-cli record -o r.faultline -- sh -c 'collector=$(pgrep -P $PPID faultline-coll); "
      "kill -STOP $collector; (sleep 0.3; kill -9 $collector) & exit 0' 2>said; echo $?; grep -c 'signal 9' said; "
      "faultline-cli export r.faultline -f csv >rows.csv 2>/dev/null; wc -l <rows.csv");
  INFO(killed.output);
  CHECK(killed.output.starts_with("1\n1\n"));
  CHECK(std::stoi(killed.output.substr(4)) > 1);  // what was recorded is kept
}

TEST_CASE("record overwrites only with --force, ends after --duration or on Ctrl-C, and reports a full disk") {
  const Shell shell;
  CHECK(shell.run("faultline-cli record -i 50ms -d 200ms -o r.faultline 2>/dev/null").code == 0);
  CHECK(shell.run("faultline-cli record -d 200ms -o r.faultline 2>/dev/null").code == 1);
  CHECK(shell
            .run("timeout -s INT 1 faultline-cli record -i 50ms --force -o r.faultline 2>/dev/null; "
                 "faultline-cli export r.faultline >/dev/null")
            .code == 0);
  const Outcome full = shell.run("faultline-cli record --force -o /dev/full 2>&1");
  CHECK(full.code == 1);
  CHECK(full.output.find("Recording to /dev/full stopped: No space left on device.") != std::string::npos);
}

TEST_CASE("record --ring keeps the last time in two files, which are one recording, also after it was killed",
          "[slow]") {
  const Shell shell;
  const std::string record = "faultline-cli --synthetic record --interval 20ms --ring 1s -o r ";
  CHECK(shell.run(record + "--duration 3500ms").code == 0);
  CHECK(shell.run("stat -c %a r r.before").output == "600\n600\n");
  // The synthetic machine's time is that of its sweeps: 50 a second.
  const std::string times = "faultline-cli export - -f machine-csv | cut -d, -f1 | tail -n +2 | sort -u | wc -l";
  const int both = std::stoi(shell.run("cat r.before r | " + times).output);
  CHECK(both >= 50);
  CHECK(both <= 105);
  CHECK(shell.run("cat r.before r | faultline-cli export - -f json | grep -c '\"first\"'").output == "1\n");  // no gap
  CHECK(shell.run(record + "--duration 1s 2>&1").output.find("--force") != std::string::npos);
  CHECK(shell.run(record + "--force & sleep 3; kill -9 $!; wait").code == 0);
  const auto killed = shell.run("cat r.before r | " + times);
  CHECK(std::stoi(killed.output) >= 45);
  CHECK(shell.run("faultline-cli --synthetic record --ring 1s -o -").code == 2);
}

TEST_CASE("frames --ring keeps the last time in two files, each with its call stacks by name, which are one recording",
          "[slow]") {
  const Shell shell;
  const std::string record = "faultline-cli --synthetic frames --ring 1s --record f ";
  CHECK(shell.run(record + "--duration 4500ms").code == 0);
  CHECK(shell.run("stat -c %a f f.before").output == "600\n600\n");
  CHECK(std::stoi(shell.run("faultline-cli export f.before -f csv | grep -c 'Vertices::append (mesh.h:44)'").output) >
        0);
  // The frames of both follow each other, from first to last.
  const Outcome gaps = shell.run(
      "cat f.before f >both; faultline-cli export both -f csv | tail -n +2 | cut -d, -f1 >numbers; wc -l <numbers; "
      "seq $(head -1 numbers) $(tail -1 numbers) | diff - numbers");
  CHECK(gaps.code == 0);
  CHECK(std::stoi(gaps.output) > 50);
  CHECK(std::stoi(shell.run("head -1 numbers").output) > 1);  // the first ones are gone
  CHECK(shell.run(record + "2>&1").output.find("--force") != std::string::npos);
  CHECK(shell.run("rm f; " + record + "2>&1").output.find("f.before exists.") != std::string::npos);
  CHECK(shell.run(record + "--force --duration 500ms; ls f.before 2>&1").code != 0);  // of the earlier ring
}

TEST_CASE("An existing recording stays until the new recording begins, and no file is created before") {
  const Shell shell;
  for (const char* command : {"record --force -o r.faultline", "frames --force --record r.faultline"}) {
    INFO(command);
    const Outcome kept = shell.run(std::string("echo old >r.faultline; faultline-cli ") + command +
                                   " -- /nowhere/at-all 2>/dev/null; echo $?; cat r.faultline");
    CHECK(kept.output == "127\nold\n");
  }
  CHECK(shell.run("faultline-cli record -o new.faultline -- /nowhere/at-all 2>/dev/null; ls new.faultline 2>&1").code !=
        0);
  CHECK(shell.run("echo old >f.csv; faultline-cli frames --csv f.csv 4000000 2>/dev/null; cat f.csv").output ==
        "old\n");
  CHECK(shell.run("faultline-cli frames --record r.faultline 4000000 2>&1").output ==
        "faultline-cli: r.faultline exists. Overwrite it with --force, or name another file.\n");
  CHECK(shell.run("mkdir d; faultline-cli record -o d 2>&1").output ==
        "faultline-cli: d is a folder. Name a file in it.\n");
}

TEST_CASE("A program gets its arguments unchanged") {
  const Shell shell;
  const std::string words = "'[a,b]' '' --csv x -o -- -h '{c}'";
  const std::string print = " -- printf '<%s>' " + words + " 2>/dev/null";
  const std::string printed = "<[a,b]><><--csv><x><-o><--><-h><{c}>";
  CHECK(shell.run("faultline-cli --synthetic record -i 20ms -o a.faultline" + print).output == printed);
  CHECK(shell.run("faultline-cli frames --assume 60" + print).output.starts_with(printed));
}

TEST_CASE("Closed or full standard streams give exit code 1, and a closed standard error changes nothing") {
  const Shell shell;
  for (const char* streams : {">/dev/full 2>/dev/full", "<&- >&- 2>&-", ">&-"}) {
    INFO(streams);
    CHECK(shell.run(std::string("faultline-cli --synthetic snapshot -i 50ms ") + streams).code == 1);
    CHECK(shell.run(std::string("faultline-cli --synthetic record -i 20ms -d 100ms -o - ") + streams).code == 1);
  }
  CHECK(shell.run("faultline-cli --synthetic snapshot -i 50ms 2>&- | wc -l").output == "63\n");
  CHECK(shell.run("faultline-cli --help >/dev/full 2>/dev/null").code == 1);
}

TEST_CASE("An ignored SIGHUP does not end a recording") {
  const Shell shell;
  const Outcome outcome = shell.run(
      "trap '' HUP; faultline-cli --synthetic record -i 20ms -d 3s -o r.faultline 2>&1 & sleep 0.3; kill -HUP $!; wait "
      "$!");
  CHECK(outcome.code == 0);
  CHECK(outcome.output.starts_with("Recorded "));
  CHECK(outcome.output.find("in 1 snapshot") == std::string::npos);
}

TEST_CASE("snapshot reports a full disk") {
  const Shell shell;
  const Outcome full = shell.run("faultline-cli --synthetic snapshot -i 50ms 2>&1 >/dev/full");
  CHECK(full.code == 1);
  CHECK(full.output == "faultline-cli: Standard output cannot be written: No space left on device.\n");
}

TEST_CASE("A recording passes through a pipe, and its writer ends when the reader closes the pipe") {
  const Shell shell;
  const Outcome piped = shell.run(
      "faultline-cli --synthetic record -i 20ms -d 300ms -o - 2>/dev/null | faultline-cli export - -f jsonl | wc -l");
  CHECK(piped.code == 0);
  CHECK(std::stoi(piped.output) > 3);
  CHECK(shell
            .run("faultline-cli --synthetic record -i 20ms -o - 2>/dev/null | head -c 10 >/dev/null; echo "
                 "${PIPESTATUS[0]}")
            .output == "141\n");
}

TEST_CASE("SIGTERM ends a writer whose reader reads nothing", "[slow]") {
  const Shell shell;
  shell.file("check.py", R"PY(
import fcntl, os, signal, subprocess, sys, time
ours, theirs = os.pipe()
fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ if hasattr(fcntl, 'F_SETPIPE_SZ') else 1031, 4096)
writer = subprocess.Popen(['faultline-cli', '--synthetic'] + sys.argv[1:], stdout=theirs, stderr=subprocess.DEVNULL)
os.close(theirs)
time.sleep(2)
writer.send_signal(signal.SIGTERM)
assert writer.wait(30) == -signal.SIGTERM
)PY");
  for (const char* words : {"record -i 10ms -o -", "frames --csv -"}) {
    INFO(words);
    const Outcome checked = shell.run(std::string("python3 check.py ") + words + " 2>&1");
    INFO(checked.output);
    CHECK(checked.code == 0);
  }
}

TEST_CASE("SIGTERM ends a command that opens a FIFO without a reader") {
  const Shell shell;
  for (const char* words : {"record -i 20ms -o f", "frames --csv f", "frames --record f"}) {
    INFO(words);
    CHECK(
        shell.run(std::string("rm -f f; mkfifo f; timeout -k 10 1 faultline-cli --synthetic ") + words + " 2>/dev/null")
            .code == 124);
  }
}

TEST_CASE("A reader that closes the pipe ends export without a message") {
  const Shell shell;
  CHECK(shell
            .run("faultline-collector sweep --synthetic --fast --count 500 > r.faultline; "
                 "{ faultline-cli export r.faultline 2>said; echo $? >code; } | head -1 >/dev/null; cat code said")
            .output == "141\n");
}

TEST_CASE("Doctor tells which numbers the frames of a game have here") {
  const Outcome doctor = Shell().run("faultline-cli doctor -f json | python3 -c '" + std::string(R"PY(
import json, sys
for frames in json.load(sys.stdin)["frames"]:
    print(frames["frames_end"].split()[-1], frames.get("faults", {}).get("grade"), bool(frames["why_not"]))
')PY"));
  CHECK(doctor.output.starts_with("(faultline_frame.h) exact False\nfunction "));
  CHECK((doctor.output.ends_with("function exact False\n") || doctor.output.ends_with("function None True\n")));
}

TEST_CASE("On Linux, doctor and lab say that no threads zero pages in the background") {
  for (const std::string command : {"doctor --zeroing-threads", "lab zero-stimulus"}) {
    const Outcome outcome = Shell().run("faultline-cli " + command + " 2>&1; echo $?");
    CHECK(outcome.output.find("Linux clears a page in the thread that asks for it") != std::string::npos);
    CHECK(outcome.output.ends_with("\n1\n"));
  }
  CHECK(Shell().run("faultline-cli lab zero-stimulus cost 2>&1").output.find("name no other experiment") !=
        std::string::npos);
}

TEST_CASE("In a container, doctor names the processes that are invisible, and the remedy") {
  const Shell shell;
  const std::string inside = "unshare --map-root-user --pid --fork --mount-proc ";
  if (shell.run(inside + "true 2>&1").code != 0) SKIP("this machine does not let its users make containers");
  const Outcome doctor = shell.run(inside + "faultline-cli doctor -f json | python3 -c '" + R"PY(
import json, sys
metrics = {m["name"]: m for m in json.load(sys.stdin)["hello"]["process_metrics"]}
print(metrics["minor_faults"]["how"])
print(metrics["zeroed_bytes"]["grade"], metrics["zeroed_bytes"]["enable"])
)PY" + "'");
  CHECK(doctor.output.starts_with("/proc/PID/stat, minflt of all threads, including ended threads; faults of"));
  if (doctor.output.find("built with them") != std::string::npos) SKIP(doctor.output);
  CHECK(
      doctor.output.ends_with(". Only the processes of this container can be seen\n"
                              "unavailable A collector outside of the container.\n"));
}

TEST_CASE("In a user namespace, where capabilities have no effect, doctor names a remedy") {
  const Shell shell;
  const std::string inside = "unshare --map-root-user ";
  if (shell.run(inside + "true 2>&1").code != 0) SKIP("this machine does not let its users make containers");
  const Outcome doctor = shell.run(inside + "faultline-cli doctor -f json | python3 -c '" + R"PY(
import json, sys
hello = json.load(sys.stdin)["hello"]
print([(m["name"], m["grade"], m["enable"] != "") for m in hello["process_metrics"] + hello["system_metrics"]
       if m["name"] in ("zeroed_bytes", "lost_exits")])
)PY" + "'");
  CHECK(doctor.output == "[('zeroed_bytes', 'unavailable', True), ('lost_exits', 'unavailable', True)]\n");
}

TEST_CASE("The error for a collector that cannot be started, or dies, names the file") {
  const Shell shell;
  for (const char* program : {"/nowhere/at-all", "/bin/false"}) {
    const Outcome outcome = shell.run(std::string("faultline-cli --collector ") + program + " snapshot 2>&1");
    CHECK(outcome.code == 1);
    CHECK(outcome.output.find(program) != std::string::npos);
  }
}

TEST_CASE("top fills a terminal, quits on q, and restores the terminal") {
  const Shell shell;
  shell.file("check.py", R"PY(
import fcntl, os, pty, select, struct, subprocess, sys, termios, time
ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 100, 0, 0))
before = termios.tcgetattr(theirs)
top = subprocess.Popen(['faultline-cli', '--synthetic', 'top', '--interval', '100ms'], stdin=theirs, stdout=theirs,
                       stderr=theirs, env={**os.environ, 'TERM': 'xterm-256color'})
seen, end, asked = b'', time.time() + 120, False
while top.poll() is None and time.time() < end:
    if select.select([ours], [], [], 0.1)[0]: seen += os.read(ours, 65536)
    if not asked and seen.count(b'minor/s') > 3:
        assert termios.tcgetattr(theirs) != before
        os.write(ours, b'q')
        asked = True
while select.select([ours], [], [], 0.1)[0]: seen += os.read(ours, 65536)
assert top.wait(60) == 0
assert b'compositor' in seen and seen.endswith(b'[?1049l'), seen[-200:]
assert termios.tcgetattr(theirs) == before
)PY");
  const Outcome checked = shell.run("python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

TEST_CASE("The interval auto is for commands that go on, and a recording tells it") {
  const Shell shell;
  const auto run = [&](const std::string& command) {
    return shell.run("faultline-cli --synthetic " + command + " 2>&1");
  };
  CHECK(run("record --interval auto -o r --duration 1ms; grep -c 'while a spike runs' r").output == "1\n");
  CHECK(run("record --interval 500ms -o u --duration 1ms; grep -c 'while a spike runs' u").output == "0\n");
  CHECK(run("top --interval auto --count 1").output.find("every 500 ms") != std::string::npos);
  CHECK(run("top --interval fast").output.find("'fast'") != std::string::npos);
  CHECK(run("snapshot --format csv --interval auto").code != 0);
}
