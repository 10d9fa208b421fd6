"""The rules and the dashboard by a real Prometheus that scrapes a synthetic machine, and fleet.yml by one that scrapes
twenty: prometheus_test.py SOURCE BIN TOOLS.
TOOLS has prometheus and promtool, which Debian's package prometheus brings."""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

SOURCE, BIN, TOOLS = sys.argv[1:4]
PLACE = os.path.join(SOURCE, "resources", "integrations", "prometheus")


def promtool(*words, **more):
    done = subprocess.run([os.path.join(TOOLS, "promtool"), *words], capture_output=True, text=True, cwd=PLACE, **more)
    return done.returncode, done.stdout + done.stderr


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def expressions():
    """Those of the dashboard, as Grafana sends them, and of the rules."""
    with open(os.path.join(PLACE, "dashboard.json"), encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    found = [target["expr"] for panel in panels for target in panel["targets"]]
    with open(os.path.join(PLACE, "rules.yml"), encoding="utf-8") as file:
        found += re.findall(r"(?m)^\s+expr: (.*)$", file.read())
    for name, value in (("$instance", ".*"), ("$__rate_interval", "1m"), ("$__range", "1m")):
        found = [expression.replace(name, value) for expression in found]
    return found


class Rules(unittest.TestCase):
    def test_promtool_accepts_rules_and_configuration_and_their_tests_pass(self):
        for words in (("check", "rules", "rules.yml", "fleet_rules.yml"), ("check", "config", "prometheus.yml", "fleet.yml"),
                      ("test", "rules", "rules_test.yml")):
            code, told = promtool(*words)
            self.assertEqual(0, code, told)


class RealPrometheus(unittest.TestCase):
    """Started with a configuration of resources/, whose places and times `replaced` changes, and a `faultline-cli serve`."""

    @classmethod
    def start(cls, configuration, serve, replaced):
        cls.folder = tempfile.mkdtemp()
        cls.served, cls.port = free_port(), free_port()
        with open(os.path.join(PLACE, configuration), encoding="utf-8") as file:
            text = file.read()
        rules = re.search(r"rule_files: \[(.*)\]", text)[1]
        for old, new in {"127.0.0.1:9469": f"127.0.0.1:{cls.served}", rules: os.path.join(PLACE, rules), **replaced}.items():
            text = text.replace(old, new)
        with open(os.path.join(cls.folder, configuration), "w", encoding="utf-8") as file:
            file.write(text)
        cls.started = [
            subprocess.Popen([os.path.join(BIN, "faultline-cli"), "serve", "--synthetic", *serve, "--listen", f"127.0.0.1:{cls.served}"],
                             stderr=subprocess.DEVNULL),
            subprocess.Popen([os.path.join(TOOLS, "prometheus"), f"--config.file={cls.folder}/{configuration}",
                              f"--storage.tsdb.path={cls.folder}/data", f"--web.listen-address=127.0.0.1:{cls.port}"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]

    @classmethod
    def await_result(cls, expression):
        end = time.monotonic() + 120
        while time.monotonic() < end and len(cls.ask(expression)) == 0:
            time.sleep(0.5)

    @classmethod
    def tearDownClass(cls):
        for process in cls.started:
            process.terminate()
            process.wait()
        shutil.rmtree(cls.folder)

    @classmethod
    def ask(cls, expression):
        words = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{cls.port}/api/v1/query?{words}", timeout=20) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{expression}: {error.read().decode()}") from error
        except (urllib.error.URLError, ConnectionError):
            return []

    def value(self, expression):
        found = self.ask(expression)
        self.assertEqual(1, len(found), expression)
        return float(found[0]["value"][1])


class Scraped(RealPrometheus):
    @classmethod
    def setUpClass(cls):
        cls.start("prometheus.yml", ["--interval", "100ms"], {"15s": "1s"})
        cls.await_result("rate(faultline_sweeps_total[1m])")
        time.sleep(15)

    def test_each_expression_is_valid_and_names_series_that_are_served(self):
        for expression in expressions():
            self.ask(expression)  # fails if it is not valid
            for name in set(re.findall(r"\bfaultline_\w+", expression)) - {"faultline_fault_seconds"}:
                self.assertNotEqual([], self.ask(name), f"{name} of {expression}")

    def test_the_sums_of_programs_and_of_the_machine_agree(self):
        programs = self.value("sum(increase(faultline_minor_faults_total[10s])) + sum(increase(faultline_major_faults_total[10s]))")
        machine = self.value("sum(increase(faultline_machine_faults_total[10s]))")
        self.assertGreater(programs, 0)
        self.assertLess(abs(programs - machine), machine / 5, (programs, machine))


class Fleet(RealPrometheus):
    MACHINES = 20

    @classmethod
    def setUpClass(cls):
        cls.start("fleet.yml", ["--machines", str(cls.MACHINES), "--interval", "200ms"], {"15s": "2s"})
        cls.await_result(f"count(faultline_sweeps_total) == {cls.MACHINES}")
        time.sleep(20)

    def test_all_machines_are_found_and_no_more_of_their_series_are_kept_than_the_rules_let_through(self):
        self.assertEqual(self.MACHINES, self.value('count(up{job="fleet"} == 1)'))
        with urllib.request.urlopen(f"http://127.0.0.1:{self.served}/machines/7/metrics", timeout=20) as page:
            served = sum(1 for line in page.read().decode().splitlines() if not line.startswith("#"))
        kept = self.value('max(count by (instance) ({__name__=~"faultline_.*"}))')
        self.assertGreater(kept, 60)
        self.assertLess(kept, served / 2)
        self.assertEqual([], self.ask("faultline_threads"))

    def test_each_fault_of_each_machine_is_in_the_sum_of_a_program(self):
        rest = ("(faultline_machine_faults_total - on(instance) sum by (instance) (faultline_minor_faults_total)"
                " - on(instance) sum by (instance) (faultline_major_faults_total) - on(instance) faultline_unattributed_faults_total)")
        same = f"count(max_over_time({rest}[14s:2s]) == min_over_time({rest}[14s:2s]))"  # what was before the first sample
        self.assertEqual(self.MACHINES, self.value(same))
        self.assertEqual(self.MACHINES, self.value("count(increase(faultline_machine_faults_total[14s]) > 0)"))

    def test_what_all_have_in_common_is_twenty_times_that_of_one(self):
        self.assertEqual(self.MACHINES * ((16384 + 64 * 64) << 20), self.value("sum(faultline_machine_total_bytes)"))
        seeds = self.value('count(count_values("faults", faultline_machine_faults_total))')
        self.assertEqual(self.MACHINES, seeds)

    def test_the_recorded_sums_are_those_of_the_fleet(self):
        self.await_result("fleet:faultline_fault_seconds:rate5m")
        self.await_result('program:faultline_fault_seconds:rate5m{program="game"}')
        self.assertGreater(self.value('program:faultline_fault_seconds:rate5m{program="game"}'), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
