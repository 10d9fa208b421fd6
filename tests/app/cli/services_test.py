"""The services of processes in recordings, tables and answers: services_test.py BIN."""
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from control_group import IN_SERVICE, ControlGroup, minor_faults

CLI = os.path.join(sys.argv[1], "faultline-cli")


class Services(unittest.TestCase):
    def run_cli(self, *words):
        done = subprocess.run([CLI, *words], capture_output=True, text=True, timeout=120)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.run_cli(*words), newline="")))

    def setUp(self):
        self.service = f"faultline-test-{os.getpid()}.service"
        group = ControlGroup(self, self.service)
        self.addCleanup(group.__exit__)
        self.child = subprocess.Popen(
            [sys.executable, "-c", IN_SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.child.wait, 30)
        self.addCleanup(self.child.stdout.close)
        self.addCleanup(self.child.stdin.close)
        group.add(self.child.pid)

    def step(self):
        self.child.stdin.write("\n")
        self.child.stdin.flush()
        self.assertEqual("done\n", self.child.stdout.readline())

    def test_a_recording_has_the_service_and_its_exact_sum(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "build.faultline")
            before = minor_faults(self.child.pid)
            recorder = subprocess.Popen([CLI, "record", "-o", file, "--interval", "50ms"], stderr=subprocess.DEVNULL)
            while not os.path.exists(file) or os.path.getsize(file) == 0:
                time.sleep(0.05)
            self.step()
            grown = minor_faults(self.child.pid) - before
            time.sleep(0.5)
            recorder.send_signal(signal.SIGINT)
            self.assertEqual(0, recorder.wait(30))
            answer = json.loads(self.run_cli("query", "processes", file, "--by", "service", "--top", "1000"))
            sums = {row["name"]: row for row in answer["services"]}
            self.assertEqual(grown, sums[self.service]["minor_faults"])
            self.assertEqual((2, 1), (sums[self.service]["most_at_once"], sums[self.service]["started"]))
            rows = self.rows("export", file, "--format", "csv", "--process", f"unit:{self.service.upper()}")
            self.assertEqual({self.service}, {row["service"] for row in rows})
            self.assertEqual(2, len({row["pid"] for row in rows}))  # the program and its child
            processes = json.loads(self.run_cli("query", "processes", file, "--top", "1000"))["processes"]
            self.assertEqual(self.service, {row["pid"]: row["service"] for row in processes}[self.child.pid])

    def test_the_running_machine_tells_services(self):
        row, = self.rows("snapshot", "--format", "csv", "--process", f"unit:{self.service}")
        self.assertEqual((str(self.child.pid), self.service), (row["pid"], row["service"]))
        told = json.loads(self.run_cli("snapshot", "--format", "json"))
        services = {row["pid"]: row["service"] for row in told["moments"][-1]["processes"]}
        self.assertEqual(self.service, services[self.child.pid])

    def test_a_synthetic_machine_has_none(self):
        self.assertEqual({""}, {row["service"] for row in self.rows("snapshot", "--synthetic", "--format", "csv")})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
