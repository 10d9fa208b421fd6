"""faultline-cli's profiles, read by pprof itself where Go is installed: pprof_test.py BIN SOURCE_FOLDER"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN, SOURCE = sys.argv[1:3]
RECORDING = os.path.join(SOURCE, "tests", "fixtures", "stream", "format_1_8_frames.faultline")


def export(form):
    command = [os.path.join(BIN, "faultline-cli"), "export", RECORDING, "--format", form]
    return subprocess.run(command, check=True, capture_output=True).stdout


class Pprof(unittest.TestCase):
    @unittest.skipUnless(shutil.which("go"), "Go is not installed")
    def test_pprof_reads_the_faults_of_the_folded_stacks(self):
        folded = export("folded").decode()
        total = sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines())
        self.assertGreater(total, 0)
        innermost = {}
        for line in folded.splitlines():
            stack, faults = line.rsplit(" ", 1)
            calls = stack.split(";")
            if len(calls) > 1:
                innermost[calls[-1]] = innermost.get(calls[-1], 0) + int(faults)
        with tempfile.TemporaryDirectory() as folder:
            profile = os.path.join(folder, "faults.pb")
            with open(profile, "wb") as file:
                file.write(export("pprof"))
            environment = dict(os.environ, HOME=folder, PPROF_TMPDIR=folder)
            top = subprocess.run(["go", "tool", "pprof", "-top", "-nodecount=1000", "-nodefraction=0", profile],
                                 check=True, capture_output=True, text=True, env=environment).stdout
        self.assertIn("Type: page_faults", top)
        self.assertEqual(total, int(re.search(r"of (\d+) total", top)[1]))
        for function, faults in innermost.items():
            self.assertRegex(top, r"(?m)^\s+%d\s.*\s%s$" % (faults, re.escape(function)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
