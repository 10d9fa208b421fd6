"""Frames of a game and its single faults: kinds 5 to 8.

SPDX-License-Identifier: MIT-0
"""
from .metrics import BEHIND, FRAME, STRETCH, UNDIVIDED, text
from .sweeps import bits, whole

_MOST_FRAMES, _MOST_SAMPLES, _MOST_DEPTH, _MOST_TABLES, _ENTRY = 1 << 16, 2048, 512, 64 << 20, 200
_LONGEST, _U64 = (1 << 63) // 8, (1 << 64) - 1
FRAME_COLUMNS = ["frame", "start_ns", "duration_ns", "thread", "minor_faults", "major_faults",
                 *(name for name, _ in FRAME.values()), "delay_pair", "delayed", "waiting_behind"]
SAMPLE_COLUMNS = ["time_ns", "thread", "thread_name", "address", "weight", "major", "kernel", "write", "present",
                  "instruction", "took_ns", "mapping_begin", "mapping_end", "mapping_writable", "mapping_executable",
                  "mapping_shared", "mapping_of_file", "mapping", "code", "stack"]
_PLACE = {bit: 6 + index for index, bit in enumerate(FRAME)}
_FAULT_NS, _TIMED = (FRAME_COLUMNS.index(name) for name in ("fault_ns", "timed_faults"))


def varints(data):
    """Integers of seven bits per byte, low ones first; the top bit means that more bytes follow."""
    if type(data) is not bytes:
        raise ValueError("not binary")
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value & _U64
            value = shift = 0
        elif shift > 70:
            raise ValueError("an integer that does not end")
    if shift:
        raise ValueError("an integer that is cut off")


def _last(path):
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def signed(value):
    return value >> 1 ^ -(value & 1)


class Frames:
    """A packet: `lost` and `invalid_marks` since the stream began; `state` 0 runs, 1 exited, 2 another program."""

    def __init__(self, array, recorded):
        whole(array[:3])
        self.lost, self.invalid_marks, self.state = array[:3]
        if self.state > 2:
            raise ValueError("an impossible state")
        self.faults_after = whole(array[4:5])[0] if len(array) > 4 else None
        self.rows = [self.row(frame) for frame in (self.unpacked(array[3]) if recorded else array[3])]
        if len(self.rows) > _MOST_FRAMES:
            raise ValueError("too many frames")

    @staticmethod
    def unpacked(data):
        numbers, number, end, thread = varints(data), 0, 0, 0
        try:
            for count, first in enumerate(numbers):
                if count == _MOST_FRAMES:
                    raise ValueError("too many frames")
                number = number + signed(first) & _U64
                start = end + signed(next(numbers)) & _U64
                duration = next(numbers)
                thread = thread + signed(next(numbers)) & 0xFFFFFFFF
                end = start + duration
                rest = [next(numbers) for _ in range(3)]
                yield [number, start, duration, thread, *rest, *(next(numbers) for _ in bits(rest[2]))]
        except (StopIteration, RuntimeError):
            raise ValueError("a frame that is cut off") from None

    @staticmethod
    def row(frame):
        number, start, duration, thread, minor, major, mask = whole(frame)[:7]
        if max(start, duration) > _LONGEST or len(frame) < 7 + len(bits(mask)):
            raise ValueError("an impossible frame")
        row = [number, start, duration, thread, minor, major] + [None] * (len(FRAME) + 3)
        behind = b""
        for bit, value in zip(bits(mask), frame[7:]):
            if bit in _PLACE:
                row[_PLACE[bit]] = value
            elif bit == STRETCH:
                row[-3:-1] = [value >> 1, value & 1]
            elif bit in BEHIND:
                behind += value.to_bytes(8, "little")
            elif bit == UNDIVIDED:
                row[5] = None
        row[-1] = text(behind.split(b"\0")[0]) or None
        if row[_TIMED] is None and row[_FAULT_NS] is not None:
            row[_TIMED] = row[4] + (row[5] or 0)  # all of them
        return row


def _sample(time, thread, name, address, weight, mask, took, mapping, code=None, stack=None):
    if max(time, took or 0) > _LONGEST:
        raise ValueError("an impossible time")
    flag = [bool(mask >> bit & 1) for bit in range(6)]
    access = flag[3:] if flag[2] else [None] * 3
    begin, end, kind, file = mapping or (None, None, None, None)
    return [time, thread, name, address, weight, flag[0], flag[1], *access, took, begin, end,
            *((bool(kind >> bit & 1) if mapping else None) for bit in range(4)), file, code, stack]


def samples(array):
    """The rows of kind 6, whose stacks are memory of the game without names."""
    rows = []
    for sample in array[1]:
        time, thread, name, address, weight, mask = sample[:6]
        whole([time, thread, address, weight, mask])
        rest = sample[8:]
        took = whole(rest[:1])[0] if mask >> 6 & 1 else None
        mapping = None
        if mask >> 7 & 1:
            begin, end, kind, file = rest[mask >> 6 & 1][:4]
            mapping = (*whole([begin, end, kind]), text(file))
        rows.append(_sample(time, thread, text(name), address, weight, mask, took, mapping))
    return rows


class RecordedSamples:
    """Texts, calls and contexts that later packets refer to. What refers to a lost packet is left out."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.texts, self.calls, self.contexts, self.bytes = {0: ""}, {0: (0, "", 0, None)}, {}, 0

    def room(self, size):
        self.bytes += _ENTRY + size
        return self.bytes <= _MOST_TABLES

    def take(self, array):
        _, first_context, first_text, texts, first_call, calls, contexts, packed = array[:8]
        whole([first_context, first_text, first_call])
        if first_context == 0:
            self.forget()
        for index, name in enumerate(texts, first_text + 1):
            if self.room(len(name)):
                self.texts[index] = text(name[:1024])
        self.take_calls(varints(calls), first_call)
        self.take_contexts(varints(contexts), first_context)
        return list(self.rows(varints(packed)))

    def take_calls(self, numbers, before):
        try:
            for index, caller in enumerate(numbers, before + 1):
                function, module, offset, file, line, kind = (next(numbers) for _ in range(6))
                caller = caller if caller in self.calls else 0
                depth, code = self.calls[caller][2] + 1, self.calls[caller][3]
                name, module, file = (self.texts.get(index, "") for index in (function, module, file))
                if not name:  # as faultline-cli names it in --folded
                    name = f"{_last(module)}+{offset:#x}" if module else f"{offset:#x}"
                if not kind & 2:  # else of the system, and the caller's code is what faults
                    code = f"{name} ({_last(file)}:{line})" if file and line else name
                if depth <= _MOST_DEPTH and self.room(len(name) + len(code or "")):
                    self.calls[index] = caller, name.replace(";", ":"), depth, code
        except (StopIteration, RuntimeError):
            raise ValueError("a call that is cut off") from None

    def take_contexts(self, numbers, before):
        try:
            for index, thread in enumerate(numbers, before + 1):
                name, weight, mask, call = (next(numbers) for _ in range(4))
                mapping = [next(numbers) for _ in range(4)] if mask >> 7 & 1 else None
                if mapping:
                    mapping[3] = self.texts.get(mapping[3], "")
                if self.room(0):
                    self.contexts[index] = thread, self.texts.get(name, ""), weight, mask, call, mapping
        except (StopIteration, RuntimeError):
            raise ValueError("a context that is cut off") from None

    def stack(self, call):
        """Folded: the outermost call first. None if no call stack is known."""
        names = []
        while call and call in self.calls and len(names) < _MOST_DEPTH:
            call, name, _, _ = self.calls[call]
            names.append(name)
        return ";".join(reversed(names)) or None

    def rows(self, numbers):
        pages, time, stacks = {}, 0, {}
        for count, context in enumerate(numbers):
            if count == _MOST_SAMPLES:
                raise ValueError("too many samples")
            if context not in self.contexts:
                return  # the rest refers to a lost packet, too
            thread, name, weight, mask, call, mapping = self.contexts[context]
            try:
                time = time + signed(next(numbers)) & _U64
                page = pages.get(context, mapping[0] >> 12 if mapping else 0) + signed(next(numbers)) & _U64
                took = next(numbers) if mask >> 6 & 1 else None
            except StopIteration:
                raise ValueError("a sample that is cut off") from None
            pages[context] = page
            if call not in stacks:
                stacks[call] = self.stack(call)
            code = self.calls[call][3] if call in self.calls else None
            yield _sample(time, thread, name, page << 12 & _U64, weight, mask, took, mapping, code, stacks[call])
