"""Reads what guests have told (tests/kernels/settings) and prints it as a table: a row for each kernel and setting, a
column for each metric. Exits with 1 where something is wrong."""
import sys
from pathlib import Path


def read_log(path):
    """The rows of one guest, each a setting with {metric: (verdict, words)}, and what else is wrong."""
    kernel, rows, tests, troubles, ended = path.stem, [], {}, [], False
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("@kernel "):
            kernel = line.split()[1]
        elif line.startswith("@setting "):
            rows.append((line.split(" ", 1)[1], {}))
        elif line.startswith("@@\t") and rows:
            _, metric, verdict, words = line.split("\t", 3)
            rows[-1][1][metric] = (verdict, words)
        elif line.startswith("@test "):
            _, verdict, name = line.split(" ", 2)
            tests.setdefault(verdict, []).append(name)
        ended = ended or line == "@end"
    if not ended:
        troubles.append(f"{kernel}: the guest has not come to its end, see {path}")
    troubles += [f"{kernel}: test failed: {name}" for name in tests.get("FAILED", [])]
    for setting, facts in rows:
        troubles += [f"{kernel}, {setting}: {metric}: {words}" for metric, (verdict, words) in facts.items() if verdict == "WRONG"]
    return kernel, rows, {verdict: len(names) for verdict, names in tests.items()}, troubles


def main(paths):
    logs = [read_log(Path(path)) for path in paths]
    metrics = list(dict.fromkeys(metric for _, rows, _, _ in logs for _, facts in rows for metric in facts))
    reasons = {}
    print("| kernel | collector | " + " | ".join(metrics) + " |\n" + "|---" * (len(metrics) + 2) + "|")
    for kernel, rows, _, _ in logs:
        for setting, facts in rows:
            cells = []
            for metric in metrics:
                verdict, words = facts.get(metric, ("", ""))
                mark = reasons.setdefault(words, len(reasons) + 1) if verdict == "missing" else ""
                cells.append(f"– ({mark})" if mark else verdict)
            print(f"| {kernel} | {setting} | " + " | ".join(cells) + " |")
    print()
    for words, mark in reasons.items():
        print(f"{mark}. {words}")
    for kernel, _, tests, _ in logs:
        if tests:
            print(f"\n{kernel}: tests " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(tests.items())))
    troubles = [trouble for *_, of in logs for trouble in of]
    for trouble in troubles:
        print(f"wrong: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


sys.exit(main(sys.argv[1:]))
