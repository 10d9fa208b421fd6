// Zeroed bytes of memory of every kind, at the far ends: the closing line, CSV of a recording, and CSV of frames.
// Kinds whose pages the collector counts show all of them, others the reason.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

namespace {

// Each fifth frame touches 64 MiB of that kind. Arguments: whether all of it is counted; the game's name.
constexpr const char* kCheckZeroed = R"PY(
import csv, json, re, sys
counted = sys.argv[1] == 'counted'
MiB = 1 << 20
def fits(zeroed, bursts):  # page tables, and what the program itself has
    return 64 * MiB * bursts <= zeroed <= 66 * MiB * bursts if counted else zeroed < 4 * MiB * bursts
rows = [r for r in csv.DictReader(open('r.csv', newline='')) if r['name'] == sys.argv[2]]
total = int(rows[-1]['zeroed_bytes'])
assert fits(total, 2), ('record', total)
grown = before = 0
for r in rows:
    if r['zeroed_bytes_per_s']: grown += round(float(r['zeroed_bytes_per_s']) * int(r['interval_ns']) / 1e9)
    elif int(r['interval_ns'] or 0) < 20000000: grown += int(r['zeroed_bytes']) - before  # too short for a rate
    before = int(r['zeroed_bytes'])
assert abs(grown - total) <= len(rows), ('rates', grown, total)
assert int(rows[-1]['zeroing_ns'] or 0) <= int(rows[-1]['fault_on_processor_ns'] or 1e18), rows[-1]
closing = open('said').read().splitlines()[-1]
told = re.search(r'; \u2248 ([\d.]+) (KiB|MiB) zeroed', closing)
assert told, closing
assert abs(float(told[1]) * {'KiB': 1024, 'MiB': MiB}[told[2]] / total - 1) < 0.01, (closing, total)
hello = json.load(open('r.json'))['hello']
quality = next(m for m in hello['process_metrics'] if m['name'] == 'zeroed_bytes')
assert quality['grade'] == 'estimated' and 'hugetlb pages' in quality['how'] and 'sparse files' in quality['how'], quality
frames = [f for f in csv.DictReader(open('f.csv', newline='')) if f['zeroed_bytes']]
bursts = [f for f in frames if int(f['frame']) % 5 == 0]
assert bursts, 'no burst was measured'
for f in bursts: assert fits(int(f['zeroed_bytes']), 1), f
for f in frames:
    if f not in bursts: assert int(f['zeroed_bytes']) < MiB, f
watched = json.load(open('f.json'))['watched']
print(closing, json.dumps(watched)[:2000])
assert watched['zeroed']['grade'] == 'estimated' and 'a lower bound' in watched['zeroed']['how'], watched
)PY";

void checkKind(const std::string& kind, bool counted) {
  if (geteuid() != 0) SKIP("only root's collector counts zeroed pages in any case");
  const Shell shell;
  shell.file("check.py", kCheckZeroed);
  const std::string name = "zero_" + kind;  // the tests of other kinds run meanwhile
  static_cast<void>(shell.run("ln -s $(command -v fake_game) " + name));
  const std::string game = " -- ./" + name + " rate=10 every=5 burst=16384 memory=" + kind;
  const Outcome recorded = shell.run("faultline-cli record -i 100ms -o r" + game + " frames=10 mark= >said 2>&1");
  if (recorded.code == 8) SKIP("this machine has no such memory");
  const Outcome exported = shell.run(
      "faultline-cli export r --format csv >r.csv && faultline-cli export r --format json >r.json && "
      "faultline-cli frames --stacks none --csv f.csv --json f.json" +
      game + " frames=30 >frames 2>&1; cat frames");
  for (const char* reason : {"Zeroed bytes are unavailable", "built without libbpf"})
    if (exported.output.find(reason) != std::string::npos) SKIP(exported.output);
  const Outcome checked =
      shell.run(std::string("python3 check.py ") + (counted ? "counted " : "unseen ") + name + " 2>&1");
  INFO(checked.output);
  CHECK(checked.code == 0);
}

// Huge pages for the time of a test.
struct Pool {
  Shell shell;
  std::string before = shell.run("cat /proc/sys/vm/nr_hugepages").output;

  Pool() { set("40\n"); }
  ~Pool() { set(before); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  void set(const std::string& pages) const {
    static_cast<void>(shell.run("echo " + pages.substr(0, pages.find('\n')) + " >/proc/sys/vm/nr_hugepages"));
  }
};

}  // namespace

TEST_CASE("64 MiB of private or shared memory, however made, are zeroed bytes in every export", "[slow]") {
  for (const char* kind : {"private", "shared", "memfd", "tmpfs"}) {
    CAPTURE(kind);
    checkKind(kind, true);
  }
}

TEST_CASE("Pages of sparse files that the kernel zeroes unseen are told as a lower bound", "[slow]") {
  checkKind("sparse", false);
}

TEST_CASE("Pages of hugetlb that the kernel zeroes unseen are told as a lower bound", "[slow]") {
  const Pool pool;
  if (pool.shell.run("cat /proc/sys/vm/nr_hugepages").output != "40\n") SKIP("no pool of huge pages can be made here");
  checkKind("hugetlb", false);
}
