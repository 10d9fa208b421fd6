"""How figures of benches are read, compared and judged."""
import contextlib, io, os, sys, tempfile, unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import against

VALGRIND = """#!/bin/sh
# A stand-in: the program's arguments are "case"; its instructions are in a file beside the program.
program=$4 case=$5
"$program" "$case"
echo "==1== I   refs:      $(grep "^$case:" "$program.counts" | cut -d: -f2)" >&2
"""
PROGRAM = """#!/bin/sh
[ $# = 0 ] && cut -d: -f1 "$0.counts" || echo found
"""


class Cases(unittest.TestCase):
    def expect(self, line, **cases):
        got = against.cases(line)
        self.assertEqual(list(got), list(cases))
        for name, cost in cases.items():
            self.assertAlmostEqual(got[name], cost)

    def test_a_line_is_a_label_and_its_values(self):
        self.expect("codec, all changing: encode 12 us, decode 2.5 ms (to reach: 5 ms)", **{
            "codec, all changing: encode": 12e-6, "codec, all changing: decode": 2.5e-3})
        self.expect("1000 processes,  15 % active: 124 us per snapshot, of which spikes 33 us (5 found)", **{
            "1000 processes, 15 % active": 124e-6, "1000 processes, 15 % active: of which spikes": 33e-6})
        self.expect("10 Hz: 8 processes, last 1 min: 120 us", **{"10 Hz: 8 processes, last 1 min": 120e-6})

    def test_pieces_after_a_semicolon_have_a_label_of_their_own_or_share_it(self):
        self.expect("300 sparklines: 12 us; living processes: 3 us", **{"300 sparklines": 12e-6, "living processes": 3e-6})
        self.expect("adding: 12 us; 4.5 MB after an hour", **{"adding": 12e-6, "adding, 2": 4.5e6})

    def test_a_number_without_a_unit_has_that_of_the_next(self):
        self.expect("bars: 2, 2.5, 3 ms", **{"bars": 2e-3, "bars, 2": 2.5e-3, "bars, 3": 3e-3})

    def test_the_cost_of_a_rate_is_its_reciprocal(self):
        self.expect("reading: 100 MB/s, 50 snapshots/s", **{"reading": 0.01, "reading, 2": 0.02})

    def test_measured_numbers_do_not_name_a_case(self):
        self.expect("of Windows, 12.3 MB: a sweep 148 us: ratio 1.8", **{"of Windows, # MB: a sweep": 148e-6})
        self.expect("watched, one thread     123.4 ns per call", **{"watched, one thread": 123.4e-9})

    def test_what_has_no_value_is_no_case(self):
        for line in ("goal under 4.0 at 10 Hz: reached", "skipped", "estimate: least 0.9; within 15 %: 9 of 12", "a: 0 us"):
            self.expect(line)


class Verdict(unittest.TestCase):
    def test_the_ratio_is_the_median_of_the_pairs_and_the_spread_their_middle_half(self):
        pairs = [({"a": 10, "gone": 1}, {"a": 10 * ratio, "new": 1}) for ratio in (1.0, 1.1, 1.2, 1.3, 9.0)]
        ratio, spread = against.compared(pairs)["a"]
        self.assertAlmostEqual(ratio, 1.2)
        self.assertAlmostEqual(spread, 0.2)
        self.assertEqual(list(against.compared(pairs)), ["a"])

    def test_a_case_is_compared_only_if_every_run_has_it(self):
        self.assertEqual(against.compared([({"a": 1}, {"a": 1}), ({"a": 1}, {})]), {})

    def test_worse_is_more_than_the_limit_and_more_than_the_spread(self):
        self.assertTrue(against.worse(1.11, 0.10, against.WORSE_TIME))
        self.assertFalse(against.worse(1.09, 0.0, against.WORSE_TIME))
        self.assertFalse(against.worse(1.5, 0.6, against.WORSE_TIME))


class Programs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name
        path = os.environ["PATH"]
        self.addCleanup(os.environ.update, PATH=path)
        os.environ["PATH"] = f"{self.root}:{path}"

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def quietly(self, work, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            failed = work(*arguments)
        return failed, out.getvalue()

    def program(self, name, **counts):
        self.write(f"{name}.counts", "".join(f"{case}: {count:,}\n" for case, count in counts.items()))
        self.write(name, PROGRAM)

    def test_instructions_are_those_beyond_an_empty_run_and_fail_above_three_percent(self):
        self.write("valgrind", VALGRIND)
        self.program("old/core", nothing=1_000, ingest=101_000, parse=201_000, gone=5)
        self.program("new/core", nothing=2_000, ingest=106_000, parse=207_000, fresh=5)
        failed, out = self.quietly(against.instructions, f"{self.root}/old", f"{self.root}/new", ["core"])
        self.assertEqual(failed, ["ingest takes 4.0 % more instructions"])
        self.assertIn("ingest: 0.10 to 0.10 million: 1.0400  WORSE\n", out)
        self.assertIn("parse: 0.20 to 0.20 million: 1.0250\n", out)

    def test_benches_run_in_turn_and_fail_by_the_name_of_the_case(self):
        for side, cost in (("old", 10), ("new", 15)):
            self.write(f"{side}/bench_x", f'#!/bin/sh\necho {side} >>"{self.root}/turns"\necho "slow: {cost} us, same 7 us"\n')
        failed, out = self.quietly(against.times, f"{self.root}/old", f"{self.root}/new", ["x"], 3)
        self.assertEqual(failed, ["x: slow costs 1.50 times as much"])
        self.assertIn("x: slow: same: 1.00, spread 0.00\n", out)
        with open(f"{self.root}/turns", encoding="utf-8") as turns:
            self.assertEqual(turns.read(), "old\nnew\n" * 3)

    def test_a_bench_that_fails_is_not_compared(self):
        self.write("old/bench_x", "#!/bin/sh\necho 'slow: 10 us'\n")
        self.write("new/bench_x", "#!/bin/sh\necho 'slow: 99 us'\nexit 1\n")
        failed, out = self.quietly(against.times, f"{self.root}/old", f"{self.root}/new", ["x"], 1)
        self.assertEqual((failed, out), ([], "x: no case that both have\n"))


if __name__ == "__main__":
    unittest.main()
