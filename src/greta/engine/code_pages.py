"""Gives back what lies unchanged in files, mostly code, before the weights need the room.

Importing what reads a model and its prompt brings tens of megabytes of libraries into memory, most
of which will hardly be used again. The system keeps their pages anyway; what is needed comes back
in microseconds.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from pathlib import Path

_MAPPINGS = Path("/proc/self/smaps")


def give_back_code_pages() -> None:
    """Lets go of pages that are exactly a file's. Whatever fails, nothing is lost."""
    try:
        unchanged = list(_unchanged(_MAPPINGS.read_text(encoding="utf-8", errors="replace")))
        madvise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError):
        return
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for begin, end in unchanged:
        madvise(begin, end - begin, mmap.MADV_DONTNEED)


def _unchanged(mappings: str) -> Iterator[tuple[int, int]]:
    """Pages of files that cannot be written to and never were.

    The loader writes to pages and protects them afterwards; those count as anonymous.
    """
    span: tuple[int, int] | None = None
    for line in mappings.splitlines():
        name, _, rest = line.partition(" ")
        if not name.endswith(":"):
            span = _file_span(name, rest)
        elif name == "Anonymous:" and span is not None and rest.split()[0] == "0":
            yield span


def _file_span(addresses: str, rest: str) -> tuple[int, int] | None:
    fields = rest.split(maxsplit=4)
    if len(fields) < 5 or "w" in fields[0] or not fields[4].startswith("/"):
        return None
    begin, _, end = addresses.partition("-")
    return int(begin, 16), int(end, 16)
