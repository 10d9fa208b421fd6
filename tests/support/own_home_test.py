"""The tests in a home full of hostile files: no program of the tests, and none that it starts, opens or changes one.

own_home_test.py BIN"""

import ctypes
import os
import subprocess
import sys
import tempfile
import unittest

BIN = sys.argv.pop()
OWN_HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "own_home")
PYTHON = f".local/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
HOSTILE = {
    ".bashrc": "exit 1\n", ".profile": "exit 1\n", ".fonts.conf": "<", ".Xdefaults": "*font: none\n",
    ".config/faultline/calibration.json": "{", ".config/faultline/faultline.conf": "[General]\ninterval_ms=0\n",
    ".config/autostart/faultline.desktop": "[Desktop Entry]\n", ".config/QtProject.conf": "[Qt]\nstyle=none\n",
    ".config/fontconfig/fonts.conf": "<", ".config/kdeglobals": "[General]\n", ".config/openbox/rc.xml": "<",
    ".cache/fontconfig/CACHEDIR.TAG": "", ".cache/debuginfod_client/cache_clean_interval_s": "0",
    ".local/share/fonts/no.ttf": "no font", ".local/share/recently-used.xbel": "<", ".local/state/faultline/x": "",
    "run/faultline-da39a3ee": "", "run/bus": "", PYTHON + "/usercustomize.py": "import os; os._exit(1)\n"}
# Tests that start the programs with settings, a kept calibration, fonts, and Python.
TESTS = {
    "test_app_cli": ["Without privileges a shell that runs eight programs costs what wait4 says",
                     "Doctor tells which numbers the frames*", "A new or overwritten recording has mode 0600*"],
    "test_platform": ["starting at login*", "*settings that a calibration depends on*"],
    "test_core": ["Python's csv module*"],
    "test_app_tray": ["Start at login*", "A second instance hands*", "The menu exports*"]}
IN_CHANGED_OR_OPENED = 0x002 | 0x004 | 0x020 | 0x040 | 0x080 | 0x100 | 0x200  # inotify(7); 0x020: opened


class Tripwire:
    """All that happens to the files of a folder and of those below it."""

    def __init__(self, top):
        libc = ctypes.CDLL(None, use_errno=True)
        self.folders = {}
        self.events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        for folder in [folder for folder, _, _ in os.walk(top)]:  # first all: a walk opens folders
            self.folders[libc.inotify_add_watch(self.events, folder.encode(), IN_CHANGED_OR_OPENED)] = folder

    def touched(self):
        try:
            data = os.read(self.events, 1 << 16)
        except BlockingIOError:
            return set()
        found = set()
        while data:
            watch, length = int.from_bytes(data[:4], "little"), int.from_bytes(data[12:16], "little")
            found.add(os.path.join(self.folders[watch], data[16:16 + length].rstrip(b"\0").decode()))
            data = data[16 + length:]
        return found


class OwnHome(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.home = scratch.name
        for name, text in HOSTILE.items():
            path = os.path.join(self.home, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.wire = Tripwire(self.home)

    def run_here(self, *command):
        at = {"HOME": "", "XDG_CONFIG_HOME": ".config", "XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".local/share",
              "XDG_STATE_HOME": ".local/state", "XDG_RUNTIME_DIR": "run"}
        places = {name: os.path.join(self.home, folder) for name, folder in at.items()}
        return subprocess.run(command, env={**os.environ, **places}, capture_output=True, text=True)

    def test_the_wire_tells_what_is_opened(self):
        self.run_here("sh", "-c", '. "$HOME/.profile"; true')
        self.assertEqual(self.wire.touched(), {os.path.join(self.home, ".profile")})
        self.run_here(sys.executable, "-c", "pass")
        self.assertIn(os.path.join(self.home, PYTHON, "usercustomize.py"), self.wire.touched())

    def test_the_test_programs_leave_it_alone(self):
        for program, names in TESTS.items():
            if not os.path.exists(os.path.join(BIN, program)):
                continue
            done = self.run_here(os.path.join(BIN, program), ",".join(names))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(self.wire.touched(), set(), program)

    def test_a_script_that_is_a_test_leaves_it_alone(self):
        done = self.run_here(OWN_HOME, "bash", "-lc", f"cat ~/.bashrc; python3 -c pass && echo x > ~/x; {sys.executable} -c 'exit(77)'")
        self.assertEqual((done.returncode, done.stdout), (77, ""), done.stderr)
        self.assertEqual(self.wire.touched(), set())


unittest.main()
