// `faultline-cli frames` on games with known numbers of faults.
#include <sys/utsname.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

TEST_CASE("Every frame of a game is a row, exact, in CSV, JSON and trace alike") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv, json
rows = list(csv.DictReader(open('f.csv', newline='')))
assert [int(r['frame']) for r in rows] == list(range(2, 301)), len(rows)
measured = next((i for i, r in enumerate(rows) if r['zeroed_bytes']), 0)
for i, r in enumerate(rows):
    truth = 8192 if int(r['frame']) % 50 == 0 else 16
    probe = int(r['minor_faults']) - truth  # the probe's first hit adds one fault per thread
    assert probe == 0 or probe in (1, 2) and i == measured - 1, r
    assert int(r['thread_minor_faults']) - truth // 2 in (0, min(probe, 1)), r
    assert int(r['fault_ns'] or r['estimated_fault_ns']) > 0, r  # measured if the collector has the capabilities
    assert r['zeroed_bytes'] == '' or int(r['zeroed_bytes']) >= 4096 * truth, r
for a, b in zip(rows, rows[1:]): assert int(a['start_ns']) + int(a['duration_ns']) == int(b['start_ns'])
document = json.load(open('f.json'))
assert document['watched']['mark'] == 'render' and document['watched']['grade'] == 'exact'
assert document['summary']['frames'] == len(rows) and document['summary']['lost_frames'] == 0, document['summary']
assert [f['minor_faults'] for f in document['frames']] == [int(r['minor_faults']) for r in rows]
events = json.load(open('f.trace'))['traceEvents']
slices = [e for e in events if e['ph'] == 'X']
names = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name'}
assert all(names[s['tid']] == f"Frames of thread {s['args']['thread']}" for s in slices), names
assert [e['args']['name'] for e in events if e['name'] == 'process_name'] == ['fake_game']
assert [s['args']['frame'] for s in slices] == [int(r['frame']) for r in rows]
)PY");
  const Outcome watched =
      shell.run("faultline-cli frames --csv f.csv --json f.json --trace f.trace -- fake_game frames=300 2>said");
  CHECK(watched.code == 7);  // the game's exit code
  CHECK(watched.output.find(" of 299 frames late because of page faults") != std::string::npos);
  const Outcome checked = shell.run("cat said; python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

TEST_CASE("Faults that take longer than --fail-over exit with 4, unless the game failed") {
  const Shell shell;
  const std::string game = " -- fake_game then=fork frames=60 >/dev/null 2>&1";
  CHECK(shell.run("faultline-cli frames --fail-over 10us" + game).code == 4);
  CHECK(shell.run("faultline-cli frames --fail-over 10s" + game).code == 0);
  CHECK(shell.run("faultline-cli frames --fail-over 10us -- fake_game frames=60 then=crash >/dev/null 2>&1").code ==
        134);
}

TEST_CASE("A running game is watched for --duration, and runs on") {
  const Shell shell;
  const Outcome watched = shell.run(
      "fake_game frames=100000 & game=$!; sleep 0.5; faultline-cli frames -d 2s --csv - $game 2>said | wc "
      "-l; "
      "kill -0 $game && kill $game; grep -c 'frames late because of' said");
  INFO(watched.output);
  CHECK(std::stoi(watched.output) > 20);
  CHECK(watched.output.ends_with("\n1\n"));
}

TEST_CASE("In a container, thread ids are those of the container") {
  const Shell shell;
  const std::string inside = "unshare --map-root-user --pid --fork --mount-proc ";
  if (shell.run(inside + "true 2>&1").code != 0) SKIP("this machine does not let its users make containers");
  for (const std::string& how : {inside, std::string("unshare --pid --fork --mount-proc ")}) {  // the second needs root
    const Outcome watched =
        shell.run(how +
                  "sh -c 'fake_game frames=100000 & echo $! >game; "
                  "faultline-cli frames --mark :fakeGamePresent -d 700ms --csv f.csv $(cat game); "
                  "kill $(cat game)' 2>said; cut -d, -f9 f.csv | sort -u | grep -v thread >threads; "
                  "cat said; [ ! -s threads ] || cmp threads game 2>&1");
    INFO(watched.output);
    CHECK(watched.code == 0);
  }
}

TEST_CASE("For a program without marks, frames assumes a rate, says why, and counts every fault", "[slow]") {
  const Shell shell;
  const Outcome unmarked = shell.run("sleep 60 & faultline-cli frames -d 300ms $! 2>&1; code=$?; kill $!; exit $code");
  CHECK(unmarked.code == 0);
  CHECK(unmarked.output.find(") marks no frames, and has loaded no known function that presents frames. Frames of 1/60 "
                             "s are assumed. For true frames call faultline_frame()") != std::string::npos);
  CHECK(unmarked.output.find(" assumed frames.") != std::string::npos);
  shell.file("check.py", R"PY(
import csv
rows = list(csv.DictReader(open('f.csv', newline='')))
total = sum(int(r['minor_faults']) for r in rows)
assert 100 * 16 < total < 20 * 8192 + 2000 * 16, total
assert max(int(r['minor_faults']) for r in rows) > 1000
assert all(r['late'] == '0' for r in rows)
)PY");
  const Outcome assumed = shell.run(
      "faultline-cli frames --assume 60 --csv f.csv -- fake_game frames=960 2>&1; python3 check.py 2>&1 && echo fine");
  INFO(assumed.output);
  CHECK(assumed.output.find("assumed frames") != std::string::npos);
  CHECK(assumed.output.ends_with("fine\n"));
}

TEST_CASE("frames waits for a program that runs on, a second signal abandons it, and a closed reader is no failure") {
  const Shell shell;
  const std::string waited = "until grep -q 'Waiting for' said 2>/dev/null; do sleep 0.1; done; ";
  const std::string start = "faultline-cli frames --assume 100 -d 200ms -- sleep 60 >/dev/null 2>said & " + waited;
  CHECK(shell.run(start + "kill $!; wait $!; echo $?; grep -c 'Waiting for sleep to end.' said").output == "143\n1\n");
  const std::string stubborn =
      "rm said; faultline-cli frames --assume 100 -d 200ms -- sh -c 'trap \"\" TERM; echo $$ >pid; "
      "sleep 30; sleep 30' >/dev/null 2>said & " +
      waited;
  CHECK(shell.run(stubborn + "kill $!; sleep 1; kill $!; wait $!; echo $?; kill -9 $(cat pid)").output == "130\n");
  CHECK(shell
            .run("{ faultline-cli frames --csv - --assume 100 -d 3s $$ 2>said; echo $? >code; } | head -1 >/dev/null; "
                 "cat code; grep -c faultline-cli: said")
            .output == "141\n0\n");
}

TEST_CASE("frames reports a game that cannot be watched, and the exit code says why") {
  const Shell shell;
  CHECK(shell.run("faultline-cli frames 4000000 2>&1").output == "faultline-cli: There is no process 4000000.\n");
  CHECK(shell.run("faultline-cli frames -- /nowhere/at-all 2>/dev/null").code == 127);
  CHECK(shell.run("faultline-cli frames --csv /nowhere/at-all -- true 2>/dev/null").code == 1);
  CHECK(shell.run("faultline-cli frames -- true 2>&1").output.find("exited") != std::string::npos);
}

TEST_CASE("A game that a script starts or executes is watched like a game started directly") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv
rows = list(csv.DictReader(open('f.csv', newline='')))
assert [int(r['frame']) for r in rows] == list(range(2, 61)), len(rows)
)PY");
  const Outcome child = shell.run(
      "faultline-cli frames --csv f.csv -- sh -c 'fake_game frames=60 every=1000; exit 3' 2>&1; echo $?; "
      "python3 check.py && echo fine");
  INFO(child.output);
  CHECK(child.output.find("fake_game (") != std::string::npos);
  CHECK(child.output.find("), which sh (") != std::string::npos);
  CHECK(child.output.ends_with("\n3\nfine\n"));
  const Outcome same = shell.run(
      "faultline-cli frames --csv f.csv -- sh -c 'sleep 0.1; exec fake_game frames=60 every=1000' 2>&1; echo $?; "
      "python3 check.py && echo fine");
  INFO(same.output);
  CHECK(same.output.find("has started") == std::string::npos);
  CHECK(same.output.ends_with("\n7\nfine\n"));
}

TEST_CASE("Frames end with the calls of the named function, or the error names the reason and a remedy") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv
rows = list(csv.DictReader(open('f.csv', newline='')))
faults = [int(r['minor_faults']) for r in rows]
assert len(rows) > 300 and faults.count(16) > 0.9 * len(rows) and faults.count(8192) > 3, faults
)PY");
  const Outcome watched = shell.run(
      "faultline-cli frames --mark fake_game:fakeGamePresent --csv f.csv -- fake_game frames=600 mark= 2>&1; echo $?; "
      "python3 check.py && echo fine");
  INFO(watched.output);
  if (watched.output.find("built without libelf") != std::string::npos) SKIP(watched.output);
  const bool seen = watched.output.find("Frames end with fakeGamePresent (fake_game).") != std::string::npos;
  CHECK((seen ? watched.output.ends_with("\n7\nfine\n")
              : watched.output.find("faultline_frame.h, or assume a rate, such as --assume 60") != std::string::npos));
}

TEST_CASE("A started game is watched from its first call on, or the report says which time is missing") {
  const Shell shell;
  const Outcome watched = shell.run(
      "faultline-cli frames --mark :fakeGamePresent --csv f.csv -- fake_game frames=50 rate=0 every=1000 mark= 2>&1; "
      "cut -d, -f1 f.csv | sed -n '2p;$p'");
  INFO(watched.output);
  if (watched.output.find("Frames end with fakeGamePresent") == std::string::npos) SKIP("functions cannot be watched");
  CHECK(watched.output.find("Frames in the first") == std::string::npos);
  CHECK(watched.output.ends_with("\n3\n50\n"));  // the first call pays for the probe, and is not noted
  CHECK(watched.output.find("The frames of fake_game before frame 3 are missing: the first call of a function pays for "
                            "its probe.") != std::string::npos);
  const Outcome late = shell.run(
      "faultline-cli frames --mark :fakeGamePresent -- sh -c 'fake_game frames=600 every=1000 mark=; exit 3' 2>&1");
  INFO(late.output);
  CHECK(late.output.find(" of sh are missing: the watch began after them.") != std::string::npos);
}

TEST_CASE("A game that draws no frame is waited for, and its files are written, and the exit code tells", "[slow]") {
  const Shell shell;
  const Outcome still =
      shell.run("cp '" FAULTLINE_MARKED "/libmarked_library.so' libglfw.so.3.3; '" FAULTLINE_MARKED
                "/player_pie_stripped' $PWD/libglfw.so.3.3 >/dev/null & game=$!; sleep 0.3; "
                "faultline-cli frames -d 2500ms --csv f.csv $game 2>&1; code=$?; kill $game; wc -l <f.csv; exit $code");
  INFO(still.output);
  const bool mayWatch = still.output.find(" are assumed.") == std::string::npos;
  CHECK(still.code == (mayWatch ? 5 : 0));
  CHECK((!mayWatch ||
         still.output.find("No frame has ended. Name the function that ends a frame (--mark") != std::string::npos));
  const std::string what = "glfwSwapBuffers (libglfw.so.3) has not been called yet.\n";
  CHECK((!mayWatch || still.output.starts_with("Waiting for the first frame: " + what)));
  CHECK((!mayWatch || still.output.find("No frame ended: " + what) != std::string::npos));
  CHECK((!mayWatch || still.output.ends_with("\n1\n")));
}

TEST_CASE("A splash screen's function gives way to that of a library that the game loads later", "[slow]") {
  const Shell shell;
  const Outcome watched =
      shell.run("cp '" FAULTLINE_MARKED
                "/libmarked_library.so' libGL.so.1; cp libGL.so.1 libglfw.so.3.3; "
                "faultline-cli frames --csv f.csv -- splash_player $PWD/libGL.so.1 glXSwapBuffers 200 "
                "$PWD/libglfw.so.3.3 glfwSwapBuffers 800 2>&1; wc -l <f.csv");
  INFO(watched.output);
  if (watched.output.find("Frames end with glXSwapBuffers (libGL.so.1).") == std::string::npos)
    SKIP("functions cannot be watched");
  CHECK(watched.output.find(
            "Frames now end with glfwSwapBuffers (libglfw.so.3), no longer with glXSwapBuffers (libGL.so.1).") !=
        std::string::npos);
  CHECK(watched.output.find(" were not seen, while one collector replaced another.") != std::string::npos);
  CHECK(std::stoi(watched.output.substr(watched.output.rfind('\n', watched.output.size() - 2) + 1)) > 300);
}

TEST_CASE("A stripped driver's function that a loader hands a game by name ends its frames", "[slow]") {
  const Shell shell;
  const Outcome watched =
      shell.run("cp '" FAULTLINE_BIN
                "/libhanding_loader.so' libvulkan.so.1; "
                "faultline-cli frames --csv f.csv -- handed_player $PWD/libvulkan.so.1 4000 600 2>&1; wc -l <f.csv");
  INFO(watched.output);
  const std::string waiting = "Waiting for the first frame: vkQueuePresentKHR (libvulkan.so.1) has not been called";
  if (watched.output.find(waiting) == std::string::npos) SKIP("functions cannot be watched");
  utsname names{};
  int major = 0;
  int minor = 0;
  REQUIRE((uname(&names) == 0 && std::sscanf(names.release, "%d.%d", &major, &minor) == 2));
  if (geteuid() != 0 || major * 1000 + minor < 6014) SKIP("the returns of functions are not watched here");
  CHECK(watched.output.find("Frames end with vkQueuePresentKHR (libhanding_driver.so).") != std::string::npos);
  CHECK(std::stoi(watched.output.substr(watched.output.rfind('\n', watched.output.size() - 2) + 1)) > 200);
}

TEST_CASE("A library that a game swaps for a new build is watched on", "[slow]") {
  const Shell shell;
  const Outcome watched = shell.run("cp '" FAULTLINE_MARKED
                                    "/libmarked_library.so' libengine.so; "
                                    "(sleep 1; cp libengine.so new.so; mv new.so libengine.so) & "
                                    "faultline-cli frames --mark libengine:glfwSwapBuffers --csv f.csv -- "
                                    "splash_player $PWD/libengine.so glfwSwapBuffers 300 $PWD/libengine.so "
                                    "glfwSwapBuffers 2000 2>&1; wc -l <f.csv");
  INFO(watched.output);
  if (watched.output.find("Frames end with glfwSwapBuffers (libengine.so).") == std::string::npos)
    SKIP("functions cannot be watched");
  CHECK(watched.output.find(" were not seen, while one collector replaced another.") != std::string::npos);
  CHECK(std::stoi(watched.output.substr(watched.output.rfind('\n', watched.output.size() - 2) + 1)) > 400);
}

TEST_CASE("A game that its launcher starts as a daemon is watched until it exits") {
  const Shell shell;
  const Outcome watched = shell.run(
      "faultline-cli frames --csv f.csv -- sh -c '(setsid fake_game frames=200 then=exit >/dev/null 2>&1 &)' 2>&1; "
      "echo code $?; wc -l <f.csv");
  INFO(watched.output);
  CHECK(watched.output.find("Watching fake_game (") != std::string::npos);
  CHECK(std::stoi(watched.output.substr(watched.output.rfind('\n', watched.output.size() - 2) + 1)) > 150);
  // A daemon that is no game does not hold the command for longer than its patience; ended here at once.
  const Outcome other = shell.run("faultline-cli frames -- sh -c '(setsid sleep 1 &)' 2>&1; echo code $?");
  INFO(other.output);
  CHECK(other.output.find("sh has ended and left processes that run on") != std::string::npos);
  CHECK(other.output.find("code 0") == std::string::npos);
}

TEST_CASE("A program with rights of its own is named, with what to do") {
  const Shell shell;
  if (geteuid() != 0) SKIP("only root can make a program that changes its user");
  const Outcome watched = shell.run(
      "chmod 755 .; cp $(command -v faultline-cli) $(command -v faultline-collector) .; cp $(command -v fake_game) "
      "suid; "
      "chmod u+s suid; setpriv --reuid 65534 --regid 65534 --clear-groups ./faultline-cli frames -- ./suid frames=100 "
      "2>&1");
  INFO(watched.output);
  if (watched.output.find("setpriv") != std::string::npos) SKIP("setpriv is missing");
  CHECK(
      watched.output.find("has the rights of another user (setuid): only root may watch it. Run faultline-cli as root, "
                          "or watch a copy of the program: cp(1) leaves these rights out.") != std::string::npos);
  const Outcome byRoot = shell.run(
      "chown 65534 suid; chmod u+s suid; chmod 777 .; "
      "faultline-cli frames --mark :fakeGamePresent -- ./suid frames=300 mark= 2>&1");
  INFO(byRoot.output);
  if (byRoot.output.find("Frames end with fakeGamePresent") == std::string::npos) SKIP("functions cannot be watched");
  CHECK(byRoot.output.find("a program that gains rights when it is executed (setuid, setgid or file capabilities) "
                           "cannot be held") != std::string::npos);
}

TEST_CASE("A picture that a game shows in eight parts is one frame") {
  const Shell shell;
  const Outcome watched = shell.run(
      "cp '" FAULTLINE_MARKED
      "/libmarked_library.so' libX11.so.6; "
      "faultline-cli frames --csv f.csv -- splash_player $PWD/libX11.so.6 XPutImage 300x8 2>&1; wc -l <f.csv");
  INFO(watched.output);
  if (watched.output.find("Frames end with XPutImage (libX11.so.6).") == std::string::npos)
    SKIP("functions cannot be watched");
  const int lines = std::stoi(watched.output.substr(watched.output.rfind('\n', watched.output.size() - 2) + 1));
  CHECK(lines > 100);
  CHECK(lines <= 330);  // a thread that loses its processor between two parts shows two frames
  CHECK(watched.output.find("were lost") == std::string::npos);
}

TEST_CASE("A game's own marks are preferred to functions even if the marks come later", "[slow]") {
  const Shell shell;
  const Outcome watched = shell.run(
      "cp '" FAULTLINE_MARKED "/libmarked_library.so' libglfw.so.3.3; strip -o game '" FAULTLINE_BIN
      "/fake_game'; faultline-cli frames -- env LD_PRELOAD=$PWD/libglfw.so.3.3 ./game rate=60 frames=360 2>&1");
  INFO(watched.output);
  CHECK(watched.code == 7);
  CHECK(watched.output.find(" by its mark 'render'.") != std::string::npos);
}

TEST_CASE("The error for an unknown function lists similar names, and no rate is assumed") {
  const Shell shell;
  const auto told = [&](const std::string& mark) {
    return shell
        .run("fake_game frames=100 every=1000 then=linger & game=$!; sleep 1; faultline-cli frames --mark '" + mark +
             "' $game 2>&1; echo $?; kill $game")
        .output;
  };
  const std::string unknown = told("fake_game:fakeGamePresents");
  if (unknown.find("built without libelf") != std::string::npos) SKIP(unknown);
  CHECK(unknown == "faultline-cli: fake_game has no function 'fakeGamePresents'. Similar names: fakeGamePresent.\n1\n");
  CHECK(told("libnone:swap").find(" has mapped no code of a file 'libnone'. Mapped are: fake_game, ") !=
        std::string::npos);
  CHECK(told("nothing").find(" has set no frame mark called 'nothing'.") != std::string::npos);
  CHECK(shell.run("faultline-cli frames --mark :present --assume 60 -- true 2>&1").code == 2);
}

TEST_CASE("A mistyped function of a started game is told with the nearest name, and no ended program is waited for") {
  const Shell shell;
  const std::string said =
      shell.run("faultline-cli frames --mark :fakeGamePresnt -- fake_game frames=240 every=1000 mark= 2>&1; echo $?")
          .output;
  if (said.find("built without libelf") != std::string::npos) SKIP(said);
  const std::string missing = "fake_game has no function 'fakeGamePresnt'. Similar names: fakeGamePresent.";
  CHECK(said == missing + " Waiting up to 10 s for it.\nfaultline-cli: " + missing + "\n7\n");
}

TEST_CASE("A game runs on when its collector is killed, and can be watched again", "[slow]") {
  const Shell shell;
  shell.file("killed.sh", R"SH(
fake_game frames=100000 & game=$!
faultline-cli frames $game >/dev/null 2>said & watching=$!
until pgrep -P $watching -f 'faultline-collector watch' >collector; do sleep 0.1; done
sleep 0.7
kill -9 $(cat collector)
wait $watching; echo "watching: $?"
grep -c 'was killed by signal 9' said
faultline-cli frames -d 2s $game 2>&1 | grep -c 'late because of page faults'
kill $game && echo "it plays"
)SH");
  const Outcome outcome = shell.run("bash killed.sh 2>&1");
  INFO(outcome.output);
  CHECK(outcome.output.find("watching: 1\n1\n1\nit plays\n") != std::string::npos);
}

TEST_CASE("Of a game's own marks the one of its pictures ends frames, and the others are listed") {
  const Shell shell;
  const Outcome chosen = shell.run(
      "faultline-cli frames --json f.json -- fake_game frames=300 also=audio >report 2>&1; python3 -c '"
      R"PY(
import json
game = json.load(open("f.json"))
faults = [frame["minor_faults"] for frame in game["frames"]][10:]
print(game["watched"]["mark"], game["watched"]["marks"], len(faults) > 280, sum(16 <= n < 20 for n in faults) > 270)
)PY"
      "'; grep -o \"by its mark 'render' (--mark selects another: 'audio')\" report");
  INFO(chosen.output);
  CHECK(chosen.output ==
        "render ['audio', 'render'] True True\nby its mark 'render' (--mark selects another: 'audio')\n");
  const Outcome asked = shell.run(
      "faultline-cli frames --mark audio --json f.json -- fake_game frames=300 also=audio >report 2>&1; python3 -c '"
      R"PY(
import json
game = json.load(open("f.json"))
print(game["watched"]["mark"], len(game["frames"]) > 580)
)PY"
      "'");
  INFO(asked.output);
  CHECK(asked.output == "audio True\n");
}

TEST_CASE("Page faults between the last frame and a crash are told") {
  const Shell shell;
  for (const std::string& by : {std::string(), std::string("--mark :fakeGamePresent ")}) {
    const Outcome outcome = shell.run("faultline-cli frames " + by +
                                      "--json f.json -- fake_game frames=60 after=3000 then=crash 2>said >report; "
                                      "grep -c 'page faults came after the last frame' report; python3 -c '"
                                      R"PY(
import json
after = json.load(open("f.json"))["summary"]["faults_after_last"]
print(3000 <= after < 3100, after)
)PY"
                                      "' 2>&1; cat said");
    INFO(outcome.output);
    if (outcome.output.find("built without libelf") != std::string::npos) SKIP(outcome.output);
    CHECK(outcome.output.starts_with("1\nTrue "));
  }
}

TEST_CASE("The files of a watch that is killed are complete documents of the frames so far") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv, json
rows = list(csv.DictReader(open('f.csv', newline='')))
document = json.load(open('f.json'))
assert document['summary'] is None and document['version'] and document['budget_ns'] == 20_000_000, document
events = json.load(open('f.trace'))['traceEvents']
slices = [e for e in events if e['ph'] == 'X']
assert len(rows) > 10 and abs(len(document['frames']) - len(rows)) < 50 and abs(len(slices) - len(rows)) < 50
assert rows[0]['budget_ns'] == '20000000' and rows[0]['lost_frames'] == '0', rows[0]
)PY");
  const Outcome outcome = shell.run(
      "fake_game frames=100000 & game=$!; faultline-cli frames --budget 20ms --csv f.csv --json f.json --trace f.trace "
      "$game >/dev/null 2>&1 & watching=$!; until [ $(cat f.csv 2>/dev/null | wc -l) -gt 20 ]; do sleep 0.1; done; "
      "kill -9 $watching; wait $watching; kill $game; python3 check.py 2>&1");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
}

TEST_CASE("Two runs are compared, and the exit code says if the second is worse") {
  const Shell shell;
  shell.file("make.py", R"PY(
import sys
print('frame,duration_ns,minor_faults,major_faults,fault_ns,late_by_faults,culprit')
for i in range(1, 1001):
    print(f'{i},30000000,8192,0,20000000,1,"97 % in Level::load (level.cpp:9)"' if i % int(sys.argv[1]) == 0 else f'{i},10000000,16,0,50000,0,')
)PY");
  REQUIRE(shell.run("python3 make.py 500 >good.csv && python3 make.py 50 >bad.csv").code == 0);
  const Outcome worse = shell.run("faultline-cli frames compare good.csv bad.csv");
  CHECK(worse.code == 6);
  CHECK(worse.output.starts_with("Worse: 2.0 to 20.0 of 1000 frames late because of page faults"));
  CHECK(worse.output.find("  Level::load (level.cpp:9): ") != std::string::npos);
  const Outcome better = shell.run("faultline-cli frames compare bad.csv good.csv");
  CHECK(better.code == 0);
  CHECK(better.output.find("\nFrames saved: 50, 100, ") != std::string::npos);
  CHECK(shell.run("faultline-cli frames compare good.csv good.csv").code == 0);
  const Outcome dearer = shell.run(
      "sed -E 's/,(16|8192),0,/,\\10,0,/' good.csv >dear.csv; faultline-cli frames compare -f json good.csv dear.csv");
  CHECK(dearer.code == 6);
  CHECK(dearer.output.find("\"verdict\": \"worse\"") != std::string::npos);
  CHECK(
      shell
          .run("late() { faultline-cli compare -f json --budget $1 one.faultline one.faultline | grep -m1 -o "
               "'late_by_faults.*[0-9]' | tr -dc 0-9; }; faultline-cli --synthetic frames -d 2s --record one.faultline "
               "&& [ $(late 5ms) -gt $(late 16.7ms) ]")
          .code == 0);
  CHECK(shell
            .run("faultline-cli --synthetic stat -r 2 --format json -o stat.json -- true && faultline-cli compare "
                 "--budget 1ms stat.json stat.json 2>&1")
            .output.find("--budget is for the frames of a game.") != std::string::npos);
  CHECK(shell.run("faultline-cli frames compare good.csv make.py 2>&1").output.find("make.py is no file of") !=
        std::string::npos);
  CHECK(shell.run("faultline-cli frames compare good.csv nowhere.csv 2>&1").code == 1);
  CHECK(shell.run("faultline-cli frames compare good.csv 2>&1").code == 2);
}

TEST_CASE("frames reports that folded stacks cannot be written, and writes an empty file if there are none") {
  const Shell shell;
  const Outcome nowhere = shell.run("faultline-cli frames --folded /nowhere/f -- true 2>&1");
  CHECK(nowhere.code == 1);
  CHECK(nowhere.output ==
        "faultline-cli: /nowhere/f cannot be written: No such file or directory. Choose another place.\n");
  CHECK(shell.run("faultline-cli frames --stacks none --folded f -- fake_game frames=60 >/dev/null 2>&1; wc -c <f")
            .output == "0\n");
}

TEST_CASE("The option --synthetic watches a synthetic game, whose culprits have names") {
  const Shell shell;
  const Outcome synthetic = shell.run("faultline-cli --synthetic frames -d 2s 2>&1");
  INFO(synthetic.output);
  CHECK(synthetic.code == 0);
  CHECK(synthetic.output.find("synthetic frames") != std::string::npos);
  CHECK(synthetic.output.find("Vertices::append (mesh.h:44)") != std::string::npos);
  CHECK(shell.run("faultline-cli --synthetic frames 1 2>&1").code == 2);
  CHECK(shell.run("faultline-cli frames 2>&1").code == 2);
}
