// The terminal, JSON, CSV, trace and advice of one watch of a game tell the same numbers.
#include <catch2/catch_test_macros.hpp>

#include "tests/app/cli/shell_linux.h"

using faultline::test::Outcome;
using faultline::test::Shell;

TEST_CASE("Terminal, JSON, CSV, trace and advice of a watch tell one set of numbers", "[slow]") {
  const Shell shell;
  shell.file("check.py", R"PY(
import csv, json, re
spaces = dict.fromkeys(map(ord, ' \u00a0\u2009\u202f'))
said = open('said').read()
first = said.splitlines()[0]
document = json.load(open('f.json'))
summary, frames = document['summary'], {f['frame']: f for f in document['frames']}
rows = list(csv.DictReader(open('f.csv', newline='')))
slices = [e['args'] for e in json.load(open('f.trace'))['traceEvents'] if e['ph'] == 'X']
def count(text): return int(text.translate(spaces))
def found(pattern, text=first):
    match = re.search(pattern, text)
    return match.groups() if match else None
UNITS = {'ns': 1, 'µs': 1e3, 'us': 1e3, 'ms': 1e6, 's': 1e9}
DURATION = r'([\d.]+)[ \u00a0\u2009\u202f](ns|µs|us|ms|s)\b'
NUMBER = r'(\d[\d \u00a0\u2009\u202f]*)'
# As close as the digits that are told.
def same(told, ns):
    value, unit = told
    digit = 10.0 ** -len(value.partition('.')[2])
    if '.' not in value and len(value) > 3: digit = 10.0 ** (len(value) - 3)
    return abs(float(value) * UNITS[unit] - ns) <= 0.51 * digit * UNITS[unit]
# All frames, in each of the files
assert len(rows) == len(slices) == len(frames) == summary['frames'], (len(rows), len(slices), summary)
for row, slice in zip(rows, slices):
    frame = frames[int(row['frame'])]
    assert slice == frame, (slice, frame)
    for name, value in frame.items():
        if name not in row or name in ('culprits', 'culprit', 'deadline_by', 'waiting_behind'): continue
        assert (row[name] == '') == (value is None), (name, row[name], value)
        assert value is None or abs(float(row[name]) - value) < 1e-6 * max(abs(value), 1), (name, row[name], value)
# The summary
total = lambda name: sum(frame[name] or 0 for frame in frames.values())
assert summary['late'] == total('late') and summary['late_by_faults'] == total('late_by_faults'), summary
assert summary['late_by_teardown'] == total('late_by_teardown'), summary
assert summary['faults'] == total('minor_faults') + total('major_faults'), summary
late, of = found(NUMBER + ' of ' + NUMBER + ' frames late because of page faults')
assert (count(late), count(of)) == (summary['late_by_faults'], summary['frames']), first
likely = found(NUMBER + ' probably') or ([late] if '(probably)' in first else ['0'])
assert count(likely[0]) == sum(1 for f in frames.values() if f['late_by_faults'] and f['likely']), first
others = found(NUMBER + ' late for other reasons') or ['0']
given = found(NUMBER + ' late because of giving memory back') or ['0']
assert count(given[0]) == summary['late_by_teardown'], first
assert count(others[0]) == summary['late'] - summary['late_by_faults'] - summary['late_by_teardown'], first
assert same(found('the longest frame took ' + DURATION), max(f['duration_ns'] for f in frames.values())), first
due = found('Each frame was due after ' + DURATION, said)
assert same(due, summary['deadline_ns']), (due, summary)
# The worst frames, part by part
assert count(late) > 0, said
lines = [line for line in said.splitlines() if line.startswith('  frame ')]
assert lines
parts = {'in faults on a processor': ['thread_fault_on_processor_ns'], 'giving memory back': ['thread_teardown_ns'],
         'waiting in faults': ['thread_fault_waiting_ns', 'thread_fault_blocked_ns'],
         'waiting for a processor': ['thread_waiting_ns'], 'waiting for other threads': ['thread_awaiting_ns']}
for line in lines:
    number, = found('frame ' + NUMBER + ':', line)
    frame = frames[count(number)]
    assert same(found(': ' + DURATION, line), frame['duration_ns']), (line, frame)
    faults, = found(NUMBER + ' faults?', line.partition(':')[2].partition(',')[2])
    assert count(faults) == frame['minor_faults'] + frame['major_faults'], line
    assert same(found(DURATION + ' in (?:' + NUMBER + 'timed of )?them', line)[:2],
                frame['estimated_fault_ns'] or frame['fault_ns']), (line, frame)
    thread = line.partition('; its thread: ')[2].partition(', with ')[0].partition(', late by')[0]
    told = [float(value) * UNITS[unit] for value, unit in re.findall(DURATION, re.sub(r' \(.*?\)', '', thread))]
    if told: assert abs(sum(told) - frame['duration_ns']) < 0.02 * frame['duration_ns'], (line, frame)
    for words, names in parts.items():
        value = found(DURATION + ' ' + words, thread)
        if value: assert same(value, sum(frame[name] or 0 for name in names)), (words, line, frame)
    if frame['late']: assert same(found('late by ' + DURATION, line), frame['excess_ns']), (line, frame)
    share = found(r'([\d.]+)\D% of it by', line)
    if share: assert abs(float(share[0]) / 100 - frame['explained_with_waits_share']) < 0.006, (line, frame)
    alone = found(r'\(([\d.]+)\D% by (?:faults|giving memory back) alone\)', line) or share
    if alone: assert abs(float(alone[0]) / 100 - frame['explained_share']) < 0.006, (line, frame)
worst = found('worst: frame ' + NUMBER + ', ')
assert count(worst[0]) == count(found('frame ' + NUMBER + ':', lines[0])[0]), (first, lines[0])
# The advice is of frames that are told, by their times
advice = document['advice']
if advice:
    assert advice['text'] in said, (advice, said)
    of_worst = [f for f in frames.values() if f['late_by_faults']]
    of_worst = sorted(of_worst, key=lambda f: -(f['path_ns'] or 0))[:advice['frames']]
    lateness = sum(f['excess_ns'] for f in of_worst) / len(of_worst)
    cost = sum(f['thread_fault_ns'] or f['estimated_fault_ns'] or f['fault_ns'] for f in of_worst) / len(of_worst)
    if len(of_worst) == advice['frames']:
        assert abs(advice['lateness_ns'] - lateness) <= 0.01 * lateness, (advice, lateness)
        if advice['cost_ns']: assert advice['cost_ns'] >= 0.99 * cost, (advice, cost)
    assert same(found('about ' + DURATION + ' of the', advice['text']), advice['expected_gain_ns']), advice
)PY");
  const Outcome checked = shell.run(
      "faultline-cli frames --csv f.csv --json f.json --trace f.trace -- planted_game faults display=0 work=12 "
      "plant=24 "
      "frames=150 >said; python3 check.py 2>&1 || { cat said; exit 1; }");
  INFO(checked.output);
  CHECK(checked.code == 0);
}
