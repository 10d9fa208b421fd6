"""faultline_frame.h in games of several kinds: threads under ThreadSanitizer, gnu99 after other headers, and languages
that need a real function. Usage: frame_header_test.py C_COMPILER CXX_COMPILER SOURCE_FOLDER"""
import ctypes
import os
import subprocess
import sys
import tempfile
import unittest

C, CXX, SOURCE = sys.argv[1:4]
STRICT = ["-Wall", "-Wextra", "-Werror", "-DFAULTLINE_FRAME_STRICT", "-I" + SOURCE]
THREADS = """
#include <stdio.h>
#include <pthread.h>
#include "resources/faultline_frame.h"
static void* play(void* which) {
  char names[4][16];
  int i;
  for (i = 0; i < 4; ++i) snprintf(names[i], sizeof(names[i]), "loop%d", (i + *(int*)which) % 4);
  for (i = 0; i < 5000; ++i) faultline_frame(names[i % 4]);
  return NULL;
}
int main(void) {
  pthread_t threads[2];
  int which[2] = {0, 1}, i;
  for (i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, play, &which[i]);
  for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
"""

# Prints a line per record: the process's faults and the thread's since the first record, in pages that were touched.
COUNTS = """
#define _GNU_SOURCE
#include "resources/faultline_frame.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
static int touch(void* pages) {
  const size_t bytes = (size_t)pages * 4096;
  char* const memory = (char*)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t i;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (i = 0; i < bytes; i += 4096) memory[i] = 1;
  return 0;
}
static void* touch_too(void* pages) {
  touch(pages);
  return NULL;
}
int main(int argc, char** argv) {
  static char stack[65536];
  struct faultline_record* record;
  int i;
  pthread_t thread;
  (void)argc;
  for (i = 0; i < 200; ++i) {
    if (i > 1) touch((void*)(size_t)(i % 10));
    if (argv[1][0] == 'r' && i == 90) {
      const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
      clone(touch, stack + sizeof stack, flags, (void*)500);
      usleep(100000);
    }
    if (argv[1][0] == 'p' && i == 90) {
      pthread_create(&thread, NULL, touch_too, (void*)500);
      pthread_join(thread, NULL);
    }
    faultline_frame("render");
  }
  record = (struct faultline_record*)((char*)faultline_frame_globals_1.own->ring + FAULTLINE_FRAME_HEAD);
  for (i = 1; i < 200; ++i)
    printf("%lu %lu\\n", (unsigned long)(record[i].minor_faults - record[0].minor_faults),
           (unsigned long)(record[i].thread_minor_faults - record[0].thread_minor_faults));
  return 0;
}
"""


class Header(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def build(self, compiler, text, *options):
        built = os.path.join(self.folder.name, "built")
        run = subprocess.run([compiler, *STRICT, *options, "-", "-o", built, "-pthread"], input=text, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout)
        return built

    def test_two_threads_that_mark_do_not_race(self):
        empty = subprocess.run([C, "-x", "c", "-fsanitize=thread", "-", "-o", os.devnull], input="int main(void){return 0;}",
                               text=True, stderr=subprocess.DEVNULL)
        if empty.returncode != 0:
            self.skipTest("the compiler has no ThreadSanitizer")
        for compiler, language in (C, ["-x", "c", "-std=gnu99"]), (CXX, ["-x", "c++", "-std=c++11"]):
            game = self.build(compiler, THREADS, *language, "-g", "-O1", "-fsanitize=thread")
            run = subprocess.run(["setarch", "-R", game], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertNotIn("WARNING: ThreadSanitizer", run.stdout)
            self.assertEqual(run.returncode, 0, run.stdout)

    def counts(self, kind):
        game = self.build(C, COUNTS, "-x", "c", "-std=gnu99", "-O2")
        run = subprocess.run([game, kind], stdout=subprocess.PIPE, text=True, check=True)
        rows = [tuple(map(int, line.split())) for line in run.stdout.splitlines()]
        return [(b[0] - a[0], b[1] - a[1]) for a, b in zip(rows, rows[1:])]

    def test_the_faults_of_a_game_with_one_thread_are_exact(self):
        frames = self.counts("alone")
        # A few faults are the program's own, for code that runs for the first time.
        exact = [whole == own == i % 10 for i, (whole, own) in enumerate(frames, 2)]
        self.assertGreater(sum(exact[20:]), len(exact[20:]) - 3, frames)

    def test_the_faults_of_a_second_thread_are_those_of_its_frame(self):
        frames = self.counts("pthread")
        whole, own = frames[90 - 2]
        self.assertGreaterEqual(whole - own, 500, frames)

    def test_the_faults_of_a_thread_that_the_c_library_does_not_know_are_told_late_and_never_lost(self):
        frames = self.counts("raw")
        late = [i for i, (whole, own) in enumerate(frames, 2) if whole - own >= 500]
        self.assertEqual(len(late), 1, frames)
        self.assertLess(late[0], 90 + 64, frames)

    def test_gnu99_may_include_it_after_other_headers(self):
        game = self.build(C, THREADS, "-x", "c", "-std=gnu99", "-O2")
        self.assertEqual(subprocess.run([game]).returncode, 0)

    def test_other_languages_call_a_real_function(self):
        text = "#define FAULTLINE_FRAME_FUNCTION\n#include \"resources/faultline_frame.h\"\n"
        for compiler, language in (C, ["-x", "c", "-std=gnu99"]), (CXX, ["-x", "c++", "-std=c++11"]):
            library = ctypes.CDLL(self.build(compiler, text, *language, "-shared", "-fPIC", "-fvisibility=hidden"))
            library.faultline_frame_call(b"render")
            open_files = [os.readlink("/proc/self/fd/" + name) for name in os.listdir("/proc/self/fd")
                          if os.path.lexists("/proc/self/fd/" + name)]
            self.assertTrue(any("faultline-frames" in name for name in open_files), open_files)
        self.build(C, "#define FAULTLINE_FRAME_DISABLE\n" + text, "-x", "c", "-std=c99", "-shared", "-fPIC")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
