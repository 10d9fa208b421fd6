#!/usr/bin/env python3
"""The views for Perfetto's SQL, in a database with the tables that its trace processor makes of a trace: their sums are
those of the CSV file.
usage: perfetto_views_test BIN_FOLDER SOURCE_FOLDER"""
import csv, os, sqlite3, subprocess, sys, tempfile, unittest

BIN, SOURCE = map(os.path.abspath, sys.argv[1:3])
sys.path.append(os.path.join(SOURCE, ".build", "python"))  # tests/run puts it there
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
except ImportError as error:
    print("Perfetto's package for Python:", error)
    sys.exit(77)

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def value_of(note):
    return getattr(note, note.WhichOneof("value"))


def database(trace_file):
    """The tables of the trace processor that the views read."""
    trace = perfetto_trace_pb2.Trace()
    with open(trace_file, "rb") as file:
        trace.ParseFromString(file.read())
    args = []
    found = sqlite3.connect(":memory:")
    found.create_function("EXTRACT_ARG", 2, lambda number, key: None if number is None else args[number].get(key))
    found.executescript("""
        CREATE TABLE process(upid, pid, name);
        CREATE TABLE process_track(id, name, upid);
        CREATE TABLE process_counter_track(id, name, upid);
        CREATE TABLE slice(id INTEGER PRIMARY KEY, ts, dur, track_id, category, name, arg_set_id);
        CREATE TABLE counter(ts, track_id, value);""")
    processes, open_slices = {}, {}
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            if track.HasField("process"):
                processes[track.uuid] = track.process.pid
                found.execute("INSERT INTO process VALUES (?, ?, ?)", (track.process.pid, track.process.pid, track.process.process_name))
            else:
                kind = "process_counter_track" if track.HasField("counter") else "process_track"
                found.execute(f"INSERT INTO {kind} VALUES (?, ?, ?)", (track.uuid, track.name, processes[track.parent_uuid]))
        elif packet.HasField("track_event"):
            event = packet.track_event
            if event.type == COUNTER:
                found.execute("INSERT INTO counter VALUES (?, ?, ?)", (packet.timestamp, event.track_uuid, event.double_counter_value))
            elif event.type == END:
                slice_id, begin = open_slices[event.track_uuid].pop()
                found.execute("UPDATE slice SET dur = ? WHERE id = ?", (packet.timestamp - begin, slice_id))
            else:
                args.append({f"debug.{note.name}": value_of(note) for note in event.debug_annotations})
                row = (packet.timestamp, event.track_uuid, event.categories[0], event.name, len(args) - 1)
                slice_id = found.execute("INSERT INTO slice VALUES (NULL, ?, 0, ?, ?, ?, ?)", row).lastrowid
                if event.type == BEGIN:
                    open_slices.setdefault(event.track_uuid, []).append((slice_id, packet.timestamp))
    with open(os.path.join(SOURCE, "resources/integrations/perfetto/faultline.sql")) as views:
        found.executescript(views.read())
    return found


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        trace, table = (os.path.join(cls.folder.name, name) for name in ("trace", "csv"))
        subprocess.run([os.path.join(BIN, "faultline-cli"), "--synthetic", "frames", "--duration", "1s", "--stacks", "some",
                        "--perfetto", trace, "--csv", table], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(table, newline="") as rows:
            cls.rows = list(csv.DictReader(rows))
        cls.found = database(trace)

    def one(self, query):
        return self.found.execute(query).fetchone()

    def sum_of(self, column):
        return sum(int(row[column] or 0) for row in self.rows)

    def test_frames_are_those_of_the_csv_file(self):
        self.assertGreater(len(self.rows), 100)
        self.assertEqual(self.one("SELECT COUNT(*), SUM(dur), SUM(minor_faults), SUM(fault_ns), SUM(zeroed_bytes), SUM(late) FROM faultline_frame"),
                         (len(self.rows), *map(self.sum_of, ("duration_ns", "minor_faults", "fault_ns", "zeroed_bytes", "late"))))
        worst = max(self.rows, key=lambda row: int(row["minor_faults"]))
        self.assertEqual(self.one(f"SELECT thread, culprit, process FROM faultline_frame WHERE frame = {worst['frame']}"),
                         (int(worst["thread"]), worst["culprit"] or None, "harbour"))

    def test_each_sampled_fault_is_in_a_frame_and_has_its_culprit(self):
        faults, = self.one("SELECT SUM(faults) FROM faultline_fault")
        self.assertGreater(faults, 0)
        self.assertEqual(self.one("SELECT SUM(faults) FROM faultline_culprit"), (faults,))
        in_frames, = self.one("SELECT SUM(faults) FROM faultline_frame_fault")
        self.assertGreater(in_frames, 0.9 * faults)
        self.assertLessEqual(in_frames, faults)
        self.assertEqual(self.one("SELECT COUNT(*) FROM faultline_fault WHERE code IS NULL OR memory IS NULL OR thread IS NULL"), (0,))

    def test_counters_are_those_of_the_frames(self):
        self.assertEqual(self.one("SELECT SUM(value), COUNT(*) FROM faultline_counter WHERE counter = 'Minor faults per frame'"),
                         (self.sum_of("minor_faults"), len(self.rows)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
