"""The packets of a stream, found again after damage, with one packet in memory at a time.

SPDX-License-Identifier: MIT-0
"""
import re
import struct
from dataclasses import dataclass

try:
    from xxhash import xxh32_intdigest
except ImportError:
    xxh32_intdigest = None

_MAGIC, _HEADER, _PIECE = b"FAULTLINE\n", 12, 1 << 18
_BEGIN = re.compile(rb"FL|FAULTLINE\n")
_FREE_CHECKS, _CHECKS_PER_BYTE = 64 << 20, 4
STREAM, HELLO, KEY, DELTA, END, FRAMES, SAMPLES, RECORDED_FRAMES, RECORDED_SAMPLES = range(9)


class NotARecording(ValueError):
    """The file is no recording, or one of another major version."""


@dataclass
class Loss:
    """What a pass over a recording could not read: `bytes` belong to no packet; `snapshots` are missing or cannot be
    used without those missing; `packets` have right checksums and impossible contents; `cut_bytes` are of a last packet
    that is cut off; `ended` tells whether the end mark is there; `stopped` why reading did, if not at the end."""
    bytes: int = 0
    snapshots: int = 0
    packets: int = 0
    cut_bytes: int = 0
    ended: bool = False
    stopped: str = ""

    def remark(self):
        """A sentence about all that; empty if the recording is whole."""
        words = []
        if self.cut_bytes:
            words.append("it is cut off in the middle of a packet")
        elif not self.ended:
            words.append("it has no end mark: it was interrupted or is still being written")
        words += [f"{count} {noun}{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} {lost}"
                  for count, noun, lost in ((self.bytes, "byte", "damaged"), (self.packets, "packet", "unreadable"),
                                            (self.snapshots, "snapshot", "lost")) if count]
        return "; ".join(words + ([self.stopped] if self.stopped else []))


def _rotate(x, n):
    return (x << n | x >> 32 - n) & 0xFFFFFFFF


def plain_xxh32(data):
    m, p1, p2, p3, p4, p5 = 0xFFFFFFFF, 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1
    size, at = len(data), len(data) & ~15
    h = p5
    if at:
        a, b, c, d = (p1 + p2) & m, p2, 0, -p1 & m
        for i, j, k, l in struct.iter_unpack("<4I", data[:at]):
            a, b, c, d = (a + i * p2) & m, (b + j * p2) & m, (c + k * p2) & m, (d + l * p2) & m
            a = (a << 13 | a >> 19) * p1 & m
            b = (b << 13 | b >> 19) * p1 & m
            c = (c << 13 | c >> 19) * p1 & m
            d = (d << 13 | d >> 19) * p1 & m
        h = _rotate(a, 1) + _rotate(b, 7) + _rotate(c, 12) + _rotate(d, 18)
    h = (h + size) & m
    for at in range(at, size - 3, 4):
        h = _rotate((h + struct.unpack_from("<I", data, at)[0] * p3) & m, 17) * p4 & m
    for byte in data[size & ~3:]:
        h = _rotate((h + byte * p5) & m, 11) * p1 & m
    h = (h ^ h >> 15) * p2 & m
    h = (h ^ h >> 13) * p3 & m
    return h ^ h >> 16


_xxh32 = xxh32_intdigest or plain_xxh32


class _Window:
    """The bytes from `place` on, as far as they are needed."""

    def __init__(self, file):
        self.file, self.data, self.at, self.place, self.end = file, b"", 0, 0, False

    def have(self, size):
        while not self.end and len(self.data) - self.at < size:
            more = self.file.read(max(_PIECE, size - len(self.data) + self.at))
            self.end = not more
            self.data, self.at = self.data[self.at:] + (more or b""), 0
        return len(self.data) - self.at >= size

    def peek(self, size):
        return self.data[self.at:self.at + size]

    def skip(self, size):
        self.at += size
        self.place += size

    def seek(self):
        """Skips to the next bytes that begin a packet or a stream, and tells how many bytes it has skipped."""
        skipped = 0
        while self.have(_HEADER) or self.have(1):
            found = _BEGIN.search(self.data, self.at)
            some = found.start() - self.at if found else len(self.data) - self.at - (0 if self.end else len(_MAGIC) - 1)
            self.skip(some)
            skipped += some
            if found:
                break
        return skipped


def _length(header):
    """Of the payload; None if the bytes are no header. Its own checksum keeps a damaged length from being used."""
    marker, check, kind_and_length, _ = struct.unpack("<2sHII", header)
    if marker != b"FL" or check != _xxh32(header[4:]) & 0xFFFF:
        return None
    return kind_and_length >> 8


def packets(file, loss):
    """Yields kind and payload of each packet; (STREAM, None) where a stream begins, (None, None) where damage does."""
    window, checked, searching, cut = _Window(file), 0, False, None
    if not window.have(1):
        raise NotARecording("it is empty")
    while True:
        if searching:
            loss.bytes += window.seek()
        if not window.have(1):
            break
        window.have(_HEADER)
        begin = window.peek(_HEADER)
        if window.place == 0 and not begin.startswith(_MAGIC):
            raise NotARecording("it does not begin with FAULTLINE")
        if begin.startswith(_MAGIC) and len(begin) == _HEADER:
            if begin[10] != 1:
                loss.stopped = f"it continues in format {begin[10]}, and this package reads format 1"
                if window.place == 0:
                    raise NotARecording(f"it has format {begin[10]}, and this package reads format 1")
                return
            searching, cut = False, None
            window.skip(_HEADER)
            yield STREAM, None
            continue
        length = _length(begin) if len(begin) == _HEADER else None
        whole = length is not None and window.have(_HEADER + length)
        budget = _FREE_CHECKS + _CHECKS_PER_BYTE * window.place
        if whole and checked + length <= budget:
            checked += length
            payload = window.data[window.at + _HEADER:window.at + _HEADER + length]
            if _xxh32(payload) == struct.unpack("<I", begin[8:])[0]:
                searching, cut = False, None
                window.skip(_HEADER + length)
                yield begin[4], payload
                continue
        elif cut is None and not whole and (length is not None or len(begin) < _HEADER) and _begins(begin):
            cut = window.place, loss.bytes  # the last packet, unless another one follows
        if not searching:
            yield None, None
        searching = True
        window.skip(1)
        loss.bytes += 1
    if cut:
        loss.cut_bytes, loss.bytes = window.place - cut[0], cut[1]


def _begins(begin):
    return begin[:2] == b"FL"[:len(begin)] or _MAGIC.startswith(begin)
