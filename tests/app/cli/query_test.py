"""faultline-cli query: query_test.py BIN FIXTURES. Its numbers are those of export and snapshot; its answers, what its
schema promises."""

import collections
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

BIN, FIXTURES = (os.path.abspath(folder) for folder in sys.argv[1:3])
CLI = os.path.join(BIN, "faultline-cli")
COLLECTOR = os.path.join(BIN, "faultline-collector")
QUESTIONS = ("summary", "processes", "spikes", "frames", "frame", "culprits")
COUNTERS = ("minor_faults", "major_faults", "zeroed_bytes", "fault_ns", "freed_bytes")


def run(*words, **more):
    return subprocess.run([CLI, *words], capture_output=True, timeout=120, **more)


def ask(*words):
    done = run("query", *words)
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout.decode("utf-8"))


def wrong(schema, value, path="answer"):
    """Where a value breaks its schema, as far as schemas of answers go: a list of places."""
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "boolean": bool,
        "integer": int,
        "number": (int, float),
        "null": type(None),
    }
    if "const" in schema:
        return [] if value == schema["const"] else [path]
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, kinds[name]) and isinstance(value, bool) == (name == "boolean") for name in names):
        return [path]
    found = []
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        found += [f"{path}.{name} is missing" for name in schema.get("required", []) if name not in value]
        for name, part in value.items():
            inner = properties.get(name, more)
            if inner is False:
                found.append(f"{path}.{name} is not promised")
            elif inner is not True:
                found += wrong(inner, part, f"{path}.{name}")
    if isinstance(value, list):
        for row in value:
            found += wrong(schema.get("items", {"type": list(kinds)}), row, path + "[]")
    return found


def differences(moments):
    """For each moment of an export, the growth of each process' counters since the moment before."""
    before = {}
    for moment in moments:
        grown = {}
        for row in moment["processes"]:
            key = (row["pid"], row["start_time"])
            last = dict.fromkeys(COUNTERS, 0) if row["born"] else before.get(key)
            if last:
                grown[key] = {name: row[name] - last[name] for name in COUNTERS if None not in (row[name], last[name])}
        before = {(row["pid"], row["start_time"]): row for row in moment["processes"]}
        yield moment, grown


class Query(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.sweeps = cls.file("sweeps.faultline")
        with open(cls.sweeps, "wb") as out:
            subprocess.run(
                [COLLECTOR, "sweep", "--synthetic", "40,3", "--fast", "--count", "300"], stdout=out, check=True
            )
        cls.frames = cls.file("frames.faultline")
        run("--synthetic", "frames", "--record", cls.frames, "-d", "3s", check=True)
        cls.schemas = json.loads(run("query", "--schema", check=True).stdout)

    @classmethod
    def file(cls, name):
        return os.path.join(cls.scratch.name, name)

    def promised(self, answer):
        schema = self.schemas["questions"][answer["ask"]]["answer"]
        self.assertEqual(schema["properties"]["schema"]["const"], answer["schema"])
        self.assertEqual([], wrong(schema, answer), answer["ask"])

    def test_sums_of_processes_are_those_of_the_export(self):
        for span in ([], ["--from", "20s", "--to", "70s"]):
            asked = {
                json.loads(line)["monotonic_ns"]
                for line in run("export", self.sweeps, "-f", "jsonl", *span).stdout.splitlines()
                if b'"monotonic_ns"' in line
            }
            moments = [json.loads(line) for line in run("export", self.sweeps, "-f", "jsonl").stdout.splitlines()][1:]
            sums = collections.defaultdict(collections.Counter)
            programs = collections.defaultdict(collections.Counter)
            names = {(row["pid"], row["start_time"]): row["name"] for moment in moments for row in moment["processes"]}
            for moment, grown in differences(moments):
                for key, growth in grown.items() if moment["monotonic_ns"] in asked else ():
                    sums[key].update(growth)
                    programs[names[key]].update(growth)
            answer = ask("processes", self.sweeps, "-n", "1000", *span)
            self.promised(answer)
            self.assertTrue(0 < len(asked) <= 300 and (len(asked) < 300) == bool(span))
            self.assertGreater(len(sums), 40)  # some have ended
            self.assertEqual(0, answer["others"]["count"])
            for row in answer["processes"]:
                for name in COUNTERS:
                    if row[name] is not None:
                        self.assertEqual(sums[row["pid"], row["start_time"]][name], row[name], (row["name"], name))
            self.assertEqual(
                sum(each["minor_faults"] for each in sums.values()),
                sum(row["minor_faults"] or 0 for row in answer["processes"]),
            )
            answer = ask("processes", self.sweeps, "--by", "program", "--metric", "zeroed_bytes", "-n", "2", *span)
            self.promised(answer)
            expected = sorted(programs.items(), key=lambda item: -item[1]["zeroed_bytes"])
            self.assertEqual(
                [(name, each["zeroed_bytes"]) for name, each in expected[:2]],
                [(row["name"], row["zeroed_bytes"]) for row in answer["programs"]],
            )
            self.assertEqual(
                sum(each["zeroed_bytes"] for _, each in expected[2:]), answer["others"]["sums"]["zeroed_bytes"]
            )
            self.assertEqual(len(expected) - 2, answer["others"]["count"])

    def test_the_summary_of_sweeps_has_the_sums_and_qualities_of_the_export(self):
        answer = ask("summary", self.sweeps)
        self.promised(answer)
        export = json.loads(run("export", self.sweeps, "-f", "json").stdout)
        moments = export["moments"]
        self.assertEqual(export["hello"], answer["hello"])
        self.assertEqual(
            (len(moments), moments[0]["wall_time"], moments[-1]["wall_time"]),
            (answer["sweeps"], answer["since"], answer["until"]),
        )
        self.assertEqual(sum(moment["died"] for moment in moments), answer["died"])
        for metric in export["hello"]["process_metrics"]:
            if metric["name"] != "parent_pid":
                self.assertEqual(
                    {name: metric[name] for name in ("grade", "how", "enable")}, answer["quality"][metric["name"]]
                )
        rate = sum((moment["total"]["minor_faults_per_s"] or 0) * moment["interval_ns"] / 1e9 for moment in moments)
        self.assertAlmostEqual(rate, answer["total"]["minor_faults"], delta=1)
        self.assertIsNone(answer["total"]["child_minor_faults"])
        self.assertEqual("unavailable", answer["quality"]["child_minor_faults"]["grade"])

    def test_the_running_machine_is_what_snapshot_shows(self):
        answer = ask("processes", "--synthetic", "-d", "100ms", "-n", "1000")
        self.promised(answer)
        self.assertIsNone(answer["file"])
        moment = json.loads(run("--synthetic", "snapshot", "-f", "json", "-i", "100ms").stdout)["moments"][0]
        shown = {row["pid"]: row for row in moment["processes"]}
        self.assertEqual(set(shown), {row["pid"] for row in answer["processes"]})
        equal = 0
        for row in answer["processes"]:
            self.assertEqual(shown[row["pid"]]["name"], row["name"])
            rate = shown[row["pid"]]["minor_faults_per_s"]
            same = None if rate is None else round(rate * moment["interval_ns"] / 1e9)
            equal += same == row["minor_faults"] and same is not None
        self.assertGreater(equal, len(shown) // 2)

    def test_frames_are_those_of_the_export(self):
        fixture = os.path.join(FIXTURES, "stream", "format_1_8_frames.faultline")
        for file, budget in ((self.frames, []), (self.frames, ["--budget", "5ms"]), (fixture, [])):
            export = json.loads(run("export", file, "-f", "json", *budget).stdout)
            rows = {frame["frame"]: frame for frame in export["frames"]}
            answer = ask("summary", file, *budget)
            self.promised(answer)
            for name in ("watched", "summary", "advice", "delay"):
                self.assertEqual(export[name], answer[name])
            answer = ask("frames", file, "-n", "1000", *budget)
            self.promised(answer)
            self.assertEqual(set(rows), {row["frame"] for row in answer["frames"]})
            late = [row["late_by_faults"] for row in answer["frames"]]
            self.assertEqual(sorted(late, key=lambda value: -(value or 0)), late)
            for row in answer["frames"]:
                for name in set(row) & set(rows[row["frame"]]):
                    self.assertEqual(rows[row["frame"]][name], row[name], name)
                ledger = row["ledger"]
                if ledger["measured"]:
                    parts = sum(
                        ledger[name] or 0
                        for name in (
                            "faults_ns",
                            "teardown_ns",
                            "running_ns",
                            "waiting_for_a_processor_ns",
                            "sleeping_ns",
                        )
                    )
                    self.assertAlmostEqual(
                        ledger["lasted_ns"], parts - ledger["of_both_in_awaited_threads_ns"], delta=4
                    )

    def test_one_frame_has_all_its_numbers_and_call_stacks(self):
        export = json.loads(run("export", self.frames, "-f", "json").stdout)
        folded = run("export", self.frames, "-f", "folded").stdout.decode()
        worst = ask("frames", self.frames, "-n", "1")["frames"][0]["frame"]
        answer = ask("frame", self.frames, "--frame", str(worst))
        self.promised(answer)
        (row,) = answer["frames"]
        (expected,) = (frame for frame in export["frames"] if frame["frame"] == worst)
        self.assertEqual(expected, {name: row[name] for name in expected})
        self.assertEqual(
            expected["culprits"],
            [[one["name"], round(one["share"], 4)] for one in row["sampled"]["by_culprit"]["culprits"]],
        )
        self.assertEqual(expected["culprit_faults"], row["sampled"]["sampled_faults"])
        self.assertEqual(sum(stack["faults"] for stack in row["sampled"]["stacks"]), row["sampled"]["sampled_faults"])
        for stack in row["sampled"]["stacks"]:
            self.assertIn(";".join([stack["thread"], *stack["calls"]]) + " ", folded)
        self.assertIn("late", row["text"])
        calm = next(frame["frame"] for frame in export["frames"] if not frame["late"] and not frame["costly"])
        answer = ask("frame", self.frames, "--frame", str(calm))
        self.promised(answer)
        self.assertEqual((0, []), (answer["frames"][0]["sampled"]["samples"], answer["frames"][0]["sampled"]["stacks"]))

    def test_culprits_add_up_over_frames(self):
        export = json.loads(run("export", self.frames, "-f", "json").stdout)
        expected = sum(frame["culprit_faults"] for frame in export["frames"])
        for by in ("culprit", "mapping", "thread", "kind"):
            answer = ask("culprits", self.frames, "--by", by)
            self.promised(answer)
            self.assertEqual((by, expected), (answer["by"], answer["sampled_faults"]))
            self.assertEqual(expected, sum(one["faults"] for one in answer["culprits"]))
            shares = [one["share"] for one in answer["culprits"]]
            self.assertEqual(sorted(shares, reverse=True), shares)
            self.assertAlmostEqual(1, sum(shares))
        short = ask("culprits", self.frames, "--from", "1s", "--to", "2s", "-n", "1")
        self.assertEqual(1, len(short["culprits"]))
        first = export["frames"][0]["start_ns"]
        inside = [frame for frame in export["frames"] if 1e9 <= frame["start_ns"] - first <= 2e9]
        self.assertEqual(sum(frame["culprit_faults"] for frame in inside), short["sampled_faults"])
        self.assertEqual(short["sampled_faults"], short["culprits"][0]["faults"] + short["others"]["faults"])

    def test_frames_of_a_game_that_runs_are_watched_for_a_time(self):
        def asked(*words):
            done = run("--synthetic", "query", *words, "-p", "1", "-d", "1s")
            self.assertEqual(0, done.returncode, done.stderr)
            answer = json.loads(done.stdout)
            self.promised(answer)
            self.assertIsNone(answer["file"])
            return answer

        frames = asked("frames", "-n", "3")
        self.assertEqual(3, len(frames["frames"]))
        self.assertGreater(frames["others"]["count"], 30)
        culprits = asked("culprits")
        self.assertGreater(culprits["sampled_faults"], 0)
        self.assertTrue(culprits["culprits"])

    @unittest.skipUnless(sys.platform == "linux", "plays a game of Linux")
    def test_a_game_that_runs_is_watched_by_its_own_marks(self):
        with subprocess.Popen([os.path.join(BIN, "fake_game"), "frames=1000000"], stdout=subprocess.DEVNULL) as game:
            try:
                answer = ask("frames", "-p", str(game.pid), "-d", "1s", "-n", "2")
            finally:
                game.kill()
        self.promised(answer)
        self.assertEqual(game.pid, answer["watched"]["pid"])
        self.assertEqual(2, len(answer["frames"]))

    def test_spikes_are_told_once_and_within_the_time(self):
        answer = ask("spikes", self.sweeps, "-n", "1000")
        self.promised(answer)
        self.assertGreater(len(answer["spikes"]), 3)
        middle = sorted(spike["since_start_ns"] for spike in answer["spikes"])[len(answer["spikes"]) // 2]
        later = ask("spikes", self.sweeps, "-n", "1000", "--from", f"{middle}ns")
        self.assertEqual([spike for spike in answer["spikes"] if spike["since_start_ns"] >= middle], later["spikes"])
        few = ask("spikes", self.sweeps, "-n", "2")
        self.assertEqual((answer["spikes"][:2], len(answer["spikes"]) - 2), (few["spikes"], few["others"]["count"]))
        self.assertEqual(len(answer["spikes"]), ask("summary", self.sweeps)["spikes"])

    def test_every_recording_of_older_versions_is_answered(self):
        answered = 0
        for name in sorted(glob.glob("*.faultline", root_dir=os.path.join(FIXTURES, "stream"))):
            file = os.path.join(FIXTURES, "stream", name)
            summary = ask("summary", file)
            self.promised(summary)
            frames = summary["holds"] == "frames"
            number = str(ask("frames", file, "-n", "1")["frames"][0]["frame"]) if frames else "1"
            for question in QUESTIONS[1:]:
                words = [question, file, *(["--frame", number] if question == "frame" else [])]
                if (question in ("frames", "frame", "culprits")) == frames:
                    self.promised(ask(*words))
                    answered += 1
                else:
                    refused = run("query", *words)
                    self.assertEqual((1, b""), (refused.returncode, refused.stdout))
                    self.assertIn(b"ask summary", refused.stderr)
        self.assertGreater(answered, 10)

    def test_names_of_any_bytes_are_escaped_utf8(self):
        name = b'a\xff"\n\x1b]\\'
        os.symlink("/bin/sleep", os.path.join(self.scratch.name.encode(), name))
        sleeper = subprocess.Popen([os.path.join(self.scratch.name.encode(), name), b"60"])
        try:
            answer = ask("processes", "-d", "100ms", "-n", "1000", "--metric", "resident_bytes")
        finally:
            sleeper.send_signal(signal.SIGKILL)
            sleeper.wait()
        self.promised(answer)
        (row,) = (row for row in answer["processes"] if row["pid"] == sleeper.pid)
        self.assertEqual((name.hex(), 'a\\xff"\n\x1b]\\'), (row["name_hex"], row["name"]))

    def test_a_damaged_recording_is_answered_as_far_as_it_can_be_read(self):
        with open(self.sweeps, "rb") as whole:
            data = whole.read()
        for cut, code in ((data[: len(data) // 2], 3), (data[:-1], 3), (data[:10], 1), (b"text\n" * 100, 1), (b"", 1)):
            with open(self.file("cut.faultline"), "wb") as out:
                out.write(cut)
            done = run("query", "summary", self.file("cut.faultline"))
            self.assertEqual(code, done.returncode, done.stderr)
            self.assertTrue(done.stderr)
            if code == 3:
                answer = json.loads(done.stdout)
                self.promised(answer)
                self.assertIn("The recording", answer["remark"])
            else:
                self.assertEqual(b"", done.stdout)
        piped = run("query", "summary", "-", input=data)
        self.assertEqual((0, 300), (piped.returncode, json.loads(piped.stdout)["sweeps"]))

    def test_a_file_of_both_kinds_is_asked_for_either(self):
        for order in ((self.sweeps, self.frames), (self.frames, self.sweeps)):
            with open(self.file("both.faultline"), "wb") as both:
                for name in order:
                    with open(name, "rb") as part:
                        both.write(part.read())
            for question, file in (("processes", self.sweeps), ("spikes", self.sweeps), ("frames", self.frames)):
                answer = ask(question, self.file("both.faultline"))
                self.promised(answer)
                alone = ask(question, file)
                self.assertTrue(answer["remark"].endswith(", too."))
                for name in ("file", "remark"):
                    del answer[name], alone[name]
                self.assertEqual(alone, answer)
            summary = ask("summary", self.file("both.faultline"))
            self.assertEqual("sweeps" if order[0] == self.sweeps else "frames", summary["holds"])

    def test_damage_anywhere_costs_a_sentence(self):
        codes = collections.Counter()
        for file, questions in (
            (self.sweeps, ("summary", "processes")),
            (self.frames, ("summary", "frames", "culprits")),
        ):
            with open(file, "rb") as whole:
                data = whole.read()
            for i in range(40):  # half of them in the first packets, which tell what the rest is
                at = i * 150 if i % 2 else i * len(data) // 40
                with open(self.file("damaged.faultline"), "wb") as out:
                    out.write(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 + i % 3 :])
                done = run("query", questions[i % len(questions)], self.file("damaged.faultline"))
                codes[done.returncode] += 1
                self.assertEqual(done.returncode == 1, done.stdout == b"", done.stderr)
                if done.stdout:
                    self.promised(json.loads(done.stdout))
        self.assertEqual({1, 3}, set(codes) - {0}, codes)

    def test_what_a_question_does_not_take_is_refused(self):
        for words in (
            ["frame", self.frames],
            ["summary", self.sweeps, "-n", "3"],
            ["processes", self.sweeps, "--by", "thread"],
            ["frames"],
            ["frames", self.frames, "-p", "1"],
            ["frames", "-p", "0"],
            ["frame", "-p", "1", "--frame", "2"],
            ["summary", "-p", "1"],
            ["culprits", self.frames, "--metric", "fault_ns"],
            [],
            ["processes", self.sweeps, "-d", "1s"],
            ["processes", self.sweeps, "-n", "0"],
            ["processes", self.sweeps, "--from", "2s", "--to", "1s"],
        ):
            done = run("query", *words)
            self.assertEqual((2, b""), (done.returncode, done.stdout), words)
        for words, why in (
            (["frame", self.frames, "--frame", "99999999"], b"There is no frame 99999999"),
            (["processes", self.sweeps, "--metric", "child_minor_faults"], b"unavailable"),
            (["summary", self.sweeps, "--from", "900h"], b"no sweep"),
            (["summary", self.file("none")], b"no file"),
            (["frames", "-p", "999999999"], b"999999999"),
        ):
            done = run("query", *words)
            self.assertEqual((1, b""), (done.returncode, done.stdout), words)
            self.assertIn(why, done.stderr)

    def test_memory_does_not_grow_with_the_recording(self):
        peaks = []
        for count in (2000, 20000):
            collector = subprocess.Popen(
                [COLLECTOR, "sweep", "--synthetic", "40,3", "--fast", "--count", str(count)], stdout=subprocess.PIPE
            )
            query = subprocess.Popen(
                [CLI, "query", "processes", "-", "-n", "5"], stdin=collector.stdout, stdout=subprocess.PIPE
            )
            collector.stdout.close()
            answer = json.loads(query.stdout.read())
            query.stdout.close()
            _, status, used = os.wait4(query.pid, 0)
            query.returncode = status
            self.assertEqual((0, 0), (status, collector.wait()))
            self.assertEqual(5, len(answer["processes"]))
            peaks.append(used.ru_maxrss)
        self.assertLess(peaks[1], peaks[0] + 100 * 1024, peaks)  # history has 64 MiB at most


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
