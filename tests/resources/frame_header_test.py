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
