"""A Perfetto trace, packet by packet.

A trace is a sequence of packets, and traces put one after the other are a trace: so packets are
written some thousands at a time, and memory stays flat. Packets need no order in time. On a track,
what begins later ends earlier or at the same time; who writes slices keeps to that.

Tracks and texts go through the classes of the `perfetto` package. Events, of which there are four
for many a call, are put together here, thousands at a time: the bytes before and after the time,
which many events have in common, and the times and numbers of all of them.

    Trace.packet 1     TracePacket: sequence 10, flags 13, timestamp 8, track_event 11
    TrackEvent         type 9, track 11, name_iid 10 or name 23, debug_annotations 4,
                       flow_ids 47, terminating_flow_ids 48, counter_value 30
    DebugAnnotation    name_iid 1, uint 3, int 4, double 5, string 6, pointer 7

Times, lengths and numbers of calls are varints that are padded with zeros, as Perfetto's own writer
does: so that what stands around them has one length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    BUILTIN_CLOCK_BOOTTIME,
    BUILTIN_CLOCK_MONOTONIC,
    BUILTIN_CLOCK_REALTIME,
    CounterDescriptor,
    TracePacket,
    TrackEvent,
)

from greta.printable import plain

PARTS_AT_ONCE = 1 << 16
SEQUENCE = 1
MOST_NAMES = 1 << 14  # a program may name every step it makes
MOST_ANNOTATIONS = 1 << 16
LATEST = (1 << 63) - 1

Track = int
Value = int | float | str
Arguments = Iterable[tuple[str, Value]]
Encoded = bytes
"""Fields of an event."""
Around = tuple[bytes, bytes]
"""A packet without its time: what stands before it, and after it."""

_HEAD: Final = b"\x50\x01\x68\x02\x40"  # sequence 1, needs the texts before it, a time
TIME_BYTES: Final = 9
NUMBER_BYTES: Final = 5
"""Enough for the number of a call."""
FLOW_BYTES: Final = 10

SLICE_BEGIN: Final = int(TrackEvent.TYPE_SLICE_BEGIN)
SLICE_END: Final = int(TrackEvent.TYPE_SLICE_END)
INSTANT: Final = int(TrackEvent.TYPE_INSTANT)
COUNTER: Final = int(TrackEvent.TYPE_COUNTER)


class Address(int):
    """A number that is shown in hexadecimal."""


class TraceFile:
    """Writes tracks and what happens on them. Times are nanoseconds of one clock."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._parts: list[bytes] = []
        self._tracks = 0
        self._names: dict[str, int] = {}
        self._argument_names: dict[str, int] = {}
        self._annotations: dict[tuple[str, type, Value], Encoded] = {}
        packet = _packet()
        packet.sequence_flags = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        self._add(packet)

    def finish(self) -> None:
        self._file.write(b"".join(self._parts))
        self._parts.clear()

    # --- tracks -----------------------------------------------------------------------------------

    def same_time(self, monotonic: int, realtime: int) -> None:
        """Two readings of the clocks, so that a viewer can show the time of day."""
        packet = _packet()
        readings = (
            (BUILTIN_CLOCK_BOOTTIME, monotonic),
            (BUILTIN_CLOCK_MONOTONIC, monotonic),
            (BUILTIN_CLOCK_REALTIME, realtime),
        )
        for clock, time in readings:
            packet.clock_snapshot.clocks.add(clock_id=clock, timestamp=_within(time))
        self._add(packet)

    def process_track(self, pid: int, name: str, arguments: Iterable[str]) -> Track:
        packet, track = self._new_track()
        process = packet.track_descriptor.process
        process.pid = pid & 0x7FFFFFFF
        process.process_name = plain(name)
        process.cmdline.extend(plain(argument) for argument in arguments)
        self._add(packet)
        return track

    def thread_track(self, pid: int, tid: int, name: str) -> Track:
        packet, track = self._new_track()
        thread = packet.track_descriptor.thread
        thread.pid = pid & 0x7FFFFFFF
        thread.tid = tid
        thread.thread_name = plain(name)
        self._add(packet)
        return track

    def track(self, name: str, parent: Track) -> Track:
        """A track below another. Those with one name and parent are shown as one."""
        packet, track = self._new_track()
        packet.track_descriptor.name = plain(name)
        packet.track_descriptor.parent_uuid = parent
        self._add(packet)
        return track

    def bytes_track(self, name: str, parent: Track) -> Track:
        packet, track = self._new_track()
        packet.track_descriptor.name = plain(name)
        packet.track_descriptor.parent_uuid = parent
        packet.track_descriptor.counter.unit = CounterDescriptor.UNIT_SIZE_BYTES
        self._add(packet)
        return track

    # --- events -----------------------------------------------------------------------------------

    def begin(self, track: Track, time: int, name: str, arguments: Arguments = ()) -> None:
        """A slice begins."""
        self.event(self.around(SLICE_BEGIN, track, self.named(name) + self.told(arguments)), time)

    def end(self, track: Track, time: int) -> None:
        self.event(self.around(SLICE_END, track), time)

    def instant(self, track: Track, time: int, name: str, arguments: Arguments = ()) -> None:
        self.event(self.around(INSTANT, track, self.named(name) + self.told(arguments)), time)

    def count(self, track: Track, time: int, value: int) -> None:
        number = b"\xf0\x01" + varint(value & 0xFFFF_FFFF_FFFF_FFFF)
        self.event(self.around(COUNTER, track, number), time)

    def around(self, kind: int, track: Track, fields: Encoded = b"", more: int = 0) -> Around:
        """The packet of an event; `more` bytes of fields will follow it."""
        event = b"\x48" + varint(kind) + b"\x58" + varint(track) + fields
        event = b"\x5a" + varint(len(event) + more) + event
        return b"\x0a" + varint(len(_HEAD) + TIME_BYTES + len(event) + more) + _HEAD, event

    def event(self, around: Around, time: int) -> None:
        before, after = around
        time = _within(time)
        low = bytes(time >> shift & 127 | 128 for shift in range(0, 56, 7))
        self.add((before, low, varint(time >> 56), after))

    def add(self, parts: Iterable[bytes]) -> None:
        """Parts of whole packets."""
        self._parts += parts
        if len(self._parts) >= PARTS_AT_ONCE:
            self.finish()

    # --- fields -----------------------------------------------------------------------------------

    def named(self, name: str) -> Encoded:
        """The name of an event. Texts that come again are written once, then meant by a number."""
        if name in self._names or len(self._names) < MOST_NAMES:
            return b"\x50" + varint(self._interned("event_names", self._names, name))
        return b"\xba\x01" + _text(plain(name))

    def told(self, arguments: Arguments) -> Encoded:
        """What is shown of an event that is clicked at."""
        return b"".join([self._annotation(name, value) for name, value in arguments])

    def counting(self, name: str, size: int = NUMBER_BYTES) -> Encoded:
        """The same of a number; `varints` of this size make its bytes, which follow."""
        number = self._interned("debug_annotation_names", self._argument_names, name)
        fields = b"\x08" + varint(number) + b"\x18"
        return b"\x22" + varint(len(fields) + size) + fields

    def _annotation(self, name: str, value: Value) -> Encoded:
        key = (name, type(value), value)
        known = self._annotations.get(key)
        if known is None:
            number = self._interned("debug_annotation_names", self._argument_names, name)
            fields = b"\x08" + varint(number) + _value(value)
            known = b"\x22" + varint(len(fields)) + fields
            if len(self._annotations) >= MOST_ANNOTATIONS:
                self._annotations.clear()
            self._annotations[key] = known
        return known

    def _interned(self, kind: str, known: dict[str, int], name: str) -> int:
        if name not in known:
            known[name] = len(known) + 1
            packet = _packet()
            getattr(packet.interned_data, kind).add(iid=known[name], name=plain(name))
            self._add(packet)
        return known[name]

    # --- packets ----------------------------------------------------------------------------------

    def _new_track(self) -> tuple[Any, Track]:
        packet = _packet()
        self._tracks += 1
        packet.track_descriptor.uuid = self._tracks
        return packet, self._tracks

    def _add(self, packet: Any) -> None:
        data = packet.SerializeToString()
        self._parts.append(b"\x0a" + varint(len(data)) + data)


def _packet() -> Any:
    return TracePacket(trusted_packet_sequence_id=SEQUENCE)


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    data = bytearray()
    while value >= 128:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes([*data, value])


def varints(values: npt.NDArray[Any], size: int = TIME_BYTES, before: bytes = b"") -> list[bytes]:
    """Many at once, padded to one size, each with the same bytes before it."""
    shifts = np.arange(0, 7 * size, 7, dtype=np.uint64)
    data = np.full((len(values), len(before) + size), 128, np.uint8)
    data[:, : len(before)] = np.frombuffer(before, np.uint8)
    data[:, len(before) :] |= ((values.astype(np.uint64)[:, None] >> shifts) & 127).astype(np.uint8)
    data[:, -1] &= 127
    return _rows(data)


def flow_ids(ids: npt.NDArray[np.int64], *, ending: bool = False) -> list[bytes]:
    """Where arrows start, or end."""
    data = np.empty((len(ids), FLOW_BYTES), np.uint8)
    data[:, :2] = np.frombuffer(b"\x81\x03" if ending else b"\xf9\x02", np.uint8)
    data[:, 2:] = ids.astype("<u8").view(np.uint8).reshape(-1, 8)
    return _rows(data)


def _rows(data: npt.NDArray[np.uint8]) -> list[bytes]:
    rows: list[bytes] = data.view(f"V{data.shape[1]}").ravel().tolist()
    return rows


def _within(time: int) -> int:
    """Damaged clocks give times before all time."""
    return min(max(time, 0), LATEST)


def _text(text: str) -> bytes:
    data = text.encode()
    return varint(len(data)) + data


def _value(value: Value) -> bytes:
    if isinstance(value, str):
        return b"\x32" + _text(plain(value))
    if isinstance(value, float):
        return b"\x29" + struct.pack("<d", value)
    if isinstance(value, Address):
        return b"\x38" + varint(value)
    if value < 0:
        return b"\x20" + varint(value & 0xFFFF_FFFF_FFFF_FFFF)
    return b"\x18" + varint(value)
