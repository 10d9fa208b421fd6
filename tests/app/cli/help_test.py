"""Believes the help: runs each name, choice, option and example that help and manuals mention, and meets each exit code.

help_test.py BIN MANUALS: the folders of the programs and of the generated manuals."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

BIN, MANUALS = (os.path.abspath(folder) for folder in sys.argv[1:3])
CLI = os.path.join(BIN, "faultline-cli")
# A value for each placeholder of help.
VALUES = {"ADDRESS": "127.0.0.1:9469", "TIME": "1s", "FILE": "file.out", "HZ": "60", "N": "1", "ROWS": "3", "PERCENT": "1", "MIB": "1", "PID": "1",
          "TEXT": "fault", "PID|NAME": "fault", "NAME|FILE:FUNCTION": ":main", "NAME": "a", "LINE": "true", "SHELL": "sh"}
# What commands need besides an option.
NEEDED = {("export",): ["a"], ("join",): ["a", "b"], ("frames", "compare"): ["a", "b"], ("compare",): ["a", "b"], ("lab",): ["cost"], ("guard",): ["-b", "c"], ("query",): ["summary"]}


def run(words, folder=None, seconds=120, **more):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL,
                          env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]}, **more)


def help_of(command):
    done = run([CLI, *command, "--help"])
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def section(text, title):
    found = re.search(rf"^{title}:\n((?:  .*\n|\n(?=  ))+)", text + "\n", re.M)
    return found[1] if found else ""


def commands(above=()):
    """Each command that help mentions, below the program: a tuple of words, and its help."""
    text = help_of(above)
    yield above, text
    for line in section(text, "Subcommands").splitlines():
        if found := re.match(r"  (\S+)", line):
            yield from commands((*above, found[1]))


COMMANDS = dict(commands())


def options(text):
    """The names of an option, its placeholder and its choices."""
    block = section(text, "Options")
    for entry in re.split(r"^  (?=-)", block, flags=re.M)[1:]:
        names, rest = re.match(r"([-\w,]+)(.*)", entry, re.S).groups()
        choices = re.search(r":\{([^}]*)\}", re.sub(r"\s", "", rest))
        placeholder = re.match(r" ([A-Z|]+(?::FUNCTION)?)", rest)
        yield names.split(","), placeholder and placeholder[1], choices[1].split(",") if choices else []


def examples(text):
    for line in section(text, "Examples").splitlines():
        # The text beside an example of the whole program stands after more blanks.
        yield re.split(r" {3,}", line.strip())[0]


class Help(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.addCleanup(self.scratch.cleanup)

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as out:
            out.write(text)
        os.chmod(path, mode)

    def code(self, line):
        return run(["bash", "-c", line], self.folder).returncode

    def test_there_are_commands(self):
        self.assertGreater(len(COMMANDS), 10)
        self.assertIn(("frames", "compare"), COMMANDS)

    def test_help_has_80_columns(self):
        for command, text in COMMANDS.items():
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, (command, line))

    def test_help_is_the_same_by_each_way_of_asking(self):
        for command, text in COMMANDS.items():
            self.assertEqual(run([CLI, "help", *command]).stdout, text)
            self.assertEqual(run([CLI, *command, "-h"]).stdout, text)
        version = run([CLI, "--version"])
        self.assertEqual((version.returncode, run([CLI, "-V"]).stdout), (0, version.stdout))

    def test_nothing_of_another_system_is_shown(self):
        for command, text in COMMANDS.items():
            self.assertNotIn("elevate", text, command)

    def test_each_option_is_accepted(self):
        """With each name and value the parser complains of nothing but the option that does not exist."""
        checked = 0
        for command, text in COMMANDS.items():
            for names, placeholder, choices in options(text):
                for name in names:
                    if name in ("-h", "--help", "-V", "--version"):
                        continue
                    for value in choices or [VALUES[placeholder] if placeholder else None]:
                        words = [CLI, *command, *NEEDED.get(command, []), name, *([] if value is None else [value]),
                                 "--no-such-option"]
                        complaint = run(words).stderr
                        self.assertRegex(complaint, "--no-such-option| requires | is not between | not in range | but received ", words)
                        self.assertNotIn(f"{name},", complaint, words)
                        checked += 1
        self.assertGreater(checked, 80)

    def test_a_choice_is_offered_once(self):
        for command, text in COMMANDS.items():
            for names, _, choices in options(text):
                self.assertEqual(len(choices), len(set(choices)), (command, names))

    def test_a_mistyped_word_gets_what_may_be_meant(self):
        for words, meant in ((["snapsho"], "snapshot"), (["hepl"], "help"), (["top", "--intervall", "1s"], "--interval"),
                             (["frames", "--socket"], None), (["frames", "compar"], None), (["--sintetic"], "--synthetic")):
            done = run([CLI, *words])
            self.assertEqual(done.returncode, 2)
            if meant:
                self.assertIn(f"Did you mean '{meant}'?", done.stderr)
            else:
                self.assertNotIn("Did you mean", done.stderr)

    def test_each_experiment_prints_or_is_not_offered(self):
        names = re.search(r"\{([^}]*)\}", COMMANDS[("lab",)])[1].replace("\n", "").replace(" ", "").split(",")
        self.assertNotIn("freed", names)
        self.assertNotIn("calibration", names)
        for hidden in ("freed", "calibration"):
            done = run([CLI, "lab", hidden])
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("itself", done.stderr)
        for name in names[int(time.time()) // 86400 % 4::4]:  # by the day: all take a minute, and have tests of their own
            if name in ("all", "zero-stimulus"):
                continue
            done = run([CLI, "lab", name, "--quick"], seconds=300)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertTrue(done.stdout or done.stderr, name)
            self.assertEqual(done.returncode == 0, bool(done.stdout), done.stderr)

    def test_each_example_runs(self):
        """Programs of examples are stand-ins; times are cut; lines for another machine are read by the parser alone."""
        self.file("stand-in", "#!/bin/sh\nexec sleep 0.3\n", 0o755)
        self.file("game", "#!/bin/sh\nexec sleep 1\n", 0o755)  # outlives the start of its watch on a busy machine
        for name in ("benchmark", "bench", "level-loader", "program", "parser", "old", "new"):
            os.symlink("stand-in", os.path.join(self.folder, name))
        for name in ("make", "sort", "ssh", "jq"):
            os.symlink("stand-in", os.path.join(self.folder, name))
        rows = "".join(f"{i / 60:.4f},16.6\n" for i in range(120))
        self.assertEqual(self.code("faultline-cli --synthetic record -o build.faultline --duration 300ms"), 0)
        self.assertEqual(self.code("faultline-cli --synthetic frames --csv before.csv --record game.faultline --duration 1s"), 0)
        self.assertEqual(self.code("cp before.csv after.csv; cp before.csv frames.csv; cp build.faultline all.faultline"), 0)
        self.assertEqual(self.code("cp build.faultline monday.faultline; cp build.faultline tuesday.faultline"), 0)
        self.assertEqual(self.code("faultline-cli guard -b base.json --save -r 2 -- ./program; cp base.json now.json; cp base.json later.json; cp base.json a.json; cp base.json b.json"), 0)
        self.file("web.yml", "basic_auth_users:\n  alice: $2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n")
        self.file("times.csv", "TimeInSeconds,msBetweenPresents\n" + rows)
        ran = 0
        for command, text in COMMANDS.items():
            lines = list(examples(text))
            manual = os.path.join(MANUALS, "-".join(("faultline-cli", *command)) + ".1")
            if command:
                with open(manual, encoding="utf-8") as page:
                    words = page.read().replace("\\-", "-")
                for line in lines:
                    self.assertIn(line, words)
            for line in lines:
                line = re.sub(r"(--duration) \S+", r"\1 300ms", line)
                line = re.sub(r"(--interval) \S+", r"\1 100ms", line)
                line = re.sub(r"--rounds \d+", "--rounds 1", line)
                line = re.sub(r" -r \d+", " -r 2", line)
                if " try " in line and "--rounds" not in line:
                    line = line.replace(" try", " try --rounds 1 --with keep", 1)
                line = re.sub(r"^(faultline-cli lab) all", r"\1 cost", line)
                if re.match(r"faultline-cli (lab|stat) [^|]*$", line) and not re.search(r" (-r|--quick|-p|-a)\b", line):
                    line = re.sub(r" (lab \S+|stat)", lambda word: word[0] + (" -r 2" if word[1] == "stat" else " --quick"), line, count=1)
                first, rest = re.match(r"((?:\S+ )?)(.*)", line).groups()
                if " 4711" in line or re.search(" (join|save) ?", line) or line.startswith("ssh "):
                    # No process has this number, no tray app runs, no other tool has written these times: the parser accepts them.
                    done = run(["bash", "-c", f"{first}{rest.split(' | ')[0]}"], self.folder)
                    self.assertNotEqual(done.returncode, 2, (line, done.stderr))
                    continue
                if re.fullmatch(r"faultline-cli top.*", line) and "--count" not in line:
                    line = line.replace("faultline-cli top", "faultline-cli top --count 1")
                if " serve" in line:  # until a signal
                    line = "timeout --preserve-status -s INT 2 " + line
                if made := re.search(r"-o (\S+\.faultline)", line):
                    self.code(f"rm -f {made[1]}")
                line = line.replace("--mark :Renderer::present ", "")
                done = run(["bash", "-c", "PATH=.:$PATH; set -o pipefail; " + line], self.folder)
                expected = (0, 5, 7, 141) if re.search(r" (frames|try) ", line) else (0, 141)
                self.assertIn(done.returncode, expected, (line, done.stderr))
                ran += 1
                self.code("[ -e kept ] || mv build.faultline kept; cp kept build.faultline")
        self.assertGreater(ran, 15)

    def test_each_exit_code_is_met(self):
        text = section(COMMANDS[()], "Exit codes")
        promised = {int(code) for code in re.findall(r"^ +(\d+)  ", text, re.M)}
        record = "faultline-cli --synthetic record --duration 300ms"
        frames = "faultline-cli --synthetic frames --duration 1s"
        self.assertEqual(self.code(f"{record} -o a.faultline; {frames} --csv a.csv; head -c -100 a.faultline >cut.faultline"), 0)
        met = {
            0: "faultline-cli --synthetic snapshot --interval 20ms",
            1: "faultline-cli export missing.faultline",
            2: "faultline-cli export",
            3: "faultline-cli export cut.faultline",
            4: f"{frames} --fail-over 1us",
            5: "faultline-cli frames -- sleep 0.3",
            6: "faultline-cli compare good.csv bad.csv",
            7: "faultline-cli try --rounds 2 --with keep --fail-under 99 -- true",
            127: "faultline-cli record -o b.faultline -- ./missing",
            130: "timeout --preserve-status -s INT 0.5 faultline-cli lab cost",
            141: "{ sleep 0.5; faultline-cli export a.faultline; } | true; exit ${PIPESTATUS[0]}",
        }
        self.assertEqual(promised, set(met))
        with open(os.path.join(self.folder, "a.csv"), encoding="ascii") as source:
            head, *rows = source.read().splitlines()
        names = head.split(",")
        late = names.index("late_by_faults")
        for name, late_every in (("good.csv", 100), ("bad.csv", 2)):
            changed = []
            for i in range(1000):
                row = rows[i % len(rows)].split(",")
                row[0], row[late] = str(i), "1" if i % late_every == 0 else "0"
                changed.append(",".join(row))
            self.file(name, "\n".join([head, *changed]) + "\n")
        for code, line in met.items():
            with self.subTest(line):
                self.assertEqual(self.code(line), code)

    def test_record_names_its_file_by_the_time(self):
        self.assertEqual(self.code("faultline-cli --synthetic record --duration 300ms"), 0)
        names = os.listdir(self.folder)
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], r"^faultline-\d{8}-\d{6}\.faultline$")

    def test_snapshot_writes_a_file_and_selects_processes(self):
        self.assertEqual(self.code("faultline-cli snapshot -o now.csv && faultline-cli snapshot -p $$ -o own.csv"), 0)
        with open(os.path.join(self.folder, "now.csv"), encoding="utf-8", errors="replace") as now:
            everything = now.read().splitlines()
        with open(os.path.join(self.folder, "own.csv"), encoding="utf-8", errors="replace") as own:
            selected = own.read().splitlines()
        self.assertEqual(everything[0], selected[0])
        self.assertEqual(len(selected), 2)
        self.assertGreater(len(everything), 3)
        refused = run([CLI, "snapshot", "-o", "no/such/folder.csv"], self.folder)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))

    def test_completions_have_each_option(self):
        folder = os.path.dirname(MANUALS)
        for name in ("faultline-cli", "_faultline-cli", "faultline-cli.fish"):
            with open(os.path.join(folder, name), encoding="utf-8") as script:
                text = script.read()
            for command, help_text in COMMANDS.items():
                for names, _, choices in options(help_text):
                    for word in [*names, *choices]:
                        self.assertRegex(text, rf"(?<!\w){re.escape(word.lstrip('-'))}(?![\w-])", (name, command))
        script = ". ./faultline-cli; COMP_WORDS=(%s); COMP_CWORD=%d; _faultline_cli; echo \"${COMPREPLY[*]}\""
        for line, word in (("faultline-cli lab se", "serialise"), ("faultline-cli export --format ma", "machine-csv"),
                           ("faultline-cli frames comp", "compare"), ("faultline-cli record --du", "--duration"),
                           ("faultline-cli top --synthetic-w", "--synthetic-windows"), ("faultline-cli elev", "")):
            done = run(["bash", "-c", script % (line, len(shlex.split(line)) - 1)], folder)
            self.assertEqual(done.stdout.strip(), word, line)


unittest.main(argv=sys.argv[:1], verbosity=2)
