#!/usr/bin/env python3
"""The real tray app on a real desktop: Xvfb, openbox and trayer, with a home, a session and processes of its own.

desktop_test.py BIN ARTEFACTS; exit code 77: skipped, because a program that it needs is missing."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DEADLINE = 40  # seconds, for each step: a slow machine is no failure
TOOLS = ["Xvfb", "openbox", "trayer", "xdotool", "xwininfo", "xprop", "import"]


class Desktop:
    def __init__(self, home, panel=True, bus=False):
        self.children = []
        self.environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home + "/config", XDG_RUNTIME_DIR=home + "/run",
                                XDG_CACHE_HOME=home + "/cache", XDG_DATA_HOME=home + "/data", LC_ALL="C.UTF-8",
                                DBUS_SESSION_BUS_ADDRESS="disabled:", QT_QPA_PLATFORM="xcb", QT_ACCESSIBILITY="0")
        self.environment.pop("WAYLAND_DISPLAY", None)
        os.mkdir(home + "/run", 0o700)
        reader, writer = os.pipe()
        self.start(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp",
                    "-noreset"],
                   pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as numbers:
            self.environment["DISPLAY"] = ":" + numbers.readline().strip()
        self.manager = self.start(["openbox"])
        until("the window manager runs", lambda: "window id" in self.read("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"))
        if panel:
            self.start_panel()
        if bus:
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + home + "/run/bus"
            self.start(["dbus-daemon", "--session", "--nofork", "--address=" + self.environment["DBUS_SESSION_BUS_ADDRESS"]])
            until("the session bus runs", lambda: os.path.exists(home + "/run/bus"))

    def start_panel(self):
        return self.start(["trayer", "--edge", "top", "--align", "right", "--height", "24", "--widthtype", "request"])

    def start(self, command, **options):
        child = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 **options)
        self.children.append(child)
        return child

    def read(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=DEADLINE).stdout

    def close(self):
        for child in reversed(self.children):
            if child.poll() is None:
                child.terminate()
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    child.kill()

    def window(self):
        """The id of the main window if it is on screen."""
        found = self.read("xdotool", "search", "--onlyvisible", "--name", "^Faultline$").split()
        return found[0] if found else None

    def icon(self):
        """Centre and size of the icon embedded in the tray."""
        for tray in self.read("xdotool", "search", "--class", "trayer").split():
            for line in self.read("xwininfo", "-id", tray, "-tree").splitlines():
                if "faultline" not in line.lower():
                    continue
                geometry = self.read("xwininfo", "-id", line.split()[0])
                if "IsViewable" not in geometry:
                    continue
                values = dict(part.strip().split(": ", 1) for part in geometry.splitlines() if ": " in part)
                width, height = int(values["Width"]), int(values["Height"])
                return (int(values["Absolute upper-left X"]) + width // 2,
                        int(values["Absolute upper-left Y"]) + height // 2, width, height)
        return None

    def click(self, x, y):
        self.read("xdotool", "mousemove", str(x), str(y), "click", "1")

    def screenshot(self, file):
        subprocess.run(["import", "-window", "root", file], env=self.environment, check=True, timeout=DEADLINE)


def until(what, condition):
    end = time.monotonic() + DEADLINE
    while True:
        value = condition()
        if value:
            print("ok:", what, flush=True)
            return value
        if time.monotonic() > end:
            raise AssertionError("not within %d s: %s" % (DEADLINE, what))
        time.sleep(0.1)


def collectors(parent):
    """The pids of `parent`'s collectors."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as stat:
                name, rest = stat.read().rsplit(")", 1)
        except OSError:
            continue
        if "faultline-colle" in name and int(rest.split()[1]) == parent and rest.split()[0] != "Z":
            found.append(int(pid))
    return found


def press(desktop, keys, what, condition):
    """Presses keys in the main window until they have had their effect: focus may arrive after the first press."""
    def attempt():
        if condition():
            return True
        window = desktop.window()
        if window:
            desktop.read("xdotool", "windowactivate", window)
            desktop.read("xdotool", "windowfocus", window)
            desktop.read("xdotool", "key", "--clearmodifiers", keys)
            time.sleep(0.5)
        return condition()
    return until(what, attempt)


def snapshot(desktop, file):
    """The file that Ctrl+S in the window writes."""
    def dialogs():
        return desktop.read("xdotool", "search", "--onlyvisible", "--name", "Snapshot to CSV").split()

    press(desktop, "ctrl+s", "Ctrl+S asks for a file", dialogs)
    desktop.read("xdotool", "windowactivate", "--sync", dialogs()[0])
    desktop.read("xdotool", "key", "--clearmodifiers", "ctrl+a")
    desktop.read("xdotool", "type", "--delay", "20", file)
    desktop.read("xdotool", "key", "Return")
    until("the snapshot is written", lambda: os.path.exists(file) and os.path.getsize(file) > 0)
    until("the question for a file is gone", lambda: not dialogs())
    with open(file, newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def check(desktop, program, artefacts, home):
    app = desktop.start([program])
    until("the window shows", desktop.window)
    x, y, width, height = until("the icon is in the tray", desktop.icon)
    assert 16 <= width <= 48 and 16 <= height <= 48, (width, height)
    first = until("a collector runs", lambda: collectors(app.pid))

    marker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    desktop.children.append(marker)
    pids = set()

    def measured():
        """Another snapshot has all of them: a measurement may be under way when the process starts."""
        file = home + "/now.csv"
        if os.path.exists(file):
            os.remove(file)
        pids.clear()
        pids.update(int(row["pid"]) for row in snapshot(desktop, file))
        return {os.getpid(), app.pid, marker.pid} <= pids

    until("the table holds processes of this machine", measured)
    print("ok: the table holds %d processes, ours among them" % len(pids), flush=True)
    desktop.screenshot(os.path.join(artefacts, "desktop.png"))

    desktop.click(x, y)
    until("a click on the icon hides the window", lambda: not desktop.window())
    time.sleep(1)  # two clicks, not a double click
    desktop.click(x, y)
    until("another click shows it", desktop.window)

    os.kill(first[0], signal.SIGKILL)
    until("a killed collector is replaced", lambda: [pid for pid in collectors(app.pid) if pid != first[0]])

    press(desktop, "alt+F4", "closing hides the window", lambda: not desktop.window())
    assert app.poll() is None and desktop.icon(), "closing the window must leave the icon"
    second = desktop.start([program])
    assert second.wait(DEADLINE) == 0, "the second start must end well"
    until("a second start shows the first's window", desktop.window)

    press(desktop, "ctrl+q", "Ctrl+Q ends it", lambda: app.poll() is not None)
    assert app.returncode == 0, "Ctrl+Q must end it well"
    until("no collector is left", lambda: not collectors(app.pid))


def main():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        return 77
    program = os.path.join(sys.argv[1], "faultline")
    artefacts = sys.argv[2]
    os.makedirs(artefacts, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="faultline-desktop-") as home:
        desktop = Desktop(home)
        try:
            check(desktop, program, artefacts, home)
        except (AssertionError, subprocess.TimeoutExpired):
            print("window manager:", desktop.manager.poll() or "runs", "application window:", desktop.window())
            desktop.screenshot(os.path.join(artefacts, "desktop-failed.png"))
            raise
        finally:
            desktop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
