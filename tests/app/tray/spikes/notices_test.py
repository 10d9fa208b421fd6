#!/usr/bin/env python3
"""The real tray app, whose spikes a server of notifications on a session bus of its own shows with buttons.

notices_test.py BIN; exit code 77: skipped, because a program or a binding that it needs is missing."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

BIN = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
SYSTEM_PYTHON = "/usr/bin/python3"  # has the bindings of the distribution's packages


def until(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def check(home):
    children = []

    def start(*command, **options):
        children.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, text=True, **options))
        return children[-1]

    address = "unix:path=" + home + "/bus"
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", DBUS_SESSION_BUS_ADDRESS=address,
                       XDG_DATA_HOME=home + "/data", XDG_CONFIG_HOME=home + "/config", QT_ACCESSIBILITY="0")
    os.makedirs(home + "/config/faultline")
    settings = home + "/config/faultline/faultline.conf"
    with open(settings, "w", encoding="utf-8") as out:
        out.write("[General]\nnotify_spikes=true\ninterval_ms=100\n")
    try:
        start("dbus-daemon", "--session", "--nofork", "--address=" + address)
        until("the session bus runs", lambda: os.path.exists(home + "/bus"))
        server = start(SYSTEM_PYTHON, HERE + "/bus_notifications.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert server.stdout.readline() == "ready\n"
        app = start(BIN + "/faultline", "--hidden", "--synthetic")
        word, number, keys, title = server.stdout.readline().split(maxsplit=3)
        assert (word, keys) == ("shown", "default,show,save,mute"), (word, keys)

        def press(key):
            server.stdin.write(f"{number} {key}\n")
            server.stdin.flush()

        press("save")
        folder = home + "/data/faultline"
        until("the recording is saved", lambda: os.path.isdir(folder) and
              any(name.endswith(".faultline") for name in os.listdir(folder)))
        press("mute")
        until("the program is muted", lambda: "muted=" + title.strip() in open(settings, encoding="utf-8").read())
        saved = [name for name in os.listdir(folder) if name.endswith(".faultline")]
        assert len(saved) == 1 and saved[0].startswith("faultline-"), saved
        subprocess.run([BIN + "/faultline-cli", "export", os.path.join(folder, saved[0])], check=True,
                       stdout=subprocess.DEVNULL)
        assert app.poll() is None
    finally:
        for child in reversed(children):
            child.kill()
            child.communicate()


if not shutil.which("dbus-daemon") or subprocess.run([SYSTEM_PYTHON, "-c", "from gi.repository import Gio"],
                                                     check=False, capture_output=True).returncode:
    print("dbus-daemon or python3-gi is missing")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="faultline-notices-") as place:
    check(place)
