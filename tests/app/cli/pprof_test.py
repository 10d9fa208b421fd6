"""faultline-cli's call stacks of page faults: pprof_test.py BIN SOURCE_FOLDER. Their totals are the kernel's counts; the
profile is read by a reader of its own, and by pprof itself where Go is installed."""
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BIN, SOURCE = (os.path.abspath(folder) for folder in sys.argv[1:3])
RECORDING = os.path.join(SOURCE, "tests", "fixtures", "stream", "format_1_8_frames.faultline")
CLI = os.path.join(BIN, "faultline-cli")
MAJOR = "[major fault]"
PAGE = os.sysconf("SC_PAGE_SIZE")

# Touches so many fresh pages for each line of standard input, or those of a file that is not in memory, and answers with
# the process's minor and major faults meanwhile. The first lines come before the watch, so that all code has run.
TOUCHING = """
import mmap, os, sys
def faults():
    with open('/proc/self/stat', 'rb') as stat:
        numbers = stat.read().rsplit(b')', 1)[1].split()
        return int(numbers[7]), int(numbers[9])
def read_cold(step=1 << 16):
    file.flush()
    os.fsync(file.fileno())
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    memory.madvise(mmap.MADV_RANDOM)
    sum(memory[at] for at in range(0, len(memory), step))
file = open('cold', 'wb+')
file.write(bytes(4 << 20))
def touch(pages):
    memory = mmap.mmap(-1, pages * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    for page in range(pages):
        memory[page * mmap.PAGESIZE] = 1
for line in sys.stdin:
    minor, major = faults()
    read_cold() if line == 'cold\\n' else touch(int(line))
    print(faults()[0] - minor, faults()[1] - major, flush=True)
"""


# Touches fresh pages for some seconds, so that whoever sees it as a child has the time to watch it.
BURSTS = """
import mmap, time
end = time.monotonic() + 5
while time.monotonic() < end:
    memory = mmap.mmap(-1, 500 * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    for page in range(500):
        memory[page * mmap.PAGESIZE] = 1
    time.sleep(0.05)
"""


def export(form):
    return subprocess.run([CLI, "export", RECORDING, "--format", form], check=True, capture_output=True).stdout


def fields(message):
    """The fields of a message of Protocol Buffers: (number, value), in order."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        value = varint()
        if key & 7 == 2:
            value, at = message[at:at + value], at + value
        else:
            assert key & 7 == 0, key
        yield key >> 3, value


def profile(data):
    """Of a profile's bytes: samples as (calls, values by type), innermost call first, as (function, file, line)."""
    all_of = {}
    for number, value in fields(gzip.decompress(data)):
        all_of.setdefault(number, []).append(value)
    text = [words.decode() for words in all_of[6]]
    types = [text[dict(fields(kind))[1]] for kind in all_of[1]]
    functions = {f[1]: (text[f[2]], text[f.get(4, 0)]) for f in (dict(fields(one)) for one in all_of.get(5, []))}
    locations = {}
    for one in all_of.get(4, []):
        location = dict(fields(one))
        line = dict(fields(location[4]))
        locations[location[1]] = (*functions[line[1]], line[2])
    samples = []
    for one in all_of.get(2, []):
        calls = [locations[value] for number, value in fields(one) if number == 1]
        values = [value for number, value in fields(one) if number == 2]
        samples.append((calls, dict(zip(types, values, strict=True))))
    return samples


def total(samples, kind):
    return sum(values[kind] for _, values in samples)


def folded_stacks(text):
    return [(line.rsplit(" ", 1)[0].split(";"), int(line.rsplit(" ", 1)[1])) for line in text.splitlines()]


class Pprof(unittest.TestCase):
    def test_a_profile_has_the_faults_of_the_folded_stacks_and_lines_of_source(self):
        folded = folded_stacks(export("folded").decode())
        samples = profile(export("pprof"))
        self.assertGreater(total(samples, "page_faults"), 0)
        self.assertEqual(sum(faults for _, faults in folded), total(samples, "page_faults"))
        majors = sum(faults for calls, faults in folded if calls[-1] == MAJOR)
        self.assertEqual(majors, total(samples, "major_faults"))
        self.assertEqual(total(samples, "page_faults"), majors + total(samples, "minor_faults"))
        lines = [(file, line) for calls, _ in samples for _, file, line in calls if line > 0]
        self.assertTrue(all(file for file, _ in lines))
        self.assertTrue(lines)

    @unittest.skipUnless(shutil.which("go"), "Go is not installed")
    def test_pprof_reads_the_faults_of_the_folded_stacks(self):
        folded = folded_stacks(export("folded").decode())
        all_faults = sum(faults for _, faults in folded)
        self.assertGreater(all_faults, 0)
        innermost = {}
        for calls, faults in folded:
            calls = calls[:-1] if calls[-1] == MAJOR else calls
            if len(calls) > 1:
                innermost[calls[-1]] = innermost.get(calls[-1], 0) + faults
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "faults.pb.gz")
            with open(file, "wb") as out:
                out.write(export("pprof"))
            environment = dict(os.environ, HOME=folder, PPROF_TMPDIR=folder)

            def pprof(*words):
                return subprocess.run(["go", "tool", "pprof", *words, file], check=True, capture_output=True, text=True,
                                      env=environment).stdout

            top = pprof("-top", "-nodecount=1000", "-nodefraction=0")
            listed = pprof("-top", "-lines", "-nodecount=1000", "-nodefraction=0", "-sample_index=page_bytes")
        self.assertIn("Type: page_faults", top)
        self.assertEqual(all_faults, int(re.search(r"of (\d+) total", top)[1]))
        for function, faults in innermost.items():
            self.assertRegex(top, r"(?m)^\s+%d\s.*\s%s$" % (faults, re.escape(function)))
        self.assertRegex(listed, r"(?m)\.\w+:\d+$")


@unittest.skipUnless(sys.platform == "linux", "reads /proc")
class AnyProcess(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def begin(self, *before):
        """The program that touches, started by these words before it."""
        self.touching = subprocess.Popen([*before, sys.executable, "-c", TOUCHING], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, cwd=self.folder.name)
        self.addCleanup(self.touching.stdout.close)
        self.addCleanup(self.touching.wait)
        self.addCleanup(self.touching.stdin.close)

    def warm(self):
        self.begin()
        self.touch(10)
        self.faults("cold")

    def faults(self, what):
        """Minor and major."""
        self.touching.stdin.write(f"{what}\n")
        self.touching.stdin.flush()
        return tuple(map(int, self.touching.stdout.readline().split()))

    def touch(self, pages):
        return self.faults(pages)[0]

    def counts(self):
        """Minor and major faults of its whole life: those of its waiting for a line, too, which it does not count."""
        with open(f"/proc/{self.touching.pid}/stat", "rb") as stat:
            numbers = stat.read().rsplit(b")", 1)[1].split()
        return int(numbers[7]), int(numbers[9])

    def start(self, *words):
        return subprocess.Popen([CLI, *words, "-p", str(self.touching.pid)], cwd=self.folder.name,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def read(self, name):
        with open(os.path.join(self.folder.name, name), "rb") as file:
            return file.read()

    def end(self, watch, said):
        said += watch.communicate(timeout=120)[1]
        if watch.returncode == 1 and ("To enable" in said or "perf_event_paranoid" in said):
            self.skipTest("single faults are not read here: " + said)
        self.assertEqual(watch.returncode, 0, said)
        return said

    def record(self, cause):
        """The process's faults while it is watched and this is done, and what the command says."""
        watch = self.start("record", "--stacks", "--folded", "f", "--pprof", "p", "--speedscope", "s")
        begun = watch.stderr.readline()
        counted = 0, 0
        if begun.startswith("Reading the page faults of "):
            minor, major = self.counts()
            cause()
            time.sleep(0.1)  # so that an assumed frame ends
            counted = self.counts()[0] - minor, self.counts()[1] - major
            watch.send_signal(signal.SIGINT)
        return counted, self.end(watch, begun)

    def test_major_faults_are_told_apart(self):
        self.warm()
        (minor, major), said = self.record(lambda: self.faults("cold"))
        if major == 0:
            self.skipTest("files of this folder are always in memory")
        samples = profile(self.read("p"))
        self.assertEqual((minor, major), (total(samples, "minor_faults"), total(samples, "major_faults")), said)
        folded = folded_stacks(self.read("f").decode())
        self.assertEqual(major, sum(faults for calls, faults in folded if calls[-1] == MAJOR))
        profiles = {one["name"]: one["endValue"] for one in json.loads(self.read("s"))["profiles"]}
        self.assertEqual(major, profiles["major page faults"])
        self.assertEqual(minor, profiles.get("minor page faults", 0))

    def test_its_call_stacks_are_recorded_and_all_faults_are_those_that_the_kernel_counted(self):
        self.warm()
        for pages in (3000, 60_000):
            (minor, major), said = self.record(lambda pages=pages: self.faults(pages))
            counted = minor + major
            samples = profile(self.read("p"))
            folded = folded_stacks(self.read("f").decode())
            self.assertGreaterEqual(counted, pages)
            self.assertEqual(counted, total(samples, "page_faults"), said)
            self.assertEqual(counted * PAGE, total(samples, "page_bytes"))
            self.assertEqual(counted, sum(faults for _, faults in folded), said)
            self.assertEqual(counted, json.loads(self.read("s"))["profiles"][0]["endValue"])
            self.assertEqual(major, total(samples, "major_faults"), said)
            known = sum(faults for calls, faults in folded if calls[0] != "[no call stack]")
            self.assertGreater(known, counted // 2, said)
            self.assertEqual(known != counted, "have no call stack" in said, said)
            self.assertIn(f"({self.touching.pid}) in ", said)

    def test_a_program_that_it_executes_meanwhile_is_watched_too(self):
        self.begin("sh", "-c", 'read go; exec "$@"', "sh")

        def execute():
            self.touching.stdin.write("go\n")
            end = time.monotonic() + 3
            while time.monotonic() < end:
                self.touch(500)
                time.sleep(0.05)

        counted, said = self.record(execute)
        samples = profile(self.read("p"))
        self.assertEqual(counted, (total(samples, "minor_faults"), total(samples, "major_faults")), said)
        if "executed another program" in said:
            touched = [values["page_faults"] for calls, values in samples if any("mmap" in call[0] for call in calls)]
            self.assertGreater(sum(touched), 500, said)

    def test_stat_tells_its_lines(self):
        self.warm()
        watch = self.start("stat", "--stacks", "-d", "2s", "--format", "json", "-o", "j")
        most = 0
        while watch.poll() is None:
            most = max(most, self.touch(1000))
            time.sleep(0.1)
        self.end(watch, "")
        program = json.loads(self.read("j"))["stat"]["programs"][0]
        sites = program["call_sites"]
        if sites["why_not"]:
            self.skipTest(sites["why_not"])
        counted = program["figures"]["faults"]["median"]
        self.assertGreater(counted, 2 * most)
        self.assertLessEqual(abs(counted - sites["faults"]), most)  # a sweep is not of one moment
        self.assertGreaterEqual(sites["sites"][0]["faults"], counted // 2)
        self.assertEqual(0, sites["sites"][0]["major_faults"])

    def test_stat_tells_the_lines_of_what_a_program_starts_by_their_programs(self):
        child = f"{sys.executable} -c '{BURSTS}'"
        for _ in range(3):  # on a busy machine a process may end before its stacks are watched, which is told
            done = subprocess.run([CLI, "stat", "-r", "1", "--counts", "--stacks", "--format", "json", "--", "sh", "-c",
                                   child + "; :"], cwd=self.folder.name, capture_output=True, text=True, timeout=300)
            self.assertEqual(0, done.returncode, done.stderr)
            found = json.loads(done.stdout)["stat"]["programs"][0]["call_sites"]
            if found["why_not"]:
                self.skipTest(found["why_not"])
            if found["passed_over"] == 0:
                break
        self.assertEqual(2, found["processes"], found)
        self.assertFalse(found["each_fault"])
        touched = found["sites"][0]  # by mmap, or by the interpreter, into which newer Pythons inline it
        self.assertEqual("python3", re.sub(r"python[\d.]*", "python3", touched["program"]), found)
        self.assertGreater(touched["faults"], 500)

    def test_wrong_usage_is_refused(self):
        for words, reason in (
                (["--stacks"], "--stacks is for a running process"),
                (["--stacks", "-p", "1"], "Name a file for the call stacks"),
                (["--stacks", "-p", "1", "--folded", "-", "--pprof", "-"], "Two outputs name standard output"),
                (["--stacks", "-p", "1", "--folded", "f", "--", "true"], "--stacks is for a running process"),
                (["--stacks", "-p", "1", "--folded", "f", "-o", "r"], "--output does not apply to --stacks"),
                (["--stacks", "-p", "1", "--folded", "f", "-i", "1s"], "--interval does not apply"),
                (["--folded", "f"], "are for --stacks"),
                (["-p", "1"], "are for --stacks")):
            done = subprocess.run([CLI, "record", *words], cwd=self.folder.name, capture_output=True, text=True)
            self.assertEqual(2, done.returncode, words)
            self.assertIn(reason, done.stderr)
        gone = subprocess.run([CLI, "record", "--stacks", "-p", "999999999", "--folded", "f"], cwd=self.folder.name,
                              capture_output=True, text=True)
        self.assertEqual(1, gone.returncode)
        self.assertIn("999999999", gone.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
