"""The package faultline for Python: python_package_test.py SOURCE_FOLDER [FOLDER_OF_FAULTLINE_CLI]"""
import contextlib
import csv
import importlib.util
import io
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import tracemalloc
import unittest
from unittest import mock

SOURCE = pathlib.Path(sys.argv[1]).resolve()
PACKAGE = SOURCE / "resources/integrations/python"
sys.path[:0] = [str(PACKAGE), str(SOURCE / "tests/resources")]
import faultline
import python_streams as streams
from faultline import __main__ as command, games, metrics, packets, unpack
from faultline.sweeps import difference

GOLD = sorted((SOURCE / "tests/fixtures/stream").glob("*.faultline"))
SWEEPS = [file for file in GOLD if file.stem in ("format_1_0", "format_1_1", "format_1_4_sweep")]
CLI = next(pathlib.Path(*sys.argv[2:]).glob("faultline-cli"), None) if sys.argv[2:] else None
WALL = 1_790_000_000 * 10**9


def have(name):
    return importlib.util.find_spec(name) is not None


def read(data):
    """Snapshots by time, and the loss."""
    with faultline.open(io.BytesIO(data)) as recording:
        found = [event for event in recording.events() if hasattr(event, "processes")]
        return {event.time: (event.system, event.processes, event.exited) for event in found}, recording.loss


def recording(*parts):
    return faultline.open(io.BytesIO(b"".join((streams.PREAMBLE, *parts))))


def ends_of_packets(data):
    """All places at which a packet ends, of a stream without damage."""
    places = [12]
    while places[-1] < len(data):
        places.append(places[-1] + 12 + int.from_bytes(data[places[-1] + 5:places[-1] + 8], "little"))
    return places


class Gold(unittest.TestCase):
    def told(self, file):
        """What the reader that is written from the page prints."""
        done = subprocess.run([sys.executable, SOURCE / "tests/core/stream/read_stream.py", file], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split(" ") for line in done.stdout.splitlines()]

    @staticmethod
    def as_recorded(row):
        """Without what one of the readers derives: labels of delays, and that all faults were timed."""
        words = [str(word) for word in row if not re.match(r"delay\w*=|undivided=", str(word))]
        return [word for word in words if not word.startswith("timed_faults=") or
                int(word[13:]) != int(words[4]) + int(words[5])]

    def test_all_versions_have_the_numbers_that_the_reader_of_the_tests_finds(self):
        self.assertGreaterEqual(len(GOLD), 8)
        for file in GOLD:
            with self.subTest(file.name), faultline.open(file) as found:
                names = [metric.name for metric in found.metrics]
                ours = []
                for event in found.events():
                    if hasattr(event, "processes"):
                        system = [value for value in event.system if value is not None]
                        ours.append(["snapshot", event.time, event.wall, *system])
                        ours += [[*key, name.hex(), *(f"{names[place]}={value}" for place, value in enumerate(values)
                                                     if value is not None),
                                  *([f"service={service.hex()}"] if service else [])]
                                 for key, name, values, service in event.processes + event.exited]
                    elif isinstance(event, games.Frames):
                        ours += [row[:6] + [f"{name}={value}" for name, value in zip(games.FRAME_COLUMNS[6:], row[6:])
                                            if value is not None] for row in event.rows]
                    elif isinstance(event, list):
                        ours += [["sample", *row[:2], *row[3:5], len(row[-1].split(";")) if row[-1] else 0]
                                 for row in event]
                theirs, in_samples = [], False
                for words in self.told(file):
                    in_samples = words[0] == "samples" or (in_samples and words[0].isdigit())
                    if in_samples and words[0].isdigit():
                        words = ["sample", words[0], words[1], words[3], words[4], str(words.count("call"))]
                    elif not (words[0].isdigit() or words[0] == "snapshot"):
                        continue
                    theirs.append(words)
                self.assertEqual([self.as_recorded(row) for row in ours], [self.as_recorded(row) for row in theirs])
                self.assertEqual(found.loss, faultline.Loss(ended=True))

    def test_the_bits_of_frames_are_those_of_the_page(self):
        page = (SOURCE / "core/stream/format.md").read_text(encoding="utf-8")
        told = {int(bit): name for bit, name in re.findall(r"^\| (\d+) `(\w+)` \|", page, re.M)}
        ours = {bit: name for bit, (name, _) in metrics.FRAME.items()}
        self.assertEqual({**ours, metrics.STRETCH: "delay_stretch", metrics.UNDIVIDED: "undivided",
                          **dict(zip(metrics.BEHIND, ("waiting_behind", "waiting_behind_rest")))}, told)

    def test_faults_have_the_frame_that_contains_them_and_their_stacks(self):
        with faultline.open(SOURCE / "tests/fixtures/stream/format_1_8_frames.faultline") as found:
            spans = {row["frame"]: (row["start_ns"], row["start_ns"] + row["duration_ns"]) for row in found.frames()}
            rows = list(found.faults())
            grades = {column.name: column.grade for column in found.frames().columns}
        self.assertEqual(len(rows), 614)
        for row in rows:
            begin, end = spans[row["frame"]]
            self.assertTrue(begin <= row["time_ns"] <= end)
            self.assertTrue(row["stack"].startswith(("main;", "Worker::run;")), row["stack"])
        self.assertIn("Vertices::append (mesh.h:44)", {row["code"] for row in rows})
        self.assertEqual((grades["zeroed_bytes"], grades["delay_ns"], grades["frame"]), ("exact", "unavailable", ""))

    @unittest.skipUnless(CLI, "no faultline-cli is given")
    def test_rows_and_rates_are_those_of_faultline_cli(self):
        with tempfile.TemporaryDirectory() as folder:
            made = [pathlib.Path(folder, name) for name in ("synthetic.faultline", "real.faultline")]
            ring = pathlib.Path(folder, "ring")
            workload = ["sh", "-c", "for i in 1 2 3 4 5; do sleep 0.1; done"]
            for words in (["--synthetic", "record", "-o", made[0], "-d", "3s", "-i", "50ms"],
                          ["record", "-o", made[1], "-i", "50ms", "--", *workload],
                          ["--synthetic", "record", "-o", ring, "--ring", "1s", "-d", "2500ms", "-i", "50ms"]):
                subprocess.run([CLI, *words], check=True, capture_output=True)
            cut = pathlib.Path(folder, "cut.faultline")
            cut.write_bytes(ring.with_name("ring.before").read_bytes() + ring.read_bytes())
            made.append(cut)
            with faultline.open(made[0]) as found:
                self.assertEqual([metric.name for metric in found.metrics + found.system_metrics],
                                 metrics.PROCESS + metrics.SYSTEM)
                self.assertNotIn("", [metric.title for metric in found.metrics + found.system_metrics])
            for file in SWEEPS + made:
                for kind, table in (("csv", "processes"), ("machine-csv", "system")):
                    with self.subTest(file.name, table=table), faultline.open(file) as found:
                        self.compare(file, kind, getattr(found, table)())

    def compare(self, file, kind, table):
        done = subprocess.run([CLI, "export", file, "--format", kind], capture_output=True, text=True, check=True)
        theirs = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
        ours = [{**rates, **row} for row, rates in zip(table, table.rates())]
        self.assertEqual(len(ours), len(theirs))
        columns = [name for name in theirs[0] if name != "wall_time"]
        counters = [column.name for column in table.differences().columns if column.kind == "difference"]
        grown, brief = dict.fromkeys(counters, 0), set()  # brief: intervals too short for a rate
        for our, their, differences in zip(ours, theirs, table.differences()):
            for name in columns:
                value = our[name]
                if isinstance(value, float):
                    self.assertAlmostEqual(value, float(their[name]), delta=1e-5 * max(1, value), msg=name)
                else:
                    text = "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)
                    self.assertEqual(text, their[name].removeprefix("'") if name == "name" else their[name], name)
            for name in counters:
                grown[name] += differences[name] or 0
                if differences[name] and not their[name + "_per_s"]:
                    brief.add(name + "_per_s")
        for name in counters:
            total = sum(float(row[name + "_per_s"] or 0) * int(row["interval_ns"]) / 1e9 for row in theirs)
            if name + "_per_s" not in brief:
                self.assertAlmostEqual(grown[name], total, delta=1e-4 * max(1, total), msg=name)

    @unittest.skipUnless(CLI, "no faultline-cli is given")
    def test_frames_are_those_of_faultline_cli(self):
        file = SOURCE / "tests/fixtures/stream/format_1_8_frames.faultline"
        done = subprocess.run([CLI, "export", file, "--format", "csv"], capture_output=True, text=True, check=True)
        theirs = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
        with faultline.open(file) as found:
            ours = list(found.frames())
        self.assertEqual([{name: "" if value is None else str(value) for name, value in row.items()} for row in ours],
                         [{name: row[name] for name in ours[0]} for row in theirs])


class Damage(unittest.TestCase):
    def setUp(self):
        self.data = (SOURCE / "tests/fixtures/stream/format_1_4_sweep.faultline").read_bytes()
        self.whole, _ = read(self.data)

    def check(self, found, loss):
        for time, snapshot in found.items():
            self.assertEqual(snapshot, self.whole[time])
        self.assertLessEqual(len(found) + loss.snapshots, len(self.whole))

    def test_damaged_bytes_cost_no_more_than_the_snapshots_until_the_next_key(self):
        rng = random.Random(1)
        for _ in range(40):
            damaged, place = bytearray(self.data), rng.randrange(12, len(self.data))
            damaged[place:place + rng.choice((1, 1, 7, 300))] = rng.randbytes(1)
            with self.subTest(place=place):
                found, loss = read(bytes(damaged))
                self.check(found, loss)
                self.assertGreaterEqual(len(found), len(self.whole) - 121)
                self.assertTrue(loss.bytes or loss.cut_bytes or loss.packets, loss)

    def test_a_stream_cut_off_at_each_packet_keeps_all_before(self):
        ends = ends_of_packets(self.data)
        for count, (begin, end) in enumerate(zip(ends, ends[1:])):
            place = (begin, begin + 1, begin + 12, end - 1)[count % 4]
            found, loss = read(self.data[:place])
            self.assertEqual((len(found), loss.cut_bytes, loss.bytes, loss.ended),
                             (min(max(count - 1, 0), len(self.whole)), place - begin, 0, False), place)
            self.check(found, loss)
            self.assertTrue(loss.remark())

    def test_wrong_checksums_cost_their_packet(self):
        ends = ends_of_packets(self.data)
        for place in (ends[5] + 2, ends[5] + 8):  # of header and payload
            damaged = bytearray(self.data)
            damaged[place] ^= 1
            found, loss = read(bytes(damaged))
            self.check(found, loss)
            self.assertEqual(loss.bytes, ends[6] - ends[5])
            self.assertEqual(len(found) + loss.snapshots, len(self.whole))

    def test_a_length_beyond_the_end_hides_nothing(self):
        lying = streams.packet(streams.DELTA, b"x" * 100)
        for place in ends_of_packets(self.data)[1:8:3]:
            head = bytearray(lying[:12])
            head[4:8] = (streams.DELTA | 0xFFFFFF << 8).to_bytes(4, "little")
            head[2:4] = (packets.plain_xxh32(bytes(head[4:])) & 0xFFFF).to_bytes(2, "little")
            found, loss = read(self.data[:place] + bytes(head) + self.data[place:])
            self.assertEqual(loss.bytes, 12)
            self.check(found, loss)
            self.assertGreater(len(found), 8)

    def test_damage_is_read_as_faultline_cli_reads_it(self):
        if CLI is None:
            self.skipTest("no faultline-cli is given")
        rng = random.Random(2)
        for _ in range(10):
            damaged, place = bytearray(self.data), rng.randrange(12, len(self.data))
            damaged[place] ^= 1 << rng.randrange(8)
            done = subprocess.run([CLI, "export", "-", "--format", "csv"], input=bytes(damaged), capture_output=True)
            self.assertEqual(done.returncode, 3, done.stderr)
            with faultline.open(io.BytesIO(damaged)) as found:
                keys = [(row["monotonic_ns"], row["pid"]) for row in found.processes()]
                lost = found.loss.snapshots
            rows = csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))
            self.assertEqual(keys, [(int(row["monotonic_ns"]), int(row["pid"])) for row in rows])
            self.assertEqual(bool(lost), b" lost, " in done.stderr)


class Hostile(unittest.TestCase):
    def one(self, *parts):
        found, loss = read(b"".join((streams.PREAMBLE, streams.hello(), *parts)))
        return len(found), loss

    def test_files_that_are_no_recordings_are_refused(self):
        for data, words in ((b"", "empty"), (b"FAULT", "begin"), (b"\x7fELF" * 99, "begin"),
                            (b"FAULTLINE\n\x02\x00", "format 2")):
            with self.assertRaisesRegex(faultline.NotARecording, words):
                faultline.open(io.BytesIO(data))
        with self.assertRaises(FileNotFoundError):
            faultline.open(SOURCE / "no such file")

    def test_impossible_contents_cost_their_packet(self):
        good = [1, 2, WALL, 0, 0, 0, [0], [], [], [streams.process(7, 8, b"a", minor_faults=1)], []]
        for place, bad in ((1, -1), (1, 1 << 62), (2, 1 << 63), (5, 64), (6, [7, 1]), (6, []), (7, [3]), (8, [0, 1, 5]),
                           (8, [1 << 60, 0]), (8, ["x"]), (9, [[7, 8, b"a", 3, 1]]), (9, [[1 << 40, 8, b"a", 0]]),
                           (9, 5), (9, [good[9][0], good[9][0]]), (10, [good[9][0]]), (10, {})):
            wrong = good[:place] + [bad] + good[place + 1:]
            with self.subTest(place=place, bad=bad):
                after = streams.snapshot(2, WALL, [streams.process(1, 1, b"b", threads=1)])
                count, loss = self.one(streams.packet(streams.KEY, wrong), after, streams.end())
                self.assertEqual((count, loss.packets), (1, 1))

    def test_deep_long_and_unfinished_values_are_skipped(self):
        many = b"\xdd" + (2_200_000).to_bytes(4, "big") + b"\x90" * 2_200_000
        for payload in (b"\x91" * 1000, b"\xdd\xff\xff\xff\xff", many, b"\xdf\xff\xff\xff\xff",
                        b"\xc6\xff\xff\xff\xffx", b"", b"\xc1", b"\xd3\0", b"\x81\x91\0\0", b"\0\0"):
            for way in [unpack.plain] + [unpack.fast] * (unpack.msgpack is not None):
                with self.assertRaises(Exception, msg=payload[:9]):
                    way(payload)
            tracemalloc.start()
            count, loss = self.one(streams.packet(streams.KEY, payload), streams.snapshot(0, WALL, []), streams.end())
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertEqual((count, loss.packets), (1, 1), payload[:9])
            self.assertLess(peak, 300 << 20)

    def test_nested_headers_end_in_bounded_work(self):
        class Counted:
            def __init__(self):
                self.bytes = 0

            def __call__(self, data):
                self.bytes += len(data)
                return packets.plain_xxh32(data) if len(data) <= 16 else 1
        head = bytearray(b"FL\0\0" + (streams.KEY | 200_000 << 8).to_bytes(4, "little") + b"\0\0\0\0")
        head[2:4] = (packets.plain_xxh32(bytes(head[4:])) & 0xFFFF).to_bytes(2, "little")
        data = streams.PREAMBLE + bytes(head) * 20_000
        with mock.patch.object(packets, "_xxh32", Counted()) as counted:
            found, loss = read(data)
        self.assertEqual((len(found), loss.bytes + loss.cut_bytes), (0, len(data) - 12))
        self.assertLess(counted.bytes, 2 * ((64 << 20) + 5 * len(data)))

    def test_names_need_not_be_utf_8(self):
        odd = streams.process(1, 1, b"\xff;\0\xc3\xa9", threads=1)
        with recording(streams.hello(), streams.snapshot(0, WALL, [odd])) as found:
            row, = found.processes()
        self.assertEqual(row["name"], "\\xff;\\x00é")

    def test_services_stand_beside_processes_and_are_none_where_nobody_knows_them(self):
        told = [[pid, 1, b"a", 1, 5, *more] for pid, more in enumerate(
            ([], [b"docker 3f2a"], [b"none", ["newer"]], [b"\xff.service"]))]
        with recording(streams.hello(), streams.snapshot(0, WALL, told)) as found:
            services = [row["service"] for row in found.processes()]
        self.assertEqual(services, [None, "docker 3f2a", "none", "\\xff.service"])

    def test_metrics_of_newer_writers_keep_safe_names(self):
        known = streams.metrics(metrics.PROCESS, 64)
        more = [{**known[0], "id": 40 + place, "name": name}
                for place, name in enumerate(('x"; DROP TABLE', "pid", "new_bytes"))]
        told = streams.hello(process_metrics=known + more)
        with recording(told, streams.snapshot(0, WALL, [[1, 1, b"a", 1 | 7 << 40, 5, 6, 7, 8]])) as found:
            row, = found.processes()
        self.assertEqual([row[name] for name in ("minor_faults", "metric_40", "metric_41", "new_bytes")], [5, 6, 7, 8])

    def test_a_lost_hello_costs_no_row(self):
        one = streams.process(1, 1, b"a", minor_faults=5, commit_bytes=6)
        with recording(streams.snapshot(0, WALL, [one])) as found:
            row, = found.processes()
        self.assertEqual((row["minor_faults"], row["commit_bytes"], row["threads"]), (5, 6, None))


class Counters(unittest.TestCase):
    def test_differences_wrap_as_the_recording_tells(self):
        self.assertEqual(difference(2**32 - 5, 5, 32), 10)
        self.assertEqual([difference(7, 5, 64), difference(7, 5, 32), difference(None, 5, 64), difference(5, 7, 64)],
                         [None, None, None, 2])

    def test_ends_and_reused_pids_add_up(self):
        start = 10**12
        first, second = (1, 500, b"old"), (1, start + 15 * 10**8, b"new")
        make = lambda who, faults: streams.process(*who, minor_faults=faults)
        with recording(streams.hello(32), streams.snapshot(0, WALL, [make(first, 2**32 - 10)]),
                       streams.snapshot(1, WALL + 10**9, [], changed=[0, 1, 4], key=False),
                       streams.snapshot(2, WALL + 2 * 10**9, [make(second, 30)], [make(first, 20)], gone=[0],
                                        key=False),
                       streams.snapshot(3, WALL + 3 * 10**9, [make(second, 33)]), streams.end()) as found:
            rows = [tuple(row[name] for name in ("name", "minor_faults", "exited", "born"))
                    for row in found.processes().differences()]
            recorded = [row["minor_faults"] for row in found.processes()]
        self.assertEqual(rows, [("old", None, False, False), ("old", 4, False, False), ("old", 26, True, False),
                                ("new", 30, False, True), ("new", 3, False, False)])
        self.assertEqual(recorded, [2**32 - 10, 2**32 - 6, 20, 30, 33])

    def test_absent_is_not_zero(self):
        with recording(streams.hello(), streams.snapshot(0, WALL, [streams.process(1, 1, b"a", threads=0)])) as found:
            row, = found.processes()
        self.assertEqual((row["threads"], row["minor_faults"]), (0, None))

    def test_two_recordings_in_a_file_are_not_compared_with_each_other(self):
        process = streams.process(1, 1, b"a", minor_faults=5)
        one = streams.PREAMBLE + streams.hello() + streams.snapshot(0, WALL, [process])
        with faultline.open(io.BytesIO(one + one)) as found:
            self.assertEqual([row["minor_faults"] for row in found.processes().differences()], [None, None])
            self.assertEqual(found.loss.snapshots, 0)


class Speedups(unittest.TestCase):
    def test_both_checksums_agree(self):
        self.assertEqual([packets.plain_xxh32(data) for data in (b"", b"abc")], [0x02CC5D05, 0x32D153FF])
        if packets.xxh32_intdigest is not None:
            rng = random.Random(3)
            for size in [*range(70), 1000]:
                data = rng.randbytes(size)
                self.assertEqual(packets.plain_xxh32(data), packets.xxh32_intdigest(data))

    @unittest.skipUnless(unpack.msgpack, "msgpack is not installed")
    def test_both_readers_of_messagepack_agree(self):
        for file in GOLD:
            for _, payload in packets.packets(io.BytesIO(file.read_bytes()), faultline.Loss()):
                if payload:
                    self.assertEqual(unpack.plain(payload), unpack.fast(payload))


class Export(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_it(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as told:
            return command.main([str(word) for word in words]), told.getvalue()

    def totals(self):
        base = sqlite3.connect(self.folder / "fleet.db")
        self.addCleanup(base.close)
        return {table: base.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("processes", "system", "frames", "faults", "recordings")}

    def test_sqlite_has_all_rows_and_a_second_export_replaces_them(self):
        for _ in range(2):
            code, told = self.run_it("export", "--format", "sqlite", "-o", self.folder / "fleet.db", *GOLD)
            self.assertEqual((code, told), (0, ""))
            self.assertEqual(self.totals(), {"processes": 1460 + 1523 + 1523, "system": 390,
                                             "frames": 249 + 249 + 16 + 99 + 92, "faults": 24 + 614,
                                             "recordings": len(GOLD)})
        with contextlib.closing(sqlite3.connect(self.folder / "fleet.db")) as base:
            told = base.execute("SELECT DISTINCT unit, grade FROM columns WHERE name = 'zeroed_bytes' AND "
                                "of_table = 'frames' AND machine = 'format_1_8_frames'").fetchall()
        self.assertEqual(told, [("bytes", "exact")])

    def test_exit_codes_tell_what_could_not_be_read(self):
        data = GOLD[0].read_bytes()
        good, cut, none = (self.folder / name for name in ("good.faultline", "cut.faultline", "none.faultline"))
        good.write_bytes(data)
        cut.write_bytes(data[:-500])
        none.write_bytes(b"nothing")
        to = ("export", "--format", "sqlite", "-o", self.folder / "fleet.db")
        for files, code, words in (([good], 0, ""), ([good, cut], 3, "cut off"), ([good, none, cut], 1, "FAULTLINE"),
                                   ([good, self.folder / "missing"], 1, "missing"), ([good, good], 1, "another file")):
            found, told = self.run_it(*to, *files)
            self.assertEqual(found, code, told)
            self.assertIn(words, told)
        self.assertEqual(self.totals()["recordings"], 2)
        with self.assertRaises(SystemExit) as raised, contextlib.redirect_stderr(io.StringIO()):
            command.main(["export", "--format", "csv", "-o", "x", "y"])
        self.assertEqual(raised.exception.code, 2)

    def test_machines_are_named_by_option_folder_or_file(self):
        place = self.folder / "host-1"
        place.mkdir()
        (place / "day.faultline").write_bytes(GOLD[0].read_bytes())
        for words, name in ((["--machine", "m"], "m"), (["--machine-from", "folder"], "host-1"), ([], "day")):
            base = self.folder / f"{name}.db"
            code, _ = self.run_it("export", "--format", "sqlite", "-o", base, *words, place / "day.faultline")
            self.assertEqual(code, 0)
            with contextlib.closing(sqlite3.connect(base)) as found:
                self.assertEqual(found.execute("SELECT DISTINCT machine FROM processes").fetchall(), [(name,)])

    @unittest.skipUnless(have("pyarrow"), "pyarrow is not installed")
    def test_parquet_has_partitions_units_and_all_rows(self):
        import pyarrow.dataset
        import pyarrow.parquet
        late = self.folder / "_long.faultline"
        late.write_bytes(streams.PREAMBLE + streams.hello() + b"".join(
            streams.snapshot(n, WALL + n * 6 * 3600 * 10**9, [streams.process(1, 1, b"a", minor_faults=n)])
            for n in range(9)) + streams.end())
        for _ in range(2):
            code, told = self.run_it("export", "--format", "parquet", "-o", self.folder / "fleet", *GOLD, late)
            self.assertEqual((code, told), (0, ""))
            found = {table: pyarrow.dataset.dataset(self.folder / "fleet" / table, partitioning="hive").to_table()
                     for table in ("processes", "system", "frames", "faults", "recordings")}
            self.assertEqual({table: rows.num_rows for table, rows in found.items()},
                             {"processes": 4506 + 9, "system": 399, "frames": 705, "faults": 638,
                              "recordings": len(GOLD) + 1})
        days = list((self.folder / "fleet/processes").glob("machine=%5Flong/day=*/%5Flong-*.parquet"))
        self.assertEqual(len(days), 3)
        self.assertEqual(list(self.folder.glob("fleet/**/*.part")), [])
        field = pyarrow.parquet.read_schema(days[0]).field("zeroed_bytes")
        self.assertEqual(field.metadata[b"unit"], b"bytes")
        self.assertIn(b"grade", field.metadata)

    @unittest.skipUnless(all(map(have, ("pandas", "polars", "pyarrow"))), "pandas, polars or pyarrow is not installed")
    def test_frames_of_libraries_have_the_same_numbers(self):
        with faultline.open(SWEEPS[0]) as found:
            table = found.processes().differences()
            sums = {name: sum(value or 0 for value in values if value is None or value < 1 << 63)
                    for name, values in table.to_dict().items() if name in metrics.PROCESS}
            pandas, polars, arrow = table.to_pandas(), table.to_polars(), table.to_arrow()
            for name, total in sums.items():
                sums = int(pandas[name].sum()), polars[name].sum() or 0, arrow[name].to_pandas().sum()
                self.assertEqual(sums, (total,) * 3, name)
            self.assertEqual(pandas.attrs["columns"]["fault_ns"]["unit"], "ns")
            self.assertEqual(str(pandas["wall_time"].dt.tz), "UTC")

    @unittest.skipUnless(have("pandas"), "pandas is not installed")
    def test_the_notebook_runs(self):
        book = json.loads((PACKAGE / "faultline.ipynb").read_text(encoding="utf-8"))
        self.assertEqual(len(book["cells"]), 10)
        if have("nbclient") and have("ipykernel"):
            import nbclient
            import nbformat
            book = nbformat.read(PACKAGE / "faultline.ipynb", 4)
            with mock.patch.dict(os.environ, PYTHONPATH=str(PACKAGE)):
                nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(PACKAGE)}}).execute()
            told = "".join(str(cell.get("outputs")) for cell in book["cells"])
        else:
            scope, before = {"display": print}, os.getcwd()
            os.chdir(PACKAGE)
            self.addCleanup(os.chdir, before)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                for cell in book["cells"]:
                    if cell["cell_type"] == "code":
                        exec(compile("".join(cell["source"]), "faultline.ipynb", "exec"), scope)
            told = out.getvalue()
        self.assertIn("Vertices::append (mesh.h:44)", told)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
