"""Which stream, event or executable graph a call means: a lifetime of its handle."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.reading_library import Begun
from greta.recording import Columns, Identity, LiveKind, Process, effects_of
from greta.recording.columns import CHUNK_ROWS
from greta.trace.reading.calls import CallRows, alike
from greta.trace.trace import NONE, STREAM, StaleHandle, StreamKind, Table

DEVICES = range(1 << 15)

Seqs = npt.NDArray[np.int64]
Found = npt.NDArray[np.int64]


def first_seqs(columns: Columns, lifetimes: Sequence[Identity]) -> Seqs:
    """The first call that can mean each: the first to begin after the creating one returned."""
    ticks = np.array([lifetime.made_ticks for lifetime in lifetimes], np.uint64)
    made_by = np.array([lifetime.made_by or 0 for lifetime in lifetimes], np.int64)
    began = columns.began_before(ticks) + 1
    return np.where(made_by == 0, np.where(ticks == 0, 0, began), np.maximum(began, made_by + 1))


def device_number(lifetime: Identity) -> int:
    """The device of a handle; NONE if it is not known, or no device has that number."""
    device = NONE if lifetime.device is None else lifetime.device
    return device if device in DEVICES else NONE


class RowBySeq:
    """From a call to the row that it made, ended or freed."""

    def __init__(self, seqs: Seqs) -> None:
        self._rows = np.argsort(seqs, kind="stable")
        self._seqs = seqs[self._rows]

    def find(self, seq: Seqs) -> Found:
        """NONE of a call that has no row."""
        if not len(self._seqs):
            return np.full(len(seq), NONE, np.int64)
        at = np.minimum(np.searchsorted(self._seqs, seq), len(self._seqs) - 1)
        return np.where(self._seqs[at] == seq, self._rows[at], NONE)


class HandleLifetimes:
    def __init__(self, columns: Columns, lifetimes: Sequence[Identity]) -> None:
        handles = np.array([lifetime.handle for lifetime in lifetimes], np.uint64)
        self._index = Begun(handles.view(np.int64), first_seqs(columns, lifetimes))
        made_by = np.array([lifetime.made_by or 0 for lifetime in lifetimes], np.int64)
        self.made_by = RowBySeq(made_by).find

    def find(self, handles: npt.NDArray[np.uint64], seqs: Seqs) -> Found:
        """Which lifetime each call means, or NONE."""
        place = self._index.places(handles.view(np.int64), seqs)
        if not len(self._index.items):
            return place
        return np.where(place == NONE, NONE, self._index.items[place])


class Numbered:
    """The handles of a kind; those made before the recording are numbered when first seen."""

    def __init__(self, process: Process, kind: LiveKind) -> None:
        lifetimes = process.handles(kind)
        self._lifetimes = HandleLifetimes(process.columns, lifetimes)
        self._next = len(lifetimes)
        self._unknown: dict[int, int] = {}

    def find(self, handles: npt.NDArray[np.uint64], seqs: Seqs) -> Found:
        """The number of what each call means; NONE if it names nothing."""
        found = self._lifetimes.find(handles, seqs)
        unknown = np.flatnonzero((found == NONE) & (handles != 0))
        found[handles == 0] = NONE
        for place in unknown.tolist():
            number = self._next + len(self._unknown)
            found[place] = self._unknown.setdefault(int(handles[place]), number)
        return found


NULL_STREAM: Final = 0
LEGACY_STREAM: Final = 1
PER_THREAD_STREAM: Final = 2
NON_BLOCKING: Final = 1  # hipStreamNonBlocking


class StreamTable:
    """The streams of a process. Default streams, and unknown ones, are added when first seen."""

    def __init__(self, process: Process) -> None:
        lifetimes = process.handles(LiveKind.STREAM)
        self._lifetimes = HandleLifetimes(process.columns, lifetimes)
        self.made_by = self._lifetimes.made_by
        self._rows = [_row(lifetime) for lifetime in lifetimes]
        self._devices = np.empty(0, np.int64)
        self._added: dict[tuple[int, int, int], int] = {}

    def find(
        self,
        handle: npt.NDArray[np.uint64],
        seq: Seqs,
        device: npt.NDArray[np.int64],
        thread: npt.NDArray[np.int64],
        *,
        per_thread: bool,
    ) -> Found:
        own = handle == PER_THREAD_STREAM
        if per_thread:
            own |= handle == NULL_STREAM
        legacy = ~own & (handle <= LEGACY_STREAM)
        rows = self._lifetimes.find(handle, seq)
        self._put(rows, legacy, StreamKind.LEGACY, [np.zeros_like(device), device])
        self._put(rows, own, StreamKind.PER_THREAD, [thread, device])
        unknown = (rows == NONE) & ~own & ~legacy
        self._put(rows, unknown, StreamKind.UNKNOWN, [handle.view(np.int64), device])
        return rows

    def _put(
        self, rows: Found, chosen: npt.NDArray[np.bool_], kind: StreamKind, key: list[Found]
    ) -> None:
        if not chosen.any():
            return
        keys, inverse = np.unique(
            np.stack([part[chosen] for part in key]), axis=1, return_inverse=True
        )
        numbers = [self._add(kind, int(first), int(device)) for first, device in keys.T]
        rows[chosen] = np.array(numbers, np.int64)[inverse.reshape(-1)]

    def _add(self, kind: StreamKind, first: int, device: int) -> int:
        key = (int(kind), first, device if kind != StreamKind.UNKNOWN else NONE)
        if key not in self._added:
            self._added[key] = len(self._rows)
            handle = first & (2**64 - 1) if kind == StreamKind.UNKNOWN else 0
            handle = PER_THREAD_STREAM if kind == StreamKind.PER_THREAD else handle
            thread = first if kind == StreamKind.PER_THREAD else NONE
            self._rows.append((handle, int(kind), device, thread, 1))
        return self._added[key]

    def table(self) -> tuple[Table, Found]:
        table = np.array(self._rows, STREAM)
        rank = np.array([0, 2, 2, 1, 2], np.int64)  # of each StreamKind
        order = np.argsort(rank[table["kind"]], kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return table[order], place

    @property
    def devices(self) -> npt.NDArray[np.int64]:
        if len(self._devices) < len(self._rows):
            self._devices = np.array([row[2] for row in self._rows], np.int64)
        return self._devices


def _row(lifetime: Identity) -> tuple[int, int, int, int, int]:
    seen = lifetime.made_by is not None or lifetime.number is not None
    kind = StreamKind.NON_BLOCKING if lifetime.flags & NON_BLOCKING else StreamKind.BLOCKING
    kind = kind if seen else StreamKind.UNKNOWN
    return lifetime.handle, int(kind), device_number(lifetime), NONE, lifetime.generation


# --- handles that are used after their end --------------------------------------------------------

_KINDS: Final = {
    "hipStream_t": LiveKind.STREAM,
    "hipEvent_t": LiveKind.EVENT,
    "hipModule_t": LiveKind.MODULE,
    "hipGraph_t": LiveKind.GRAPH,
    "hipGraphExec_t": LiveKind.GRAPH_EXEC,
    "hipArray_t": LiveKind.ARRAY,
    "hipArray_const_t": LiveKind.ARRAY,
    "hipMemPool_t": LiveKind.POOL,
}
"""By the type of the argument that holds one."""
_FUNCTION: Final = "hipFunction_t"
_MOST: Final = 1000


def stale_handles(process: Process, seqs: Seqs) -> list[StaleHandle]:
    """Calls that were given a handle whose lifetime had ended."""
    ended = {kind: _Ended(process, kind) for kind in _KINDS.values()}
    found: list[StaleHandle] = []
    first_late = bisect_right(seqs, min(one.first for one in ended.values()))
    for first in range(first_late, len(seqs), CHUNK_ROWS):
        rows = seqs[first : first + CHUNK_ROWS] - 1
        for places in alike(process.columns.call[rows]):
            found += _stale_of_call(process, rows[places], ended)
        if len(found) >= _MOST:
            break
    found += _released_memory(process)
    return sorted(found, key=lambda one: one.seq)[:_MOST]


_MEMORY: Final = "hipMemGenericAllocationHandle_t"


def _released_memory(process: Process) -> Iterator[StaleHandle]:
    """Handles of hipMemCreate: each call that gives one out takes a release of its own."""
    held: dict[int, int] = {}
    released_by: dict[int, int] = {}
    for seq, handle, is_given, is_released in sorted(_memory_handles(process)):
        if is_given:
            held[handle] = held.get(handle, 0) + 1
        elif handle not in held:
            continue  # given out before the recording begins, perhaps more than once
        elif not held[handle]:
            yield StaleHandle(seq, _MEMORY, handle, released_by[handle])
        elif is_released:
            held[handle] -= 1
            released_by[handle] = seq


def _memory_handles(process: Process) -> Iterator[tuple[int, int, bool, bool]]:
    """Calls that name one, and whether they gave it out, or gave it up."""
    for id_ in process.calls_by_id.keys() & process.tables.calls.keys():
        entry = process.tables.calls[id_]
        for word in (one for one in entry.words if one.type.startswith(_MEMORY)):
            rows = process.columns.rows_of([id_])
            calls = CallRows(process.columns, entry, rows, process.columns.records(rows))
            done = (calls.records["result"] == 0).tolist()
            gives_up = entry.name == "hipMemRelease"
            for row, handle, well in zip(
                rows.tolist(), calls.word(word.name).tolist(), done, strict=True
            ):
                if well or not word.out:
                    yield row + 1, handle, word.out, gives_up and well


def _stale_of_call(
    process: Process, rows: Seqs, ended: dict[LiveKind, _Ended]
) -> Iterator[StaleHandle]:
    """`rows` are calls of one name."""
    entry = process.tables.calls.get(int(process.columns.call[rows[0]]))
    words = [] if entry is None else [one for one in entry.words if not one.out]
    does = effects_of(entry.name) if entry else None
    arrays = does.arrays if does else ()
    if entry is None or not (arrays or any(one.type in (*_KINDS, _FUNCTION) for one in words)):
        return
    calls = CallRows(process.columns, entry, rows, process.columns.records(rows))
    for word in words:
        if word.type in _KINDS:
            yield from ended[_KINDS[word.type]].among(calls.word(word.name), rows + 1)
        elif word.type == _FUNCTION:
            modules = _modules_of(process, calls, word.name)
            yield from ended[LiveKind.MODULE].among(modules, rows + 1)
    for array in arrays:
        yield from ended[LiveKind.ARRAY].among(calls.word(array), rows + 1)


def _modules_of(process: Process, calls: CallRows, name: str) -> npt.NDArray[np.uint64]:
    """The modules of functions that mean nothing any more; 0 of the others."""
    tables = process.tables
    module_of = {
        kernel.function: tables.modules[kernel.module].handle
        for kernel in tables.kernels.values()
        if kernel.module in tables.modules
    }
    gone = np.ascontiguousarray(calls.records["kernel"]) == 0
    functions = calls.word(name).tolist()
    found = [
        module_of.get(one, 0) if lost else 0 for one, lost in zip(functions, gone, strict=True)
    ]
    return np.array(found, np.uint64)


class _Ended:
    """The handles of a kind that were destroyed, and by which calls."""

    def __init__(self, process: Process, kind: LiveKind) -> None:
        self._what = kind.name.lower()
        lifetimes = process.handles(kind)
        self._ended_by = np.array([one.ended_by or 0 for one in lifetimes], np.int64)
        self._ended = np.array([one.handle for one in lifetimes if one.ended_by], np.uint64)
        self._lifetimes = HandleLifetimes(process.columns, lifetimes)
        some = self._ended_by[self._ended_by > 0]
        self.first = int(some.min()) if len(some) else np.iinfo(np.int64).max

    def among(self, handles: npt.NDArray[np.uint64], seqs: Seqs) -> Iterator[StaleHandle]:
        """Calls that name a lifetime which had ended before them."""
        places = np.flatnonzero(np.isin(handles, self._ended) & (seqs > self.first))
        meant = self._lifetimes.find(handles[places], seqs[places])
        for place, lifetime in zip(places.tolist(), meant.tolist(), strict=True):
            ended_by = int(self._ended_by[lifetime]) if lifetime != NONE else 0
            if 0 < ended_by < int(seqs[place]):
                yield StaleHandle(int(seqs[place]), self._what, int(handles[place]), ended_by)
