"""The rules and the dashboard by a real Prometheus that scrapes a synthetic machine: prometheus_test.py SOURCE BIN TOOLS.
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
        for words in (("check", "rules", "rules.yml"), ("check", "config", "prometheus.yml"), ("test", "rules", "rules_test.yml")):
            code, told = promtool(*words)
            self.assertEqual(0, code, told)


class Scraped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        served, cls.port = free_port(), free_port()
        with open(os.path.join(PLACE, "prometheus.yml"), encoding="utf-8") as file:
            text = file.read().replace("15s", "1s").replace("127.0.0.1:9469", f"127.0.0.1:{served}")
        with open(os.path.join(cls.folder, "prometheus.yml"), "w", encoding="utf-8") as file:
            file.write(text.replace("rules.yml", os.path.join(PLACE, "rules.yml")))
        cls.started = [
            subprocess.Popen([os.path.join(BIN, "faultline-cli"), "serve", "--synthetic", "--interval", "100ms", "--listen",
                              f"127.0.0.1:{served}"], stderr=subprocess.DEVNULL),
            subprocess.Popen([os.path.join(TOOLS, "prometheus"), f"--config.file={cls.folder}/prometheus.yml",
                              f"--storage.tsdb.path={cls.folder}/data", f"--web.listen-address=127.0.0.1:{cls.port}"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
        end = time.monotonic() + 120
        while time.monotonic() < end and len(cls.ask("rate(faultline_sweeps_total[1m])")) == 0:
            time.sleep(0.5)
        time.sleep(15)

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

    def test_each_expression_is_valid_and_names_series_that_are_served(self):
        for expression in expressions():
            self.ask(expression)  # fails if it is not valid
            for name in set(re.findall(r"\bfaultline_\w+", expression)) - {"faultline_fault_seconds"}:
                self.assertNotEqual([], self.ask(name), f"{name} of {expression}")

    def test_the_sums_of_programs_and_of_the_machine_agree(self):
        def value(expression):
            return float(self.ask(expression)[0]["value"][1])
        programs = value("sum(increase(faultline_minor_faults_total[10s])) + sum(increase(faultline_major_faults_total[10s]))")
        machine = value("sum(increase(faultline_machine_faults_total[10s]))")
        self.assertGreater(programs, 0)
        self.assertLess(abs(programs - machine), machine / 5, (programs, machine))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
