"""A table: columns and batches of rows, in plain Python or for pandas, polars and Arrow.

SPDX-License-Identifier: MIT-0
"""
import json
from dataclasses import dataclass

_MOST = (1 << 63) - 1


@dataclass(frozen=True)
class Column:
    """`type` is time (ns since 1970 UTC), int, float, bool or text. A column without grade is no measurement."""
    name: str
    type: str = "int"
    unit: str = ""
    grade: str = ""
    how: str = ""
    enable: str = ""
    title: str = ""
    kind: str = ""

    def metadata(self):
        return {key: value for key in ("unit", "grade", "how", "enable", "title", "kind")
                if (value := getattr(self, key))}


def fit(batch, columns):
    """Integers from 2^63 on, which no real counter reaches, become unknown: databases have no room for them."""
    for column in columns:
        if column.type == "int" and max(filter(None, batch[column.name]), default=0) > _MOST:
            batch[column.name] = [None if value and value > _MOST else value for value in batch[column.name]]
    return batch


class Table:
    """Reads the recording anew each time that it is iterated, with one batch of rows in memory."""

    def __init__(self, columns, rows, about):
        self.columns, self._rows, self.about = columns, rows, about

    @property
    def names(self):
        return [column.name for column in self.columns]

    def batches(self, size=65536):
        """Dictionaries of lists, by column."""
        rows = []
        for some in self._rows():
            rows += some
            while len(rows) >= size:
                yield self._turned(rows[:size])
                del rows[:size]
        if rows:
            yield self._turned(rows)

    def _turned(self, rows):
        return {column.name: list(values) for column, values in zip(self.columns, zip(*rows))}

    def __iter__(self):
        names = self.names
        for batch in self.batches(4096):
            for row in zip(*batch.values()):
                yield dict(zip(names, row))

    def to_dict(self):
        out = {name: [] for name in self.names}
        for batch in self.batches():
            for name, values in batch.items():
                out[name] += values
        return out

    def schema(self):
        """Of Arrow, with units, grades and how in the metadata of each field."""
        import pyarrow
        types = {"time": pyarrow.timestamp("ns", "UTC"), "int": pyarrow.int64(), "float": pyarrow.float64(),
                 "bool": pyarrow.bool_(), "text": pyarrow.string()}
        return pyarrow.schema([pyarrow.field(column.name, types[column.type], metadata=column.metadata())
                               for column in self.columns], {"faultline": json.dumps(self.about)})

    def to_arrow_batches(self, size=65536):
        import pyarrow
        schema = self.schema()
        for batch in self.batches(size):
            yield pyarrow.record_batch([pyarrow.array(values, field.type) for values, field in
                                        zip(fit(batch, self.columns).values(), schema)], schema=schema)

    def to_arrow(self):
        import pyarrow
        return pyarrow.Table.from_batches(self.to_arrow_batches(), self.schema())

    def to_pandas(self):
        """Unknown numbers are <NA>; units, grades and how are in attrs["columns"]."""
        import pandas
        types = {"time": "int64", "int": "Int64", "float": "Float64", "bool": "boolean", "text": "string"}
        data = fit(self.to_dict(), self.columns)
        frame = pandas.DataFrame({column.name: pandas.array(data.pop(column.name), dtype=types[column.type])
                                  for column in self.columns})
        for column in self.columns:
            if column.type == "time":
                frame[column.name] = pandas.to_datetime(frame[column.name], unit="ns", utc=True)
        frame.attrs = {"columns": {column.name: column.metadata() for column in self.columns}, "recording": self.about}
        return frame

    def to_polars(self):
        """Polars keeps no metadata of columns: `columns` of this table has it."""
        import polars
        types = {"time": polars.Int64, "int": polars.Int64, "float": polars.Float64, "bool": polars.Boolean,
                 "text": polars.String}
        schema = {column.name: types[column.type] for column in self.columns}
        frame = polars.DataFrame(fit(self.to_dict(), self.columns), schema=schema)
        times = [column.name for column in self.columns if column.type == "time"]
        return frame.with_columns(polars.col(times).cast(polars.Datetime("ns", "UTC"))) if times else frame
