"""Reads a Perfetto trace with Perfetto's own Python package and prints what it holds, a line each."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.build/python"))  # tests/run puts it there
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
except ImportError as error:
    print("missing:", error)
    sys.exit(0)

COUNTER, BEGIN, END, INSTANT = 4, 1, 2, 3
trace = perfetto_trace_pb2.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
tracks = {}


def path(uuid):
    track = tracks[uuid]
    if track.HasField("process"):
        return f"{track.process.process_name} ({track.process.pid})"
    return f"{path(track.parent_uuid)}/{track.name}"


for packet in trace.packet:
    if packet.HasField("clock_snapshot"):
        clocks = " ".join(f"{clock.clock_id}={clock.timestamp}" for clock in packet.clock_snapshot.clocks)
        print("clocks", clocks, "primary", packet.clock_snapshot.primary_trace_clock)
    elif packet.HasField("track_descriptor"):
        tracks[packet.track_descriptor.uuid] = packet.track_descriptor
    elif packet.HasField("track_event"):
        assert packet.timestamp_clock_id == 3 and packet.trusted_packet_sequence_id == 1
        event = packet.track_event
        where = path(event.track_uuid)
        if event.type == COUNTER:
            unit = tracks[event.track_uuid].counter.unit
            print(packet.timestamp, where, f"unit {unit}", f"{event.double_counter_value:g}")
        elif event.categories[:] == ["fault"]:
            notes = {note.name: note for note in event.debug_annotations}
            kind = {BEGIN: "begin", INSTANT: "instant"}[event.type]
            print(packet.timestamp, where, f"{kind} '{event.name}'", notes["stands_for_faults"].uint_value,
                  notes["code"].string_value if "code" in notes else "-")
        elif event.categories[:] in (["run"], ["resume"]):
            print(packet.timestamp, where, {BEGIN: "begin", INSTANT: "instant"}[event.type], f"'{event.name}'")
        elif event.type == BEGIN:
            notes = {note.name: note for note in event.debug_annotations}
            print(packet.timestamp, where, f"begin '{event.name}'", notes["duration_ns"].int_value,
                  notes["culprit"].string_value if "culprit" in notes else "-")
        else:
            assert event.type == END
            print(packet.timestamp, where, "end")
