"""packages.sh on systems that are not at hand: what each says of itself is played by stand-ins for its tools."""

import os
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages.sh")
WINDOWS, DEBIAN = (os.path.join(os.path.dirname(SCRIPT), name) for name in ("windows.sh", "debian.sh"))
TRAY = "qt6-base-dev qt6-svg-dev libqcustomplot-dev"

# The offers of the package lists of each system: one name has another version in each.
SAME = {"qt6-base-dev": "6.4.2", "qt6-svg-dev": "6.4.2", "libqcustomplot-dev": "2.1.0"}
BOOKWORM = {**SAME, "libcatch2-dev": "2.13.10"}
NOBLE = {**SAME, "libcatch2-dev": "3.4.0"}
OLDER = {"qt6-base-dev": "6.2.4", "libqt6svg6-dev": "6.2.4", "libcatch2-dev": "2.13.8"}

STAND_INS = {
    "id": 'case $1 in -u) echo "$UID_HERE" ;; *) echo somebody ;; esac',
    "dpkg-query": """[ "$1" != -L ] || { printf '%s\\n' $FILES; exit; }
for name in $INSTALLED; do echo "$name:amd64 installed"; done""",
    "apt-cache": """shift
for name in "$@"; do
  [ -f "$KNOWN/$name" ] || continue
  printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n' "$name" "$(cat "$KNOWN/$name")"
done
# Its table of versions: more than a pipe holds, for a reader who leaves before the end.
awk 'BEGIN { for (i = 0; i < 4000; ++i) print "        500 http://mirror.example/debian any/main" }'""",
    "apt-get": """echo "apt-get $*" >>"$LOG"
case " $* " in
  *" indextargets "*) echo "http://mirror.example/debian/ $CODENAME main" ;;
  *" download "*) [ -z "$NO_BACKPORTS" ] && touch libcatch2-dev_3.deb ;;
  *" source "*) [ -z "$NO_BACKPORTS" ] && touch catch2_3.7.1.orig.tar.gz ;;
esac""",
    "dpkg": '[ "$1" = -x ] && mkdir -p "$3/usr/include/catch2"',
    "python3": """echo "python3 $*" >>"$LOG"
[ -z "$PIP_REFUSES" ] || exit 1
while [ $# != 0 ]; do [ "$1" != --target ] || mkdir -p "$2/perfetto"; shift; done""",
    "nproc": "echo 2",
    "ninja": """case " $* " in
  *" -n "*) i=0; while [ $((i += 1)) -le ${STEPS:-3} ]; do echo "[$i/$STEPS] Building"; done ;;
  *) echo "ninja: Entering directory \\`$2'"
     echo "${NINJA_STATUS}Building core/a.cpp.o" | sed 's/%f/1/; s/%t/'$STEPS'/'
     [ -z "$BREAKS" ] || { echo "FAILED: core/b.cpp.o"; echo "b.cpp:1: error: no"; exit 1; } ;;
esac""",
    "sudo": 'echo "sudo $*" >>"$LOG"; [ -z "$SUDO_REFUSES" ] || exit 1; "$@"',
}


class Packages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name

    def run_here(self, command, known, uid=0, without=(), **environment):
        """Runs `command` with packages.sh sourced, in an empty folder, where only `known` packages are to be had."""
        tools, lists = os.path.join(self.root, "bin"), os.path.join(self.root, "known")
        os.makedirs(tools)
        os.makedirs(lists)
        for name, body in STAND_INS.items():
            if name not in without:
                path = os.path.join(tools, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\n{body}\n")
                os.chmod(path, 0o755)
        for tool in ("awk", "bash", "basename", "cat", "cmp", "cp", "env", "find", "flock", "grep", "ln", "mkdir", "mktemp", "mv", "printf", "readlink", "rm", "sed", "sh", "sleep", "sort", "tail", "tar", "touch", "true"):
            found = next(f"{folder}/{tool}" for folder in ("/usr/bin", "/bin") if os.path.exists(f"{folder}/{tool}"))
            os.symlink(found, os.path.join(tools, tool))
        for name, version in known.items():
            with open(os.path.join(lists, name), "w", encoding="utf-8") as file:
                file.write(version)
        self.log = os.path.join(self.root, "log")
        return subprocess.run(
            ["bash", "-c", f"set -euo pipefail; . {SCRIPT}; . {WINDOWS}; . {DEBIAN}; {command}"], capture_output=True, text=True, cwd=self.root,
            env={"PATH": tools, "KNOWN": lists, "LOG": self.log, "UID_HERE": str(uid), "INSTALLED": "", "CODENAME": "any",
                 "FILES": "", "STEPS": "3", "BREAKS": "", "NO_BACKPORTS": "", "SUDO_REFUSES": "", "PIP_REFUSES": "", **environment})

    def calls(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()

    def install_tray(self, **how):
        return self.run_here(f"install_missing 'to try' {TRAY}", **how)

    def test_root_installs_what_is_missing_and_says_why(self):
        done = self.install_tray(known=NOBLE, INSTALLED="qt6-base-dev")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(done.stderr, "faultline: installing from the distribution's packages to try: qt6-svg-dev libqcustomplot-dev\n")
        self.assertTrue(self.calls()[-1].endswith("install qt6-svg-dev libqcustomplot-dev"), self.calls())

    def test_nothing_is_touched_where_nothing_is_missing(self):
        done = self.install_tray(known={}, INSTALLED=TRAY)
        self.assertEqual((done.returncode, done.stdout, done.stderr, self.calls()), (0, "", "", []))

    def test_what_no_source_has_is_named_before_anything_is_installed(self):
        done = self.install_tray(known=OLDER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no package source of this system has: qt6-svg-dev libqcustomplot-dev.", done.stderr)
        self.assertIn("universe", done.stderr)
        self.assertEqual(self.calls(), ["apt-get -qq update"])

    def test_without_sudo_the_very_line_is_told(self):
        done = self.install_tray(known=NOBLE, uid=1000, without=("sudo",))
        self.assertEqual((done.returncode, self.calls()), (1, []))
        self.assertIn(f"As root, run: apt-get update && apt-get install --no-install-recommends {TRAY}\n", done.stderr)

    def test_sudo_that_refuses_is_asked_once(self):
        done = self.install_tray(known=NOBLE, uid=1000, SUDO_REFUSES="1")
        self.assertEqual((done.returncode, self.calls()), (1, ["sudo true"]))
        self.assertIn("As root, run: apt-get update", done.stderr)

    def test_sudo_installs(self):
        done = self.install_tray(known=NOBLE, uid=1000)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("through sudo", done.stderr)
        calls = self.calls()
        for before, call in zip(calls, calls[1:]):
            self.assertTrue(call.startswith("sudo") or (before.startswith("sudo") and before.endswith(call)), calls)

    def test_catch2_from_the_release_itself(self):
        done = self.run_here("provide_catch2", known=NOBLE)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertTrue(self.calls()[-1].endswith("install libcatch2-dev"), self.calls())

    def test_catch2_from_backports_leaves_the_systems_lists_alone(self):
        release = self.release()
        done = self.run_here("provide_catch2", known=BOOKWORM, CODENAME=release)
        self.assertEqual((done.returncode, done.stdout), (0, f"-DCatch2_ROOT={self.root}/.build/catch2/usr\n"), done.stderr)
        for call in self.calls()[1:]:
            for option in ("Dir::Etc::SourceList=", "Dir::Etc::SourceParts=", "Dir::State::Lists=", "Dir::Cache="):
                self.assertIn(f"{option}{self.root}/.build/catch2.apt/", call)
            self.assertNotIn(" install ", call)

    def test_catch2_is_left_to_cmake_where_neither_has_it(self):
        done = self.run_here("provide_catch2", known=OLDER, CODENAME=self.release(), NO_BACKPORTS="1")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_catch2s_source_is_put_where_cmake_looks_for_it(self):
        done = self.run_here("mkdir build; provide_catch2_source build/catch2.tar.gz", known=BOOKWORM, CODENAME=self.release())
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.root, "build")), ["catch2.tar.gz"])

    def test_catch2s_source_is_left_to_cmake_where_there_is_none(self):
        done = self.run_here("provide_catch2_source catch2.tar.gz", known=OLDER, CODENAME=self.release(), NO_BACKPORTS="1")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_of_the_header_libraries_nothing_compiled_is_linked(self):
        kept = ["/usr/include/tl/expected.hpp", "/usr/lib/any-linux/cmake/fmt/fmt-config.cmake"]
        other = ["/usr", "/usr/include", "/usr/lib/any-linux/cmake/fmt/fmt-targets-none.cmake", "/usr/lib/any-linux/libfmt.so"]
        done = self.run_here("link_header_libraries to", known={}, FILES=" ".join(kept + other))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        links = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.root, "to")) for name in names]
        self.assertEqual(sorted(os.readlink(link) for link in links), kept)

    def test_a_long_build_tells_how_long_it_takes(self):
        done = self.run_here("mkdir folder; build folder", known={}, STEPS="240")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(done.stderr, "faultline: building in folder: 240 steps, about 11 minutes of 2 processors\n")

    def test_a_log_has_a_line_of_progress_now_and_then(self):
        done = self.run_here("mkdir folder; seconds_per_line=0; build folder", known={}, STEPS="3")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", "faultline: building: 1 of 3 steps\n"))

    def test_a_build_that_fails_says_only_why(self):
        done = self.run_here("mkdir folder; build folder", known={}, STEPS="3", BREAKS="1")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "FAILED: core/b.cpp.o\nb.cpp:1: error: no\n"))

    def test_of_two_builds_in_a_folder_one_waits(self):
        done = self.run_here("mkdir folder; exec 7>folder/.building; flock 7; { build folder; echo built; } & sleep 0.2; echo held;"
                             "flock --unlock 7; wait", known={}, STEPS="3")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "held\nbuilt\n", ""))

    QT = "mkdir -p qt/lib/cmake/Qt6 checkout && touch qt/lib/cmake/Qt6/Qt6Config.cmake && cd checkout"

    def test_a_qt_for_windows_is_the_folder_or_archive_that_the_user_names(self):
        named = self.run_here(f"{self.QT}; tar -cf ../qt.tar -C ../qt .; FAULTLINE_WINDOWS_QT=../qt provide_windows_qt kept;"
                              "FAULTLINE_WINDOWS_QT=../qt.tar provide_windows_qt kept; provide_windows_qt kept", known={})
        self.assertEqual((named.returncode, named.stderr), (0, ""))
        self.assertEqual(named.stdout.split(), [f"{self.root}/qt"] + 2 * [f"{self.root}/checkout/kept"])

    def test_a_qt_for_windows_is_an_archive_beside_the_checkout(self):
        done = self.run_here(f"{self.QT}; mkdir -p ../shared/toolchain; tar -cf ../shared/toolchain/qt6-mingw-6.tar.x -C ../qt .;"
                             "provide_windows_qt kept", known={})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{self.root}/checkout/kept\n", ""))

    def test_where_there_is_no_qt_for_windows_only_a_wrong_name_is_an_error(self):
        done = self.run_here(f"{self.QT}; provide_windows_qt kept; FAULTLINE_WINDOWS_QT=.. provide_windows_qt kept", known={})
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr, f"faultline: FAULTLINE_WINDOWS_QT: {self.root} has no lib/cmake/Qt6/Qt6Config.cmake\n")

    LIST = "mkdir -p tests/support/build; echo perfetto==1 >tests/support/build/python_packages.txt"

    def test_pythons_packages_are_fetched_once_for_each_list(self):
        newer = "echo spdx==2 >>tests/support/build/python_packages.txt"
        done = self.run_here(f"{self.LIST}; provide_python; provide_python; {newer}; provide_python", known=NOBLE)
        self.assertEqual((done.returncode, len(self.calls())), (0, 2), done.stderr)
        self.assertIn("--require-hashes", self.calls()[0])
        self.assertTrue(os.path.isdir(os.path.join(self.root, ".build/python/perfetto")))

    def test_without_pythons_packages_the_tests_go_on(self):
        done = self.run_here(f"{self.LIST}; provide_python", known=NOBLE, PIP_REFUSES="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("will be skipped", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.root, ".build/python")))

    def test_a_fresh_debian_needs_a_release_and_root(self):
        for arguments, code, says in ("11", 2, "a release is missing"), ("", 2, "a release is missing"), ("13", 1, "needs root"):
            self.setUp()
            done = self.run_here(f"run_debian {arguments}", known=NOBLE, uid=1000)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(self.calls(), [])

    def release(self):
        with open("/etc/os-release", encoding="utf-8") as file:
            named = dict(line.strip().split("=", 1) for line in file if "=" in line)
        return named.get("VERSION_CODENAME") or self.skipTest("this system's releases have no names")


if __name__ == "__main__":
    unittest.main()
