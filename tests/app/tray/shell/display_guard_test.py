#!/usr/bin/env python3
"""The real tray app where no window can be shown. display_guard_test.py BIN"""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

BIN = sys.argv.pop(1)
PROGRAM = os.path.join(BIN, "faultline")


def start(*arguments, **display):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.run([PROGRAM, *arguments], env={**environment, **display}, capture_output=True, text=True, timeout=60)


class WithoutDisplay(unittest.TestCase):
    def test_a_window_is_refused_with_a_sentence(self):
        for display in ({}, {"DISPLAY": "nowhere:99"}):
            ended = start(**display)
            self.assertEqual(ended.returncode, 3)
            self.assertIn("faultline: no display can be reached", ended.stderr.splitlines()[-1])
            self.assertIn("faultline-cli top", ended.stderr.splitlines()[-1])

    def test_a_missing_plugin_for_wayland_is_no_missing_display(self):
        ended = start(WAYLAND_DISPLAY="nowhere")
        self.assertEqual(ended.returncode, 3)
        there = glob.glob("/usr/lib*/qt6/plugins/platforms/libqwayland*.so") + \
            glob.glob("/usr/lib/*/qt6/plugins/platforms/libqwayland*.so")
        self.assertIn("no display can be reached" if there else "the package qt6-wayland", ended.stderr.splitlines()[-1])
        self.assertIn("faultline-cli top", ended.stderr.splitlines()[-1])

    def test_what_shows_nothing_needs_none(self):
        self.assertRegex(start("--version").stdout, r"^faultline \d")
        self.assertIn("--screenshot", start("--help").stdout)
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "window.png")
            self.assertEqual(start("--synthetic", "--after", "1", "--screenshot", picture).returncode, 0)
            with open(picture, "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")

    def test_a_picture_of_a_game_that_has_ended_shows_the_frames_that_there_were(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "frames.png")
            game = subprocess.Popen([os.path.join(BIN, "fake_game"), "rate=30", "frames=240"])
            taken = start("--frames", str(game.pid), "--after", "50", "--screenshot", picture)
            self.assertEqual(game.wait(), 7)
            self.assertEqual(taken.returncode, 0, taken.stderr)
            self.assertTrue(os.path.exists(picture))

    def test_numbers_are_checked(self):
        for option in ("--after", "--frames"):
            for text in ("many", "0", "-3", "8x", ""):
                ended = start("--synthetic", "--screenshot", "never.png", f"{option}={text}")
                self.assertEqual(ended.returncode, 1)
                self.assertEqual(ended.stderr.splitlines()[-1],
                                 f"faultline: {option} must be a whole number from 1 on, not '{text}'")

    def test_app_run_can_ask_whether_a_display_can_be_reached(self):
        self.assertEqual(start("--version", DISPLAY="nowhere:99").returncode, 3)


if __name__ == "__main__":
    unittest.main()
