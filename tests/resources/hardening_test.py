"""The programs as they were built: what makes a flaw harder to use is in each of them, and in each of their files."""

import json
import os
import re
import subprocess
import sys
import unittest

BUILD, COMPILER, *PROGRAMS = sys.argv[1:]
LIBRARIES = ("faultline_core", "faultline_host", "faultline_sampling", "faultline_collector", "faultline_cli")
FLAGS = ("-fstack-protector-strong", "-fstack-clash-protection", "-fcf-protection")


def readelf(program, *options):
    return subprocess.run(["readelf", "-W", *options, os.path.join(BUILD, "bin", program)], capture_output=True,
                          text=True, check=True).stdout


def compiler_has(flag):
    return subprocess.run([COMPILER, "-Werror", flag, "-x", "c++", "-S", "-o", "/dev/null", "/dev/null"],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def commands():
    """Of what is ours in the programs: (file, command)."""
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    return [(entry["file"], entry["command"]) for entry in entries
            if re.search(r"/(app|core|platform)/", entry["file"]) and "/tests/" not in entry["file"]]


class Hardening(unittest.TestCase):
    def each(self):
        for program in PROGRAMS:
            with self.subTest(program):
                yield program

    def test_addresses_are_random(self):
        for program in self.each():
            self.assertRegex(readelf(program, "-h"), r"Type: +DYN")
            self.assertRegex(readelf(program, "-d"), r"FLAGS_1\b.*\bPIE\b")

    def test_the_table_of_functions_is_read_only(self):
        for program in self.each():
            self.assertIn("GNU_RELRO", readelf(program, "-l"))
            self.assertRegex(readelf(program, "-d"), r"BIND_NOW|FLAGS_1\b.*\bNOW\b")

    def test_no_memory_is_both_written_and_run(self):
        for program in self.each():
            for line in readelf(program, "-l").splitlines():
                self.assertNotRegex(line, r"^ +(LOAD|GNU_STACK) .* RWE ")
            self.assertNotIn("TEXTREL", readelf(program, "-d"))

    def test_the_stack_is_guarded_and_copies_are_bounded(self):
        for program in self.each():
            symbols = readelf(program, "--dyn-syms")
            self.assertIn("__stack_chk_fail", symbols)
            self.assertRegex(symbols, r"UND __(?!stack_chk)\w+_chk\b")

    def test_calls_land_where_functions_begin(self):
        if not compiler_has("-fcf-protection") or os.uname().machine != "x86_64":
            self.skipTest("the compiler has no -fcf-protection")
        for program in self.each():
            with open(os.path.join(BUILD, "bin", program), "rb") as file:
                self.assertGreater(file.read().count(b"\xf3\x0f\x1e\xfa"), 100)  # endbr64

    def test_every_file_is_compiled_so(self):
        files = commands()
        targets = {re.search(r"CMakeFiles/([\w-]+)\.dir/", command)[1] for _, command in files}
        self.assertLessEqual({*LIBRARIES, *(program for program in PROGRAMS if "." not in program)}, targets)
        self.assertEqual("faultline_tray" in targets, "faultline" in PROGRAMS)
        wanted = [flag for flag in FLAGS if compiler_has(flag)]
        self.assertIn("-fstack-protector-strong", wanted)
        for file, command in files:
            for flag in (*wanted, "-D_FORTIFY_SOURCE="):
                self.assertIn(flag, command, file)

    def test_the_collector_looks_for_libraries_where_the_system_has_them(self):
        self.assertNotRegex(readelf("faultline-collector", "-d"), "RPATH|RUNPATH")


unittest.main(argv=sys.argv[:1])
