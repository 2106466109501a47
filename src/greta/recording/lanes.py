"""The files `lane.<n>`: what one thread called, in its order.

A lane is read once when it is opened, for the columns that order and count it. Whole records and
their continuations are read again when they are asked for. A ring is another matter, as its records
are overwritten while the process runs: it is copied when it is opened.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from greta.large_arrays import GrowingArray
from greta.reading_library import Gathering, SlotsSeen, look_at_slots, scan_slots
from greta.recording import _format as f
from greta.recording.files import (
    READABLE_VERSIONS,
    Problems,
    RecordingError,
    Structs,
    blocks_until_zeros,
    opened,
    read_gathered,
    read_struct,
    read_structs,
)

WHOLE_RECORD = np.dtype((np.void, f.RECORD_BYTES))
"""Is copied as one piece, and not field by field."""
FARTHEST = 1 << 62  # no lane has as many records
CALL_NONE = 0  # nothing is here yet
NO_CALL = -1  # in place of a call's number


@dataclass(frozen=True)
class LaneFacts:
    """What a lane says about itself."""

    number: int
    thread_id: int
    thread_name: str
    ring_records: int
    written: int
    start_ticks: int

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"lane.{self.number}"

    def offset(self, index: int) -> int:
        """The byte at which a record begins."""
        slot = index % self.ring_records if self.ring_records else index
        return f.PAGE_BYTES + slot * f.RECORD_BYTES


def read_facts(struct: np.void, number: int, problems: Problems) -> LaneFacts | None:
    """What the first page says, or None if it is not that of a lane."""
    file = f"lane.{number}"
    if struct["magic"] != f.LANE_MAGIC:
        problems.add(file, 0, "does not begin as a lane does; left out")
        return None
    if struct["version"] not in READABLE_VERSIONS:
        problems.add(
            file, 8, f"is of version {struct['version']}, not {f.RECORDING_VERSION}; left out"
        )
        return None
    if struct["lane"] != number:
        problems.add(file, 12, f"says that it is lane {struct['lane']}")
    written, ring_records = int(struct["written"]), int(struct["ring_records"])
    if written > FARTHEST or ring_records > FARTHEST:
        problems.add(file, 24, f"counts {max(written, ring_records)} records, which cannot be")
    return LaneFacts(
        number=number,
        thread_id=int(struct["thread_id"]),
        thread_name=bytes(struct["thread_name"]).decode("utf-8", "replace"),
        ring_records=min(ring_records, FARTHEST),
        written=min(written, FARTHEST),
        start_ticks=int(struct["start_ticks"]),
    )


Index = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

BLOCK_RECORDS = 1 << 13  # 1 MiB, which fits the cache of a processor


@dataclass(frozen=True)
class FileSlots:
    """Where records of a lane that grows, and their continuations, can be read again."""

    path: Path
    count: int

    def at(self, index: Index) -> Structs:
        """Records by number, which rise."""
        records, none = np.empty(len(index), f.RECORD), np.zeros(len(index), np.int64)
        self.gather(Gathering(index, none, np.arange(len(index)), none), records)
        return records

    def gather(self, wanted: Gathering, slots: Structs) -> None:
        """Fill in records and what follows them; neighbours are read together."""
        read_gathered(self.path, wanted, slots)

    def after(self, index: int, count: int) -> Structs:
        """The slots behind a record, up to the end of the file."""
        return self._read(index + 1, max(0, min(count, self.count - index - 1)))

    def behind(self, index: Index) -> Index:
        """How many slots there are behind each number, at most."""
        return self.count - 1 - index

    def _read(self, first: int, count: int) -> Structs:
        offset = f.PAGE_BYTES + first * f.RECORD_BYTES
        return read_structs(self.path, f.RECORD, offset, count)


@dataclass(frozen=True)
class CopiedSlots:
    """Records of a ring, copied, in the order they were written."""

    index: Index
    records: Structs

    def at(self, index: Index) -> Structs:
        """Records by number."""
        return self.records.take(np.searchsorted(self.index, index))

    def after(self, index: int, count: int) -> Structs:
        """The slots behind a record, as long as no number is missing between."""
        first = int(np.searchsorted(self.index, index)) + 1
        follow = self.index[first : first + count]
        unbroken = follow == index + 1 + np.arange(len(follow))
        found: Structs = self.records[first : first + len(follow)][unbroken]
        return found

    def behind(self, index: Index) -> Index:
        """How many slots there are behind each number, at most."""
        return self.index[-1:] - index

    def gather(self, wanted: Gathering, slots: Structs) -> None:
        """Fill in records and what follows them; in place of those that are gone, nothing."""
        owner, ranks = repeated(wanted.following)
        numbers = wanted.numbers[owner] + 1 + ranks
        there = np.searchsorted(self.index, numbers).clip(max=len(self.index) - 1)
        followers = self.records.take(there)
        followers["call"][self.index[there] != numbers] = CALL_NONE
        slots.view(WHOLE_RECORD)[wanted.behind[owner] + ranks] = followers.view(WHOLE_RECORD)
        slots.view(WHOLE_RECORD)[wanted.places] = self.at(wanted.numbers).view(WHOLE_RECORD)


@dataclass(frozen=True)
class Scan:
    """The columns that are read when a lane is opened, one row a call."""

    index: Index  # the record's number since the lane began, continuations counted
    call: npt.NDArray[np.uint32]
    more: npt.NDArray[np.uint16]
    flags: npt.NDArray[np.uint16]
    result: npt.NDArray[np.int32]
    begin: npt.NDArray[np.uint64]
    end: npt.NDArray[np.uint64]

    @property
    def finished(self) -> Flags:
        """Whether each call has returned."""
        return (self.flags & f.RecordFlags.FINISHED).astype(bool)

    @property
    def succeeded(self) -> Flags:
        """Whether each call has returned 0."""
        succeeded: Flags = self.finished & (self.result == 0)
        return succeeded

    def part(self, first: int, stop: int) -> Scan:
        """Some rows."""
        return Scan(*(getattr(self, name)[first:stop] for name in self.__dataclass_fields__))


class Gatherer:
    """Collects the calls from blocks of slots, and looks at how the slots between are filled."""

    def __init__(self) -> None:
        self.seen = 0  # one past the last slot that is not empty
        self._columns = {"index": GrowingArray(np.int64)} | {
            name: GrowingArray(f.RECORD[name])
            for name in Scan.__dataclass_fields__
            if name != "index"
        }
        self._between = _Between()

    def add(self, block: Structs, index: Index) -> None:
        """Take the next slots of a lane."""
        seen = look_at_slots(block, index, self._between.last, self._between.more)
        self._between.add(block, index, seen)
        if seen.filled:
            self.seen = int(index[seen.filled - 1]) + 1
        scan_slots(block, index, [column.add(seen.calls) for column in self._columns.values()])

    def pass_over(self, first: int, stop: int) -> None:
        """These slots are empty."""
        if first < stop:
            self._between.pass_over(first, stop - first)

    def scan(self) -> Scan:
        """The calls of all blocks."""
        return Scan(*(self._columns[name].finished() for name in Scan.__dataclass_fields__))

    def report(self, facts: LaneFacts, problems: Problems) -> None:
        """Tell of empty slots before the last call, and of continuations missing or nobody's."""
        self._between.report(facts, problems)


@dataclass
class _Noticed:
    """Slots of one kind: how many, and the number of the first."""

    count: int = 0
    first: int = 0

    def add(self, index: Index) -> None:
        if len(index):
            self.add_many(int(index[0]), len(index))

    def add_many(self, first: int, count: int) -> None:
        self.first = self.first if self.count else first
        self.count += count

    def take_over(self, other: _Noticed) -> None:
        """With what `other` has, which is then empty."""
        self.first = self.first if self.count else other.first
        self.count += other.count
        other.count = 0


class _Between:
    """The slots that are no calls: empty ones, and continuations.

    What is behind the last call may belong to one that was being written: it counts when another
    call follows. Before the first call of a ring lies what belonged to one that is overwritten.
    """

    def __init__(self) -> None:
        self.last = NO_CALL
        self.more = self._found = 0  # how many continuations it says it has, and has
        self._are_any = False
        self._before_first = _Noticed(), _Noticed()  # empty slots; continuations of nobody
        self._behind_last = _Noticed(), _Noticed()
        self._empty, self._orphans, self._short = _Noticed(), _Noticed(), _Noticed()

    def add(self, block: Structs, index: Index, seen: SlotsSeen) -> None:
        """So it is but for damage: each call has just the continuations that it says."""
        if not seen.in_order or any(noticed.count for noticed in self._behind_last):
            self._add_damaged(block, index)
            return
        self._are_any |= len(index) > seen.calls
        if seen.calls:
            self.last, self.more = int(index[seen.last]), int(block["more"][seen.last])
        self._found = int(index[-1]) - self.last

    def pass_over(self, first: int, count: int) -> None:
        self._are_any = True
        self._behind_last[0].add_many(first, count)

    def _add_damaged(self, block: Structs, index: Index) -> None:
        call = block["call"].copy()
        is_call = (call != CALL_NONE) & (call != f.CALL_MORE)
        calls = np.append(self.last, index[is_call])
        more = np.append(self.more, block["more"][is_call].astype(np.int64))
        is_more = call == f.CALL_MORE
        continuations, empty = index[is_more], index[call == CALL_NONE]
        self._are_any |= len(continuations) + len(empty) > 0
        owner = np.searchsorted(calls, continuations) - 1
        owned = (continuations - calls[owner] <= more[owner]) & (calls[owner] != NO_CALL)
        found = np.bincount(owner[owned], minlength=len(calls))
        found[0] += self._found
        filler = block.view(f.MORE)["kind"][is_more] == f.PayloadKind.FILLER
        stray = continuations[~owned & ~filler]
        if len(calls) > 1:
            self._next_call(int(calls[1]), empty, stray)
            short = (found < more)[:-1] & (calls[:-1] != NO_CALL)
            self._short.add(calls[:-1][short])
            self._empty.add(empty[(empty > calls[1]) & (empty < calls[-1])])
            self._orphans.add(stray[(stray > calls[1]) & (stray < calls[-1])])
        for noticed, slots in zip(self._behind_last, (empty, stray), strict=True):
            noticed.add(slots[slots > calls[-1]])
        self.last, self.more, self._found = int(calls[-1]), int(more[-1]), int(found[-1])

    def _next_call(self, call: int, empty: Index, stray: Index) -> None:
        """What was behind the last call lies between two calls, now that there is another one."""
        for noticed, slots in zip(self._behind_last, (empty, stray), strict=True):
            noticed.add(slots[slots < call])
        known = self._before_first if self.last == NO_CALL else (self._empty, self._orphans)
        for noticed, waiting in zip(known, self._behind_last, strict=True):
            noticed.take_over(waiting)

    def report(self, facts: LaneFacts, problems: Problems) -> None:
        if self.last == NO_CALL or not self._are_any:
            return
        empty, orphans = self._empty, self._orphans
        if not facts.ring_records:
            (empty, orphans), before = self._before_first, (empty, orphans)
            empty.take_over(before[0])
            orphans.take_over(before[1])
        short = _Noticed(self._short.count, self._short.first)
        if self._found < self.more:
            short.add(np.array([self.last]))
        for noticed, what in (
            (empty, "empty slots among the records; what is behind them is kept"),
            (short, "records have fewer continuations than they say"),
            (orphans, "continuations belong to no record; left out"),
        ):
            if noticed.count:
                place = facts.offset(noticed.first)
                problems.add(facts.file, place, f"{noticed.count} {what}")


LONGEST_GROUP = 64  # a record with 4 KiB of kernel arguments has 37 continuations


@dataclass(frozen=True)
class Lane:
    """One thread's calls."""

    facts: LaneFacts
    scan: Scan
    slots: FileSlots | CopiedSlots
    overwritten: int = 0  # records, continuations counted, that a ring no longer has

    def __len__(self) -> int:
        return len(self.scan.index)

    def records(self, rows: Index) -> Structs:
        """Whole records of rows, which rise, in the state they were in when the lane was opened."""
        records, none = np.empty(len(rows), f.RECORD), np.zeros(len(rows), np.int64)
        self.gather(
            rows, Gathering(self.scan.index[rows], none, np.arange(len(rows)), none), records
        )
        return records

    def gather(self, rows: Index, wanted: Gathering, slots: Structs) -> None:
        """Fill in the records of rows, which rise, as they were, and what follows them."""
        self.slots.gather(wanted, slots)
        # A call that has returned since then had not.
        begun = np.flatnonzero((self.scan.flags[rows] & f.RecordFlags.FINISHED) == 0)
        for name in ("flags", "result", "end"):
            slots[name][wanted.places[begun]] = getattr(self.scan, name)[rows[begun]]

    def continuations(self, row: int) -> Structs:
        """What follows a record, as far as it is there."""
        found = self.slots.after(int(self.scan.index[row]), int(self.scan.more[row])).view(f.MORE)
        wrong = np.flatnonzero(found["call"] != f.CALL_MORE)
        return found[: wrong[0]] if len(wrong) else found

    def following(self, rows: Index) -> Index:
        """How many slots follow each of some rows, which rise, up to the next record.

        What a damaged record says it has, but another one lies on, is left out.
        """
        index = self.scan.index
        following = index[np.minimum(rows + 1, len(index) - 1)]
        last = rows == len(index) - 1
        room = np.where(last, LONGEST_GROUP, following - index[rows] - 1)
        room = np.minimum(room, self.slots.behind(index[rows]))
        return np.minimum(self.scan.more[rows], room)


def repeated(counts: Index) -> tuple[Index, Index]:
    """For each of so many things of each owner: the owner, and the thing's rank."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]


def read_lane(path: Path, number: int, problems: Problems, *, still_written: bool) -> Lane | None:
    """A lane as it is now, or None if there is nothing in it that can be read."""
    try:
        with opened(path) as descriptor:
            structs, found = read_struct(descriptor, f.LANE)
        if structs["magic"] == 0 and structs["written"] == 0:
            if not still_written:  # otherwise a thread was cut off before its first call
                problems.add(path.name, 0, "was created and never begun")
            return None
        facts = read_facts(structs[0], number, problems)
        if facts is None:
            return None
        if found < f.PAGE_BYTES:
            problems.add(path.name, found, "is cut short within its first page")
        capacity = _capacity(path, problems)
        if facts.ring_records:
            return _read_ring(path, facts, capacity, problems)
        return _read_growing(path, facts, capacity, problems, still_written)
    except (OSError, RecordingError) as error:
        problems.add(path.name, None, f"cannot be read: {error}")
        return None


def _capacity(path: Path, problems: Problems) -> int:
    size = path.stat().st_size
    count, rest = divmod(max(0, size - f.PAGE_BYTES), f.RECORD_BYTES)
    if rest and not _is_space(path, size - rest):
        problems.add(path.name, size - rest, f"ends within a record, after {rest} bytes of it")
    return count


def _is_space(path: Path, begin: int) -> bool:
    """Whether nothing was written there: the process died while it took more space."""
    with opened(path) as descriptor:
        return not any(os.pread(descriptor, f.RECORD_BYTES, begin))


# --- lanes that grow ------------------------------------------------------------------------------


def _read_growing(
    path: Path, facts: LaneFacts, capacity: int, problems: Problems, still_written: bool
) -> Lane:
    gatherer, known, at = Gatherer(), min(facts.written, capacity), 0
    for first, block in blocks_until_zeros(path, f.RECORD, capacity, BLOCK_RECORDS, known):
        gatherer.pass_over(at, first)
        used = _used(block, facts.written - first)
        at = first + used
        gatherer.add(block[:used], np.arange(first, at))
        if used < len(block):
            break
    scan = gatherer.scan()
    # A thread may be about to fill what it has counted, but not what the file has no room for; and
    # none is once the process has ended.
    awaited = LONGEST_GROUP if still_written else 0
    if facts.written > min(gatherer.seen + awaited, capacity):
        missing = facts.written - gatherer.seen
        problems.add(facts.file, facts.offset(gatherer.seen), f"{missing} records are missing")
    gatherer.report(facts, problems)
    return Lane(facts, scan, FileSlots(path, capacity))


def _used(block: Structs, written: int) -> int:
    """How far a block is filled: to the first empty slot beyond those that are known of."""
    behind = max(0, written)
    empty = np.flatnonzero(block["call"][behind:] == CALL_NONE)
    return behind + int(empty[0]) if len(empty) else len(block)


# --- rings ----------------------------------------------------------------------------------------


def _read_ring(path: Path, facts: LaneFacts, capacity: int, problems: Problems) -> Lane:
    slots = min(facts.ring_records, capacity)
    if slots < min(facts.ring_records, facts.written):
        lost = min(facts.ring_records, facts.written) - slots
        problems.add(facts.file, facts.offset(slots), f"{lost} records of the ring are missing")
    blocks = [b.copy() for _, b in blocks_until_zeros(path, f.RECORD, slots, BLOCK_RECORDS)]
    copied = np.concatenate(blocks) if blocks else np.empty(0, f.RECORD)
    index, records = _in_order(copied, _written(copied, facts), facts.ring_records)
    whole = _unchanged(path, facts, index, records)
    whole = whole[index[whole] >= _oldest(path, facts, copied)]
    index, records = index[whole], records[whole]
    gatherer = Gatherer()
    gatherer.add(records, index)
    scan = gatherer.scan()
    gatherer.report(facts, problems)
    overwritten = int(scan.index[0]) if len(scan.index) else max(0, facts.written - len(records))
    return Lane(facts, scan, CopiedSlots(index, records), overwritten)


def _written(copied: Structs, facts: LaneFacts) -> int:
    """How many records there are, with the one that is complete and was not counted, if any."""
    place = facts.written % facts.ring_records
    if place >= len(copied) or not _is_call(copied[place : place + 1]).any():
        return facts.written
    calls = np.flatnonzero(_is_call(copied))
    newest = copied[calls[np.searchsorted(calls, place) - 1]]
    uncounted = len(calls) == 1 or copied["begin"][place] > newest["begin"]
    return facts.written + uncounted * _group(copied, place)


def _is_call(records: Structs) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = (records["call"] != CALL_NONE) & (records["call"] != f.CALL_MORE)
    return found


def _group(records: Structs, place: int) -> int:
    """How many slots a record takes."""
    return 1 + int(records["more"][place])


def _in_order(records: Structs, written: int, ring_records: int) -> tuple[Index, Structs]:
    """The records of a ring by their numbers, oldest first."""
    start = written % ring_records
    newer = records[:start]
    index = written - start + np.arange(len(newer))
    if written < ring_records:
        return index, newer
    older = records[start:]
    older_index = written - ring_records + np.arange(len(older))
    return np.concatenate([older_index, index]), np.concatenate([older, newer])


def _unchanged(path: Path, facts: LaneFacts, index: Index, records: Structs) -> Index:
    """Which places of a copied ring are whole: the oldest may be overwritten during the copy."""
    slots = index[:LONGEST_GROUP] % facts.ring_records
    rising = np.argsort(slots)
    again = FileSlots(path, facts.ring_records).at(slots[rising])
    copied = records[rising]
    same = (again["call"] == copied["call"]) & (again["begin"] == copied["begin"])
    return np.delete(np.arange(len(index)), rising[~same])


def _oldest(path: Path, facts: LaneFacts, copied: Structs) -> int:
    """The number of the oldest record that was not overwritten before the copy was complete."""
    with opened(path) as descriptor:
        now = int(read_struct(descriptor, f.LANE)[0][0]["written"])
    if not facts.written < now <= FARTHEST:
        return 0
    # The next one may be there already, and not counted.
    place = now % facts.ring_records
    uncounted = _group(copied, place) if place < len(copied) else 0
    return now - facts.ring_records + uncounted
