"""What just happened, saved by a question, by a signal, and from a ring on disk: save_test.py BIN.

Without the tray app in BIN, its cases are skipped."""
import csv
import io
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BIN = sys.argv[1]
CLI = os.path.join(BIN, "faultline-cli")
TRAY = os.path.join(BIN, "faultline")


def until(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def frame_ends(rows):
    """Of CSV, whose last row may be cut off."""
    whole = rows[:rows.rfind("\n") + 1]
    return [int(row["start_ns"]) + int(row["duration_ns"]) for row in csv.DictReader(io.StringIO(whole))]


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        os.mkdir(self.path("run"), 0o700)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.path("run"), XDG_DATA_HOME=self.path("data"),
                                QT_QPA_PLATFORM="offscreen", DBUS_SESSION_BUS_ADDRESS="disabled:")
        for name in ("WAYLAND_DISPLAY", "DISPLAY"):
            self.environment.pop(name, None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, recording):
        with open(self.path(name), "wb") as out:
            os.fchmod(out.fileno(), 0o600)
            out.write(recording)

    def run_cli(self, *words):
        done = subprocess.run([CLI, *words], cwd=self.folder, env=self.environment, capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr.decode()

    def start(self, *words):
        child = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)

        def end():
            child.kill()
            child.communicate()

        self.addCleanup(end)
        return child

    def times(self, name):
        """Of the snapshots of a whole recording that this user alone may read, in ns."""
        self.assertEqual(0o600, stat.S_IMODE(os.stat(self.path(name)).st_mode))
        code, rows, why = self.run_cli("export", name, "--format", "csv")
        self.assertEqual(0, code, why)
        return sorted({int(row["monotonic_ns"]) for row in csv.DictReader(io.StringIO(rows.decode(errors="replace")))})

    def frames(self, name):
        """The ends of the frames of a recording, in ns."""
        self.assertEqual(0o600, stat.S_IMODE(os.stat(self.path(name)).st_mode))
        code, rows, why = self.run_cli("export", name, "--format", "csv")
        self.assertEqual(0, code, why)
        return frame_ends(rows.decode())

    def snapshots(self, name):
        return len(self.times(name))


class Asked(Case):
    def test_nothing_is_saved_where_nothing_keeps_the_past(self):
        code, out, why = self.run_cli("save")
        self.assertEqual((1, b""), (code, out))
        self.assertIn("No Faultline of this user runs", why)
        self.start(CLI, "serve", "--textfile", "numbers.prom", "--interval", "50ms")
        until("serve answers", lambda: os.listdir(self.path("run")))
        until("serve says why", lambda: "keeps no past" in self.run_cli("save")[2])
        self.assertEqual([], [name for name in os.listdir(self.folder) if name.endswith(".faultline")])
        self.assertEqual(2, self.run_cli("save", "--last", "2h")[0])


@unittest.skipUnless(os.path.exists(TRAY), "the tray app is not built")
class Tray(Case):
    def setUp(self):
        super().setUp()
        self.app = self.start(TRAY, "--hidden")
        until("the tray app has measured", lambda: self.run_cli("save", "--force", "-o", "first.faultline")[0] == 0)

    def test_the_tray_app_tells_its_past(self):
        time.sleep(2)
        code, out, said = self.run_cli("save", "--last", "1min", "-o", "minute.faultline")
        self.assertEqual((0, b""), (code, out), said)
        self.assertRegex(said, r"^Saved [\d.]+ s in \d+ snapshots to minute.faultline: [\d.]+ [KM]iB\.\n$")
        self.assertGreater(self.snapshots("minute.faultline"), self.snapshots("first.faultline"))
        code, recording, _ = self.run_cli("save", "--last", "1s", "-o", "-")
        self.assertEqual(0, code)
        self.assertTrue(recording)
        self.write("second.faultline", recording)
        self.assertIn(self.snapshots("second.faultline"), range(2, 23))  # up to every 50 ms while a spike runs

    def test_an_existing_file_stays_and_a_full_disk_is_told(self):
        before = os.stat(self.path("first.faultline"))
        code, _, why = self.run_cli("save", "-o", "first.faultline")
        self.assertEqual(1, code)
        self.assertIn("--force", why)
        self.assertEqual(before.st_mtime_ns, os.stat(self.path("first.faultline")).st_mtime_ns)
        code, _, why = self.run_cli("save", "--force", "-o", "/dev/full")
        self.assertEqual(1, code)
        self.assertIn("No space left on device", why)

    def test_a_signal_saves_in_the_folder_for_data(self):
        self.app.send_signal(signal.SIGUSR1)
        folder = self.path("data/faultline")
        named = lambda: [name for name in os.listdir(folder) if name.startswith("faultline-")] \
            if os.path.isdir(folder) else []
        until("the recording is there", lambda: any(name.endswith(".faultline") for name in named()))
        self.assertEqual(0o700, stat.S_IMODE(os.stat(folder).st_mode))
        self.assertGreater(self.snapshots(os.path.join(folder, named()[0])), 0)
        self.assertIsNone(self.app.poll())


@unittest.skipUnless(os.path.exists(TRAY), "the tray app is not built")
class Killed(Case):
    RING, EARLIER = "data/faultline/past.faultline", "data/faultline/earlier.faultline"

    def tray(self, display=":1", *words):
        self.environment["DISPLAY"] = display
        return self.start(TRAY, "--hidden", *words)

    def there(self, name, bytes_at_least=1):
        return os.path.exists(self.path(name)) and os.path.getsize(self.path(name)) >= bytes_at_least

    def kill(self, app):
        app.kill()
        app.wait(30)

    def test_a_killed_tray_app_loses_at_most_half_a_second(self):
        for moment in range(6):
            app = self.tray()
            until("the past is kept", lambda: self.there(self.RING))
            time.sleep(random.random() * 2)
            code, known, why = self.run_cli("save", "--last", "1min", "-o", "-")
            self.kill(app)
            self.assertEqual(0, code, why)
            app = self.tray()
            until("the past is offered", lambda: self.there(self.EARLIER))
            self.kill(app)
            self.write("known.faultline", known)
            known, kept = self.times("known.faultline"), self.times(self.EARLIER)
            with self.subTest(moment):
                self.assertLessEqual(known[-1] - kept[-1], 500_000_000)
                self.assertLessEqual(kept[0] - known[0], 500_000_000)
            for name in (self.EARLIER, self.RING):
                if os.path.exists(self.path(name)):
                    os.remove(self.path(name))

    def named(self, beginning):
        folder = self.path("data/faultline")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, name) for name in names if name.startswith(beginning)]

    def test_a_killed_tray_app_loses_at_most_half_a_second_of_frames(self):
        game = self.start(os.path.join(BIN, "fake_game"), "frames=1000000")
        app = self.tray(":1", "--frames", str(game.pid))
        until("frames are kept", lambda: self.named("past-frames-"))
        time.sleep(random.random() * 2)
        saved = lambda: [name for name in self.named("faultline-") if "-frames-" in name and name.endswith(".faultline")]

        def asked():
            app.send_signal(signal.SIGUSR1)
            time.sleep(1)
            return saved()

        until("the app knows frames that have been judged", asked)
        known = self.frames(saved()[0])
        self.kill(app)
        app = self.tray()
        until("the frames are offered", lambda: self.named("earlier-frames-"))
        self.kill(app)
        kept = self.frames(self.named("earlier-frames-")[0])
        self.assertLessEqual(known[-1] - kept[-1], 500_000_000)
        self.assertLessEqual(kept[0], known[0])
        self.assertEqual([], [name for name in self.named("past-frames-")])

    def test_a_second_tray_app_leaves_the_past_of_the_first_alone(self):
        first = self.tray()
        until("the past is kept", lambda: self.there(self.RING))
        second = self.tray(":2")
        time.sleep(2)
        self.assertIsNone(second.poll())
        file = os.stat(self.path(self.RING))
        self.kill(second)
        until("the first goes on", lambda: self.there(self.RING, file.st_size + 1))
        self.assertEqual(file.st_ino, os.stat(self.path(self.RING)).st_ino)
        self.assertFalse(self.there(self.EARLIER))
        self.kill(first)
        self.kill_after_offer(self.tray(":2"))

    def kill_after_offer(self, app):
        until("the past is offered", lambda: self.there(self.EARLIER))
        self.kill(app)
        self.assertGreater(self.snapshots(self.EARLIER), 3)


class Ring(Case):
    def record(self, *words):
        child = self.start(CLI, "--synthetic", "record", "--interval", "20ms", "-o", "day.faultline", *words)
        until("it records", lambda: os.path.exists(self.path("day.faultline")))
        return child

    def copies(self):
        return [name for name in os.listdir(self.folder) if name.startswith("day-")]

    def test_a_signal_copies_what_the_ring_holds(self):
        child = self.record("--ring", "1s")
        until("the ring has turned", lambda: os.path.exists(self.path("day.faultline.before")))
        time.sleep(0.5)
        child.send_signal(signal.SIGUSR1)
        self.assertRegex(child.stderr.readline(), r"^Copied to day-\d{8}-\d{6}\.faultline\.\n$")
        self.assertEqual(1, len(self.copies()))
        count = self.snapshots(self.copies()[0])
        self.assertGreaterEqual(count, 50)
        self.assertLessEqual(count, 130)
        child.send_signal(signal.SIGINT)
        self.assertEqual(0, child.wait(30))
        self.assertGreater(self.snapshots("day.faultline"), 0)

    def test_without_a_ring_the_signal_changes_nothing(self):
        child = self.record()
        child.send_signal(signal.SIGUSR1)
        self.assertIn("only with --ring", child.stderr.readline())
        child.send_signal(signal.SIGINT)
        self.assertEqual(0, child.wait(30))
        self.assertEqual([], self.copies())

    def test_a_killed_watch_of_frames_has_all_that_it_told(self):
        child = subprocess.Popen([CLI, "--synthetic", "frames", "--record", "game.faultline", "--ring", "1s", "--csv", "-"],
                                 cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        told = []
        reader = threading.Thread(target=lambda: told.append(child.stdout.read()))
        reader.start()
        until("the ring has turned", lambda: os.path.exists(self.path("game.faultline.before")))
        time.sleep(random.random())
        child.kill()
        child.wait(30)
        reader.join()
        child.stdout.close()
        told = frame_ends(told[0].decode())
        for name in ("game.faultline.before", "game.faultline"):
            self.assertTrue(self.ends_in(name))
        with open(self.path("both.faultline"), "wb") as both:
            for name in ("game.faultline.before", "game.faultline"):
                with open(self.path(name), "rb") as part:
                    both.write(part.read())
        kept = self.ends_in("both.faultline")
        self.assertEqual(sorted(kept), kept)
        self.assertLessEqual(told[-1], kept[-1])  # a row is told a quarter of a second after its frame, or later
        self.assertGreaterEqual(kept[-1] - kept[0], 1_000_000_000)

    def ends_in(self, name):
        """As frames(), also of a recording without an end."""
        code, rows, why = self.run_cli("export", name, "--format", "csv")
        self.assertIn(code, (0, 3), why)
        return frame_ends(rows.decode())

    def test_a_signal_copies_what_a_ring_of_frames_holds(self):
        child = self.start(CLI, "--synthetic", "frames", "--record", "game.faultline", "--ring", "1s")
        until("the ring has turned", lambda: os.path.exists(self.path("game.faultline.before")))
        child.send_signal(signal.SIGUSR1)
        line = child.stderr.readline()
        self.assertRegex(line, r"^Copied to game-\d{8}-\d{6}\.faultline\.\n$")
        self.assertGreater(len(self.frames(line.split()[2][:-1])), 0)
        child.send_signal(signal.SIGINT)
        self.assertEqual(0, child.wait(30))
        self.assertEqual(2, self.run_cli("--synthetic", "frames", "--ring", "1s")[0])  # of which recording?


unittest.main(argv=sys.argv[:1], verbosity=2)
