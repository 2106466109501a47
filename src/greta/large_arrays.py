"""Arrays that grow with a recording, in memory that does not.

The first gigabyte of them is ordinary memory. What comes after lies in unnamed files, mapped, and a
thread lets go of their pages when too many are resident: they stay in the file, and in the system's
cache while there is space for them. So a recording of any length is looked at as one array, and an
ordinary one costs nothing. Where no file can be had, memory is used.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import tempfile
import threading
import weakref
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["GrowingArray", "large_array"]

Array = npt.NDArray[Any]

IN_MEMORY: Final = 1 << 30
RESIDENT: Final = 3 << 28
"""Bytes of files that may be in the memory of this process."""
_LARGE: Final = 1 << 22
_STEP: Final = 1 << 26
_GROWTH: Final = 1.25
_LOOK_EVERY: Final = 0.02  # seconds


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
        return _File(size).array(dtype)[:count]
    except OSError:
        return np.zeros(count, dtype)


class GrowingArray:
    """Rows that are added at the end. Adding moves them: a part that was asked for is not kept."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._rows: Array = np.zeros(1 << 10, self._dtype)
        self._file: _File | None = None
        self._used = 0
        self._taken = _Taken()
        self._unfinished = weakref.finalize(self, self._taken.give_back)

    def __len__(self) -> int:
        return self._used

    def add(self, count: int) -> Array:
        """So many rows of zeros, to be filled."""
        first, self._used = self._used, self._used + count
        if self._used > len(self._rows):
            self._make_room(max(self._used, int(len(self._rows) * _GROWTH)))
        return self._rows[first : self._used]

    def between(self, first: int, stop: int) -> Array:
        return self._rows[first:stop]

    def finished(self) -> Array:
        """All rows; nothing may be added after that."""
        if self._file is None and self._unfinished.detach():
            self._rows.resize(self._used, refcheck=False)
            weakref.finalize(self._rows, self._taken.give_back)
        return self._rows[: self._used]

    def _make_room(self, count: int) -> None:
        size = count * self._dtype.itemsize
        if self._file is None and not self._taken.grow_to(size):
            self._move_to_file(size)
        if self._file is None:
            self._rows.resize(count, refcheck=False)
            return
        self._rows = np.empty(0, self._dtype)  # a mapping that somebody looks at cannot grow
        try:
            self._file.grow_to(size)
        except OSError:  # the disk is full
            kept, self._file = self._file.array(self._dtype), None
            self._rows = np.zeros(count, self._dtype)
            self._rows[: len(kept)] = kept
            return
        self._rows = self._file.array(self._dtype)

    def _move_to_file(self, size: int) -> None:
        with contextlib.suppress(OSError):
            file = _File(size)
            file.array(self._dtype)[: len(self._rows)] = self._rows
            self._file = file
            self._taken.give_back()


class _Memory:
    """How much of the memory for large arrays is taken."""

    def __init__(self) -> None:
        self._taken = 0

    def take(self, size: int) -> bool:
        if self._taken + size > IN_MEMORY:
            return False
        self._taken += size
        return True

    def give_back(self, size: int) -> None:
        self._taken -= size


class _Taken:
    """What a growing array has taken of it."""

    def __init__(self) -> None:
        self._size = 0

    def grow_to(self, size: int) -> bool:
        if size < _LARGE:
            return True
        if not _memory.take(size - self._size):
            return False
        self._size = size
        return True

    def give_back(self) -> None:
        _memory.give_back(self._size)
        self._size = 0


class _File:
    """Bytes of an unnamed file, all of which it has: a full disk is an OSError, never a SIGBUS."""

    def __init__(self, size: int) -> None:
        with tempfile.TemporaryFile(dir=_folder()) as file:
            self._descriptor = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._descriptor)
        size = -(-size // _STEP) * _STEP
        os.posix_fallocate(self._descriptor, 0, size)
        self._mapped = mmap.mmap(self._descriptor, size)
        _residents.add(self._mapped)

    def array(self, dtype: npt.DTypeLike) -> Array:
        return np.frombuffer(self._mapped, dtype, len(self._mapped) // np.dtype(dtype).itemsize)

    def grow_to(self, size: int) -> None:
        size = -(-size // _STEP) * _STEP
        os.posix_fallocate(self._descriptor, 0, size)
        self._mapped.resize(size)


def _folder() -> str:
    """Of a disk: /tmp may be memory."""
    given = os.environ.get("TMPDIR")
    return given or ("/var/tmp" if os.access("/var/tmp", os.W_OK) else tempfile.gettempdir())  # noqa: S108


class _Residents:
    """The mapped files, and a thread that keeps them from filling memory while there are any."""

    def __init__(self) -> None:
        self._mapped: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._thread: threading.Thread | None = None

    def add(self, mapped: mmap.mmap) -> None:
        self._mapped.add(mapped)
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(_LOOK_EVERY)
            if _resident_bytes() > RESIDENT:
                for one in self._known():
                    with contextlib.suppress(ValueError):  # closed meanwhile
                        one.madvise(mmap.MADV_DONTNEED)
            if not self._mapped:
                self._thread = None  # from now on who adds one starts another
                if not self._mapped:
                    return

    def _known(self) -> list[mmap.mmap]:
        with contextlib.suppress(RuntimeError):  # one was added meanwhile; soon we look again
            return list(self._mapped)
        return []


def _resident_bytes() -> int:
    """Of files that are mapped into this process."""
    with open("/proc/self/statm") as file:  # noqa: PTH123 - as quick as can be
        return int(file.read().split()[2]) * mmap.PAGESIZE


_memory = _Memory()
_residents = _Residents()
