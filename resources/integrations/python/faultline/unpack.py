"""One MessagePack value within limits. Texts stay bytes, as names need not be UTF-8.

SPDX-License-Identifier: MIT-0
"""
import struct

try:
    import msgpack
except ImportError:
    msgpack = None

_MOST_VALUES, _MOST_DEPTH = 1 << 21, 8
_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i",
            0xD3: ">q"}
_SIZES = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xC7: ">B", 0xC8: ">H", 0xC9: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I",
          0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}


class _Plain:
    def __init__(self, data):
        self.data, self.at, self.values = data, 0, 0

    def number(self, form):
        value, = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def take(self, size):
        self.at += size
        if self.at > len(self.data):
            raise ValueError("a text that is cut off")
        return bytes(self.data[self.at - size:self.at])

    def value(self, depth=0):
        self.values += 1
        if self.values > _MOST_VALUES:
            raise ValueError("too many values")
        tag = self.number(">B")
        if tag < 0x80 or tag >= 0xE0:
            return tag if tag < 0x80 else tag - 256
        if tag in _NUMBERS:
            return self.number(_NUMBERS[tag])
        if tag in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[tag]
        if 0xA0 <= tag < 0xC0:
            return self.take(tag & 31)
        if 0xD4 <= tag <= 0xD8:
            return (self.take(1 + (1 << tag - 0xD4)),)
        size = tag & 15 if tag < 0xA0 else self.number(_SIZES[tag])
        if tag >= 0x90 and tag in range(0xC4, 0xDC):
            return (self.take(size + 1),) if tag in (0xC7, 0xC8, 0xC9) else self.take(size)
        if depth == _MOST_DEPTH:
            raise ValueError("values too deep in each other")
        if tag < 0x90 or tag >= 0xDE:
            return {self.value(depth + 1): self.value(depth + 1) for _ in range(size)}
        return [self.value(depth + 1) for _ in range(size)]


def plain(data):
    reader = _Plain(data)
    value = reader.value()
    if reader.at != len(data):
        raise ValueError("bytes behind the value")
    return value


def fast(data):
    values = 1

    def count(container):
        nonlocal values
        values += len(container) + 1
        if values > _MOST_VALUES:
            raise ValueError("too many values")
        return container

    return msgpack.unpackb(data, raw=True, strict_map_key=False, list_hook=count, object_hook=count,
                           max_array_len=_MOST_VALUES, max_map_len=_MOST_VALUES // 2)


unpack = fast if msgpack else plain
