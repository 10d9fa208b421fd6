#!/usr/bin/env python3
"""The units of systemd: each key and value is known, and the one of the whole machine gives its program little.
usage: units_test SOURCE_FOLDER"""
import os, shutil, subprocess, sys, tempfile

RESOURCES = os.path.join(sys.argv[1], "resources")
MOST_EXPOSED = 20  # tenths; systemd-analyze calls up to 2.0 "OK" in the best sense, and a unit without hardening has 9.6

if not shutil.which("systemd-analyze"):
    print("systemd-analyze is not installed.")
    sys.exit(77)


def analyze(*words):
    with tempfile.TemporaryDirectory() as runtime:
        done = subprocess.run(["systemd-analyze", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=dict(os.environ, XDG_RUNTIME_DIR=runtime))
    return done.returncode, done.stdout


for name in sorted(name for name in os.listdir(RESOURCES) if name.endswith(".service")):
    scope = "--system" if "system" in name else "--user"
    _, text = analyze("verify", scope, "--man=no", os.path.join(RESOURCES, name))
    complaints = [line for line in text.splitlines() if "is not executable" not in line]
    assert not complaints, complaints
code, text = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}",
                     os.path.join(RESOURCES, "faultline-serve-system.service"))
assert code == 0, text
