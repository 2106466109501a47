"""Reads a Perfetto trace back as its viewer does: sorted by time, a stack for each track."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

DEEPEST = 512  # levels that Perfetto's trace processor keeps


@dataclass
class Slice:
    track: str
    name: str
    begin: int
    end: int | None = None
    depth: int = 0
    arguments: dict[str, Any] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


@dataclass
class ReadTrace:
    slices: list[Slice] = field(default_factory=list)
    instants: list[Slice] = field(default_factory=list)
    counters: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    tracks: dict[int, Any] = field(default_factory=dict)

    def on(self, track: str) -> list[Slice]:
        return [one for one in self.slices if one.track.startswith(track)]


def read_trace(data: bytes) -> ReadTrace:
    trace = Trace()
    trace.ParseFromString(data)
    names, argument_names = interned(trace)
    found = ReadTrace()
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            assert packet.track_descriptor.uuid not in found.tracks
            found.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
    stacks: dict[int, list[Slice]] = {}
    events = [packet for packet in trace.packet if packet.HasField("track_event")]
    for packet in sorted(events, key=lambda packet: packet.timestamp):  # stable
        event = packet.track_event
        track = title(found.tracks[event.track_uuid])
        stack = stacks.setdefault(event.track_uuid, [])
        if event.type == TrackEvent.TYPE_SLICE_END:
            stack.pop().end = packet.timestamp
        elif event.type == TrackEvent.TYPE_COUNTER:
            found.counters.setdefault(track, []).append((packet.timestamp, event.counter_value))
        else:
            one = Slice(track, name_of(event, names), packet.timestamp, depth=len(stack))
            one.arguments = {argument_names[a.name_iid]: value(a) for a in event.debug_annotations}
            one.starts, one.ends = list(event.flow_ids), list(event.terminating_flow_ids)
            if event.type == TrackEvent.TYPE_INSTANT:
                found.instants.append(one)
            else:
                found.slices.append(one)
                stack.append(one)
                assert len(stack) <= DEEPEST
    return found


def interned(trace: Any) -> tuple[dict[int, str], dict[int, str]]:
    names: dict[int, str] = {}
    arguments: dict[int, str] = {}
    for packet in trace.packet:
        names |= {one.iid: one.name for one in packet.interned_data.event_names}
        arguments |= {one.iid: one.name for one in packet.interned_data.debug_annotation_names}
    return names, arguments


def name_of(event: Any, names: dict[int, str]) -> str:
    return names[event.name_iid] if event.name_iid else str(event.name)


def title(descriptor: Any) -> str:
    if descriptor.HasField("thread"):
        return f"thread {descriptor.thread.tid}"
    return str(descriptor.name or descriptor.process.process_name)


def value(annotation: Any) -> Any:
    return getattr(annotation, annotation.WhichOneof("value"))
