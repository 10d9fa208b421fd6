"""Runs the step of the GitHub action as a runner does: github_action_test.py BIN SOURCE CXX_COMPILER 0|1.

Each input of action.yml is a variable that guard.sh reads; gh is a stand-in."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

BIN, SOURCE = (os.path.abspath(folder) for folder in sys.argv[1:3])
CXX = sys.argv[3]
LINES = sys.argv[4] == "1"  # the programs were built with libdw, which tells lines
ACTION = os.path.join(SOURCE, "resources", "integrations", "github")

# The repository's main branch, and what its pull request adds to parse().
PARSER = """\
#include <cstdio>
#include <string>
#include <vector>

static std::size_t parse(const std::string& text) {
  std::vector<char> words(text.begin(), text.end());
  return words.size();
}

int main() {
  const std::string text(8 << 20, 'a');
  std::printf("%zu\\n", parse(text));
}
"""
COPY = "  const std::vector<char> copy(words);"
CHANGES = (("#include <vector>\n", "#include <string_view>\n#include <vector>\n"),
           ("  return words.size();", COPY + "\n  return copy.size();"))


class Action(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def step(self, command, **inputs):
        defaults = dict(COMMAND=command, BASELINE="base.json", SAVE="false", RUNS="3", FAIL_OVER="0.5", PACKAGE="",
                        COMMENT="false", PULL_REQUEST="")
        return subprocess.run([os.path.join(ACTION, "guard.sh")], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": ":".join((self.folder, BIN, os.environ["PATH"])),
                                   "GITHUB_STEP_SUMMARY": self.path("summary.md"), **defaults, **inputs})

    def test_the_inputs_are_what_the_step_reads(self):
        with open(os.path.join(ACTION, "action.yml"), encoding="utf-8") as file:
            action = file.read()
        inputs = set(re.findall(r"^  ([a-z-]+):$", action.split("runs:\n  using")[0], re.M))
        given = dict(re.findall(r"^        ([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$", action, re.M))
        self.assertEqual(inputs, set(given.values()))
        with open(os.path.join(ACTION, "guard.sh"), encoding="utf-8") as file:
            script = file.read()
        for name in (*given, "PULL_REQUEST"):
            self.assertRegex(script, rf"\$\{{?{name}\b")

    def test_growth_fails_the_job_with_an_annotation_and_a_summary(self):
        made = self.step("trial_subject pages 2000")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("::notice title=Faultline::base.json was made by this run", made.stdout)
        # The same program by its name, with more pages.
        name = "trial_subject pages 2000"
        os.symlink(os.path.join(BIN, "trial_subject"), self.path("real"))
        with open(self.path("trial_subject"), "w", encoding="ascii") as grown:
            grown.write("#!/bin/sh\nexec real pages 6000\n")
        os.chmod(self.path("trial_subject"), 0o755)
        with open(self.path("gh"), "w", encoding="ascii") as gh:
            gh.write('#!/bin/sh\necho "$@" >gh.said\ncat "$5" >>gh.said\n')
        os.chmod(self.path("gh"), 0o755)
        worse = self.step(name, COMMENT="true", PULL_REQUEST="7")
        self.assertEqual(worse.returncode, 4, worse.stdout + worse.stderr)
        self.assertRegex(worse.stdout, "(?m)^::error title=Faultline%3A trial_subject pages 2000::.*Page faults: ")
        self.assertIn("costs more memory work than its baseline", self.read("summary.md"))
        self.assertRegex(self.read("gh.said"), r"\Apr comment 7 --body-file \S+\n\*\*trial_subject pages 2000 costs more")
        self.assertEqual(self.step(name, FAIL_OVER="1000").returncode, 0)
        os.remove(self.path("gh"))

    def test_a_program_as_before_passes_and_a_refused_comment_is_told(self):
        self.assertEqual(self.step("trial_subject pages 2000", SAVE="true").returncode, 0)
        with open(self.path("gh"), "w", encoding="ascii") as gh:
            gh.write("#!/bin/sh\nexit 1\n")
        os.chmod(self.path("gh"), 0o755)
        same = self.step("trial_subject pages 2000", COMMENT="true", PULL_REQUEST="7")
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        self.assertIn("The pull request could not be commented on", same.stdout)
        self.assertNotIn("::error", same.stdout)

    def test_the_annotation_of_an_added_copy_stands_at_its_line(self):
        def git(*words):
            subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=self.folder, check=True,
                           capture_output=True)

        def build(source):
            with open(self.path("parse.cpp"), "w", encoding="ascii") as file:
                file.write(source)
            git("add", "parse.cpp")
            git("commit", "-m", "parse")
            subprocess.run([CXX, "-g", "-O1", self.path("parse.cpp"), "-o", self.path("parser")], check=True)

        git("init", "-b", "main")
        build(PARSER)
        workspace = dict(GITHUB_WORKSPACE=self.folder)
        self.assertEqual(self.step("./parser", SAVE="true", **workspace).returncode, 0)
        git("checkout", "-b", "copy")
        grown = PARSER
        for old, new in CHANGES:
            grown = grown.replace(old, new)
        build(grown)
        worse = self.step("./parser", **workspace)
        self.assertEqual(worse.returncode, 4, worse.stdout + worse.stderr)
        if not LINES:
            self.skipTest("built without libdw")
        if "Which lines grew is not known." in worse.stdout:
            self.skipTest("no right to call stacks here: " + worse.stdout)
        line = 1 + grown.splitlines().index(COPY)
        self.assertRegex(worse.stdout, rf"(?m)^::error file=parse\.cpp,line={line},title=Faultline%3A ./parser::.*Page faults")

    def test_what_is_missing_is_an_error(self):
        missing = self.step("true", PATH="/usr/bin:/bin")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("faultline-cli is not installed", missing.stdout)
        self.assertEqual(self.step("no-such-program").returncode, 127)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
