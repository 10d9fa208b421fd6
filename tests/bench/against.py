"""Compares two builds of the benches, in times by turns or in instructions under valgrind.

usage: against.py times OLD_BIN NEW_BIN NAME... [--pairs N]
       against.py instructions OLD_BIN NEW_BIN NAME...
Exits with 1 if a case got worse: in time by more than a tenth and by more than its spread, in instructions by 3 %.
"""
import argparse, concurrent.futures, os, re, statistics, subprocess, sys

WORSE_TIME = 1.10
WORSE_INSTRUCTIONS = 1.03

SCALE = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "%": 1.0, "kB": 1e3, "MB": 1e6, "MiB": 2.0**20}
VALUE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) (?:([a-zA-Z]+/s)|(ns|us|ms|s|%|kB|MB|MiB))(?![\w/])")


def cases(text):
    """The figures that a bench printed: {name: cost}. A line is `label: value unit`; it may have several values, each
    with words before it, and several labels, separated by semicolons. Remarks in parentheses are left out. A cost is
    in seconds or bytes; that of a rate is its reciprocal, so that less is always better."""
    found = {}
    for line in text.splitlines():
        label = ""
        for piece in re.sub(r"\([^()]*\)", "", line).split(";"):
            head, values = labelled(piece)
            label = head or label
            for words, cost in values:
                name = f"{label}: {words}" if label and words else label or words
                if cost:
                    found[numbered(name, found)] = cost
    return found


def labelled(piece):
    """Label and values of a piece. A label ends with the last colon that has a value behind it; without any colon the
    words before a single value are the label's."""
    colons = [m.start() for m in re.finditer(": ", piece)]
    for colon in reversed(colons):
        if VALUE.search(piece, colon):
            return plain(piece[:colon]), list(costs(piece[colon + 1 :]))
    return "", [] if colons else list(costs(piece))


def costs(text):
    # "2.6, 2.7, 2.7 ms": a number without a unit has that of the next.
    while (repeated := re.sub(r"(\d), (\d+(?:\.\d+)?) (ns|us|ms|s|%)(?![\w/])", r"\1 \3, \2 \3", text)) != text:
        text = repeated
    begin = 0
    for match in VALUE.finditer(text):
        words = plain(text[begin : match.start()].rsplit(", ", 1)[-1] if begin else text[: match.start()])
        begin = match.end()
        number = float(match[1])
        if match[2]:
            yield words, 1 / number if number else 0
        else:
            yield words, number * SCALE[match[3]]


def plain(words):
    """Without what is measured or padded."""
    return " ".join(re.sub(r"\d+\.\d+", "#", words).split()).strip(" ,")


def numbered(name, taken):
    """Cases of the same name are told apart by their order."""
    return next(n for i in range(1, 1000) if (n := name if i == 1 else f"{name}, {i}") not in taken)


def compared(pairs):
    """[({case: old cost}, {case: new cost}), ...] -> {case: (median ratio, spread)} of the cases that are in all of
    them. The spread is the range of the middle half of the pairs."""
    both = [case for case in pairs[0][0] if all(case in side for pair in pairs for side in pair)]
    result = {}
    for case in both:
        ratios = sorted(new[case] / old[case] for old, new in pairs)
        quarter = len(ratios) // 4
        result[case] = statistics.median(ratios), ratios[-1 - quarter] - ratios[quarter]
    return result


def worse(ratio, spread, limit):
    return ratio > limit and ratio - 1 > spread


def run_bench(program):
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def times(old, new, names, pairs):
    """Runs each bench of both in turn; returns the names of the cases that got worse."""
    failed = []
    for name in names:
        programs = [os.path.join(folder, "bench_" + name) for folder in (old, new)]
        result = compared([tuple(cases(run_bench(program)) for program in programs) for _ in range(pairs)])
        if not result:
            print(f"{name}: no case that both have")
        for case, (ratio, spread) in result.items():
            bad = worse(ratio, spread, WORSE_TIME)
            print(f"{name}: {case}: {ratio:.2f}, spread {spread:.2f}{'  WORSE' if bad else ''}", flush=True)
            if bad:
                failed.append(f"{name}: {case} costs {ratio:.2f} times as much")
    return failed


def counted(program, case):
    """Instructions of one run, and what it printed."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program, case]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    match = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode != 0 or not match:
        raise RuntimeError(f"{program} '{case}' failed under valgrind:\n{done.stderr[-2000:]}")
    return int(match[1].replace(",", "")), done.stdout


def listed(program):
    return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def instructions(old, new, names):
    """Counts each case of the programs of both; returns the names of the cases that got worse."""
    runs = []
    for name in names:
        before, after = os.path.join(old, name), os.path.join(new, name)
        runs += [(program, case) for case in listed(after) if case in listed(before) for program in (before, after)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda run: counted(*run), runs))
    failed = []
    for (_, case), before, after in zip(runs[::2], results[::2], results[1::2]):
        if case == "nothing":  # a program that starts and ends, which comes first
            empty = before, after
            continue
        counts = [full[0] - start[0] for full, start in zip((before, after), empty)]
        ratio = counts[1] / counts[0]
        bad = ratio > WORSE_INSTRUCTIONS
        other = "" if before[1] == after[1] else "; finds something else"
        print(f"{case}: {counts[0] / 1e6:.2f} to {counts[1] / 1e6:.2f} million: {ratio:.4f}{other}{'  WORSE' if bad else ''}")
        if bad:
            failed.append(f"{case} takes {100 * (ratio - 1):.1f} % more instructions")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    timed = modes.add_parser("times")
    counts = modes.add_parser("instructions")
    for mode in (timed, counts):
        mode.add_argument("old")
        mode.add_argument("new")
        mode.add_argument("names", nargs="+")
    timed.add_argument("--pairs", type=int, default=7)
    given = parser.parse_args()
    if given.mode == "times":
        failed = times(given.old, given.new, given.names, given.pairs)
    else:
        failed = instructions(given.old, given.new, given.names)
    for line in failed:
        print("FAILED:", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
