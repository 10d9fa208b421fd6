"""The time of zeroing, which readers of a recording derive, is the same for faultline-cli, the package for Python and
the reader that the tests have: zeroing_readers_test.py SOURCE_FOLDER FOLDER_OF_FAULTLINE_CLI"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(SOURCE / "resources/integrations/python"), str(SOURCE / "tests/resources")]
import faultline
import python_streams as streams

CLI = next(pathlib.Path(sys.argv[2]).glob("faultline-cli*"))
GOLD = SOURCE / "tests/fixtures/stream"
SWEEPS = [GOLD / f"{name}.faultline" for name in ("format_1_0", "format_1_1", "format_1_4_sweep")]
WALL = 1_790_000_000 * 10**9


class Zeroing(unittest.TestCase):
    @staticmethod
    def page(file):
        """Time, process, its start and ns, by the reader that is written from stream/format.md."""
        done = subprocess.run([sys.executable, SOURCE / "tests/core/stream/read_stream.py", file, "zeroing"],
                              capture_output=True, text=True, check=True)
        return [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("zeroing ")]

    def zeroing(self, file):
        """By time and process, as all readers tell it."""
        with faultline.open(file) as found:
            ours = {tuple(row[name] for name in ("monotonic_ns", "pid", "start_time")): row["zeroing_ns"]
                    for row in found.processes()}
        page = {tuple(map(int, row[:3])): None if row[3] == "None" else int(row[3])
                for row in self.page(file)}
        done = subprocess.run([CLI, "export", file, "--format", "csv"], capture_output=True, text=True, check=True)
        cli = {tuple(int(row[name]) for name in ("monotonic_ns", "pid", "start_time")):
               int(row["zeroing_ns"]) if row["zeroing_ns"] else None
               for row in csv.DictReader(io.StringIO(done.stdout, newline=""))}
        self.assertEqual(ours, page)
        self.assertEqual(ours, cli)
        return ours

    def test_all_readers_compute_the_same_zeroing_time(self):
        large = 64 << 20

        def taker(times, measured, on_processor):
            return streams.process(1, 1, b"taker", zeroed_bytes=times * large, zeroed_large_bytes=times * large,
                                   large_zeroing_ns=measured, timed_faults=times * 40,
                                   fault_on_processor_ns=on_processor, fault_ns=on_processor)
        costs = [0] * 25 + [200_000, 200_000]
        steps = [((0, 0, 0), (), 0),
                 ((1, 85_000_000, 86_000_000), (), 85_000_000),  # the host backs memory late
                 ((2, 93_500_000, 95_400_000), (), 9_175_040),   # as dear as the cost
                 ((3, 98_500_000, 102_400_000), (), 7_000_000),  # no longer than the faults
                 ((4, 107_500_000, 122_400_000), costs, 13_107_200)]
        cost = {"small_ps_per_kib": 100_000, "large_ps_per_kib": 140_000}
        parts = [streams.snapshot(number, WALL + number * 10**9, [taker(*values)], system=system)
                 for number, (values, system, _) in enumerate(steps)]
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "late.faultline")
            made.write_bytes(b"".join((streams.PREAMBLE, streams.hello(zeroing_cost=cost), *parts, streams.end())))
            told = [*self.zeroing(made).values()]
            self.assertEqual([now - before for before, now in zip([0, *told], told)], [grown for *_, grown in steps])
            synthetic = pathlib.Path(folder, "synthetic.faultline")
            subprocess.run([CLI, "--synthetic", "record", "-o", synthetic, "-d", "3s", "-i", "50ms"], check=True,
                           capture_output=True)
            self.assertGreater(sum(time or 0 for time in self.zeroing(synthetic).values()), 0)
        for file in SWEEPS:
            with self.subTest(file.name):
                self.zeroing(file)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
