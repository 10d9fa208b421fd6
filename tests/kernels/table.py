"""Reads what guests have told (tests/kernels/settings) and prints a table for each kernel: a row for each metric, a
column for each setting. Exits with 1 where something is wrong."""
import sys
from pathlib import Path


def read_log(path):
    """The rows of one guest, each a setting with {metric: (verdict, words)}, and what else is wrong."""
    kernel, rows, tests, notes, troubles, ended = path.stem, [], {}, [], [], False
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("@kernel "):
            kernel = line.split()[1]
        elif line.startswith("@setting "):
            rows.append((line.split(" ", 1)[1], {}))
        elif line.startswith("@@\t") and rows:
            _, metric, verdict, words = line.split("\t", 3)
            rows[-1][1][metric] = (verdict, words)
        elif line.startswith("@wrong "):
            troubles.append(f"{kernel}: {line.split(' ', 1)[1]}")
        elif line.startswith(("@told ", "@cost ")):
            notes.append(line[1:])
        elif line.startswith("@test "):
            _, verdict, name = line.split(" ", 2)
            tests.setdefault(verdict, []).append(name)
        ended = ended or line == "@end"
    if not ended:
        troubles.append(f"{kernel}: the guest has not come to its end, see {path}")
    troubles += [f"{kernel}: test failed: {name}" for name in tests.get("FAILED", [])]
    for setting, facts in rows:
        troubles += [f"{kernel}, {setting}: {metric}: {words}" for metric, (verdict, words) in facts.items() if verdict == "WRONG"]
    return kernel, rows, {verdict: len(names) for verdict, names in tests.items()}, notes, troubles


def print_table(kernel, rows, tests, notes, reasons):
    metrics = list(dict.fromkeys(metric for _, facts in rows for metric in facts))
    print(f"\n### Linux {kernel}")
    for note in notes:
        print(f"- {note}")
    print("\n| metric | " + " | ".join(setting for setting, _ in rows) + " |\n" + "|---" * (len(rows) + 1) + "|")
    for metric in metrics:
        cells = []
        for _, facts in rows:
            verdict, words = facts.get(metric, ("", ""))
            cells.append(f"– ({reasons.setdefault(words, len(reasons) + 1)})" if verdict == "missing" else verdict)
        print(f"| {metric} | " + " | ".join(cells) + " |")
    if tests:
        print("\nTests of the platform: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(tests.items())))


def main(paths):
    logs = [read_log(Path(path)) for path in paths]
    reasons = {}
    for kernel, rows, tests, notes, _ in logs:
        print_table(kernel, rows, tests, notes, reasons)
    print()
    for words, mark in reasons.items():
        print(f"{mark}. {words.removeprefix('faultline-collector: ').strip()}")
    troubles = [trouble for *_, of in logs for trouble in of]
    for trouble in troubles:
        print(f"wrong: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


sys.exit(main(sys.argv[1:]))
