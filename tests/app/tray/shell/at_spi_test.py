#!/usr/bin/env python3
"""The words that the real tray app tells a screen reader, over AT-SPI, in a session of its own.

at_spi_test.py BIN ARTEFACTS; exit code 77: skipped, because a program or a binding that it needs is missing."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

DEADLINE = 60  # seconds: a slow machine is no failure
TOOLS = ["Xvfb", "dbus-run-session"]
SYSTEM_PYTHON = "/usr/bin/python3"  # has the bindings of the distribution's packages
EXPECTED = ["minor faults/s: ", "major faults/s: ", "in page faults/s: ", "zeroed/s: ", "commit: ", "Faultline's own CPU: ",
            "Plots of faults, their time, zeroing and commit over time: Faults, ", "Synthetic machine", "not pinned", "compositor", "peak "]


def names(node, depth=0):
    """The names of all that is on show below it, one after the other."""
    from gi.repository import Atspi
    if node is None or depth > 20:
        return
    if depth > 1 and not node.get_state_set().contains(Atspi.StateType.SHOWING):
        return
    yield node.get_name() or ""
    for i in range(min(node.get_child_count(), 400)):
        yield from names(node.get_child_at_index(i), depth + 1)


def heard():
    from gi.repository import Atspi
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(i)
        if application is not None and "faultline" in (application.get_name() or "").lower():
            return list(names(application))
    return []


def inside(binary, artefacts):
    """Runs within the session."""
    app = subprocess.Popen([binary, "--synthetic"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + DEADLINE
    missing, lines = EXPECTED, []
    try:
        while missing and time.monotonic() < end:
            time.sleep(1)
            lines = heard()
            missing = [part for part in EXPECTED if not any(line.startswith(part) for line in lines)]
    finally:
        app.kill()
        app.wait()
    with open(os.path.join(artefacts, "at_spi_dump.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    if missing:
        sys.exit("A screen reader is not told: " + ", ".join(missing) + "\nIt is told:\n" + "\n".join(lines))


def main():
    binary, artefacts = sys.argv[1] + "/faultline", sys.argv[2]
    if len(sys.argv) > 3:
        return inside(binary, artefacts)
    try:
        import gi
        gi.require_version("Atspi", "2.0")
    except (ImportError, ValueError):
        if os.access(SYSTEM_PYTHON, os.X_OK) and not os.path.samefile(sys.executable, SYSTEM_PYTHON):
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", *sys.argv])
        print("skipped: no binding of AT-SPI for Python")
        sys.exit(77)
    for tool in TOOLS:
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is missing")
            sys.exit(77)
    os.makedirs(artefacts, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.mkdir(home + "/run", 0o700)
        reader, writer = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                                  pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        try:
            with os.fdopen(reader) as numbers:
                display = ":" + numbers.readline().strip()
            environment = dict(os.environ, HOME=home, XDG_RUNTIME_DIR=home + "/run", XDG_CONFIG_HOME=home + "/config",
                               XDG_DATA_HOME=home + "/data", XDG_CACHE_HOME=home + "/cache", DISPLAY=display,
                               LC_ALL="C.UTF-8", QT_QPA_PLATFORM="xcb", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
            environment.pop("WAYLAND_DISPLAY", None)
            environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
            done = subprocess.run(["dbus-run-session", "--", sys.executable, "-B", *sys.argv, "inside"],
                                  env=environment, timeout=3 * DEADLINE)
        finally:
            server.terminate()
            server.wait()
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
