"""Which work of the device is known to have ended well, because the host waited for it.

For each stream a time: what had been enqueued by then has ended, without a fault. A wait that
failed proves nothing. HIP's rules are those of order between streams: events, and the default
stream, which waits for the blocking streams and they for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from greta.forensics.gaps import FORGOTTEN_LIVES, present
from greta.trace.trace import NONE, Gap, Kind, Row, StreamKind, Table, Trace, Waits

_STREAM_WAITS: Final = (Kind.WAIT_STREAM, Kind.QUERY_STREAM)
_EVENT_WAITS: Final = (Kind.WAIT_EVENT, Kind.QUERY_EVENT)
_ENQUEUED: Final = (
    *(Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_FUNCTION),
    *(Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT),
)
_BLOCKING: Final = (StreamKind.BLOCKING, StreamKind.PER_THREAD)


def finished_before(trace: Trace, before: Row) -> Table:
    """For each stream the time up to which its work is known to have ended, as of a row."""
    return _Completion(trace, before).times()


def unfinished(trace: Trace, before: Row, *kinds: Kind) -> Table:
    """Rows before `before` of enqueued operations of these kinds that may not have ended well."""
    operations = trace.operations[:before]
    chosen = np.isin(np.ascontiguousarray(operations["kind"]), kinds)
    chosen &= ~(operations["captured"] | operations["failed"])
    waited_for = (operations["waits"] != Waits.NO) & operations["finished"]
    rows: Table = np.flatnonzero(chosen & ~waited_for)
    if len(rows) == 0:
        return rows
    streams = operations["stream"][rows]
    ended = operations["end"][rows] <= finished_before(trace, before)[streams]
    ended &= (streams != NONE) & operations["finished"][rows]
    rest: Table = rows[~ended]
    return rest


def may_have_lost_launches(trace: Trace, before: Row) -> bool:
    """Whether launches that had not ended by then may be missing from the trace.

    A ring has lost the oldest calls: of a stream for which the host has waited since, none matters.
    """
    if present(trace, FORGOTTEN_LIVES):
        return True
    if Gap.OVERWRITTEN not in trace.gaps:
        return False
    used = np.unique(trace.operations["stream"][:before])
    return bool((finished_before(trace, before)[used[used != NONE]] < 0).any())


@dataclass(frozen=True)
class _Waits:
    """Streams that wait for events: `stream`, from `at` on, for what `source` had at `recorded`."""

    stream: Table
    at: Table
    source: Table
    recorded: Table


class _Completion:
    def __init__(self, trace: Trace, before: Row) -> None:
        self._streams = trace.streams
        self._all = operations = trace.operations[:before]
        self._kinds = np.ascontiguousarray(operations["kind"])
        self._waits = np.ascontiguousarray(operations["waits"])
        self._good = operations["finished"] & (operations["result"] == 0)
        self._good &= ~(operations["failed"] | operations["captured"])
        self._times = np.full(len(trace.streams) + 1, -1, np.int64)  # the last one is for NONE

    def times(self) -> Table:
        self._host_waits()
        self._device_waits()
        self._event_waits()
        while self._step():
            pass
        return self._times[:-1]

    def _rows(self, *kinds: Kind) -> Table:
        return np.flatnonzero(np.isin(self._kinds, kinds) & self._good)

    def _raise(self, streams: Table, times: Table) -> None:
        np.maximum.at(self._times, streams, times)
        self._times[-1] = -1

    def _host_waits(self) -> None:
        waits = (self._waits == Waits.FOR_IT) | np.isin(self._kinds, _STREAM_WAITS)
        rows = np.flatnonzero(waits & self._good)
        streams, begins = self._all["stream"][rows], self._all["begin"][rows]
        self._raise(streams, begins)
        for legacy in self._of_kind(StreamKind.LEGACY):
            mine = begins[streams == legacy]
            if len(mine):
                self._raise_all(self._partners(legacy), int(mine.max()))

    def _device_waits(self) -> None:
        waits = (self._waits == Waits.FOR_DEVICE) | (self._kinds == Kind.WAIT_DEVICE)
        rows = np.flatnonzero(waits & self._good)
        devices, begins = self._all["device"][rows], self._all["begin"][rows]
        for device in np.unique(devices):
            streams = np.flatnonzero(self._streams["device"] == device)
            self._raise_all(streams, int(begins[devices == device].max()))

    def _event_waits(self) -> None:
        rows = self._rows(*_EVENT_WAITS)
        records = self._records_seen(rows)
        records = records[records != NONE]
        self._raise(self._all["stream"][records], self._all["begin"][records])

    def _records_seen(self, rows: Table) -> Table:
        """For each wait for an event the row at which that event had last been recorded."""
        records = self._rows(Kind.EVENT_RECORD)
        total = len(self._all) + 1
        keys = self._all["event"][records].astype(np.int64) * total + records
        order = np.argsort(keys, kind="stable")
        events = self._all["event"][rows].astype(np.int64)
        place = np.searchsorted(keys[order], events * total + rows) - 1
        found = np.full(len(rows), NONE, np.int64)
        valid = (place >= 0) & (events != NONE)
        found[valid] = records[order[place[valid]]]
        same = valid & (self._all["event"][found] == events) if len(records) else valid
        found[~same] = NONE
        return found

    @cached_property
    def _stream_waits(self) -> _Waits:
        rows = self._rows(Kind.STREAM_WAIT_EVENT)
        records = self._records_seen(rows)
        rows, records = rows[records != NONE], records[records != NONE]
        column = self._all
        return _Waits(
            *(column["stream"][rows], column["end"][rows]),
            *(column["stream"][records], column["begin"][records]),
        )

    def _step(self) -> bool:
        before = self._times.copy()
        waits = self._stream_waits
        reached = waits.at <= self._times[waits.stream]
        self._raise(waits.source[reached], waits.recorded[reached])
        for legacy in self._of_kind(StreamKind.LEGACY):
            self._default_stream(legacy)
        return bool((self._times > before).any())

    def _default_stream(self, legacy: int) -> None:
        partners = self._partners(legacy)
        if len(partners):
            self._raise_all(partners, self._last_begun(legacy))
            self._raise_all(np.array([legacy]), max(map(self._last_begun, partners.tolist())))

    def _last_begun(self, stream: int) -> int:
        """When the last operation of a stream that is known to have ended was enqueued."""
        if self._times[stream] < 0:
            return -1
        rows = self._enqueued[0][self._enqueued[1][stream] : self._enqueued[1][stream + 1]]
        count = int(np.searchsorted(self._all["end"][rows], self._times[stream], side="right"))
        return int(self._all["begin"][rows[count - 1]]) if count else -1

    @cached_property
    def _enqueued(self) -> tuple[Table, Table]:
        """Rows of enqueued operations by stream, and where each stream's begin."""
        rows = self._rows(*_ENQUEUED)
        streams = self._all["stream"][rows]
        small = len(self._streams) < np.iinfo(np.int16).max
        order = np.argsort(streams.astype(np.int16) if small else streams, kind="stable")
        starts = np.searchsorted(streams[order], np.arange(len(self._streams) + 1))
        return rows[order], starts

    def _of_kind(self, *kinds: StreamKind) -> list[int]:
        found: list[int] = np.flatnonzero(np.isin(self._streams["kind"], kinds)).tolist()
        return found

    def _partners(self, legacy: int) -> Table:
        """The blocking streams of the same device."""
        same = self._streams["device"] == self._streams["device"][legacy]
        return np.flatnonzero(same & np.isin(self._streams["kind"], _BLOCKING))

    def _raise_all(self, streams: Table, time: int) -> None:
        self._times[streams] = np.maximum(self._times[streams], time)
