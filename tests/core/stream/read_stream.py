"""Reads a Faultline stream with nothing but Python, from stream/format.md alone, and prints its contents; with a second
argument, the zeroing time of each process, which readers derive."""
import math
import pathlib
import re
import struct
import sys

M = 0xFFFFFFFF
FORMAT = (pathlib.Path(__file__).resolve().parents[3] / "core/stream/format.md").read_text(encoding="utf-8")
NAMES = {int(bit): name for bit, name in re.findall(r"^\| (\d+) `(\w+)` \|", FORMAT, re.M)}  # of a frame's numbers


def rotate(x, n):
    return (x << n | x >> (32 - n)) & M


def xxh32(data):
    p1, p2, p3, p4, p5 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1
    lanes, i = [(p1 + p2) & M, p2, 0, -p1 & M], 0
    while len(data) - i >= 16:
        for lane, word in enumerate(struct.unpack_from("<4I", data, i)):
            lanes[lane] = rotate((lanes[lane] + word * p2) & M, 13) * p1 & M
        i += 16
    h = sum(rotate(v, n) for v, n in zip(lanes, (1, 7, 12, 18))) if i else p5
    h = (h + len(data)) & M
    while len(data) - i >= 4:
        h = rotate((h + struct.unpack_from("<I", data, i)[0] * p3) & M, 17) * p4 & M
        i += 4
    for byte in data[i:]:
        h = rotate((h + byte * p5) & M, 11) * p1 & M
    h = (h ^ h >> 15) * p2 & M
    h = (h ^ h >> 13) * p3 & M
    return h ^ h >> 16


def unpack(data, i=0):
    """One MessagePack value and the offset behind it; python3-msgpack does the same."""
    tag, i = data[i], i + 1
    if tag < 0x80 or tag >= 0xE0:
        return (tag if tag < 0x80 else tag - 256), i
    if 0xCC <= tag <= 0xD3:
        form = "BHIQbhiq"[tag - 0xCC]
        return struct.unpack_from(">" + form, data, i)[0], i + struct.calcsize(form)
    if 0xA0 <= tag < 0xC0:
        return data[i:i + tag - 0xA0].decode(), i + tag - 0xA0
    if 0x80 <= tag < 0xA0:
        size = tag & 15
    else:
        form = {0xC4: "B", 0xC5: "H", 0xC6: "I", 0xD9: "B", 0xDA: "H", 0xDB: "I", 0xDC: "H", 0xDD: "I", 0xDE: "H",
                0xDF: "I"}[tag]
        size = struct.unpack_from(">" + form, data, i)[0]
        i += struct.calcsize(form)
    if 0xC4 <= tag <= 0xC6 or 0xD9 <= tag <= 0xDB:
        body = data[i:i + size]
        return (body if tag <= 0xC6 else body.decode()), i + size
    values = []
    for _ in range(size * 2 if tag < 0x90 or tag >= 0xDE else size):
        value, i = unpack(data, i)
        values.append(value)
    return (dict(zip(values[::2], values[1::2])) if tag < 0x90 or tag >= 0xDE else values), i


def packets(data):
    assert data[:10] == b"FAULTLINE\n" and data[10] == 1, "not a Faultline stream of format 1"
    i = 12
    while i < len(data):
        marker, check, kind_and_length, checksum = struct.unpack_from("<2sHII", data, i)
        payload = data[i + 12:i + 12 + (kind_and_length >> 8)]
        assert marker == b"FL" and check == xxh32(data[i + 4:i + 12]) & 0xFFFF and checksum == xxh32(payload)
        yield kind_and_length & 0xFF, unpack(payload)[0]
        i += 12 + len(payload)


def bits(mask):
    return [bit for bit in range(64) if mask >> bit & 1]


def quality(values):
    return [values["grade"], values["how"].encode().hex(), values["enable"].encode().hex()]


def print_watched(game):
    print("watched", game["pid"], game["name"].hex(), game["method"], game["mark"], *quality(game))
    for key, value in game.items():  # none before 1.3
        if isinstance(value, dict) and "grade" in value:
            print(key, *quality(value))
    if "fault_ps" in game:
        print("fault_ps", game["fault_ps"])


def print_game_frames(batch):
    lost, invalid, state, frames = batch[:4]
    print("frames", lost, invalid, state)
    for frame in frames:
        mask, rest = frame[6], frame[7:]
        print(*frame[:6], *(f"{NAMES[bit]}={value}" for bit, value in zip(bits(mask), rest) if bit in NAMES))


def print_samples(batch):
    print("samples", batch[0])
    for sample in batch[1]:
        print_sample(sample, [])


def print_sample(sample, calls):
    time, thread, name, address, weight, mask, registers, stack = sample[:8]
    rest = list(sample[8:])
    words = [time, thread, name.hex(), address, weight]
    words += [word for bit, word in ((0, "major"), (1, "kernel")) if mask >> bit & 1]
    if mask >> 2 & 1:
        words += ["access"] + [mask >> bit & 1 for bit in (3, 4, 5)]
    if mask >> 6 & 1:
        words += ["took", rest.pop(0)]
    if mask >> 7 & 1:
        begin, end, kind, file = rest.pop(0)[:4]
        words += ["mapping", begin, end, kind & 15, file.hex()]
    print(*words, "registers", *registers, "stack", stack.hex(), *calls)


def varints(data):
    """Integers of seven bits per byte, low ones first; the top bit means that more bytes follow."""
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def signed(value):
    return value >> 1 ^ -(value & 1)


def print_recorded_frames(batch):
    frames, numbers = [], varints(batch[3])
    number = end = thread = 0
    for first in numbers:
        number = (number + signed(first)) % 2**64
        start = (end + signed(next(numbers))) % 2**64
        duration = next(numbers)
        thread = (thread + signed(next(numbers))) % 2**64
        end = start + duration
        rest = [next(numbers) for _ in range(3)]
        frames.append([number, start, duration, thread, *rest, *(next(numbers) for _ in bits(rest[2]))])
    print_game_frames([*batch[:3], frames])


class RecordedSamples:
    def read(self, batch):
        lost, first_context, first_text, texts, first_call, calls, contexts, samples = batch[:8]
        if first_context == 0:
            self.texts, self.calls, self.contexts = {0: b""}, {0: []}, {}
        self.texts.update(enumerate(texts, first_text + 1))
        numbers = varints(calls)
        for i, caller in enumerate(numbers, first_call + 1):
            function, module, offset, file, line, kind = (next(numbers) for _ in range(6))
            names = [self.texts[text].hex() for text in (function, module, file)]
            self.calls[i] = [["call", names[0], names[1], offset, names[2], line, kind], *self.calls[caller]]
        numbers = varints(contexts)
        for i, thread in enumerate(numbers, first_context + 1):
            name, weight, mask, call = (next(numbers) for _ in range(4))
            mapping = [next(numbers) for _ in range(4)] if mask >> 7 & 1 else None
            self.contexts[i] = thread, self.texts[name], weight, mask, self.calls[call], mapping
        numbers, pages, time = varints(samples), {}, 0
        print("samples", lost)
        for context in numbers:
            thread, name, weight, mask, call, mapping = self.contexts[context]
            time += signed(next(numbers))
            page = pages.get(context, mapping[0] >> 12 if mapping else 0) + signed(next(numbers))
            pages[context] = page
            rest = [next(numbers)] if mask >> 6 & 1 else []
            if mapping:
                rest.append([*mapping[:3], self.texts[mapping[3]]])
            sample = [time, thread, name, (page << 12) % 2**64, weight, mask, [], b"", *rest]
            print_sample(sample, [word for words in call for word in words])


class Zeroing:
    def __init__(self):
        self.before = {}  # values and time of each process

    def read(self, cost, processes):
        """Rows of pid, start time and ns; the latter is None if it is not known."""
        now = {}
        for pid, start, values in processes:
            old, so_far = self.before.get((pid, start), ({}, None))
            both = values.keys() & old.keys()
            grown = values if so_far is None else {name: values[name] - old[name] for name in both}
            time = self.time(cost, grown)
            now[pid, start] = values, time if None in (so_far, time) else so_far + time
        self.before = now
        return [(*key, time) for key, (_, time) in now.items()]

    @staticmethod
    def time(cost, grown):
        if not cost or "zeroed_bytes" not in grown:
            return None
        large = min(grown.get("zeroed_large_bytes", 0), grown["zeroed_bytes"])
        small = grown["zeroed_bytes"] - large
        large_ns = max(large / 1024 * (cost[1] / 1000), grown.get("large_zeroing_ns", 0))
        time = math.floor(small / 1024 * (cost[0] / 1000) + large_ns + 0.5)
        most, faults = grown.get("fault_on_processor_ns", grown.get("fault_ns")), grown.get("timed_faults")
        asked = None not in (most, faults) and small <= faults * 8192 and large <= faults * 2**21
        return min(time, most) if asked else time


def main(data, derived):
    recorded, zeroing = RecordedSamples(), Zeroing()
    processes, names, in_bytes = [], [], []
    for kind, value in packets(data):
        if kind == 1:
            metrics = {metric["id"]: metric for metric in value["process_metrics"]}
            names = {i: metric["name"] for i, metric in metrics.items()}
            in_bytes = {i: metric["unit"] == "bytes" for i, metric in metrics.items()}
            system_names = {metric["id"]: metric["name"] for metric in value["system_metrics"]}
            told = value.get("zeroing_cost")
            if "watched" in value:
                print_watched(value["watched"])
        elif kind in (2, 3):
            if kind == 2:
                durations = [0] * 29
                processes = []  # each one [pid, start time, name, {metric: value}, service or nothing]
            sequence, time, wall, _, _, shift, system, gone, changed, records, exited = [*value, []][:11]  # 1.0: ten
            grown = [[*each, *[0] * 29][:29] for each in value[11:12]]
            durations = [sum(pair) % 2**64 for pair in zip(durations, *grown)] if grown else [0] * 29
            scale = lambda bit, number: number << (shift if in_bytes[bit] else 0)
            index, i = -1, 0
            while i < len(changed):
                index, i = index + 1 + changed[i], i + 1
                mask, i = changed[i], i + 1
                for bit in bits(mask):
                    number = processes[index][3][bit] + scale(bit, changed[i])
                    processes[index][3][bit], i = number % 2**64, i + 1
            index, dead = -1, set()
            for gap in gone:
                index += 1 + gap
                dead.add(index)
            alive = {tuple(p[:2]): p for n, p in enumerate(processes) if n not in dead}
            read = lambda pid, start, name, mask, *rest: [
                pid, start, name, {b: scale(b, n) for b, n in zip(bits(mask), rest)}, *rest[len(bits(mask)):][:1]]
            alive.update({tuple(record[:2]): read(*record) for record in records})
            processes = [alive[key] for key in sorted(alive)]
            if derived:
                machine = {system_names[bit]: number for bit, number in zip(bits(system[0]), system[1:])}
                each = [machine.get(f"{size}_zeroing_ps_per_kib") for size in ("small", "large")]
                cost = each if None not in each else told and [told["small_ps_per_kib"], told["large_ps_per_kib"]]
                rows = [(pid, start, {names[bit]: number for bit, number in numbers.items()})
                        for pid, start, _, numbers, *_ in processes + [read(*record) for record in exited]]
                for row in zeroing.read(cost, rows):
                    print("zeroing", time, *row)
                continue
            print("snapshot", time, wall, *system[1:], *(["durations", *durations] if grown else []))
            for pid, start, name, numbers, *service in processes + [read(*record) for record in exited]:
                print(pid, start, name.hex(), *(f"{names[bit]}={number}" for bit, number in sorted(numbers.items())),
                      *(f"service={each.hex()}" for each in service))
        elif kind == 4:
            print("end")
        elif kind == 5:
            print_game_frames(value)
        elif kind == 6:
            print_samples(value)
        elif kind == 7:
            print_recorded_frames(value)
        elif kind == 8:
            recorded.read(value)


main(open(sys.argv[1], "rb").read(), len(sys.argv) > 2)
