#!/usr/bin/env python3
"""The real tray app at a login where the panel comes late, comes again, or never comes.

late_panel_test.py BIN; exit code 77: skipped, because a program or a binding that it needs is missing."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from desktop_test import Desktop, until

TOOLS = ["Xvfb", "openbox", "trayer", "dbus-daemon", "xdotool", "xwininfo", "xprop"]
SYSTEM_PYTHON = "/usr/bin/python3"  # has the bindings of the distribution's packages
BUS_PANEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bus_panel.py")


class Login:
    def __init__(self, binary, **how):
        self.home = tempfile.TemporaryDirectory(prefix="faultline-login-")
        self.desktop = Desktop(self.home.name, **how)
        self.app = self.desktop.start([os.path.join(binary, "faultline"), "--hidden", "--synthetic"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.desktop.close()
        self.home.cleanup()

    def bus_panel(self, log):
        with open(log, "w", encoding="utf-8") as out:
            panel = subprocess.Popen([SYSTEM_PYTHON, BUS_PANEL], env=self.desktop.environment, stdout=out)
        self.desktop.children.append(panel)
        return panel

    def alive(self):
        assert self.app.poll() is None, "the app has ended: %s" % self.app.returncode


def registered(log):
    with open(log, encoding="utf-8") as file:
        return "registered" in file.read()


def end(child):
    child.terminate()
    child.wait()


def check_bus(binary):
    with Login(binary, panel=False, bus=True) as login:
        time.sleep(3)  # the app has looked for a tray
        assert not login.desktop.window(), "a window shows though a panel may still come"
        logs = [os.path.join(login.home.name, name) for name in ("first", "second")]
        panel = login.bus_panel(logs[0])
        until("a panel that comes late gets the icon", lambda: registered(logs[0]))
        end(panel)
        until("without a panel the hidden window shows", login.desktop.window)
        login.bus_panel(logs[1])
        until("a panel that starts again gets the icon again", lambda: registered(logs[1]))
        login.alive()


def check_x(binary):
    with Login(binary, panel=False) as login:
        time.sleep(3)
        assert not login.desktop.window(), "a window shows though a panel may still come"
        panel = login.desktop.start_panel()
        until("an X panel that comes late gets the icon", login.desktop.icon)
        end(panel)
        until("without a panel the hidden window shows", login.desktop.window)
        login.desktop.start_panel()
        until("an X panel that starts again gets the icon again", login.desktop.icon)
        login.alive()


def check_none(binary):
    with Login(binary, panel=False) as login:
        until("where no panel comes, the hidden window shows", login.desktop.window)
        login.alive()


def main():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if subprocess.run([SYSTEM_PYTHON, "-c", "from gi.repository import Gio"], capture_output=True).returncode != 0:
        missing.append("the bindings python3-gi")
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        return 77
    for check in (check_bus, check_x, check_none):
        check(sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
