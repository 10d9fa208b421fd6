"""Recordings of many machines as long tables: Parquet in partitions by machine and day, or SQLite.

SPDX-License-Identifier: MIT-0
"""
import contextlib
import datetime
import os
import pathlib
import sqlite3
from urllib.parse import quote

from .games import Frames
from .recording import Hello, frame_columns, sample_columns, sweep_columns, sweep_rows
from .sweeps import Rows
from .table import Column, Table, fit

_ROWS = 32768
_WHERE = [Column("machine", "text"), Column("day", "text"), Column("recording", "text")]
_GAME = [Column("pid"), Column("game", "text")]
_RECORDING = [Column("file", "text"), Column("format", "text"), Column("version", "text"), Column("source", "text"),
              Column("system", "text"), Column("processor", "text"), Column("processors"),
              Column("memory_bytes", unit="bytes"), Column("interval_ns", unit="ns"), Column("snapshots"),
              Column("frames"), Column("bytes_lost", unit="bytes"), Column("snapshots_lost"), Column("remark", "text")]


def _day(wall):
    return datetime.datetime.fromtimestamp(wall // 10**9, datetime.timezone.utc).strftime("%Y-%m-%d")


def _quoted(name):
    """As a part of a path; readers of folders skip names that begin with . or _."""
    name = quote(name, safe=" ")
    return f"%{ord(name[0]):02X}{name[1:]}" if name[:1] in "._" else name


def pieces(recording):
    """Yields (table, columns, day or None, rows) in one pass, but for faults: their frames may come after them. A
    recording of frames tells no day."""
    hello = recording.hello
    watched = hello.watched or {"pid": None, "name": None}
    whose = [watched["pid"], watched["name"]]
    columns = {kind: sweep_columns(hello, kind == "processes", "both") for kind in ("processes", "system")}
    metrics = {"processes": hello.process_metrics, "system": hello.system_metrics}
    counters = {kind: [place for place, metric in enumerate(some) if metric.kind == "counter"]
                for kind, some in metrics.items()}
    of_frames = _GAME + frame_columns(hello)
    rows, snapshots, frames, some_faults = Rows(hello), 0, 0, False
    for event in recording.events():
        if isinstance(event, Hello):
            rows = Rows(event, rows)
        elif isinstance(event, Frames):
            frames += len(event.rows)
            yield "frames", of_frames, None, [whose + row for row in event.rows]
        elif isinstance(event, list):
            some_faults = True
        else:
            snapshots += 1
            sweep = (event, *rows.take(event), rows.brief)
            for kind in columns:
                yield kind, columns[kind], _day(event.wall), sweep_rows(
                    sweep, kind == "processes", counters[kind], "both", len(metrics[kind]))
    if some_faults:
        faults = recording.faults()
        for some in faults._rows():
            yield "faults", _GAME + faults.columns, None, [whose + row for row in some]
    loss, machine = recording.loss, hello.machine
    yield "recordings", _RECORDING, None, [[
        recording.name, recording.version, hello.version, hello.source, *(machine[key] for key in (
            "system", "processor", "processors", "memory_bytes")), hello.interval_ns, snapshots, frames, loss.bytes,
        loss.snapshots, loss.remark()]]


class Parquet:
    """PLACE/TABLE/machine=NAME/day=DAY/RECORDING-N.parquet, without a day where the recording tells none. A file has
    its name once it is whole. wall_time is in µs there: Spark reads no ns."""

    def __init__(self, place):
        import pyarrow.parquet
        self._write = pyarrow.parquet.ParquetWriter
        self._place, self._open, self._done = pathlib.Path(place), {}, []

    def begin(self, machine, recording):
        self._who, self._recording, self._files, self._before = machine, recording, {}, set()
        if self._place.is_dir():  # this recording as it was exported before
            name = _quoted(recording)
            self._before = {file for file in self._place.glob(f"*/machine={_quoted(machine)}/**/{name}-*.parquet")
                            if file.stem[len(name) + 1:].isdigit()}

    def add(self, table, columns, day, rows):
        rows_of, writer, of_day = self._open.get(table, (None, None, None))
        if rows_of is not None and of_day != day:
            self._close(table)
            rows_of = None
        if rows_of is None:
            about = Table([Column("recording", "text"), *columns], None,
                          {"machine": self._who, "recording": self._recording})
            folder = self._place / table / f"machine={_quoted(self._who)}" / (f"day={day}" if day else "")
            folder.mkdir(parents=True, exist_ok=True)
            number = self._files[table] = self._files.get(table, -1) + 1
            name = folder / f"{_quoted(self._recording)}-{number}.parquet"
            writer = (about, self._write(f"{name}.part", about.schema(), compression="zstd",
                                         coerce_timestamps="us", allow_truncated_timestamps=True), name)
            rows_of = []
            self._open[table] = rows_of, writer, day
        rows_of += [[self._recording, *row] for row in rows]
        while len(rows_of) >= _ROWS:
            self._flush(rows_of, writer)

    @staticmethod
    def _flush(rows, writer):
        import pyarrow
        about, file, _ = writer
        batch = fit(about._turned(rows[:_ROWS]), about.columns)
        del rows[:_ROWS]
        schema = about.schema()
        file.write_batch(pyarrow.record_batch([pyarrow.array(values, field.type) for values, field in
                                               zip(batch.values(), schema)], schema=schema))

    def _close(self, table):
        rows, writer, _ = self._open.pop(table)
        if rows:
            self._flush(rows, writer)
        writer[1].close()
        self._done.append(writer[2])

    def end(self, whole):
        """Gives the files their names; without `whole`, takes them away."""
        for table in list(self._open):
            if whole:
                self._close(table)
            else:
                _, (_, file, name), _ = self._open.pop(table)
                self._done.append(name)
                with contextlib.suppress(OSError):
                    file.close()
        for name in self._done:
            if whole:
                os.replace(f"{name}.part", name)
            else:
                pathlib.Path(f"{name}.part").unlink(missing_ok=True)
        if whole:
            for name in self._before.difference(self._done):
                name.unlink()
        self._done = []

    def close(self):
        pass


class Sqlite:
    """One file; the table `columns` has units, grades and how."""
    _TYPES = {"time": "INTEGER", "int": "INTEGER", "float": "REAL", "bool": "INTEGER", "text": "TEXT"}

    def __init__(self, place):
        self._base = sqlite3.connect(place, isolation_level=None)
        self._base.execute("CREATE TABLE IF NOT EXISTS columns (machine TEXT, recording TEXT, of_table TEXT, "
                           "name TEXT, unit TEXT, kind TEXT, grade TEXT, how TEXT, enable TEXT)")
        self._base.execute("CREATE INDEX IF NOT EXISTS columns_by_recording ON columns (machine, recording)")

        nothing = Hello({})
        for table, columns in (("processes", sweep_columns(nothing, True, "both")),
                               ("system", sweep_columns(nothing, False, "both")),
                               ("frames", _GAME + frame_columns(nothing)), ("faults", _GAME + sample_columns(nothing)),
                               ("recordings", _RECORDING)):
            self._create(table, _WHERE + columns)

    def begin(self, machine, recording):
        self._who, self._inserts = (machine, recording), {}
        self._base.execute("BEGIN")
        for table in ("processes", "system", "frames", "faults", "recordings", "columns"):
            self._base.execute(f"DELETE FROM {table} WHERE machine = ? AND recording = ?", self._who)

    def add(self, table, columns, day, rows):
        if table not in self._inserts:
            self._inserts[table] = self._describe(table, _WHERE + columns)
        where = [self._who[0], day, self._who[1]]
        values = fit({column.name: list(values) for column, values in zip(columns, zip(*rows))} if rows else {
            column.name: [] for column in columns}, columns)
        self._base.executemany(self._inserts[table], (where + list(row) for row in zip(*values.values())))

    def _create(self, table, columns):
        self._base.execute(f"CREATE TABLE IF NOT EXISTS {table} (" + ", ".join(
            f'"{column.name}" {self._TYPES[column.type]}' for column in columns) + ")")
        self._base.execute(f"CREATE INDEX IF NOT EXISTS {table}_by_recording ON {table} (machine, recording)")
        known = {row[1] for row in self._base.execute(f"PRAGMA table_info({table})")}
        for column in columns:
            if column.name not in known:  # of a newer recording
                self._base.execute(f'ALTER TABLE {table} ADD COLUMN "{column.name}" {self._TYPES[column.type]}')

    def _describe(self, table, columns):
        self._create(table, columns)
        self._base.executemany("INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [
            (*self._who, table, column.name, column.unit, column.kind, column.grade, column.how, column.enable)
            for column in columns if column.unit or column.grade])
        return (f"INSERT INTO {table} (" + ", ".join(f'"{column.name}"' for column in columns) +
                ") VALUES (" + ", ".join("?" * len(columns)) + ")")

    def end(self, whole):
        self._base.execute("COMMIT" if whole else "ROLLBACK")

    def close(self):
        self._base.close()


WRITERS = {"parquet": Parquet, "sqlite": Sqlite}


def export(recording, machine, name, writer):
    """Adds one recording; what was exported of it before is replaced. Returns what could not be read."""
    writer.begin(machine, name)
    whole = False
    try:
        for table, columns, day, rows in pieces(recording):
            writer.add(table, columns, day, rows)
        whole = True
    finally:
        writer.end(whole)
    return recording.loss.remark()
