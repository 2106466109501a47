"""Arrays that grow with a recording, in memory that does not.

The first gigabytes of them are ordinary memory. What comes after lies in unnamed files, mapped, and
a thread lets go of their pages when too many are resident: they stay in the file, and in the
system's cache while there is space for them. So a recording of any length is looked at as one
array, and an ordinary one costs nothing. Where no file can be had, memory is used.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import tempfile
import threading
import weakref
from contextlib import suppress
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from greta.reading_library import let_go, map_file

__all__ = [
    "GrowingArray",
    "column_of",
    "keep_freed_memory",
    "large_array",
    "places_of_true",
    "values_at",
]

Array = npt.NDArray[Any]

IN_MEMORY: Final = 7 << 28
RESIDENT: Final = 1 << 28
"""Bytes of files that may be in the memory of this process."""
_LARGE: Final = 1 << 22
_LARGE_PAGE: Final = 1 << 21
_STEP: Final = 1 << 26
_AT_ONCE: Final = 1 << 16  # places
_ROWS_AT_ONCE: Final = 1 << 20
_FAR_ROWS_AT_ONCE: Final = 1 << 10  # each brings in the pages around it
_GROWTH: Final = 1.125


def large_array(count: int, dtype: npt.DTypeLike) -> Array:
    """Zeros."""
    size = count * np.dtype(dtype).itemsize
    if size < _LARGE:
        return np.zeros(count, dtype)
    if _memory.take(size):
        array: Array = np.zeros(count, dtype)
        weakref.finalize(array, _memory.give_back, size)
        return array
    try:
        return _Mapping(size, in_file=True).array(dtype)[:count]
    except OSError:
        return np.zeros(count, dtype)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of glibc's mallopt


def keep_freed_memory() -> None:
    """For those who make arrays of megabytes again and again.

    Memory that is given back each time is cleared each time by the system. That takes a quarter of
    all there is to do.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 1 << 25)
        mallopt(_TRIM_THRESHOLD, 1 << 30)


def column_of(table: Array, name: str) -> Array:
    """A column of a table in one piece, taken so that not all of the table gets into memory."""
    column = large_array(len(table), table.dtype[name])
    for first in range(0, len(table), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        column[rows] = table[name][rows]
        let_go()
    return column


def values_at(table: Array, name: str, rows: Array) -> Array:
    """table[name][rows] for rows that may be far apart, taken likewise."""
    values = np.empty(len(rows), table.dtype[name])
    for first in range(0, len(rows), _FAR_ROWS_AT_ONCE):
        part = slice(first, first + _FAR_ROWS_AT_ONCE)
        values[part] = table[name][rows[part]]
        let_go()
    return values


def places_of_true(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """As np.flatnonzero."""
    places = GrowingArray(np.int64)
    for first in range(0, len(mask), _AT_ONCE):
        chosen = np.flatnonzero(mask[first : first + _AT_ONCE])
        np.add(chosen, first, out=places.add(len(chosen)))
    return places.finished()


class GrowingArray:
    """Rows that are added at the end. Adding moves them: a part that was asked for is not kept."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._rows: Array = np.zeros(1 << 10, self._dtype)
        self._mapping: _Mapping | None = None  # where the rows are, if they are many
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, count: int) -> Array:
        """So many rows of zeros, to be filled."""
        first, needed = self._used, self._used + count
        if needed > len(self._rows):
            is_small = self._rows.nbytes < _LARGE
            self._make_room(max(needed, int(len(self._rows) * (2 if is_small else _GROWTH))))
        self._used = needed
        return self._rows[first:needed]

    def between(self, first: int, stop: int) -> Array:
        return self._rows[first:stop]

    def finished(self) -> Array:
        """All rows; nothing may be added after that."""
        if self._mapping is None:
            self._rows.resize(self._used, refcheck=False)  # there may be thousands of small ones
            return self._rows
        self._mapping.give_back_beyond(self._used * self._dtype.itemsize)
        return self._rows[: self._used]

    def _make_room(self, count: int) -> None:
        size = count * self._dtype.itemsize
        if size < _LARGE:
            self._rows.resize(count, refcheck=False)
            return
        size = -(-size // _LARGE_PAGE) * _LARGE_PAGE
        if self._mapping is None or not self._grown(self._mapping, size):
            kept, self._mapping = self._rows[: self._used], _new_mapping(size)
            self._rows = self._mapping.array(self._dtype)
            self._rows[: len(kept)] = kept

    def _grown(self, mapping: _Mapping, size: int) -> bool:
        self._rows = np.empty(0, self._dtype)  # a mapping that somebody looks at cannot grow
        grown = mapping.grow_to(size)
        self._rows = mapping.array(self._dtype)
        return grown


class _Memory:
    """How much of the memory for large arrays is taken."""

    def __init__(self) -> None:
        self._taken = 0
        self._lock = threading.RLock()  # what is collected meanwhile gives back

    def take(self, size: int) -> bool:
        with self._lock:
            if self._taken + size > IN_MEMORY:
                return False
            self._taken += size
            return True

    def give_back(self, size: int) -> None:
        with self._lock:
            self._taken -= size


class _Taken:
    """What a mapping has taken of it."""

    def __init__(self) -> None:
        self._size = 0

    def grow_to(self, size: int) -> bool:
        if not _memory.take(size - self._size):
            return False
        self._size = size
        return True

    def shrink_to(self, size: int) -> None:
        _memory.give_back(max(self._size - size, 0))
        self._size = min(self._size, size)

    def give_back(self) -> None:
        self.shrink_to(0)


def _new_mapping(size: int) -> _Mapping:
    """In memory while there is some left, then in a file; where no file can be had, in memory."""
    taken = _Taken()
    if taken.grow_to(size):
        return _Mapping(size, taken)
    try:
        return _Mapping(size, in_file=True)
    except OSError:
        return _Mapping(size)


class _Mapping:
    """Bytes that can grow in place: of memory that is not there until it is used, or of a file.

    The file is unnamed, and has all its bytes: a full disk is an OSError, never a SIGBUS.
    """

    def __init__(self, size: int, taken: _Taken | None = None, *, in_file: bool = False) -> None:
        self._taken = taken or _Taken()
        self._file = None
        self._mapped: mmap.mmap | ctypes.Array[ctypes.c_char]
        if in_file:
            size = -(-size // _STEP) * _STEP
            self._file = _unnamed_file(size)
            weakref.finalize(self, os.close, self._file)
            self._mapped = map_file(self._file, size, RESIDENT)
        else:
            self._mapped = _memory_of(size, self._taken)
            weakref.finalize(self._mapped, self._taken.give_back)

    def array(self, dtype: npt.DTypeLike) -> Array:
        of = np.dtype(dtype)
        return np.frombuffer(memoryview(self._mapped), of, len(self._mapped) // of.itemsize)

    def grow_to(self, size: int) -> bool:
        """False: neither the memory nor the disk has so much left."""
        try:
            if self._file is not None:
                size = -(-size // _STEP) * _STEP
                os.posix_fallocate(self._file, 0, size)
                self._mapped = map_file(self._file, size, RESIDENT)  # the same pages, and more
            elif isinstance(self._mapped, mmap.mmap):
                if not self._taken.grow_to(size):
                    return False
                self._mapped.resize(size)
        except (OSError, BufferError):  # the latter: somebody looks at it
            return False
        return True

    def give_back_beyond(self, size: int) -> None:
        """What is not used was never there."""
        self._taken.shrink_to(size)


def _memory_of(size: int, taken: _Taken) -> mmap.mmap:
    """A lack of memory is told as such: an OSError would pass for a file that cannot be read."""
    try:
        mapped = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        taken.give_back()
        raise MemoryError(f"no memory for {size} bytes") from error
    with suppress(OSError):  # a kernel without large pages
        mapped.madvise(mmap.MADV_HUGEPAGE)
    return mapped


def _unnamed_file(size: int) -> int:
    with tempfile.TemporaryFile(dir=_folder()) as file:
        descriptor = os.dup(file.fileno())
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _folder() -> str:
    """Of a disk: /tmp may be memory."""
    given = os.environ.get("TMPDIR")
    return given or ("/var/tmp" if os.access("/var/tmp", os.W_OK) else tempfile.gettempdir())  # noqa: S108


_memory = _Memory()
