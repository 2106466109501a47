"""A Perfetto trace, packet by packet, through the builder of the `perfetto` package.

A trace is a sequence of packets, and traces put one after the other are a trace: so packets are
built some thousands at a time, and memory stays flat. Packets need no order in time. On a track,
what begins later ends earlier or at the same time; who writes slices keeps to that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    BUILTIN_CLOCK_BOOTTIME,
    BUILTIN_CLOCK_MONOTONIC,
    BUILTIN_CLOCK_REALTIME,
    CounterDescriptor,
    TracePacket,
    TrackEvent,
)
from perfetto.trace_builder.proto_builder import TraceProtoBuilder

from greta.reports.export.values import plain

PACKETS_AT_ONCE = 8192
SEQUENCE = 1
MOST_NAMES = 1 << 14  # a program may name every step it makes
LATEST = (1 << 63) - 1

Track = int
Value = int | float | str
Arguments = Iterable[tuple[str, Value]]


class Address(int):
    """A number that is shown in hexadecimal."""


class TraceFile:
    """Writes tracks and what happens on them. Times are nanoseconds of one clock."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._builder = TraceProtoBuilder()
        self._packets = 0
        self._tracks = 0
        self._names: dict[str, int] = {}
        self._argument_names: dict[str, int] = {}
        packet = self._packet()
        packet.sequence_flags = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED

    def finish(self) -> None:
        """Writes what is left."""
        self._file.write(self._builder.serialize())
        self._builder = TraceProtoBuilder()
        self._packets = 0

    # --- tracks -----------------------------------------------------------------------------------

    def same_time(self, monotonic: int, realtime: int) -> None:
        """Two readings of the clocks, so that a viewer can show the time of day."""
        packet = self._packet()
        readings = (
            (BUILTIN_CLOCK_BOOTTIME, monotonic),
            (BUILTIN_CLOCK_MONOTONIC, monotonic),
            (BUILTIN_CLOCK_REALTIME, realtime),
        )
        for clock, time in readings:
            packet.clock_snapshot.clocks.add(clock_id=clock, timestamp=_time(time))

    def process_track(self, pid: int, name: str, arguments: Iterable[str]) -> Track:
        """The track of a process."""
        packet, track = self._new_track()
        process = packet.track_descriptor.process
        process.pid = pid & 0x7FFFFFFF
        process.process_name = plain(name)
        process.cmdline.extend(plain(argument) for argument in arguments)
        return track

    def thread_track(self, pid: int, tid: int, name: str) -> Track:
        """The track of a thread."""
        packet, track = self._new_track()
        thread = packet.track_descriptor.thread
        thread.pid = pid & 0x7FFFFFFF
        thread.tid = tid
        thread.thread_name = plain(name)
        return track

    def track(self, name: str, parent: Track) -> Track:
        """A track below another. Those with one name and parent are shown as one."""
        packet, track = self._new_track()
        packet.track_descriptor.name = plain(name)
        packet.track_descriptor.parent_uuid = parent
        return track

    def bytes_track(self, name: str, parent: Track) -> Track:
        """A track of a number of bytes."""
        packet, track = self._new_track()
        packet.track_descriptor.name = plain(name)
        packet.track_descriptor.parent_uuid = parent
        packet.track_descriptor.counter.unit = CounterDescriptor.UNIT_SIZE_BYTES
        return track

    # --- events -----------------------------------------------------------------------------------

    def begin(
        self,
        track: Track,
        time: int,
        name: str,
        arguments: Arguments = (),
        *,
        starts: int | None = None,
        ends: int | None = None,
    ) -> None:
        """A slice begins; an arrow may start here, or end."""
        packet = self._event(track, time, TrackEvent.TYPE_SLICE_BEGIN)
        self._describe(packet, name, arguments)
        if starts is not None:
            packet.track_event.flow_ids.append(starts)
        if ends is not None:
            packet.track_event.terminating_flow_ids.append(ends)

    def end(self, track: Track, time: int) -> None:
        """The slice that began last ends."""
        self._event(track, time, TrackEvent.TYPE_SLICE_END)

    def instant(self, track: Track, time: int, name: str, arguments: Arguments = ()) -> None:
        """Something happens that takes no time."""
        packet = self._event(track, time, TrackEvent.TYPE_INSTANT)
        self._describe(packet, name, arguments)

    def count(self, track: Track, time: int, value: int) -> None:
        """A number has a new value."""
        packet = self._event(track, time, TrackEvent.TYPE_COUNTER)
        packet.track_event.counter_value = value

    # --- packets ----------------------------------------------------------------------------------

    def _packet(self) -> Any:
        if self._packets == PACKETS_AT_ONCE:
            self.finish()
        self._packets += 1
        packet = self._builder.add_packet()
        packet.trusted_packet_sequence_id = SEQUENCE
        return packet

    def _new_track(self) -> tuple[Any, Track]:
        packet = self._packet()
        self._tracks += 1
        packet.track_descriptor.uuid = self._tracks
        return packet, self._tracks

    def _event(self, track: Track, time: int, type_: int) -> Any:
        packet = self._packet()
        packet.timestamp = _time(time)
        packet.sequence_flags = TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        event = packet.track_event
        event.type = type_
        event.track_uuid = track
        return packet

    def _describe(self, packet: Any, name: str, arguments: Arguments) -> None:
        """Texts that come again are written once and then meant by their number."""
        event = packet.track_event
        if name in self._names or len(self._names) < MOST_NAMES:
            event.name_iid = self._interned(packet, "event_names", self._names, name)
        else:
            event.name = plain(name)
        names = self._argument_names
        for argument, value in arguments:
            annotation = event.debug_annotations.add()
            annotation.name_iid = self._interned(packet, "debug_annotation_names", names, argument)
            if isinstance(value, str):
                annotation.string_value = plain(value)
            elif isinstance(value, float):
                annotation.double_value = value
            elif isinstance(value, Address):
                annotation.pointer_value = value
            elif value < 0:
                annotation.int_value = value
            else:
                annotation.uint_value = value

    def _interned(self, packet: Any, kind: str, known: dict[str, int], name: str) -> int:
        if name not in known:
            known[name] = len(known) + 1
            getattr(packet.interned_data, kind).add(iid=known[name], name=plain(name))
        return known[name]


def _time(time: int) -> int:
    """Damaged clocks give times before all time."""
    return min(max(time, 0), LATEST)
