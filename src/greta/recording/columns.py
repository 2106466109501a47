"""All calls of a process as columns, in the common order of its threads.

The order is by the time at which calls began; the order within each thread is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from greta.large_arrays import large_array, places_of_true
from greta.reading_library import Gathering
from greta.recording import _format as f
from greta.recording.files import Problems, Structs
from greta.recording.header import Clock, Ticks
from greta.recording.lanes import Lane, Scan

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def sort_keys(begin: Ticks) -> Ticks:
    """Times that never go back, so that sorting by them cannot change a lane's order.

    Where a clock goes back, the time before stands; a single record that is far ahead of those
    after it (a damaged one) is not allowed to hold them back.
    """
    back = np.flatnonzero(begin[1:] < begin[:-1])
    if not len(back):
        return begin
    keys = begin.copy()
    for row in back[:1000]:  # more is not a stray record, but a broken clock
        before = keys[row - 1] if row else np.uint64(0)
        if keys[row + 1] >= before:
            keys[row] = before
    return np.maximum.accumulate(keys)


def report_backward_times(lane: Lane, problems: Problems) -> None:
    """Say how often a lane's times go back, and calls that end before they begin."""
    begin, end = lane.scan.begin, lane.scan.end
    back = np.flatnonzero(begin[1:] < begin[:-1])
    if len(back):
        place = lane.facts.offset(int(lane.scan.index[back[0] + 1]))
        what = f"times go back {len(back)} times; the order of the file is kept"
        problems.add(lane.facts.file, place, what)
    finished = (lane.scan.flags & 1).astype(bool)
    early = np.flatnonzero(finished & (end < begin))
    if len(early):
        place = lane.facts.offset(int(lane.scan.index[early[0]]))
        problems.add(lane.facts.file, place, f"{len(early)} calls end before they begin")


MERGED_AT_ONCE = 1 << 16  # rows of a lane
ROW_TYPE = np.uint32  # half the memory of NumPy's own; a recording of so many calls has 500 GB


def merged_places(keys: list[Ticks]) -> npt.NDArray[np.uint32]:
    """For each row of all lanes, one lane after the other, its place in the common order.

    A time after the other, so that the work fits the memory however long the lanes are.
    """
    starts = np.concatenate([[0], np.cumsum([len(one) for one in keys], dtype=np.int64)])
    places = large_array(int(starts[-1]), ROW_TYPE)
    done, at = np.zeros(len(keys), np.int64), 0
    while at < len(places):
        stops = _stops(keys, done)
        parts = [one[first:stop] for one, first, stop in zip(keys, done, stops, strict=True)]
        # Stable sorting of runs that are sorted is a merge, and keeps the order within each.
        order = np.argsort(np.concatenate(parts), kind="stable")
        merged = np.empty(len(order), np.int64)
        merged[order] = np.arange(at, at + len(order))
        borders = np.cumsum([len(part) for part in parts])[:-1]
        for first, part in zip(starts[:-1] + done, np.split(merged, borders), strict=True):
            places[first : first + len(part)] = part
        done, at = stops, at + len(order)
    return places


def _stops(keys: list[Ticks], done: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How far each lane goes up to a time; equal times are not parted."""
    ahead = done + MERGED_AT_ONCE
    times = [one[stop] for one, stop in zip(keys, ahead, strict=True) if stop < len(one)]
    if not times:
        return np.array([len(one) for one in keys], np.int64)
    stops = _places_of(keys, done, min(times), "left")
    return stops if stops.sum() > done.sum() else _places_of(keys, done, min(times), "right")


def _places_of(
    keys: list[Ticks], done: npt.NDArray[np.int64], time: np.uint64, side: Literal["left", "right"]
) -> npt.NDArray[np.int64]:
    rows = zip(keys, done.tolist(), strict=True)
    found = [first + np.searchsorted(one[first:], time, side) for one, first in rows]
    return np.array(found, np.int64)


def are_any_of(ids: npt.NDArray[np.uint32], wanted: Iterable[int]) -> npt.NDArray[np.bool_]:
    """For each id whether it is wanted; of ids beyond those that calls have, none is."""
    highest = 1 << 16
    table = np.zeros(highest + 1, bool)
    table[[id_ for id_ in wanted if id_ < highest]] = True
    found = np.empty(len(ids), bool)
    for first in range(0, len(ids), CHUNK_ROWS):
        chunk = ids[first : first + CHUNK_ROWS]
        found[first : first + CHUNK_ROWS] = table[np.minimum(chunk, highest)]
    return found


def _runtime_of(flags: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    return ((flags & f.RUNTIME_MASK) >> f.RUNTIME_SHIFT).astype(np.uint16)


CHUNK_ROWS = 1 << 16


class CallsRead(NamedTuple):
    """Some calls and what follows them, by the ids of the calls."""

    order: Rows
    """Where each was among those that were asked for."""
    records: Structs
    owner: Rows
    """For each continuation the place of its record; they rise."""
    parts: Structs


def _scanned(name: str, dtype: type[Any]) -> cached_property[Any]:
    """A column that was read when the lanes were opened."""
    return cached_property(
        lambda columns: columns._merge([getattr(one.scan, name) for one in columns._lanes], dtype)
    )


def _fact(name: str) -> cached_property[Any]:
    """What a lane says about itself, in each of its rows."""
    return cached_property(
        lambda columns: columns._repeat(
            [getattr(one.facts, name) for one in columns._lanes], np.uint32
        )
    )


class Columns:
    """One row a call; row r is the event with seq r + 1. Columns are made when first asked for."""

    def __init__(self, lanes: list[Lane], clock: Clock) -> None:
        self._lanes = lanes
        self._clock = clock
        sizes = [len(lane) for lane in lanes]
        self._starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self._keys = [sort_keys(lane.scan.begin) for lane in lanes]
        self._places = merged_places(self._keys)
        self._runtime: int | None = None  # None: whatever HIP library a call went to

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def seq(self) -> npt.NDArray[np.int64]:
        """The rank in the common order, from 1."""
        return np.arange(1, len(self) + 1)

    @cached_property
    def lane_row(self) -> npt.NDArray[np.uint32]:
        """The row within its lane."""
        column = large_array(len(self), ROW_TYPE)
        for start, stop in zip(self._starts[:-1], self._starts[1:], strict=True):
            for first in range(start, stop, MERGED_AT_ONCE):
                rows = np.arange(first, min(first + MERGED_AT_ONCE, stop))
                column[self._places[rows[0] : rows[-1] + 1]] = rows - start
        return column

    @cached_property
    def lane_place(self) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint32]:
        """The lane's place in the list of lanes."""
        few = len(self._lanes) <= 1 << 16
        return self._repeat(range(len(self._lanes)), np.uint16 if few else np.uint32)

    index: cached_property[npt.NDArray[np.int64]] = _scanned("index", np.int64)
    """The record's number in its lane; in a ring it keeps counting past the ring's size."""
    call: cached_property[npt.NDArray[np.uint32]] = _scanned("call", np.uint32)
    """The id of the call's entry."""
    result: cached_property[npt.NDArray[np.int32]] = _scanned("result", np.int32)
    """What the call returned; 0 if it has not."""
    flags: cached_property[npt.NDArray[np.uint16]] = _scanned("flags", np.uint16)
    """RecordFlags."""
    begin_ticks: cached_property[npt.NDArray[np.uint64]] = _scanned("begin", np.uint64)
    """When it began, by the clock of the recorder."""
    lane: cached_property[npt.NDArray[np.uint32]] = _fact("number")
    """The number of the lane."""
    thread_id: cached_property[npt.NDArray[np.uint32]] = _fact("thread_id")
    """The thread that called."""

    @cached_property
    def runtime(self) -> npt.NDArray[np.uint16]:
        """The number of the HIP library that the call went to."""
        return _runtime_of(self.flags)

    def of_runtime(self, runtime: int) -> Columns:
        """The same rows; calls to other HIP libraries have the number of no call."""
        view = copy(self)
        view._runtime = runtime
        view.__dict__["call"] = np.where(self.runtime == runtime, self.call, np.uint32(0))
        return view

    @cached_property
    def finished(self) -> npt.NDArray[np.bool_]:
        """Whether the call has returned."""
        return (self.flags & f.RecordFlags.FINISHED).astype(bool)

    @cached_property
    def end_ticks(self) -> npt.NDArray[np.uint64]:
        """When it returned, by the clock of the recorder; 0 if it has not."""
        ended: npt.NDArray[np.uint64] = self._merge(
            [lane.scan.end for lane in self._lanes], np.uint64
        )
        ended[~self.finished] = 0
        return ended

    @cached_property
    def begin_ns(self) -> npt.NDArray[np.int64]:
        """When it began, since the process started."""
        return self._clock.ns(self.begin_ticks)

    @cached_property
    def end_ns(self) -> npt.NDArray[np.int64]:
        """When it returned, since the process started; 0 if it has not."""
        return np.where(self.finished, self._clock.ns(self.end_ticks), 0)

    @cached_property
    def annotation(self) -> npt.NDArray[np.uint32]:
        """The id of the annotation entry, 0 if there is none."""
        column = large_array(len(self), np.uint32)
        for lane, start in zip(self._lanes, self._starts, strict=False):
            for first in range(0, len(lane), CHUNK_ROWS):
                rows = np.arange(first, min(first + CHUNK_ROWS, len(lane)))
                column[self._places[start + rows]] = lane.records(rows)["annotation"]
        return column

    def rows_where(self, is_wanted: Callable[[Scan], Mask]) -> Rows:
        """The rows whose calls are wanted. Of the lanes' columns, so that none need be merged."""
        found = large_array(len(self), bool)
        for lane, start in zip(self._lanes, self._starts, strict=False):
            for first in range(0, len(lane), CHUNK_ROWS):
                scan = lane.scan.part(first, first + CHUNK_ROWS)
                mask = is_wanted(scan)
                if self._runtime is not None:
                    mask &= _runtime_of(scan.flags) == self._runtime
                places = self._places[start + first : start + first + len(mask)]
                found[places[mask]] = True
        return places_of_true(found)

    def rows_of(self, ids: Iterable[int]) -> Rows:
        """The rows of the calls with these ids."""
        wanted = set(ids)
        if not wanted:
            return np.empty(0, np.int64)
        return self.rows_where(lambda scan: are_any_of(scan.call, wanted))

    def scanned(self, name: str, rows: Rows) -> npt.NDArray[Any]:
        """Some rows of a column that was read when the lanes were opened."""
        return self._gathered([getattr(one.scan, name) for one in self._lanes], rows)

    def order_ticks_of(self, rows: Rows) -> Ticks:
        """When some rows began, as the common order has it."""
        return self._gathered(self._keys, rows)

    def began_before(self, ticks: Ticks) -> Rows:
        """How many calls began before each of these times, as the common order has it."""
        counts = np.zeros(len(ticks), np.int64)
        for keys in self._keys:
            counts += np.searchsorted(keys, ticks)
        return counts

    def seqs_of(self, lane_place: int, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The ranks in the common order of some rows of a lane."""
        seqs: Rows = self._places[self._starts[lane_place] + rows].astype(np.int64) + 1
        return seqs

    def words_of(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """The first ten arguments of some rows, which rise."""
        words = np.empty((len(rows), f.RECORD_WORDS), np.uint64)
        for first in range(0, len(rows), CHUNK_ROWS):
            chunk = rows[first : first + CHUNK_ROWS]
            words[first : first + CHUNK_ROWS] = self.records(chunk)["words"]
        return words

    def records(self, rows: npt.NDArray[np.int64]) -> Structs:
        """Whole records of some rows, which rise."""
        records = np.empty(len(rows), f.RECORD)
        for lane, chosen, lane_rows in self._by_lane(rows):
            none = np.zeros(len(chosen), np.int64)
            index = self._lanes[lane].scan.index[lane_rows]
            self._lanes[lane].gather(lane_rows, Gathering(index, none, chosen, none), records)
        return records

    def continuations(self, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Structs]:
        """What follows some rows, which rise: for each continuation its place in `rows`."""
        calls = self.by_call(rows)
        return calls.order[calls.owner], calls.parts

    def by_call(self, rows: npt.NDArray[np.int64]) -> CallsRead:
        """Whole records of some rows, which rise, and what follows them, calls of one id together.

        They are read once, and each goes to its place at once: that is half of the work.
        """
        lanes = [(self._lanes[place], own, at) for place, own, at in self._by_lane(rows)]
        call = np.empty(len(rows), np.uint32)
        following = np.empty(len(rows), np.int64)
        for lane, chosen, lane_rows in lanes:
            call[chosen] = lane.scan.call[lane_rows]
            following[chosen] = lane.following(lane_rows)
        # Of numbers that are as small as these always are, sorting is much faster.
        small = call.max(initial=0) < 1 << 16
        order = np.argsort(call.astype(np.uint16) if small else call, kind="stable")
        place = np.empty(len(rows), np.int64)
        place[order] = np.arange(len(rows))
        sorted_following = following[order]
        owner = np.repeat(np.arange(len(rows)), sorted_following)
        behind = len(rows) + np.cumsum(sorted_following) - sorted_following
        slots = np.empty(len(rows) + len(owner), f.RECORD)
        for lane, chosen, lane_rows in lanes:
            to, index = place[chosen], lane.scan.index[lane_rows]
            lane.gather(lane_rows, Gathering(index, following[chosen], to, behind[to]), slots)
        parts = slots[len(rows) :].view(f.MORE)
        real = parts["call"] == f.CALL_MORE
        if not real.all():
            owner, parts = owner[real], parts.take(np.flatnonzero(real))
        return CallsRead(order, slots[: len(rows)], owner, parts)

    def _by_lane(self, rows: Rows) -> Iterator[tuple[int, Rows, Rows]]:
        """The lanes of some rows, with the places in `rows` that are theirs, and their own rows."""
        places = self.lane_place[rows]
        by_lane = np.argsort(places, kind="stable")
        borders = np.flatnonzero(np.diff(places[by_lane])) + 1
        lane_rows = self.lane_row[rows].astype(np.int64)
        for chosen in np.split(by_lane, borders) if len(rows) else []:
            yield int(places[chosen[0]]), chosen, lane_rows[chosen]

    def _gathered(self, parts: list[npt.NDArray[Any]], rows: Rows) -> npt.NDArray[Any]:
        """Some rows of a column of which there is a part for each lane."""
        values = np.empty(len(rows), parts[0].dtype if parts else np.int64)
        for lane, chosen, lane_rows in self._by_lane(rows):
            values[chosen] = parts[lane][lane_rows]
        return values

    def _merge(self, parts: list[npt.NDArray[Any]], dtype: type[Any]) -> npt.NDArray[Any]:
        """A column of each lane, one after the other, brought into the common order."""
        column = large_array(len(self), dtype)
        for part, start in zip(parts, self._starts, strict=False):
            for first in range(0, len(part), MERGED_AT_ONCE):
                piece = part[first : first + MERGED_AT_ONCE]
                column[self._places[start + first : start + first + len(piece)]] = piece
        return column

    def _repeat(self, values: Iterable[int], dtype: type[Any]) -> npt.NDArray[Any]:
        column = large_array(len(self), dtype)
        for value, start, stop in zip(values, self._starts[:-1], self._starts[1:], strict=True):
            for first in range(start, stop, MERGED_AT_ONCE):
                column[self._places[first : min(first + MERGED_AT_ONCE, stop)]] = value
        return column
