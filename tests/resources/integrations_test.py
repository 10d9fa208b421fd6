"""faultline_count.h and what the frameworks of benchmarks and tests make of it, each where its framework is installed:
integrations_test.py C_COMPILER CXX_COMPILER SOURCE_FOLDER [PROGRAM_OF_CATCH2]"""
import glob
import importlib.util
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

C, CXX, SOURCE = sys.argv[1:4]
CATCH2 = sys.argv[4:]
INTEGRATIONS = os.path.join(SOURCE, "resources", "integrations")
STRICT = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-I", os.path.join(SOURCE, "resources")]

# Prints the faults of 1000 touched pages, which may be cut to large ones, and the CPU time.
TOUCH = """
#if !defined(__cplusplus) && !defined(_WIN32)
#define _GNU_SOURCE
#endif
#include "faultline_count.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  volatile char* memory = (volatile char*)malloc(1000 * 4096);
  struct faultline_counts before = faultline_count(), cost;
  int i;
  if (memory == NULL) return 1;
  for (i = 0; i < 1000; ++i) memory[i * 4096] = 1;
  cost = faultline_count_since(before);
  printf("%llu %llu %llu\\n", (unsigned long long)cost.faults, (unsigned long long)cost.major_faults,
         (unsigned long long)cost.cpu_ns);
  return 0;
}
"""

BENCHMARK = """
#include "faultline_benchmark.h"
#include <cstdlib>
static void touch(benchmark::State& state) {
  FaultlineCounters faults(state);
  for (auto _ : state) {
    const std::size_t bytes = std::size_t{64} << 20;  // above any threshold of malloc, so given back each time
    char* const memory = static_cast<char*>(std::malloc(bytes));
    for (std::size_t i = 0; i < 256; ++i) memory[i * 4096] = 1;
    benchmark::DoNotOptimize(memory);
    std::free(memory);
  }
}
BENCHMARK(touch)->Iterations(20);
BENCHMARK_MAIN();
"""

TESTS = """
import mmap, pytest
def touch(pages):
    memory = mmap.mmap(-1, pages * 4096)
    for page in range(pages):
        memory[page * 4096] = 1
@pytest.mark.faultline(max_faults=3000)
def test_few(): touch(500)
@pytest.mark.faultline(max_faults=400)
def test_many(): touch(2000)
def test_unmarked(): touch(2000)
"""


# What of Tracy the header needs, and the plots of three frames, the second of which touches 1000 pages.
TRACY = """
#pragma once
#include <cstdint>
#include <cstdio>
inline void plot(const char* name, std::int64_t value) { std::printf("%s: %lld\\n", name, static_cast<long long>(value)); }
inline void plot(const char* name, double) { std::printf("%s\\n", name); }
#define TracyPlot(name, value) plot(name, value)
#define FrameMark
"""
TRACY_GAME = """
#include <tracy/Tracy.hpp>
#include "faultline_tracy.h"
#include <cstdlib>
int main() {
  volatile char* memory = static_cast<volatile char*>(std::malloc(1000 * 4096));
  for (int frame = 0; frame < 3; ++frame) {
    if (frame == 1)
      for (int i = 0; i < 1000; ++i) memory[i * 4096] = 1;
    FrameMark;
    faultline_tracy_frame();
  }
}
"""

JMH = """
package benchmarks;
public class Touch {
  @org.openjdk.jmh.annotations.Benchmark
  public Object touch() { return java.nio.ByteBuffer.allocateDirect(32 << 20); }  // which is zeroed
}
"""


class Integrations(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_in(self, *words, **environment):
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=0", **environment})

    def check(self, *words, **environment):
        done = self.run_in(*words, **environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def bencher_metrics(self, begin, text):
        """What the line of jq in the README that begins so makes of a benchmark's output."""
        if shutil.which("jq") is None:
            self.skipTest("jq is not installed")
        with open(os.path.join(INTEGRATIONS, "README.md"), encoding="utf-8") as readme:
            line, = (line for line in readme if line.startswith(begin))
        command = line[line.index("jq "):].replace("jmh-result.json", "")
        done = subprocess.run(["sh", "-c", command], input=text, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def test_the_header_counts_touched_pages_in_c_and_c_plus_plus(self):
        for compiler, standard, name in ((C, "c99", "touch.c"), (CXX, "c++11", "touch.cpp")):
            self.check(compiler, f"-std={standard}", *STRICT, self.write(name, TOUCH), "-o", os.path.join(self.folder, "touch"))
            faults, major, cpu_ns = map(int, self.check(os.path.join(self.folder, "touch")).split())
            self.assertTrue(1 <= faults <= 1100, faults)
            self.assertLessEqual(major, faults)
            self.assertGreater(cpu_ns, 0)

    def test_the_header_compiles_for_windows(self):
        compiler = shutil.which("x86_64-w64-mingw32-gcc-posix") or shutil.which("x86_64-w64-mingw32-gcc")
        if compiler is None:
            self.skipTest("mingw-w64 is not installed")
        self.check(compiler, "-std=c99", *STRICT, self.write("touch.c", TOUCH), "-o", os.path.join(self.folder, "touch.exe"))

    def test_tracy_plots_the_faults_of_each_frame(self):
        os.makedirs(os.path.join(self.folder, "standin/tracy"))
        self.write("standin/tracy/Tracy.hpp", TRACY)
        standin = ["-I", os.path.join(self.folder, "standin")]
        game, program = self.write("game.cpp", TRACY_GAME), os.path.join(self.folder, "game")
        flags = [CXX, "-std=c++11", *STRICT, "-I", os.path.join(INTEGRATIONS, "tracy")]
        self.check(*flags, *standin, "-DTRACY_ENABLE", game, "-o", program)
        plots = self.check(program).splitlines()
        self.assertEqual([line.split(":")[0] for line in plots], 2 * [
            "page faults per frame", "major page faults per frame", "CPU time per frame, ms"])
        many, few = (int(plots[place].split(": ")[1]) for place in (0, 3))
        self.assertTrue(1 <= many <= 1100 and few < 50, plots)
        self.check(*flags, *standin, game, "-o", program)
        self.assertEqual(self.check(program), "")
        if self.run_in(CXX, "-fsyntax-only", "-include", "tracy/Tracy.hpp", "-x", "c++", "/dev/null").returncode == 0:
            self.check(CXX, "-std=c++11", *STRICT[-2:], *flags[-2:], "-DTRACY_ENABLE", "-fsyntax-only", game)

    def test_google_benchmark_prints_faults_per_iteration(self):
        flags = [*STRICT[:1], "-std=c++17", *STRICT[-2:], "-I", os.path.join(INTEGRATIONS, "google_benchmark")]
        if self.run_in(CXX, "-fsyntax-only", "-include", "benchmark/benchmark.h", "-x", "c++", "/dev/null").returncode != 0:
            self.skipTest("Google Benchmark is not installed")
        program = os.path.join(self.folder, "bench")
        self.check(CXX, *flags, self.write("bench.cpp", BENCHMARK), "-lbenchmark", "-lpthread", "-o", program)
        output = self.check(program, "--benchmark_format=json")
        found = json.loads(output)["benchmarks"][0]
        self.assertEqual(found["iterations"], 20)
        self.assertTrue(1 <= found["faults"] <= 300, found)
        self.assertEqual(self.bencher_metrics("./benchmarks", output), {"touch/iterations:20": {"faults": {"value": found["faults"]}}})

    @unittest.skipUnless(CATCH2, "the test program of Catch2 was not built")
    def test_catch2_writes_the_faults_of_each_test_case(self):
        file = os.path.join(self.folder, "bmf.json")
        self.check(CATCH2[0], FAULTLINE_BMF=file)
        with open(file, encoding="utf-8") as document:
            found = json.load(document)
        self.assertEqual(set(found), {'touches "4096" pages', "touches none"})
        many, few = (found[name]["faults"]["value"] for name in ('touches "4096" pages', "touches none"))
        self.assertGreater(many, few)
        self.assertIn("cpu-ns", found["touches none"])
        told = self.run_in(CATCH2[0]).stderr
        self.assertRegex(told, r'touches "4096" pages: \d+ page faults, \d+\.\d+ ms of CPU time\n')

    def test_pytest_tells_faults_and_fails_by_the_mark(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed")
        self.write("test_touch.py", TESTS)
        shutil.copy(os.path.join(INTEGRATIONS, "pytest", "pytest_faultline.py"), self.folder)
        run = self.run_in(sys.executable, "-m", "pytest", "-p", "pytest_faultline", "--faultline", "--faultline-bmf", "bmf.json",
                          "-p", "no:cacheprovider")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("1 failed, 2 passed", run.stdout)
        self.assertRegex(run.stdout, r"\d+ page faults, and max_faults is 400")
        self.assertRegex(run.stdout, r"(?m)^ +\d+ +\d+\.\d+ ms of CPU time  test_touch\.py::test_unmarked$")
        with open(os.path.join(self.folder, "bmf.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertGreaterEqual(found["test_touch.py::test_many"]["faults"]["value"], 2000)

    def test_go_reports_faults_per_operation(self):
        go = shutil.which("go")
        if go is None:
            self.skipTest("Go is not installed")
        folder = os.path.join(self.folder, "go")
        shutil.copytree(os.path.join(INTEGRATIONS, "go"), folder)
        told = self.check(go, "-C", folder, "test", "-bench", ".", "-benchtime", "200x")
        found = re.search(r"(BenchmarkTouch\S*)\s+200\s.*\s([\d.]+) faults/op", told)
        self.assertTrue(found, told)
        self.assertEqual(self.bencher_metrics("go test", told), {found[1]: {"faults": {"value": float(found[2])}}})

    def test_jmh_reports_faults_per_operation(self):
        maven = os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".m2", "repository")
        jars = [jar for part in ("org/openjdk/jmh", "net/sf/jopt-simple", "org/apache/commons/commons-math3")
                for jar in glob.glob(os.path.join(maven, part, "**", "*.jar"), recursive=True)]
        if shutil.which("javac") is None or not any("jmh-generator-annprocess" in jar for jar in jars):
            self.skipTest("JMH is not installed: no jmh-core and jmh-generator-annprocess of Maven")
        classes = ":".join([*jars, self.folder])
        self.check("javac", "-Xlint:all,-processing", "-Werror", "-processor", "org.openjdk.jmh.generators.BenchmarkProcessor",
                   "-cp", classes, "-d", self.folder, self.write("Touch.java", JMH),
                   os.path.join(INTEGRATIONS, "jmh", "FaultlineProfiler.java"))
        self.check("java", "-cp", classes, "org.openjdk.jmh.Main", "-bm", "ss", "-f", "1", "-wi", "0", "-i", "3",
                   "-prof", "faultline.FaultlineProfiler", "-rf", "json", "-rff", "result.json")
        with open(os.path.join(self.folder, "result.json"), encoding="utf-8") as file:
            output = file.read()
        found = json.loads(output)[0]["secondaryMetrics"]["faults"]
        self.assertTrue(8192 <= min(found["rawData"][0]) and max(found["rawData"][0]) <= 12000, found)
        self.assertEqual(self.bencher_metrics("jq", output), {"benchmarks.Touch.touch": {"faults": {"value": found["score"]}}})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
