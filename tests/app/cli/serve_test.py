"""faultline-cli serve as Prometheus meets it: serve_test.py BIN. Checked by prometheus_client's parsers and, where it is
installed, by promtool."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from control_group import IN_SERVICE, ControlGroup, minor_faults

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.build/python"))  # tests/run puts it there

CLI = os.path.join(sys.argv[1], "faultline-cli")
OPEN_METRICS = "application/openmetrics-text; version=1.0.0"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Served:
    """A synthetic machine, or this one, that is served until the block ends."""

    def __init__(self, *options, machine=("--synthetic",)):
        self.port = free_port()
        self.options = (*machine, *options)

    def __enter__(self):
        self.process = subprocess.Popen(
            [CLI, "serve", "--interval", "50ms", "--listen", f"127.0.0.1:{self.port}", *self.options],
            stderr=subprocess.PIPE, text=True)
        self.told = self.process.stderr.readline()
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.code = self.process.wait(30)
        self.process.stderr.close()

    def await_sweeps(self, count):
        """Numbers that are asked for afterwards are newer than this call."""
        sweeps = lambda: int(re.search(r"(?m)^faultline_sweeps_total (\d+)$", self.ask()[2])[1])
        first = sweeps()
        while sweeps() < first + count:
            time.sleep(0.05)

    def ask(self, path="/metrics", method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Content-Type"), answer.read().decode()
        finally:
            connection.close()


def programs(page, name):
    return {program: float(value)
            for program, value in re.findall(r'(?m)^%s\{program="([^"]*)"\} (\S+)$' % name, page)}


class Serve(unittest.TestCase):
    def test_both_formats_by_their_parsers(self):
        try:
            from prometheus_client import openmetrics, parser
            import prometheus_client.openmetrics.parser
        except ImportError:
            self.skipTest("prometheus_client is not installed")
        with Served() as served:
            self.assertIn(f"http://127.0.0.1:{served.port}/metrics", served.told)
            status, kind, text = served.ask()
            self.assertEqual((200, "text/plain; version=0.0.4; charset=utf-8"), (status, kind))
            families = {family.name: family for family in parser.text_string_to_metric_families(text)}
            self.assertEqual("counter", families["faultline_minor_faults"].type)
            status, kind, text = served.ask(Accept=OPEN_METRICS)
            self.assertEqual((200, "application/openmetrics-text; version=1.0.0; charset=utf-8"), (status, kind))
            families = {family.name: family for family in openmetrics.parser.text_string_to_metric_families(text)}
            self.assertEqual("seconds", families["faultline_fault_seconds"].unit)
            self.assertEqual("info", families["faultline_quality"].type)
            served.await_sweeps(2)
            for accept in ("text/plain", OPEN_METRICS):
                text = served.ask(Accept=accept)[2]
                parse = openmetrics.parser if accept == OPEN_METRICS else parser
                families = {family.name: family for family in parse.text_string_to_metric_families(text)}
                durations = families["faultline_fault_duration_seconds"]
                self.assertEqual("histogram", durations.type)
                buckets = [(float(one.labels["le"]), one.value) for one in durations.samples if one.name.endswith("_bucket")]
                self.assertEqual([128 * 2**i / 1e9 for i in range(27)] + [float("inf")], [bound for bound, _ in buckets])
                self.assertEqual(sorted(count for _, count in buckets), [count for _, count in buckets])
                told = {one.name.rpartition("_")[2]: one.value for one in durations.samples if not one.labels}
                self.assertEqual(buckets[-1][1], told["count"])
                self.assertGreater(told["count"], 0)
                # The synthetic machine's faults take 870 ns, or a known time that is longer.
                self.assertEqual((0, True), (buckets[2][1], buckets[3][1] > 0.9 * told["count"]))
                for name, wanted in (("timed_faults", "count"), ("fault_seconds", "sum")):
                    of_programs = sum(one.value for one in families["faultline_" + name].samples)
                    self.assertAlmostEqual(of_programs, told[wanted], delta=1e-6 + 0.05 * told[wanted])
        self.assertEqual(0, served.code)

    @staticmethod
    def kernel_sum(served, group):
        found = re.search(r'(?m)^faultline_service_control_group_faults_total\{service="faultline-test-%d.service"\} (\d+)$'
                          % os.getpid(), served.ask()[2])
        return int(found[1]) if group.accounts_memory() else None

    def test_the_sum_of_a_service_is_exact(self):
        series = re.compile(r'(?m)^faultline_service_minor_faults_total\{service="faultline-test-%d.service"\} (\d+)$' % os.getpid())
        with ControlGroup(self, f"faultline-test-{os.getpid()}.service") as group:
            child = subprocess.Popen([sys.executable, "-c", IN_SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            try:
                group.add(child.pid)
                with Served("--programs", "1000", machine=()) as served:
                    def counted(wanted=None):
                        for _ in range(200):
                            found = series.search(served.ask()[2])
                            if found and (wanted is None or int(found[1]) == wanted):
                                return int(found[1])
                            time.sleep(0.05)
                        self.fail(f"not {wanted}: {found and found[1]}")

                    def step():
                        child.stdin.write("\n")
                        child.stdin.flush()
                        self.assertEqual("done\n", child.stdout.readline())

                    step()  # the series begins once the service costs something
                    before = minor_faults(child.pid)
                    served.await_sweeps(2)
                    since = counted()
                    kernel = self.kernel_sum(served, group)
                    step()
                    grown = minor_faults(child.pid) - before
                    self.assertGreater(grown, 6000)
                    counted(since + grown)
                    if kernel is not None:  # counted in portions of some dozens for each processor
                        self.assertAlmostEqual(grown, self.kernel_sum(served, group) - kernel, delta=grown // 10)
            finally:
                child.stdin.close()
                child.stdout.close()
                child.wait(30)

    def test_now_is_answered_with_the_numbers_of_a_process(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "XDG_RUNTIME_DIR": folder}

            def now(*options):
                done = subprocess.run([CLI, "now", *options], env=environment, capture_output=True, text=True, timeout=30)
                return done.returncode, done.stdout, done.stderr

            code, _, why = now("-p", str(os.getpid()))
            self.assertEqual(1, code)
            self.assertIn("No Faultline of this user runs", why)
            os.environ["XDG_RUNTIME_DIR"], before = folder, os.environ.get("XDG_RUNTIME_DIR")
            try:
                with Served(machine=()) as served:
                    served.await_sweeps(2)  # rates need two
                    code, line, _ = now("-p", str(os.getpid()))
                    self.assertEqual(0, code)
                    self.assertRegex(line, r"^\S.*: .*\d.* minor/s, .*\d \S+ commit$")
                    self.assertEqual((1, ""), now("-p", "1073741823")[:2])
                    hello, moment = map(json.loads, now("-p", str(os.getpid()), "--format", "json")[1].splitlines())
                    self.assertIn("process_metrics", hello)
                    self.assertEqual([os.getpid()], [process["pid"] for process in moment["processes"]])
            finally:
                os.environ.pop("XDG_RUNTIME_DIR") if before is None else os.environ.update(XDG_RUNTIME_DIR=before)
            self.assertEqual([], os.listdir(folder))

    def test_counters_only_grow_and_no_series_has_a_pid(self):
        with Served("--programs", "3") as served:
            before = {}
            for _ in range(20):
                page = served.ask()[2]
                now = programs(page, "faultline_minor_faults_total")
                for program, faults in before.items():
                    if program in now:
                        self.assertGreaterEqual(now[program], faults)
                self.assertLessEqual(len(now), 4)
                self.assertNotRegex(page, r"\bpid=")
                before = now
                time.sleep(0.1)
            self.assertGreater(sum(before.values()), 0)

    def test_nothing_else_is_reachable(self):
        with Served() as served:
            for path in ("/", "/metrics/", "/../etc/passwd", "/%2e%2e/etc/passwd", "/metrics/x", "/metricsx"):
                self.assertIn(served.ask(path)[0], (400, 404), path)
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                self.assertNotEqual(200, served.ask(method=method)[0], method)
            for line in (b"GET * HTTP/1.1", b"OPTIONS * HTTP/1.1", b"GET http://other/metrics HTTP/1.1", b"GET", b"\0\xff"):
                with socket.create_connection(("127.0.0.1", served.port), timeout=20) as raw:
                    raw.sendall(line + b"\r\nHost: localhost\r\n\r\n")
                    self.assertNotIn(b" 200 ", raw.makefile("rb").readline(), line)
            self.assertEqual((200, ""), served.ask(method="HEAD")[::2])

    def test_silent_slow_and_hostile_clients_do_not_keep_others_out(self):
        with Served() as served:
            silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(3)]
            with socket.create_connection(("127.0.0.1", served.port)) as hostile:
                hostile.sendall(b"GET /metrics HTTP/1.1\r\nAccept: " + b"a" * 100_000)
            self.assertEqual(200, served.ask()[0])
            many = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(15)]
            for one in many + silent:
                one.close()
            self.assertEqual(200, served.ask()[0])

    def test_many_synthetic_machines_have_a_path_each(self):
        with Served("--machines", "3") as served:
            status, kind, text = served.ask("/machines")
            self.assertEqual((200, "application/json"), (status, kind))
            paths = [f"/machines/{number}/metrics" for number in (1, 2, 3)]
            self.assertEqual([([f"127.0.0.1:{served.port}"], path) for path in paths],
                             [(one["targets"], one["labels"]["__metrics_path__"]) for one in json.loads(text)])
            served.await_sweeps(2)
            pages = [served.ask(path) for path in paths]
            self.assertEqual({(200, "text/plain; version=0.0.4; charset=utf-8")}, {page[:2] for page in pages})
            faults = [re.search(r"(?m)^faultline_machine_faults_total (\d+)$", page[2])[1] for page in pages]
            self.assertEqual(3, len(set(faults)), faults)  # each machine has a seed of its own
            for path in ("/machines/", "/machines/0/metrics", "/machines/4/metrics", "/machines/01/metrics", "/machines/-1/metrics",
                         "/machines/1", "/machines/1/", "/machines/18446744073709551617/metrics", "/machines/1/metrics/"):
                self.assertIn(served.ask(path)[0], (400, 404), path)
        self.assertEqual(0, served.code)
        with Served() as served:
            self.assertEqual(404, served.ask("/machines")[0])

    def test_a_file_for_node_exporter_is_whole_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "faultline.prom")
            process = subprocess.Popen([CLI, "serve", "--synthetic", "--interval", "50ms", "--every", "1s", "--textfile", file])
            seen = set()
            end = time.monotonic() + 60
            while len(seen) < 2 and time.monotonic() < end:
                if os.path.exists(file):
                    with open(file, encoding="utf-8") as text:
                        page = text.read()
                    self.assertTrue(page.endswith("\n") and "faultline_quality_info" in page)
                    seen.add(page)
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            self.assertEqual(0, process.wait(30))
            self.assertEqual(2, len(seen))
            self.assertEqual(["faultline.prom"], os.listdir(folder))
            if shutil.which("promtool"):
                checked = subprocess.run(["promtool", "check", "metrics"], input=page, text=True, capture_output=True)
                self.assertEqual((0, ""), (checked.returncode, checked.stdout + checked.stderr))

    def test_wrong_words_and_places_are_told(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            busy = f"127.0.0.1:{taken.getsockname()[1]}"
            for options, words in ((["--listen", busy], "Nothing can listen on " + busy),
                                   (["--listen", "somewhere"], "An address is HOST:PORT"),
                                   (["--textfile", "/nowhere/faultline.prom"], "/nowhere")):
                run = subprocess.run([CLI, "serve", "--synthetic", *options], capture_output=True, text=True, timeout=60)
                self.assertEqual(1, run.returncode, options)
                self.assertIn(words, run.stderr)
        run = subprocess.run([CLI, "serve", "--machines", "2"], capture_output=True, text=True, timeout=60)
        self.assertEqual(1, run.returncode)
        self.assertIn("--machines needs --synthetic", run.stderr)
        for count in ("0", "1001", "x"):
            self.assertNotEqual(0, subprocess.run([CLI, "serve", "--synthetic", "--machines", count], stderr=subprocess.DEVNULL).returncode)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
