"""Where the records of a lane, and their continuations, can be read again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from greta.recording import _format as f
from greta.recording.files import Structs, read_structs

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
