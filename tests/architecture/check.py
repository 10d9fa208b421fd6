"""check.py tree ROOT | check.py links PROGRAMS LINKS: prints what breaks the architecture; fails if anything does.

PROGRAMS is the folder with the built programs. LINKS has a line per program: its name, a colon, the targets it links.
"""

import os
import subprocess
import sys

import rules


def loaded_objects(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line.strip()]


def read_links(path):
    with open(path, encoding="utf-8") as file:
        pairs = (line.split(":", 1) for line in file if ":" in line)
        return {program.strip(): targets.split() for program, targets in pairs}


def main(arguments):
    if arguments[:1] == ["tree"]:
        complaints = list(rules.check_tree(arguments[1]))
    else:
        libraries = read_links(arguments[2])
        needed = {program: loaded_objects(os.path.join(arguments[1], program)) for program in libraries}
        complaints = list(rules.check_links(libraries, needed))
    print("\n".join(complaints) or "The architecture holds.")
    return 1 if complaints else 0


sys.exit(main(sys.argv[1:]))
