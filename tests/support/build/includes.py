"""Compiles each source file by itself, without making code, as batches of files hide missing includes:
includes.py COMPILE_COMMANDS ROOT JOBS [SHARE]. With SHARE, only that share of the files, another one each day. Files that
include what a build makes are left out."""
import concurrent.futures
import datetime
import json
import os
import re
import shlex
import subprocess
import sys

commands, root, jobs = sys.argv[1], os.path.realpath(sys.argv[2]), int(sys.argv[3])
share = int(sys.argv[4]) if len(sys.argv) > 4 else 1

entries = {}
for entry in json.load(open(commands)):
    path = os.path.realpath(os.path.join(entry['directory'], entry['file']))
    if not path.startswith(root + os.sep) or path.startswith(os.path.join(root, '.build')): continue
    if not re.search(r'#include ".*\.moc"|#embed|_program\.h"', open(path).read()): entries[path] = entry
today = datetime.date.today().toordinal() % share
chosen = [entries[path] for i, path in enumerate(sorted(entries)) if i % share == today]


def check(entry):
    words = shlex.split(entry['command'])
    return subprocess.run(words + ['-fsyntax-only', '-w'], cwd=entry['directory'], capture_output=True, text=True)


with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    failed = [done for done in pool.map(check, chosen) if done.returncode != 0]
for done in failed: sys.stderr.write(done.stderr)
print(f'includes: {len(chosen)} of {len(entries)} files compile by themselves' if not failed else
      f'includes: {len(failed)} of {len(chosen)} files do not compile by themselves')
sys.exit(bool(failed))
