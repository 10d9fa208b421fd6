"""Prints the tests that ctest skipped, each with its reason: skipped.py TESTS.xml...

The files are ctest's (--output-junit); a test that several have is one line."""

import os
import re
import sys
import xml.etree.ElementTree


def reason(output):
    """What Catch2, or a script, says: 'explicitly with message:' and a paragraph, of which 300 letters do, 'skipped: ...', or unittest's."""
    catch = re.search(r"SKIPPED:\nexplicitly with messages?:\n(.*?)\n\s*\n", output + "\n\n", re.S)
    script = re.search(r"^skipped: (.*)$", output, re.M) or re.search(r"skipped '(.*)'", output)
    found = catch or script
    return " ".join(found.group(1).split())[:300] if found else "the test does not say why"


def skipped(file):
    tree = xml.etree.ElementTree.parse(file)
    for case in tree.iter("testcase"):
        why = case.find("skipped")
        if why is not None and why.get("message", "").startswith("SKIP_RETURN_CODE"):
            yield case.get("name"), reason(case.findtext("system-out") or "")


def main(files):
    found = {}
    for file in filter(os.path.exists, files):  # a step that does not build has none
        run = re.search(r"debian-\d+", file) or re.search(r"(\w+)-tests/", file)
        for test in skipped(file):
            found.setdefault(test, []).append(run[0].removesuffix("-tests/") if run else file)
    for (name, why), runs in sorted(found.items(), key=lambda each: (each[1], each[0])):
        print(f"{', '.join(runs)}: {name}: {why}")


if __name__ == "__main__":
    main(sys.argv[1:])
