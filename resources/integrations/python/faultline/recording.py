"""A recording: what it tells of itself, and its tables.

SPDX-License-Identifier: MIT-0
"""
import builtins
import os
import tempfile
from bisect import bisect_right

from . import packets as wire
from .games import FRAME_COLUMNS, SAMPLE_COLUMNS, Frames, RecordedSamples, samples
from .metrics import FRAME, PROCESS, SYSTEM, metrics_of, quality, text, unit_of
from .packets import Loss, NotARecording
from .sweeps import Rows, Snapshots, whole
from .table import Column, Table
from .unpack import unpack

_PLACE = [Column("wall_time", "time"), Column("monotonic_ns", unit="ns")]
_PROCESS = [*_PLACE, Column("pid"), Column("start_time", unit="ns"), Column("name", "text"), Column("exited", "bool"),
            Column("born", "bool"), Column("interval_ns", unit="ns"), Column("gap", "text"), Column("service", "text")]
_SYSTEM = [*_PLACE, Column("interval_ns", unit="ns"), Column("gap", "text")]


class Hello:
    """What a recording tells of itself. `watched` is the game of a recording of frames, else None."""

    def __init__(self, told):
        number = lambda values, key: whole([values.get(key, 0)])[0]
        self.version, self.source, self.clock = (text(told.get(key, b"")) for key in (b"version", b"source", b"clock"))
        self.interval_ns, self.collector_pid = number(told, b"interval_ns"), number(told, b"collector_pid")
        machine = told.get(b"machine", {})
        self.machine = {"system": text(machine.get(b"system", b"")), "processor": text(machine.get(b"processor", b"")),
                        **{key: number(machine, key.encode()) for key in ("processors", "memory_bytes", "page_bytes")}}
        cost = told.get(b"zeroing_cost")
        self.zeroing_cost = (number(cost, b"small_ps_per_kib"), number(cost, b"large_ps_per_kib")) if cost else None
        self.process_metrics = metrics_of(told.get(b"process_metrics", []), PROCESS)
        self.system_metrics = metrics_of(told.get(b"system_metrics", []), SYSTEM)
        watched = told.get(b"watched")
        self.watched = watched if watched is None else {
            "pid": number(watched, b"pid"), "name": text(watched.get(b"name", b"")),
            "method": text(watched.get(b"method", b"")), "mark": text(watched.get(b"mark", b"")),
            "fault_ps": number(watched, b"fault_ps") if b"fault_ps" in watched else None,
            "qualities": {"": quality(watched), **{text(key): quality(value) for key, value in watched.items()
                                                   if isinstance(value, dict) and b"grade" in value}}}

    def same_collector(self, other):
        """The snapshots of both follow each other, and have the same numbers."""
        told = [(hello.collector_pid, hello.source, hello.interval_ns,
                 [metric.name for metric in hello.process_metrics + hello.system_metrics]) for hello in (self, other)]
        return self.collector_pid != 0 and told[0] == told[1]


def events(file, loss):
    """Yields Hello, sweeps.Snapshot, games.Frames and lists of samples in the order of the stream."""
    snapshots, recorded = Snapshots(*_unknown(), loss), RecordedSamples()
    for kind, payload in wire.packets(file, loss):
        if kind in (None, wire.STREAM):
            snapshots.synchronised = False
            if kind == wire.STREAM:
                snapshots.begin()
                recorded.forget()
                loss.ended = False
            continue
        if not wire.HELLO <= kind <= wire.RECORDED_SAMPLES:
            continue  # of a newer writer
        if kind == wire.END:
            loss.ended = True
            continue
        try:
            value = unpack(payload)
            if kind == wire.HELLO:
                event = Hello(value)
                snapshots.describe(event.process_metrics, event.system_metrics)
            elif kind in (wire.KEY, wire.DELTA):
                event = snapshots.take(kind == wire.KEY, value)
            elif kind in (wire.FRAMES, wire.RECORDED_FRAMES):
                event = Frames(value, kind == wire.RECORDED_FRAMES)
            else:
                event = samples(value) if kind == wire.SAMPLES else recorded.take(value)
        except Exception:  # right checksums and impossible contents: as damage
            loss.packets += 1
            snapshots.synchronised = False
            continue
        if event is not None:
            loss.ended = loss.ended and kind == wire.HELLO
            yield event


def _unknown():
    return metrics_of([], PROCESS), metrics_of([], SYSTEM)


class _Pass:
    """Reads a file from its beginning, whoever else reads it meanwhile."""

    def __init__(self, file):
        self.file, self.place = file, 0

    def read(self, size):
        self.file.seek(self.place)
        data = self.file.read(size)
        self.place += len(data)
        return data


class Recording:
    """A recording on the disk, read anew by each table that is iterated."""

    def __init__(self, file, name):
        self._file, self.name, self._loss = file, name, None
        first = next(events(_Pass(file), Loss()), None)
        self.hello = first if isinstance(first, Hello) else Hello({})
        begin = _Pass(file).read(12)
        self.version = f"{begin[10]}.{begin[11]}"

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def machine(self):
        return self.hello.machine

    @property
    def source(self):
        return self.hello.source

    @property
    def metrics(self):
        """Of processes; `system_metrics` has those of the machine."""
        return self.hello.process_metrics

    @property
    def system_metrics(self):
        return self.hello.system_metrics

    @property
    def loss(self):
        """What could not be read, by a pass over the whole recording, if none has reached the end yet."""
        if self._loss is None:
            for _ in self.events():
                pass
        return self._loss

    @property
    def about(self):
        hello = self.hello
        return {"recording": self.name, "format": self.version, "version": hello.version, "source": hello.source,
                "clock": hello.clock, "interval_ns": hello.interval_ns, "machine": hello.machine,
                **({"game": hello.watched["name"]} if hello.watched else {})}

    def events(self):
        loss = Loss()
        yield from events(_Pass(self._file), loss)
        self._loss = loss

    def sweeps(self):
        """Yields each snapshot with gap, interval, rows of its processes, row of the machine, and whether it is too
        brief for rates: see sweeps.Rows."""
        rows = Rows(self.hello)
        for event in self.events():
            if isinstance(event, Hello):
                rows = Rows(event, rows)
            elif not isinstance(event, (Frames, list)):
                yield (event, *rows.take(event), rows.brief)

    def processes(self):
        """Each process at each snapshot, with the values of faultline-cli's CSV: counters as they stand."""
        return SweepTable(self, True)

    def system(self):
        """The machine at each snapshot."""
        return SweepTable(self, False)

    def frames(self):
        """The frames of a game; empty in a recording of processes."""
        rows = lambda: (event.rows for event in self.events() if isinstance(event, Frames))
        return Table(frame_columns(self.hello), rows, self.about)

    def faults(self):
        """Single faults, with the frame that contains each. A fault stands for `weight` ones; `stack` is folded, the
        outermost call first, and `code` the innermost call outside the system's libraries; both are unknown in streams
        of a collector, which have no names."""
        return Table(sample_columns(self.hello), self._faults, self.about)

    def _faults(self):
        frames = sorted((row[1], row[1] + row[2], row[0]) for event in self.events() if isinstance(event, Frames)
                        for row in event.rows)
        for event in self.events():
            if isinstance(event, list):
                yield [[_frame_at(row[0], frames), *row] for row in event]


def _frame_at(time, frames):
    place = bisect_right(frames, (time, time, 0))
    for begin, end, number in reversed(frames[max(0, place - 1):place + 1]):
        if begin <= time <= end:
            return number
    return None


def frame_columns(hello):
    told = hello.watched["qualities"] if hello.watched else {}
    untold = ["unavailable", "", ""]
    of = {name: told.get(key, untold) for name, key in FRAME.values()}
    of.update({name: told.get("", untold) for name in ("minor_faults", "major_faults")})
    return [Column(name, "text" if name == "waiting_behind" else "int",
                   unit_of(name) if name in of or name.endswith("_ns") else "", *of.get(name, ()))
            for name in FRAME_COLUMNS]


def sample_columns(hello):
    quality_of = hello.watched["qualities"].get("samples", ()) if hello.watched else ()
    flags = """major kernel write present instruction mapping_writable mapping_executable mapping_shared
        mapping_of_file""".split()
    texts = ("thread_name", "mapping", "code", "stack")
    kind = lambda name: "bool" if name in flags else "text" if name in texts else "int"
    return [Column("frame")] + [Column(name, kind(name), unit_of(name) if name.endswith("_ns") else "",
                                       *(quality_of if name == "weight" else ())) for name in SAMPLE_COLUMNS]


def sweep_columns(hello, of_processes, counters="recorded"):
    """`counters`: recorded, difference, rate, or both for values and, named NAME_delta, differences."""
    metrics = hello.process_metrics if of_processes else hello.system_metrics
    columns = []
    for metric in metrics:
        rate = counters == "rate" and metric.kind == "counter"
        columns.append(Column(metric.name + "_per_s" * rate, "float" if rate else "int", metric.unit + "/s" * rate,
                              metric.grade, metric.how, metric.enable, metric.title,
                              "rate" if rate else "difference" if counters == "difference" and metric.kind == "counter"
                              else metric.kind))
    if counters == "both":
        columns += [Column(metric.name + "_delta", "int", metric.unit, metric.grade, metric.how, metric.enable,
                           metric.title, "difference") for metric in metrics if metric.kind == "counter"]
    return (_PROCESS if of_processes else _SYSTEM) + columns


def sweep_rows(sweep, of_processes, counter_places, counters, size):
    """The rows of one of Recording.sweeps(), for sweep_columns()."""
    now, gap, interval, processes, system, brief = sweep

    def numbers(values, deltas):
        values = (values + [None] * size)[:size]  # a later Hello may know fewer or more metrics
        if counters == "both":
            return values + (deltas + [None] * size)[:len(counter_places)]
        if counters != "recorded":
            values = values.copy()
            for place, delta in zip(counter_places, deltas):
                values[place] = delta if counters == "difference" or delta is None else (
                    delta * 1e9 / interval if interval > 0 and not brief else None)
        return values

    place = [now.wall, now.time]
    if not of_processes:
        return [[*place, interval, gap, *numbers(*system)]]
    return [[*place, key[0], key[1], text(name), exited, born, interval, gap, text(service) or None,
             *numbers(values, deltas)] for key, name, values, deltas, born, exited, service in processes]


class SweepTable(Table):
    def __init__(self, recording, of_processes, counters="recorded"):
        self._recording, self._of_processes = recording, of_processes
        columns = sweep_columns(recording.hello, of_processes, counters)
        metrics = recording.metrics if of_processes else recording.system_metrics
        places = [place for place, metric in enumerate(metrics) if metric.kind == "counter"]
        super().__init__(columns, lambda: (sweep_rows(sweep, of_processes, places, counters, len(metrics))
                                           for sweep in recording.sweeps()), recording.about)

    def differences(self):
        """The same rows with what each counter has grown by since the snapshot before: sums over time are right, as the
        last row of a process that ended has the rest. Counters wrap as the recording tells; a pid that another process
        got is another process. Unknown (None) where there is nothing to compare with."""
        return SweepTable(self._recording, self._of_processes, "difference")

    def rates(self):
        """The same per second, named NAME_per_s, as in faultline-cli's CSV. Brief intervals have no rates."""
        return SweepTable(self._recording, self._of_processes, "rate")


def open(source):
    """The recording in a file, named by a path, or in a binary file object (one that cannot seek is copied)."""
    if hasattr(source, "read"):
        name = str(getattr(source, "name", "recording"))
        if not source.seekable():
            copy = tempfile.TemporaryFile()
            while piece := source.read(1 << 20):
                copy.write(piece)
            source = copy
    else:
        name, source = os.fspath(source), builtins.open(source, "rb")
    try:
        return Recording(source, name)
    except NotARecording as error:
        source.close()
        raise NotARecording(f"{name}: {error}") from None
