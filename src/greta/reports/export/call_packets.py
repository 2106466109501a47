"""Calls as bytes of a Perfetto trace: what is the same in many of them is put together once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.recording import CallEvent, Process
from greta.recording._format import RECORD_WORDS
from greta.recording.events import RECORD, EventSource
from greta.recording.files import Structs
from greta.reports.export.timeline import Times
from greta.reports.export.trace_file import (
    FLOW_BYTES,
    NUMBER_BYTES,
    SLICE_BEGIN,
    SLICE_END,
    Address,
    TraceFile,
    Track,
    Value,
)
from greta.reports.export.values import Places, is_address

ROCTX: Final = (
    *("roctxRangePushA", "roctxRangePop", "roctxRangeStartA", "roctxRangeStop", "roctxMarkA"),
)
MOST_KNOWN: Final = 1 << 16
_ODD: Final = np.random.default_rng(1).integers(1, 1 << 63, 16, np.uint64) | np.uint64(1)


@dataclass(frozen=True)
class CallPacket:
    """What is written of every call that is given the same from the same place."""

    before: bytes
    after: bytes
    kernel: str


class CallPackets:
    """Name, arguments and place of calls. Programs do the same again and again."""

    def __init__(self, trace: TraceFile, process: Process, threads: list[Track]) -> None:
        self._trace = trace
        self._process = process
        self._threads = threads
        self._places = Places(process)
        self._seq = trace.counting("seq")
        self._known: dict[bytes, CallPacket] = {}
        calls = process.tables.calls.items()
        self._long = [id_ for id_, entry in calls if len(entry.words) > RECORD_WORDS]
        self.roctx = [id_ for id_, entry in calls if entry.name in ROCTX]
        self.ends = [trace.around(SLICE_END, track) for track in threads]

    def of_rows(self, rows: Times, puts_work: npt.NDArray[np.bool_]) -> list[CallPacket | None]:
        """By all of the record but its times and the annotations around it."""
        columns = self._process.columns
        keys = columns.records(rows)
        changes = np.array(self._places.sites.changes, np.uint64)
        keys["begin"] = np.searchsorted(changes, keys["begin"], side="right")
        keys["end"] = columns.lane_place[rows].astype(np.int64) * 2 + puts_work
        # What has more arguments than a record holds is like no other.
        keys["annotation"] = np.where(np.isin(keys["call"], self._long), rows + 1, 0)
        firsts, group = _grouped(keys)
        kinds = keys[firsts]
        new = np.array(
            sorted(at for at, kind in zip(firsts, kinds, strict=True) if self._is_new(kind)),
            np.int64,
        )
        for at, event in zip(new.tolist(), self.events(rows[new]), strict=True):
            self._known[keys[at].tobytes()] = self.described(event, bool(puts_work[at]))
        packets = [self._known.get(kind.tobytes()) for kind in kinds]
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        return [packets[one] for one in group]

    def _is_new(self, kind: np.void) -> bool:
        return kind["call"] not in self.roctx and kind.tobytes() not in self._known

    def events(self, rows: Times) -> Iterator[CallEvent]:
        process = self._process
        columns = process.columns
        records = RECORD.iter_unpack(columns.records(rows).tobytes())
        places = zip(
            columns.lane_place[rows].tolist(), columns.lane_row[rows].tolist(), strict=True
        )
        for row, (lane, at), record in zip(rows.tolist(), places, records, strict=True):
            source = EventSource(process.tables, process.clock, process.lanes[lane], at)
            yield CallEvent(row + 1, source, record)

    def described(
        self,
        event: CallEvent,
        puts_work: bool,
        prefix: str = "",
        about: tuple[tuple[str, Value], ...] = (),
    ) -> CallPacket:
        """The numbers of the call and of its arrow follow."""
        fields = self._trace.named(prefix + _title(event))
        fields += self._trace.told([*self.arguments_of(event), *about]) + self._seq
        track = self._threads[int(self._process.columns.lane_place[event.seq - 1])]
        more = NUMBER_BYTES + (FLOW_BYTES if puts_work else 0)
        before, after = self._trace.around(SLICE_BEGIN, track, fields, more)
        return CallPacket(before, after, self._short_name(event))

    def _short_name(self, event: CallEvent) -> str:
        return self._places.kernel(event.kernel.name)["kernel"] if event.kernel else ""

    def arguments_of(self, event: CallEvent) -> Iterator[tuple[str, Value]]:
        """Result, arguments, place."""
        if event.finished and event.result_name:
            yield "result", event.result_name
        words = event.call_entry.words if event.call_entry else ()
        for word, value in zip(words, event.arguments.values(), strict=False):
            if isinstance(value, int) and is_address(word.type):
                yield word.name, Address(value)
            elif value is not None:
                yield word.name, value
        if event.kernel:
            yield "kernel", self._places.kernel(event.kernel.name)["kernel_signature"]
        if script := self._places.script(event.stack_id):
            yield "script", f"{script.file}:{script.line} {script.function}"
        elif native := self._places.native(event.site, event.stack_id, event.begin_ticks):
            line = f"{native.file}:{native.line}" if native.file else native.library
            yield "native", f"{line} {native.function or ''}".rstrip()
        yield "site", Address(event.site)


def _grouped(keys: Structs) -> tuple[list[int], list[int]]:
    """The first of each kind of equal keys, and for each key its kind."""
    words = keys.view(np.uint64).reshape(len(keys), -1)
    _, firsts, group = np.unique((words * _ODD).sum(axis=1), True, True)
    if (words[firsts][group] != words).any():  # the same sum of different ones
        _, firsts, group = np.unique(words, True, True, axis=0)
    return firsts.tolist(), group.ravel().tolist()


def _title(event: CallEvent) -> str:
    if not event.finished:
        return f"{event.call} (did not return)"
    if event.failed:
        return f"{event.call}: {event.result_name}"
    return event.call
