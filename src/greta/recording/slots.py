"""A lane's first page, and where its records and their continuations can be read again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from greta.recording import _format as f
from greta.recording.files import Structs, read_structs
from greta.recording.problems import Problems

FARTHEST = 1 << 62  # no lane has as many records


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
    if struct["version"] != f.VERSION:
        problems.add(file, 8, f"is of version {struct['version']}, not {f.VERSION}; left out")
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

BLOCK_RECORDS = 1 << 16  # 8 MiB


class Slots(Protocol):
    """Where the records of a lane, and their continuations, can be read again."""

    def at(self, index: Index) -> Structs:
        """Records by number, which rises."""
        ...

    def after(self, index: int, count: int) -> Structs:
        """Up to `count` slots that follow a record."""
        ...

    def has(self, index: Index) -> npt.NDArray[np.bool_]:
        """Which numbers can be asked for."""
        ...


@dataclass(frozen=True)
class FileSlots:
    """Records of a lane that grows: they stay where they are."""

    path: Path
    count: int

    def at(self, index: Index) -> Structs:
        """Records by number; neighbours are read together."""
        records = np.empty(len(index), f.RECORD)
        start = 0
        while start < len(index):
            first = int(index[start])
            stop = int(np.searchsorted(index, first + BLOCK_RECORDS))
            span = self._read(first, int(index[stop - 1]) + 1 - first)
            # Unlike indexing, take copies a record as a whole, and not field by field.
            span.take(index[start:stop] - first, out=records[start:stop], mode="clip")
            start = stop
        return records

    def after(self, index: int, count: int) -> Structs:
        """The slots behind a record, up to the end of the file."""
        return self._read(index + 1, max(0, min(count, self.count - index - 1)))

    def has(self, index: Index) -> npt.NDArray[np.bool_]:
        """Those before the end of the file."""
        return index < self.count

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

    def has(self, index: Index) -> npt.NDArray[np.bool_]:
        """Those that were copied."""
        places = np.minimum(np.searchsorted(self.index, index), max(len(self.index) - 1, 0))
        found: npt.NDArray[np.bool_] = self.index[places] == index
        return found
