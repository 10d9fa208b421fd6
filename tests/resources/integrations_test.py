"""faultline_count.h and what the frameworks of benchmarks and tests make of it, each where its framework is installed:
integrations_test.py C_COMPILER CXX_COMPILER SOURCE_FOLDER [PROGRAM_OF_CATCH2]"""
import importlib.util
import json
import os
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

    def test_google_benchmark_prints_faults_per_iteration(self):
        flags = [*STRICT[:1], "-std=c++17", *STRICT[-2:], "-I", os.path.join(INTEGRATIONS, "google_benchmark")]
        if self.run_in(CXX, "-fsyntax-only", "-include", "benchmark/benchmark.h", "-x", "c++", "/dev/null").returncode != 0:
            self.skipTest("Google Benchmark is not installed")
        program = os.path.join(self.folder, "bench")
        self.check(CXX, *flags, self.write("bench.cpp", BENCHMARK), "-lbenchmark", "-lpthread", "-o", program)
        found = json.loads(self.check(program, "--benchmark_format=json"))["benchmarks"][0]
        self.assertEqual(found["iterations"], 20)
        self.assertTrue(1 <= found["faults"] <= 300, found)

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
        run = self.run_in(sys.executable, "-m", "pytest", "-p", "pytest_faultline", "--faultline", "--faultline-bmf", "bmf.json",
                          "-p", "no:cacheprovider", PYTHONPATH=os.path.join(INTEGRATIONS, "pytest"))
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
        self.assertTrue(re.search(r"BenchmarkTouch\S*\s+200\s.*\d faults/op", told), told)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
