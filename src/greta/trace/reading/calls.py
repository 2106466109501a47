"""Calls of a recording as columns: blocks of them, groups of one kind, their words and payloads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.reading_library import find_alike
from greta.recording import CallEntry, CallEvent, Columns, PayloadKind
from greta.trace.reading.meanings import Meaning, Numbers, WordName
from greta.trace.trace import NONE, Row, Table

Rows = npt.NDArray[np.int64]


class Names:
    """The names of some ids."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.ids = np.array(sorted(names), np.int64)
        """They rise."""
        self.names = tuple(names[id_] for id_ in self.ids.tolist())


WORDS_IN_RECORD = 10
PART = 112  # bytes of a continuation
MOST_IN_ARRAY = 112  # words that a recording keeps of one
IN_STRUCT = re.compile(r"(?P<word>.+)@(?P<offset>\d+)(?::(?P<bytes>4))?")


class Continuations:
    """What follows some calls; each kind of payload is put together when asked for."""

    def __init__(self, count: int, owner: Rows, parts: npt.NDArray[np.void]) -> None:
        """`owner`: for each part the place of its call among those `count` calls."""
        self._count, self._owner, self._parts = count, owner, parts

    def some(self, chosen: Rows) -> Continuations:
        """Of some of the calls."""
        if len(chosen) == self._count:
            return self
        places = np.full(self._count, NONE, np.int64)
        places[chosen] = np.arange(len(chosen))
        owner = places[self._owner]
        kept = np.flatnonzero(owner != NONE)
        return Continuations(len(chosen), owner[kept], self._parts.take(kept))

    def alike(self, records: npt.NDArray[np.void]) -> tuple[Rows, Rows]:
        """Of the calls, with their records: see greta.reading_library.find_alike."""
        return find_alike(records, self._owner, self._parts)

    def payload(
        self, kind: PayloadKind, bytes_: int, word: int | None = None
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The first bytes of each call's payload, and how many of them were kept."""
        slots = -(-bytes_ // PART)
        data = np.zeros((self._count, slots, PART), np.uint8)
        parts, owner = self._parts, self._owner
        fits = (parts["kind"] == kind) & (parts["offset"] < slots * PART) & (parts["used"] <= PART)
        if word is not None:
            fits &= parts["word"] == word
        if not fits.all():
            parts, owner = parts.take(np.flatnonzero(fits)), owner[fits]
        data[owner, parts["offset"] // PART] = parts["bytes"]
        kept = np.bincount(owner, parts["used"], self._count).astype(np.int64)
        return data.reshape(self._count, slots * PART), kept


class CallRows:
    """Calls of one entry: rows of a recording, and their records."""

    def __init__(
        self,
        columns: Columns,
        entry: CallEntry,
        rows: npt.NDArray[np.int64],
        records: npt.NDArray[np.void],
    ) -> None:
        self._columns = columns
        self.entry = entry
        self.rows = rows
        self.records = records
        self._continuations: Continuations | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def some(self, chosen: Rows) -> CallRows:
        """Some of them, whose places rise; what was read of them is not read again."""
        if len(chosen) == len(self):
            return self
        some = CallRows(self._columns, self.entry, self.rows[chosen], self.records.take(chosen))
        if self._continuations is not None:
            some._continuations = self._continuations.some(chosen)
        return some

    @property
    def continuations(self) -> Continuations:
        if self._continuations is None:
            which = np.flatnonzero(self.records["more"])
            owner, parts = self._columns.continuations(self.rows[which])
            self._continuations = Continuations(len(self.rows), which[owner], parts)
        return self._continuations

    def take_continuations(self, read: Continuations) -> None:
        """What was read with the records."""
        self._continuations = read

    def alike(self) -> tuple[Rows, Rows]:
        """Calls that say the same: the number of each one's kind, and the first call of each kind.

        Two of one kind differ in when and where they were made, and in what became of them.
        """
        return self.continuations.alike(self.records)

    def word(self, name: WordName) -> Numbers:
        """A word of each, by the name that its entry gives it, or out of a struct."""
        place = IN_STRUCT.fullmatch(name)
        if place:
            struct = place_of(self.entry, place["word"])
            offset, size = int(place["offset"]), int(place["bytes"] or 8)
            data, _ = self.continuations.payload(PayloadKind.STRUCT, offset + size, struct)
            return _number(data, offset, size)
        at = place_of(self.entry, name)
        if at < WORDS_IN_RECORD:
            return np.ascontiguousarray(self.records["words"][:, at])
        offset = (at - WORDS_IN_RECORD) * 8
        data, _ = self.continuations.payload(PayloadKind.WORDS, offset + 8)
        return _number(data, offset, 8)

    def lack(self, name: WordName) -> npt.NDArray[np.bool_]:
        """Calls whose struct with the word was not kept."""
        place = IN_STRUCT.fullmatch(name)
        if place is None:
            return np.zeros(len(self), bool)
        end = int(place["offset"]) + int(place["bytes"] or 8)
        struct = place_of(self.entry, place["word"])
        lacking: npt.NDArray[np.bool_] = (
            self.continuations.payload(PayloadKind.STRUCT, end, struct)[1] < end
        )
        return lacking

    def array(self, name: WordName, count: WordName) -> list[tuple[int, ...] | None]:
        """The words of an array of each; None where not all of them were kept."""
        counts = self.word(count).tolist()
        most = max((one for one in counts if one <= MOST_IN_ARRAY), default=0)
        at = place_of(self.entry, name)
        data, kept = self.continuations.payload(PayloadKind.ARRAY, most * 8, at)
        words = np.ascontiguousarray(data).view("<u8")
        return [
            tuple(words[row, :one].tolist()) if one * 8 <= has else None
            for row, (one, has) in enumerate(zip(counts, kept.tolist(), strict=True))
        ]


def event_word(event: CallEvent, name: WordName) -> int | None:
    """A word of one call; None where it was not kept."""
    place = IN_STRUCT.fullmatch(name)
    if place is None:
        value = event.arguments.get(name)
        return value if isinstance(value, int) and value >= 0 else None
    at, size = int(place["offset"]), int(place["bytes"] or 8)
    data = event.pointed[place["word"]].data if place["word"] in event.pointed else b""
    return int.from_bytes(data[at : at + size], "little") if len(data) >= at + size else None


def place_of(entry: CallEntry, name: str) -> int:
    """Which word that is; KeyError if the entry, of another version or damaged, has none."""
    for at, word in enumerate(entry.words):
        if word.name == name:
            return at
    raise KeyError(name)


def has_word(entry: CallEntry, name: WordName) -> bool:
    """Whether `word` will find it."""
    place = IN_STRUCT.fullmatch(name)
    plain = place["word"] if place else name
    return any(word.name == plain for word in entry.words)


def _number(data: npt.NDArray[np.uint8], offset: int, bytes_: int) -> Numbers:
    part: npt.NDArray[Any] = np.ascontiguousarray(data[:, offset : offset + bytes_])
    return part.view(f"<u{bytes_}")[:, 0].astype(np.uint64)


@dataclass(frozen=True)
class CallBlock:
    """Calls that follow each other: their rows in the recording, and operations."""

    rows: Rows
    first: Row
    operations: Table
    devices: Rows
    threads: Rows
    seq: Rows


@dataclass(frozen=True)
class Group:
    """Calls of a block that are of one entry: places in the block, which rise, and the meaning."""

    places: Rows
    calls: CallRows
    meaning: Meaning
    per_thread: bool

    def some(self, chosen: Rows) -> Group:
        places = self.places[chosen]
        return Group(places, self.calls.some(chosen), self.meaning, self.per_thread)


def alike(keys: npt.NDArray[np.generic]) -> Iterator[Rows]:
    """Places of equal keys, one key after the other."""
    if not len(keys):
        return
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    borders = np.flatnonzero(sorted_keys[1:] != sorted_keys[:-1]) + 1
    yield from np.split(order, borders)
