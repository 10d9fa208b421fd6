"""Writes streams of format 1.13 for the tests of the Python package, from stream/format.md alone."""
import struct

from faultline.metrics import PROCESS, SYSTEM, _GAUGES, unit_of
from faultline.packets import _xxh32
from faultline.unpack import msgpack

PREAMBLE = b"FAULTLINE\n\x01\x0d"
HELLO, KEY, DELTA, END, FRAMES = range(1, 6)


def pack(value):
    """MessagePack; without its package always in the longest form, which is simple."""
    if msgpack:
        return msgpack.packb(value)
    if isinstance(value, int):
        return struct.pack(">Bq", 0xD3, value) if value < 1 << 63 else struct.pack(">BQ", 0xCF, value)
    if isinstance(value, (bytes, str)):
        data = value.encode() if isinstance(value, str) else value
        return struct.pack(">BI", 0xDB if isinstance(value, str) else 0xC6, len(data)) + data
    if isinstance(value, dict):
        return struct.pack(">BI", 0xDF, len(value)) + b"".join(pack(key) + pack(item) for key, item in value.items())
    return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(pack, value))


def packet(kind, value):
    payload = value if isinstance(value, bytes) else pack(value)
    head = struct.pack("<II", kind | len(payload) << 8, _xxh32(payload))
    return b"FL" + struct.pack("<H", _xxh32(head) & 0xFFFF) + head + payload


def metrics(names, wrap_bits):
    return [{"id": number, "name": name, "title": name, "kind": "gauge" if name in _GAUGES else "counter",
             "unit": unit_of(name), "wrap_bits": wrap_bits, "grade": "exact", "how": "written by a test", "enable": ""}
            for number, name in enumerate(names)]


def hello(wrap_bits=64, **more):
    return packet(HELLO, {"version": "0", "source": "test", "clock": "CLOCK_MONOTONIC", "interval_ns": 10**9,
                          "collector_pid": 0, "machine": {"system": "Test", "processor": "none", "processors": 1,
                                                          "memory_bytes": 1 << 30, "page_bytes": 4096},
                          "process_metrics": metrics(PROCESS, wrap_bits), "system_metrics": metrics(SYSTEM, wrap_bits),
                          **more})


def process(pid, start, name, **values):
    numbers = sorted((PROCESS.index(key), value) for key, value in values.items())
    return [pid, start, name, sum(1 << bit for bit, _ in numbers), *(value for _, value in numbers)]


def snapshot(sequence, wall, processes, exited=(), system=(), step=10**9, changed=(), gone=(), key=True):
    """A key snapshot, or a delta one by `changed` and `gone`, `step` ns after its predecessor."""
    now = 10**12 + sequence * step
    return packet(KEY if key else DELTA, [sequence, now, wall, 0, 1000, 0, [(1 << len(system)) - 1, *system],
                                          list(gone), list(changed), list(processes), list(exited)])


def end():
    return packet(END, {})
