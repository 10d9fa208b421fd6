"""Page faults of each test: a plug-in of pytest, in one file. Copy it beside the tests, and load it there (the command
pytest alone does not search the current folder):

    python3 -m pytest -p pytest_faultline --faultline [--faultline-bmf FILE]

    @pytest.mark.faultline(max_faults=2000)
    def test_parse(): ...

--faultline tells the page faults and the CPU time of the calls of all tests, without their fixtures; those of threads and
of processes that a test starts and waits for are included. A test with the mark fails if it has more faults than
max_faults, with or without --faultline. The first test to use a module pays for its import: let a fixture import it.

SPDX-License-Identifier: MIT-0
"""

import json
import resource
import time

import pytest


def _counts():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    children = both[1].ru_utime + both[1].ru_stime
    return (sum(usage.ru_minflt + usage.ru_majflt for usage in both),
            time.process_time_ns() + round(children * 1e9))


def pytest_addoption(parser):
    group = parser.getgroup("faultline")
    group.addoption("--faultline", action="store_true", help="tell the page faults of each test")
    group.addoption("--faultline-bmf", metavar="FILE", help="write them to FILE in Bencher Metric Format")


def pytest_configure(config):
    config.addinivalue_line("markers", "faultline(max_faults): the test fails if it has more page faults")
    config._faultline = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    before = _counts()
    outcome = yield
    faults, cpu_ns = (now - then for now, then in zip(_counts(), before))
    item.config._faultline[item.nodeid] = (faults, cpu_ns)
    item.user_properties += [("faults", faults), ("cpu_ns", cpu_ns)]
    mark = item.get_closest_marker("faultline")
    most = mark.kwargs.get("max_faults") if mark else None
    if most is not None and faults > most and outcome.excinfo is None:
        outcome.force_exception(pytest.fail.Exception(f"{faults} page faults, and max_faults is {most}", pytrace=False))


def pytest_terminal_summary(terminalreporter, config):
    name = config.getoption("--faultline-bmf")
    if name:
        with open(name, "w", encoding="utf-8") as file:
            json.dump({test: {"faults": {"value": faults}, "cpu-ns": {"value": cpu_ns}}
                       for test, (faults, cpu_ns) in config._faultline.items()}, file, indent=2)
    if not config.getoption("--faultline"):
        return
    terminalreporter.section("page faults")
    for test, (faults, cpu_ns) in config._faultline.items():
        terminalreporter.write_line(f"{faults:10} {cpu_ns / 1e6:10.3f} ms of CPU time  {test}")
