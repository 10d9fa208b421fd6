"""Snapshots as they are recorded, and the rows of faultline-cli's CSV, which derives them from two neighbours.

SPDX-License-Identifier: MIT-0
"""
from functools import lru_cache

from .metrics import PROCESS, SYSTEM, unit_of

_MOST_LISTED, _MOST_NAME = 1 << 17, 1024
_LONGEST, _LATEST, _U64 = (1 << 63) // 8, (1 << 63) // 2, (1 << 64) - 1
_TICK = _JITTER = 10_000_000
ZEROED, ZEROED_LARGE, ZEROING, LARGE_ZEROING, FAULT_NS, TIMED, ON_PROCESSOR = map(PROCESS.index, (
    "zeroed_bytes zeroed_large_bytes zeroing_ns large_zeroing_ns fault_ns timed_faults fault_on_processor_ns").split())
_MINOR, _MAJOR = PROCESS.index("minor_faults"), PROCESS.index("major_faults")
_FAULT_TIMES = [PROCESS.index(name) for name in """fault_ns major_fault_ns fault_on_processor_ns fault_waiting_ns
    fault_blocked_ns fault_disk_ns fault_reclaim_ns fault_compaction_ns""".split()]
_SMALL_COST, _LARGE_COST = SYSTEM.index("small_zeroing_ps_per_kib"), SYSTEM.index("large_zeroing_ps_per_kib")


@lru_cache(4096)
def bits(mask):
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def whole(values):
    """Refuses anything but integers from 0 on."""
    if values and ({*map(type, values)} != {int} or min(values) < 0):
        raise ValueError("not a count")
    return values


class Places:
    """Where the metrics of a Hello stand in a list of values; those that it does not tell stand nowhere."""

    def __init__(self, metrics):
        self.size = len(metrics)
        self.place = {metric.id: place for place, metric in enumerate(metrics)}
        self.in_bytes = [metric.unit == "bytes" for metric in metrics]
        self.of = lru_cache(4096)(lambda mask: tuple(self.place.get(bit) for bit in bits(mask)))

    def values(self, mask, numbers, shift=0):
        values = [None] * self.size
        for place, number in zip(self.of(mask), numbers):
            if place is not None:
                values[place] = number << shift & _U64 if shift and self.in_bytes[place] else number
        return values


class Snapshot:
    __slots__ = ("time", "wall", "suspended", "scan", "system", "processes", "exited")


class Snapshots:
    """Applies the packets of a stream to the list of processes: (pid, start time), name, values and service, in that order."""

    def __init__(self, process_metrics, system_metrics, loss):
        self.loss, self.processes, self.expected, self.synchronised = loss, [], 0, False
        self.describe(process_metrics, system_metrics)

    def describe(self, process_metrics, system_metrics):
        self.process, self.system = Places(process_metrics), Places(system_metrics)

    def begin(self):
        self.synchronised, self.expected = False, 0

    def take(self, key, array):
        """The snapshot; None if it or one before is lost."""
        try:
            if type(array) is not list or len(array) < 10:
                raise ValueError("not a snapshot")
            sequence, = whole(array[:1])
            follows = sequence == self.expected
            self.loss.snapshots += max(0, sequence - self.expected) + 1
            self.expected = sequence + 1
            usable = key or (follows and self.synchronised)
            snapshot = self.apply(key, array) if usable else None
        except (ValueError, TypeError, IndexError):
            self.loss.packets += 1
            snapshot = None
        self.synchronised = snapshot is not None
        self.loss.snapshots -= self.synchronised
        return snapshot

    def apply(self, key, array):
        now = Snapshot()
        _, now.time, now.wall, now.suspended, now.scan, shift, system, gone, changed, records = array[:10]
        if {*map(type, array[6:11])} != {list}:
            raise ValueError("not a list")
        whole([now.time, now.wall, now.scan, shift, abs(now.suspended)])
        if max(now.time, now.scan, abs(now.suspended)) > _LONGEST or now.wall > _LATEST or shift > 63:
            raise ValueError("an impossible time")
        mask = whole(system)[0]
        if len(system) <= len(bits(mask)):
            raise ValueError("values are missing")
        now.system = self.system.values(mask, system[1:])
        processes = [] if key else self.processes.copy()
        self.change(processes, changed, shift)
        gaps, index = set(), -1
        for gap in whole(gone):
            index += gap + 1
            gaps.add(index)
        if index >= len(processes):
            raise ValueError("an impossible index")
        if gaps:
            processes = [process for place, process in enumerate(processes) if place not in gaps]
        records = [self.record(record, shift) for record in records]
        keys = [record[0] for record in records]
        if any(a >= b for a, b in zip(keys, keys[1:])) or len(records) + len(processes) > 2 * _MOST_LISTED:
            raise ValueError("records out of order")
        if records:
            new = set(keys)
            processes = sorted([process for process in processes if process[0] not in new] + records, key=_key)
            if len(processes) > _MOST_LISTED:
                raise ValueError("too many processes")
        now.processes = self.processes = processes
        now.exited = sorted((self.record(record, shift) for record in array[10]), key=_key) if len(array) > 10 else []
        alive = {process[0] for process in processes} if now.exited else ()
        if any(process[0] in alive for process in now.exited):
            raise ValueError("a process that has ended and is alive")
        return now

    def change(self, processes, changed, shift):
        index, at, in_bytes = -1, 0, self.process.in_bytes
        if changed and {*map(type, changed)} != {int}:
            raise ValueError("not a count")
        while at < len(changed):
            gap, mask = changed[at:at + 2]
            at += 2
            if gap < 0 or mask < 0:
                raise ValueError("an impossible index")
            index += gap + 1
            key, name, values, service = processes[index]
            values, places = values.copy(), self.process.of(mask)
            differences = changed[at:at + len(places)]
            if len(differences) < len(places):
                raise ValueError("values are missing")
            at += len(places)
            for place, difference in zip(places, differences):
                if place is not None:
                    values[place] = values[place] + (difference << shift if in_bytes[place] else difference) & _U64
            processes[index] = key, name, values, service

    def record(self, record, shift):
        pid, start, name, mask = record[:4]
        numbers, (service, *_) = record[4:4 + len(bits(mask))], record[4 + len(bits(mask)):] or [b""]
        whole([pid, start, mask])
        if pid > 0xFFFFFFFF or start > _LATEST or {type(name), type(service)} != {bytes} or (
                len(numbers) < len(bits(mask))):
            raise ValueError("an impossible process")
        return (pid, start), name[:_MOST_NAME], self.process.values(mask, whole(numbers), shift), service[:_MOST_NAME]


def _key(process):
    return process[0]


def difference(before, after, wrap_bits):
    """Of a counter. A smaller value is a wrap if the difference is below half the range; otherwise it is unknown."""
    if before is None or after is None:
        return None
    if after >= before and (wrap_bits >= 64 or after < 1 << wrap_bits):
        return after - before
    if wrap_bits >= 64:
        return None
    delta = after - before & (1 << wrap_bits) - 1
    return delta if after >= before or delta < 1 << wrap_bits - 1 else None


class Rows:
    """The rows of each snapshot after its predecessor: values as faultline-cli tells them, and what counters have grown
    by since. A process that began in between has its whole counters."""

    def __init__(self, hello, earlier=None):
        """Goes on after `earlier` if both are of one collector: a recording that was cut in two."""
        self.hello, self.before, self.zeroing = hello, None, {}
        if earlier and hello.same_collector(earlier.hello):
            self.before, self.zeroing = earlier.before, earlier.zeroing
        self.counters = [(place, metric.wrap_bits) for place, metric in enumerate(hello.process_metrics)
                         if metric.kind == "counter"]
        self.system_counters = [(place, metric.wrap_bits) for place, metric in enumerate(hello.system_metrics)
                                if metric.kind == "counter"]

    def take(self, now):
        """Gap, interval, rows of processes and the row of the machine; each row's last list has the differences."""
        before, interval, gap = self.before, 0, "first"
        if before is not None:
            interval = now.time - before.time
            late = 0 < 3 * self.hello.interval_ns < interval
            gap = ("backwards" if interval <= 0 else "suspended" if now.suspended - before.suspended > _JITTER
                   else "late" if late else "none")
            if interval <= 0:
                before, interval = None, 0
        self.brief = before is not None and interval * 5 < self.hello.interval_ns
        system = [difference(before.system[place], now.system[place], wrap) if before else None
                  for place, wrap in self.system_counters]
        rows = list(self.processes(before, now))
        self.before = now
        return gap, interval, rows, (now.system, system)

    def processes(self, before, now):
        old = dict(zip(map(_key, before.processes), before.processes)) if before else {}
        born_from = before.time + before.suspended - _TICK - _JITTER if before else 0
        cost, told, self.zeroing = self.cost(now.system), self.zeroing if before else {}, {}
        unknown = [None] * len(self.counters)
        ended = [False] * len(now.processes) + [True] * len(now.exited)
        rows = zip(now.processes + now.exited, ended)
        for (key, name, raw, service), exited in sorted(rows, key=lambda row: row[0][0]) if now.exited else rows:
            was, born, values = old.get(key), False, raw
            if was is not None:
                if was[2] is raw or was[2] == raw:
                    deltas = [None if raw[place] is None else 0 for place, _ in self.counters]
                else:
                    past = was[2]
                    deltas = [difference(past[place], raw[place], wrap) for place, wrap in self.counters]
            elif before is not None and key[1] >= born_from:
                born, deltas = True, [raw[place] for place, _ in self.counters]
            else:
                deltas = unknown.copy()
            if cost and raw[ZEROED] is not None:
                values = raw.copy()
                self.zero(key, values, deltas, cost, told.get(key), exited)
            if not values[TIMED] and values[TIMED] is not None and (values[_MINOR] or values[_MAJOR]):
                values = values.copy() if values is raw else values
                for place in _FAULT_TIMES:  # the process has faulted, but before times were measured
                    values[place] = None
            yield key, name, values, deltas, born, exited, service

    def cost(self, system):
        """The newest measurement, in ps per KiB: the collector repeats it now and then."""
        small, large = system[_SMALL_COST], system[_LARGE_COST]
        return (small, large) if small is not None and large is not None else self.hello.zeroing_cost

    def zero(self, key, values, deltas, cost, before, exited):
        grown = dict(zip((place for place, _ in self.counters), deltas))
        for numbers in (values, grown):
            every, large = numbers[ZEROED], numbers[ZEROED_LARGE] or 0
            if every is None:
                continue
            large = min(large, every)
            time = _round((every - large) / 1024 * (cost[0] / 1000) +
                          max(large / 1024 * (cost[1] / 1000), numbers[LARGE_ZEROING] or 0))
            most = numbers[FAULT_NS] if numbers[ON_PROCESSOR] is None else numbers[ON_PROCESSOR]
            faults = numbers[TIMED]
            if most is not None and faults is not None and time > most and (
                    every - large <= faults << 13 and large <= faults << 21):
                time = most  # clearing is a part of the faults that asked for the memory
            numbers[ZEROING] = time
        for index, (place, _) in enumerate(self.counters):
            if place == ZEROING:
                deltas[index] = grown[ZEROING]
        if before is not None and grown[ZEROING] is not None:
            values[ZEROING] = before + grown[ZEROING]
        if values[ZEROING] and not exited:
            self.zeroing[key] = values[ZEROING]


def _round(value):
    whole_part = int(value)
    return whole_part + (value - whole_part >= 0.5)
