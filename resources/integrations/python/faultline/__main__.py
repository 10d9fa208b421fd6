"""python3 -m faultline: recordings as Parquet or SQLite.

SPDX-License-Identifier: MIT-0
"""
import argparse
import os
import pathlib
import sqlite3
import sys

from . import __version__, export, open
from .packets import NotARecording

OK, FAILURE, INCOMPLETE = 0, 1, 3  # as faultline-cli's


def say(text):
    print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)


def arguments(words):
    parser = argparse.ArgumentParser(prog="faultline", description="Recordings of Faultline as tables.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser(
        "export", help="write recordings to Parquet or SQLite",
        description="Writes the tables processes, system, frames, faults and recordings. Exit codes: 0 all recordings "
        "are whole; 1 a recording could not be read at all, or PLACE not written; 2 wrong usage; 3 a recording is cut "
        "off or damaged, and its readable part was exported.")
    command.add_argument("--format", choices=sorted(export.WRITERS), required=True)
    command.add_argument("-o", "--output", metavar="PLACE", required=True, help="folder (parquet) or file (sqlite)")
    command.add_argument("--machine", metavar="NAME", help="the machine of all FILES, as recordings have no host name")
    command.add_argument("--machine-from", choices=("stem", "folder"), default="stem",
                         help="without --machine: name machines by the files (default), or by their folders")
    command.add_argument("files", metavar="FILE", nargs="+")
    return parser.parse_args(words)


def main(words=None):
    options = arguments(words)
    try:
        writer = export.WRITERS[options.format](options.output)
    except (OSError, sqlite3.Error, ImportError) as error:
        say(f"faultline: {options.output}: {error}")
        return FAILURE
    worst, seen = OK, set()
    for file in map(pathlib.Path, options.files):
        machine = options.machine or (file.stem if options.machine_from == "stem" else file.resolve().parent.name)
        machine, name = (os.fsencode(text).decode("utf-8", "backslashreplace") or "unnamed"
                         for text in (machine, file.stem))
        if (machine, name) in seen:
            say(f"{file}: another file has been exported as recording {name} of machine {machine}: rename it, or use "
                "--machine")
            worst = FAILURE
            continue
        seen.add((machine, name))
        try:
            with open(file) as recording:
                remark = export.export(recording, machine, name, writer)
        except NotARecording as error:
            say(str(error))
            worst = FAILURE
        except (OSError, sqlite3.Error) as error:
            say(f"{file}: {error}")
            worst = FAILURE
        else:
            if remark:
                say(f"{file}: {remark}")
                worst = worst or INCOMPLETE
    writer.close()
    return worst


if __name__ == "__main__":
    sys.exit(main())
