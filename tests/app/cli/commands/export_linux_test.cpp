// `faultline-cli export` on recordings of the synthetic machine: exact values, damaged files, large files.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "core/export/csv.h"
#include "platform/sampling/synthetic/truth.h"
#include "tests/app/cli/shell_linux.h"
#include "tests/support/plain.h"

using namespace faultline;
using test::Outcome;
using test::Shell;

namespace {

// The table without its first column, the wall time, which differs in each run.
std::string withoutWallTimes(const std::string& table) {
  std::string out;
  for (std::size_t start = 0; start < table.size();) {
    const std::size_t end = table.find('\n', start) + 1;
    out += table.substr(table.find(',', start), end - table.find(',', start));
    start = end;
  }
  return out;
}

}  // namespace

TEST_CASE("An export of the synthetic machine equals its formulas to the digit") {
  constexpr std::uint64_t kTicks = 30;
  SyntheticOptions options;
  options.processes = 40;
  options.seed = 3;
  std::string expected = csvHeader();
  Snapshot previous;
  Snapshot current;
  Moment moment;
  for (std::uint64_t tick = 0; tick < kTicks; ++tick) {
    syntheticSnapshot(options, tick, current);
    derive(syntheticHello(options), tick > 0 ? &previous : nullptr, current, moment);
    appendCsv(moment, expected);
    std::swap(previous, current);
  }
  const Shell shell;
  const Outcome exported = shell.run(
      "faultline-collector sweep --synthetic 40,3 --fast --count 30 > r.faultline && faultline-cli export r.faultline");
  REQUIRE(exported.code == 0);
  CHECK(expected.size() > 100'000);
  CHECK(withoutWallTimes(exported.output) == withoutWallTimes(expected));
}

TEST_CASE("export writes the undamaged part of a recording, says how much is lost, and exits with 3") {
  const Shell shell;
  const Outcome damaged = shell.run(
      "faultline-collector sweep --synthetic --fast --count 300 > r.faultline; "
      "size=$(stat -c %s r.faultline); printf XXXX | dd of=r.faultline bs=1 seek=$((size / 2)) conv=notrunc "
      "2>/dev/null; "
      "faultline-cli export r.faultline -f jsonl > out; echo $?; grep -c monotonic_ns out");
  CHECK(damaged.code == 0);
  const Outcome said = shell.run("faultline-cli export r.faultline 2>&1 >/dev/null");
  CHECK(said.code == 3);
  const int exported = std::stoi(damaged.output.substr(2));
  CHECK(damaged.output.starts_with("3\n"));
  CHECK(exported < 300);
  CHECK(exported >= 180);
  CHECK(said.output ==
        "faultline-cli: r.faultline: Part of the recording is damaged: " + std::to_string(300 - exported) +
            " snapshots are lost, " + std::to_string(exported) + " snapshots were read.\n");
}

TEST_CASE("export writes the header of its table even if the recording's Hello is damaged") {
  const Shell shell;
  const Outcome exported = shell.run(
      "faultline-collector sweep --synthetic --fast --count 3 > r.faultline; "
      "printf XXXX | dd of=r.faultline bs=1 seek=30 conv=notrunc 2>/dev/null; "
      "faultline-cli export r.faultline 2>/dev/null | head -1; "
      "faultline-cli export r.faultline -f json 2>/dev/null | python3 -m json.tool >/dev/null; echo ${PIPESTATUS[1]}; "
      "faultline-cli export r.faultline -f jsonl 2>/dev/null | grep -c hello");
  CHECK(exported.output == csvHeader().substr(0, csvHeader().size() - 2) + "\r\n0\n1\n");
}

TEST_CASE("export reports processes left out of a full snapshot, and a filter without a match") {
  const Outcome told = Shell().run(
      "faultline-collector sweep --synthetic 100000 --fast --count 1 | faultline-cli export - -p nobody 2>&1 "
      ">/dev/null");
  CHECK(told.output.starts_with("Up to "));
  CHECK(
      told.output.ends_with(" processes are missing in a snapshot: the snapshot was full.\n"
                            "No process in this recording matches the filter.\n"));
}

TEST_CASE("The options --from and --to select any part of a recording, its first moment included") {
  const Shell shell;
  const std::string of = "faultline-cli export r.faultline ";
  const std::string all =
      shell.run("faultline-collector sweep --synthetic --fast --count 20 >r.faultline; " + of).output;
  const std::string first = shell.run(of + "--from 0s --to 0s").output;
  CHECK(shell.run(of + "--from 0s").output == all);
  CHECK(all.starts_with(first));
  CHECK(first.size() > csvHeader().size());
  CHECK(first.size() < all.size() / 10);
  CHECK(shell.run(of + "--from 2s --to 1s 2>/dev/null").code == 2);
}

TEST_CASE("export loses nothing on a non-blocking output") {
  const Shell shell;
  shell.file("check.py", R"PY(
import os, subprocess, time
ours, theirs = os.pipe()
os.set_blocking(theirs, False)
export = subprocess.Popen(['faultline-cli', 'export', 'r.faultline'], stdout=theirs)
os.close(theirs)
time.sleep(0.3)
got = b''.join(iter(lambda: os.read(ours, 65536), b''))
assert export.wait() == 0
assert got == subprocess.run(['faultline-cli', 'export', 'r.faultline'], capture_output=True).stdout and len(got) > 1 << 20
)PY");
  const Outcome checked =
      shell.run("faultline-collector sweep --synthetic --fast --count 200 > r.faultline; python3 check.py 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

TEST_CASE("export fails on an input without a snapshot") {
  const Shell shell;
  CHECK(shell.run("printf FAULTLINE | faultline-cli export - 2>/dev/null").code == 1);
  CHECK(shell.run("faultline-cli export - </dev/null 2>/dev/null").code == 1);
}

namespace {

// All columns but the count of samples: those of frames without culprits are not recorded.
constexpr const char* kSameRows = R"PY(
import csv, sys
rows = [list(csv.DictReader(open(name, newline=''))) for name in sys.argv[1:3]]
for all in rows:
    for row in all: del row['samples']
assert len(rows[0]) > 20 and rows[0] == rows[1], [pair for pair in zip(*rows) if pair[0] != pair[1]][:3]
culprits = [row['culprit'] for row in rows[0] if row['culprit']]
assert culprits, 'no culprits'
print(culprits[0])
)PY";

}  // namespace

TEST_CASE("export of a recorded game gives the frames and culprits that were found while it was watched") {
  const Shell shell;
  shell.file("same.py", kSameRows);
  const Outcome same = shell.run(
      "faultline-cli --synthetic frames -d 2s --csv live.csv --folded live.folded --record r.faultline >said || exit; "
      "faultline-cli export r.faultline >again.csv && python3 same.py live.csv again.csv 2>&1 && "
      "faultline-cli export r.faultline -f folded | cmp - live.folded 2>&1 && "
      "faultline-cli export - -f json <r.faultline | python3 -c 'import json, sys; "
      "assert json.load(sys.stdin)[\"summary\"][\"frames\"] > 100' && grep '^Recorded .* frames to r.faultline, ' "
      "said");
  INFO(same.output);
  CHECK(same.code == 0);
  CHECK(same.output.find(" in Vertices::append (mesh.h:44)\n") != std::string::npos);
}

TEST_CASE("export of a recorded game has call stacks of the process that has ended") {
  if (geteuid() != 0) SKIP("single faults need a collector with privileges, such as root's");
  const Shell shell;
  shell.file("same.py", kSameRows);
  const Outcome watched =
      shell.run("faultline-cli frames --budget 1ms --csv live.csv --record r.faultline -- fake_game frames=1000 2>&1");
  for (const char* none : {"ingle faults are unavailable", "built without"})
    if (watched.output.find(none) != std::string::npos) SKIP(watched.output);
  const Outcome same =
      shell.run("faultline-cli export --budget 1ms r.faultline >again.csv && python3 same.py live.csv again.csv 2>&1");
  INFO(watched.output << same.output);
  CHECK(same.code == 0);
}

TEST_CASE("export selects frames by time, and refuses what does not apply to the recording") {
  const Shell shell;
  REQUIRE(shell.run("faultline-cli --synthetic frames -d 1s --record r.faultline >said").code == 0);
  const Outcome part = shell.run(
      "faultline-cli export r.faultline --from 200ms --to 400ms | python3 -c 'import csv, sys; "
      "times = [int(row[\"start_ns\"]) for row in csv.DictReader(sys.stdin)]; "
      "print(len(times) > 5, times[-1] - times[0] <= 200e6)'");
  CHECK(part.output == "True True\n");
  const Outcome format = shell.run("faultline-cli export r.faultline -f jsonl 2>&1");
  CHECK(format.code == 1);
  CHECK(format.output ==
        "faultline-cli: r.faultline holds the frames of a game, whose formats are csv, json, trace, perfetto, "
        "folded, pprof, speedscope.\n");
  CHECK(shell.run("faultline-cli export r.faultline --process 4711 2>&1").code == 1);
  CHECK(shell.run("faultline-collector sweep --synthetic --fast --count 2 > s; faultline-cli export s -f folded 2>&1")
            .output ==
        "faultline-cli: s holds sweeps of processes, whose formats are csv, machine-csv, json, jsonl, perfetto, "
        "prometheus.\n");
  const Outcome cut = shell.run("head -c -3 r.faultline >cut; faultline-cli export cut 2>said | wc -l; cat said");
  CHECK(cut.output.find("is cut off in the middle of a packet; ") != std::string::npos);
  CHECK(cut.output.find(" frames were read.\n") != std::string::npos);
}

TEST_CASE("export needs little memory for a large recording", "[slow]") {
  if (test::kSanitizer) SKIP("AddressSanitizer keeps what was freed");
  const Shell shell;
  shell.file("peak.py", R"PY(
import resource, subprocess
subprocess.run('faultline-cli export r.faultline --process compositor > out.csv', shell=True, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
)PY");
  const Outcome made = shell.run(
      "faultline-collector sweep --synthetic 300 --fast --count 20000 > one.faultline && "
      "for i in 1 2 3; do cat one.faultline; done > r.faultline; stat -c %s r.faultline");
  REQUIRE(std::stoull(made.output) > 40'000'000);
  const Outcome peak = shell.run("python3 peak.py");
  REQUIRE(peak.code == 0);
  CHECK(std::stoi(peak.output) < 32);                       // MiB
  CHECK(shell.run("wc -l < out.csv").output == "60001\n");  // a header and one row per snapshot
}
