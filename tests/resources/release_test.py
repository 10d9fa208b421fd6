"""resources/release in a repository of its own: what it builds without a compiler."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv[1]
URL = "https://downloads.example/faultline"


class Release(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = os.path.join(scratch.name, "checkout")
        for part in ("resources", "tests/support/build"):
            shutil.copytree(os.path.join(SOURCE, part), os.path.join(self.root, part))
        self.write("resources/CHANGELOG.md", "# Changelog\n## [1.2.3] - 2026-01-31\n## [1.2.2] - 2026-01-01\n")
        self.write(".gitignore", "/.build/\n")
        self.git("init", "-q")
        self.commit()

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", *words], cwd=self.root, check=True,
                              capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "all")

    def release(self, *words):
        names = {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.invalid"}
        return subprocess.run([os.path.join(self.root, "resources/release"), *words], capture_output=True, text=True,
                              env={**os.environ, **names})

    def artefacts(self):
        """The bytes of every file, by name."""
        folder = os.path.join(self.root, ".build/release-1.2.3")
        read = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                read[name] = file.read()
        return read

    def test_source_and_recipe_are_those_of_the_commit(self):
        done = self.release("--url", URL + "/", "source", "arch")
        self.assertEqual(done.returncode, 0, done.stderr)
        first = self.artefacts()
        self.assertEqual(sorted(first), ["PKGBUILD", "SHA256SUMS", "faultline-1.2.3.tar.gz"])
        digest = hashlib.sha256(first["faultline-1.2.3.tar.gz"]).hexdigest()
        self.assertIn(f"{digest}  faultline-1.2.3.tar.gz\n", first["SHA256SUMS"].decode())
        recipe = subprocess.run(
            ["bash", "-euc", '. "$1"; declare -F build package >/dev/null; echo "$pkgname $pkgver $source $sha256sums"', "bash",
             os.path.join(self.root, ".build/release-1.2.3/PKGBUILD")], capture_output=True, text=True)
        self.assertEqual(recipe.stdout, f"faultline 1.2.3 {URL}/faultline-1.2.3.tar.gz {digest}\n", recipe.stderr)
        shutil.rmtree(os.path.join(self.root, ".build"))
        self.assertEqual(self.release("--url", URL, "source", "arch").returncode, 0)
        self.assertEqual(self.artefacts(), first)

    def test_a_tag_names_the_commit_when_asked(self):
        self.assertEqual(self.release("source").returncode, 0)
        self.assertEqual(self.git("tag"), "")
        done = self.release("--tag", "source")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.git("tag"), "v1.2.3\n")

    def test_what_is_not_ready_is_refused(self):
        self.write("resources/CHANGELOG.md", "# Changelog\n## [Unreleased]\n## [1.2.2] - 2026-01-01\n")
        for step in (lambda: None, self.commit):  # a change without a commit, and one without a version
            step()
            done = self.release("source")
            self.assertEqual(done.returncode, 1)
            self.assertIn("commit every change", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.root, ".build")))

    def test_wrong_words_are_named(self):
        for words, says in ((("sorce",), "there is no part sorce"), (("arch",), "--url URL")):
            done = self.release(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)


if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)
unittest.main(argv=sys.argv[:1])
