"""A Perfetto trace, packet by packet.

A trace is a sequence of packets, and traces put one after the other are a trace: so packets are
written some thousands at a time, and memory stays flat. Packets need no order in time. On a track,
what begins later ends earlier or at the same time; who writes slices keeps to that.

Tracks and texts go through the classes of the `perfetto` package. Events, of which there are four
for many a call, are put together here: a few bytes that are the same each time, and the time.

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

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    BUILTIN_CLOCK_BOOTTIME,
    BUILTIN_CLOCK_MONOTONIC,
    BUILTIN_CLOCK_REALTIME,
    CounterDescriptor,
    TracePacket,
    TrackEvent,
)

from greta.reports.export.values import plain

PARTS_AT_ONCE = 1 << 15
SEQUENCE = 1
MOST_NAMES = 1 << 14  # a program may name every step it makes
MOST_ANNOTATIONS = 1 << 16
LATEST = (1 << 63) - 1

Track = int
Value = int | float | str
Arguments = Iterable[tuple[str, Value]]
Encoded = bytes
"""Fields of an event."""

_PAIRS: Final = [bytes((low & 127 | 128, low >> 7 | 128)) for low in range(1 << 14)]
"""Fourteen bits of a varint that goes on."""
_LAST: Final = [bytes((high,)) for high in range(128)]
_LENGTHS: Final = [bytes((low & 127 | 128, low >> 7)) for low in range(1 << 14)]
"""Lengths of two bytes each."""
_HEAD: Final = b"\x50\x01\x68\x02\x40"  # sequence 1, needs the texts before it, a time
_AROUND: Final = len(_HEAD) + 9 + 3
"""Bytes of a packet around its event: its head, the time, the event's tag and length."""


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
        self._numbers: dict[str, Encoded] = {}
        self._heads: dict[Track, bytes] = {}
        self._ends: dict[Track, tuple[bytes, bytes]] = {}
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
        fields = self.named(name) + self.told(arguments)
        self.begin_encoded(track, time, fields, starts=starts, ends=ends)

    def begin_encoded(
        self,
        track: Track,
        time: int,
        fields: Encoded,
        *,
        starts: int | None = None,
        ends: int | None = None,
    ) -> None:
        """The same with its name and arguments as `named` and `told` return them."""
        if starts is not None:
            fields += b"\xf9\x02" + starts.to_bytes(8, "little")
        if ends is not None:
            fields += b"\x81\x03" + ends.to_bytes(8, "little")
        head = self._heads.get(track)
        if head is None:
            head = self._heads[track] = b"\x48\x01\x58" + varint(track)
        self._event(time, head + fields)

    def end(self, track: Track, time: int) -> None:
        known = self._ends.get(track)
        if known is None:
            event = b"\x48\x02\x58" + varint(track)
            length = _AROUND + len(event)
            known = b"\x0a" + _LENGTHS[length] + _HEAD, b"\x5a" + _LENGTHS[len(event)] + event
            self._ends[track] = known
        parts = self._parts
        parts += (known[0], _time(time), known[1])

    def instant(self, track: Track, time: int, name: str, arguments: Arguments = ()) -> None:
        fields = self.named(name) + self.told(arguments)
        self._event(time, b"\x48\x03\x58" + varint(track) + fields)

    def count(self, track: Track, time: int, value: int) -> None:
        kind = TrackEvent.TYPE_COUNTER.to_bytes(1, "little")
        number = varint(value & 0xFFFF_FFFF_FFFF_FFFF)
        self._event(time, b"\x48" + kind + b"\x58" + varint(track) + b"\xf0\x01" + number)

    # --- fields -----------------------------------------------------------------------------------

    def named(self, name: str) -> Encoded:
        """The name of an event. Texts that come again are written once, then meant by a number."""
        if name in self._names or len(self._names) < MOST_NAMES:
            return b"\x50" + varint(self._interned("event_names", self._names, name))
        return b"\xba\x01" + _text(plain(name))

    def told(self, arguments: Arguments) -> Encoded:
        """What is shown of an event that is clicked at."""
        return b"".join([self._annotation(name, value) for name, value in arguments])

    def counted(self, name: str, value: int) -> Encoded:
        """The same of one number that does not come again."""
        known = self._numbers.get(name)
        if known is None:
            number = self._interned("debug_annotation_names", self._argument_names, name)
            fields = b"\x08" + varint(number) + b"\x18"
            known = self._numbers[name] = b"\x22" + varint(len(fields) + 5) + fields
        if value >= 1 << 35:
            return self._annotation(name, value)
        return known + _PAIRS[value & 0x3FFF] + _PAIRS[value >> 14 & 0x3FFF] + _LAST[value >> 28]

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

    def _event(self, time: int, event: Encoded) -> None:
        length, parts = len(event), self._parts
        if length + _AROUND < len(_LENGTHS):
            head = b"\x0a" + _LENGTHS[length + _AROUND] + _HEAD
            parts += (head, _time(time), b"\x5a" + _LENGTHS[length] + event)
        else:
            long = varint(length)
            whole = varint(_AROUND - 2 + len(long) + length)
            parts += (b"\x0a" + whole + _HEAD, _time(time), b"\x5a" + long + event)
        if len(parts) >= PARTS_AT_ONCE:
            self.finish()


def _packet() -> Any:
    return TracePacket(trusted_packet_sequence_id=SEQUENCE)


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    if value < 128:
        return _LAST[value]
    parts = []
    while value >= 1 << 14:
        parts.append(_PAIRS[value & 0x3FFF])
        value >>= 14
    last = _LAST[value] if value < 128 else bytes((value & 127 | 128, value >> 7))
    return b"".join([*parts, last])


def _time(time: int) -> bytes:
    if not 0 <= time <= LATEST:
        time = _within(time)
    return (
        _PAIRS[time & 0x3FFF]
        + _PAIRS[time >> 14 & 0x3FFF]
        + _PAIRS[time >> 28 & 0x3FFF]
        + _PAIRS[time >> 42 & 0x3FFF]
        + _LAST[time >> 56]
    )


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
