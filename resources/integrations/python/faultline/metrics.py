"""The numbers of recordings by their ids, which are never reused. The names are those of faultline-cli's CSV.

SPDX-License-Identifier: MIT-0
"""
import re
from dataclasses import dataclass

PROCESS = """minor_faults major_faults commit_bytes resident_bytes touched_private_bytes threads zeroed_bytes
zeroed_large_bytes zeroing_ns sampled_zeroing_ns fault_ns major_fault_ns timed_faults timed_major_faults parent_pid
child_minor_faults child_major_faults swapped_bytes fault_on_processor_ns fault_waiting_ns fault_blocked_ns
fault_disk_ns fault_reclaim_ns fault_compaction_ns freed_bytes teardown_ns discarded_bytes reclaimed_bytes mappings
large_zeroing_ns""".split()
SYSTEM = """system_faults system_major_faults pages_allocated pages_freed thp_faults_allocated thp_faults_fallback
committed_bytes commit_limit_bytes free_bytes available_bytes total_bytes collector_cpu_ns missed_deadlines
dropped_snapshots lost_exits processes_left_out demand_zero_faults transition_faults copy_on_write_faults
zero_thread_cycles zero_thread_ns zero_thread_switches zero_threads zeroed_list_bytes free_list_bytes
small_zeroing_ps_per_kib large_zeroing_ps_per_kib skipped_runs system_process_cycles cycles_per_second
sweep_interval_ns""".split()
_GAUGES = set("""commit_bytes resident_bytes touched_private_bytes threads parent_pid swapped_bytes mappings
committed_bytes commit_limit_bytes free_bytes available_bytes total_bytes processes_left_out zero_threads
zeroed_list_bytes free_list_bytes small_zeroing_ps_per_kib large_zeroing_ps_per_kib cycles_per_second
sweep_interval_ns""".split())

# Of a frame, by bit of its mask, with the key of the quality in `watched`; faults have that of `watched` itself.
FRAME = {0: ("thread_minor_faults", ""), 1: ("thread_major_faults", ""), 2: ("zeroed_bytes", "zeroed"),
         3: ("fault_ns", "fault_time"), 4: ("thread_zeroed_bytes", "zeroed"), 5: ("thread_fault_ns", "fault_time"),
         6: ("timed_faults", "fault_time"), 7: ("fault_on_processor_ns", "fault_parts"),
         8: ("fault_waiting_ns", "fault_parts"), 9: ("fault_blocked_ns", "fault_parts"),
         10: ("thread_fault_on_processor_ns", "fault_parts"), 11: ("thread_fault_waiting_ns", "fault_parts"),
         12: ("thread_fault_blocked_ns", "fault_parts"), 13: ("thread_waiting_ns", "fault_parts"),
         14: ("thread_sleeping_ns", "fault_parts"), 15: ("teardown_ns", "teardown"),
         16: ("thread_teardown_ns", "teardown"), 17: ("delay_ns", "delay"), 18: ("thread_delay_ns", "delay"),
         19: ("thread_futex_ns", "delay"), 23: ("fault_disk_ns", "fault_parts"),
         24: ("thread_fault_disk_ns", "fault_parts"), 25: ("fault_reclaim_ns", "fault_efforts"),
         26: ("thread_fault_reclaim_ns", "fault_efforts"), 27: ("fault_compaction_ns", "fault_efforts"),
         28: ("thread_fault_compaction_ns", "fault_efforts"), 29: ("zeroed_large_bytes", "zeroed"),
         30: ("thread_zeroed_large_bytes", "zeroed"), 31: ("thread_awaiting_ns", "path"),
         32: ("thread_awaited_fault_ns", "path"), 33: ("thread_awaited_teardown_ns", "path"),
         34: ("unseen_fault_ns", "fault_time"), 35: ("freed_bytes", "freed"), 36: ("thread_freed_bytes", "freed"),
         37: ("thread_waiting_behind_ns", "path"), 40: ("thread_sampling_ns", "fault_time"),
         41: ("awaited_thread", "path"), 42: ("thread_awaited_waiting_ns", "path")}
STRETCH, UNDIVIDED, BEHIND = 20, 21, (38, 39)
_TAKEN = set("""wall_time monotonic_ns pid start_time name exited born interval_ns gap service machine day recording
             game""".split())
_UNTOLD = "The program that made this stream did not know this number yet."


@dataclass(frozen=True)
class Metric:
    """A number, and how far it can be trusted: `grade` is exact, estimated or unavailable; `how` is its source, or why
    it is unavailable; `enable` tells how to make it available."""
    id: int
    name: str
    title: str
    kind: str
    unit: str
    grade: str
    how: str
    enable: str
    wrap_bits: int = 64


def unit_of(name):
    return "ns" if name.endswith("_ns") else "bytes" if name.endswith("_bytes") else "count"


def text(value):
    """Bytes that are not UTF-8 become \\xHH, as in faultline-cli's own output."""
    if not isinstance(value, bytes):
        raise ValueError("not a text")
    return value.decode("utf-8", "backslashreplace").replace("\0", "\\x00")


def quality(told):
    words = [text(told.get(key, b"")) for key in (b"grade", b"how", b"enable")]
    return [words[0] if words[0] in ("exact", "estimated") else "unavailable", *words[1:]]


def metrics_of(told, names):
    """The known metrics in order of their ids, as the Hello describes them, then those that a newer writer added."""
    found = {}
    for row in told:
        number, bits = row[b"id"], row.get(b"wrap_bits", 64)
        if type(number) is not int or type(bits) is not int or not (0 <= number < 64 and 1 <= bits <= 64):
            raise ValueError("a metric with an impossible id or wrap_bits")
        found[number] = (row, bits)
    metrics = []
    for number in [*range(len(names)), *sorted(n for n in found if n >= len(names))]:
        row, bits = found.get(number, ({b"grade": b"unavailable", b"how": _UNTOLD.encode()}, 64))
        if number < len(names):
            name = names[number]
            kind, unit = "gauge" if name in _GAUGES else "counter", unit_of(name)
        else:
            name, kind, unit = (text(row.get(key, b"")) for key in (b"name", b"kind", b"unit"))
            taken = _TAKEN.union(metric.name for metric in metrics)
            if not re.fullmatch(r"[a-z][a-z0-9_]{0,62}", name) or name in taken or name.endswith(("_delta", "_per_s")):
                name = f"metric_{number}"
        metrics.append(Metric(number, name, text(row.get(b"title", b"")), kind, unit, *quality(row), bits))
    return metrics
