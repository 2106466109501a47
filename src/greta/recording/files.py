"""Reading files that a running process may be writing, or that a hostile hand has written.

Files are read with pread and not mapped: a page that is cut off a mapped file while it is looked at
kills the reader with SIGBUS, and on top of that pread measured twice as fast as faulting pages in.
A file is open only while it is read, because a program may have more threads, and so lanes, than a
process may have open files. What cannot be read is noted in `Problems`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.errors import ExitCode, GretaError
from greta.reading_library import Gathering, gather_slots
from greta.recording import _format as f


class RecordingError(GretaError):
    """Nothing can be read here: not a recording, or one of another version."""

    exit_code = ExitCode.BAD_USAGE


READABLE_VERSIONS = range(1, f.RECORDING_VERSION + 1)

# A file of noise has a problem in every line; a person reads the first few.
LIMIT = 100


class Problems:
    """Sentences in the order they were found, bounded in number."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._left_out = 0

    def add(self, file: str, offset: int | None, what: str) -> None:
        """Note that `what` is wrong with a file, at a byte offset if there is one place."""
        if len(self._sentences) >= LIMIT:
            self._left_out += 1
            return
        place = file if offset is None else f"{file}, byte {offset}"
        self._sentences.append(f"{place}: {what}")

    def take_over(self, others: Problems) -> None:
        """Add those of a part."""
        room = max(LIMIT - len(self._sentences), 0)
        self._sentences += others._sentences[:room]
        self._left_out += others._left_out + len(others._sentences[room:])

    def sentences(self) -> list[str]:
        """All of them; the last one counts those past the limit."""
        if not self._left_out:
            return list(self._sentences)
        return [*self._sentences, f"and {self._left_out} more"]


# The recorder makes no links: one would lead to a file that is not part of the recording.
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
Structs = npt.NDArray[np.void]


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """A descriptor of a regular file. Opening a pipe or a device must not block, nor be read."""
    descriptor = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path.name} is not a regular file")
        yield descriptor
    finally:
        os.close(descriptor)


def size_of(path: Path) -> int:
    """0 of what is not there."""
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def read_struct(descriptor: int, dtype: np.dtype[Any]) -> tuple[Structs, int]:
    """The struct a file begins with, filled up with zeros, and how many bytes there were."""
    data = os.pread(descriptor, dtype.itemsize, 0)
    padded = data.ljust(dtype.itemsize, b"\0")
    return np.frombuffer(padded, dtype), len(data)


def fill(descriptor: int, structs: Structs, offset: int) -> int:
    """Read into an array; how many structs the file had there, whole ones."""
    view = structs.view(np.uint8).data
    got = 0
    while got < len(view):
        step = os.preadv(descriptor, [view[got:]], offset + got)
        if step == 0:
            break
        got += step
    return got // structs.itemsize


def read_structs(path: Path, dtype: np.dtype[Any], offset: int, count: int) -> Structs:
    """Structs that were there before; RecordingError if they have gone since."""
    structs = np.empty(count, dtype)
    try:
        with opened(path) as descriptor:
            found = fill(descriptor, structs, offset)
    except OSError as error:
        raise RecordingError(f"{path} can no longer be read: {error.strerror or error}") from error
    if found < count:
        raise RecordingError(f"{path} has become shorter since it was opened; open it again")
    return structs


def read_gathered(path: Path, wanted: Gathering, slots: Structs) -> None:
    """Slots of a lane that were there before; RecordingError if they have gone since."""
    try:
        with opened(path) as descriptor:
            is_whole = gather_slots(descriptor, wanted, slots)
    except OSError as error:
        raise RecordingError(f"{path} can no longer be read: {error.strerror or error}") from error
    if not is_whole:
        raise RecordingError(f"{path} has become shorter since it was opened; open it again")


def blocks_until_zeros(
    path: Path, dtype: np.dtype[Any], count: int, per_block: int, known: int = 0
) -> Iterator[tuple[int, Structs]]:
    """Structs after the first page, in blocks that share one buffer, each with its first number.

    A block that is all zeros ends the reading: it is space that was reserved and not used, of which
    a sparse file may have any amount. Of the first `known` structs it is a hole, and passed over.
    """
    buffer = np.empty(min(per_block, max(count, 0)), dtype)
    with opened(path) as descriptor:
        # Where holes are not skipped: there are no more of them than pages on the disk between.
        first, holes = 0, os.fstat(descriptor).st_blocks // 8 + 1
        while first < count:
            block = buffer[: count - first]
            found = fill(descriptor, block, 4096 + first * dtype.itemsize)
            block = block[:found]
            if found and (block[:1].view(np.uint64).any() or block.view(np.uint64).any()):
                yield first, block
                first += per_block
                continue
            holes -= 1
            if found == 0 or first + found >= known or holes < 0:
                return
            data = _next_data(descriptor, 4096 + (first + per_block) * dtype.itemsize)
            first = (data - 4096) // dtype.itemsize // per_block * per_block


def _next_data(descriptor: int, offset: int) -> int:
    """Where something was written from there on; the end of the file if nothing was."""
    try:
        return os.lseek(descriptor, offset, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return max(os.fstat(descriptor).st_size, offset)
        return offset  # a file system that does not know
