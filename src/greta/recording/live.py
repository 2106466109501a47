"""The file `live`: what is allocated or open right now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from greta.recording import _format as f
from greta.recording.files import Structs, blocks_until_zeros, opened, read_struct
from greta.recording.problems import Problems

FILE = "live"
BLOCK_SLOTS = 1 << 16  # 4 MiB


@dataclass(frozen=True)
class LiveEntry:
    """One allocation or open handle. `since` is in ticks."""

    kind: f.LiveKind
    flags: int
    handle: int
    bytes: int
    number: int
    since: int
    site: int
    script: int
    annotation: int
    call: int
    device: int
    runtime: int = 0
    """The HIP library that it is of, by its place among hip_libraries."""


@dataclass(frozen=True)
class LiveTable:
    """Everything that is live, in the order it was made."""

    entries: list[LiveEntry] = field(default_factory=list)
    device_bytes: int = 0
    peak_device_bytes: int = 0


def read_live(path: Path, problems: Problems, *, still_written: bool) -> LiveTable:
    """The table as it is now, as far as it can be read."""
    try:
        with opened(path) as descriptor:
            header, found = read_struct(descriptor, f.LIVE_HEADER)
        if header["magic"] == 0 and header["slots"] == 0:
            if not still_written:
                problems.add(FILE, 0, "was created and never begun")
            return LiveTable()
        if found < f.PAGE_BYTES:
            problems.add(FILE, found, "is cut short within its first page")
        count = _count(path, header[0], problems)
        entries = sorted(_entries(path, count, problems), key=lambda entry: entry.number)
    except OSError as error:
        problems.add(FILE, None, f"cannot be read: {error.strerror or error}")
        return LiveTable()
    if count == 0:
        return LiveTable()
    sizes = (int(header[0][name]) for name in ("device_bytes", "peak_device_bytes"))
    return LiveTable(entries, *sizes)


def _count(path: Path, header: np.void, problems: Problems) -> int:
    """How many slots there are to read; 0 if the file is not what it should be."""
    if header["magic"] != f.LIVE_MAGIC:
        problems.add(FILE, 0, "does not begin as a live table does; left out")
        return 0
    if header["version"] != f.VERSION or header["slot_bytes"] != f.LIVE.itemsize:
        problems.add(FILE, 8, "is of another version; left out")
        return 0
    slots = int(header["slots"])
    capacity = max(0, path.stat().st_size - f.PAGE_BYTES) // f.LIVE.itemsize
    if slots > capacity:
        offset = f.PAGE_BYTES + capacity * f.LIVE.itemsize
        problems.add(FILE, offset, f"is cut short: {capacity} of {slots} slots are there")
    return min(slots, capacity)


def _entries(path: Path, count: int, problems: Problems) -> Iterator[LiveEntry]:
    for first, block in blocks_until_zeros(path, f.LIVE, count, BLOCK_SLOTS):
        runtimes = (block["kind"] & f.RUNTIME_MASK) >> f.RUNTIME_SHIFT
        block["kind"] &= ~np.uint32(f.RUNTIME_MASK)
        _report_unknown_kinds(first, block, problems)
        used = (block["kind"] > f.LiveKind.FREE) & (block["kind"] <= max(f.LiveKind))
        for (kind, *values), runtime in zip(
            block[used].tolist(), runtimes[used].tolist(), strict=True
        ):
            yield LiveEntry(f.LiveKind(kind), *[*values, runtime])


def _report_unknown_kinds(first: int, block: Structs, problems: Problems) -> None:
    unknown = np.flatnonzero(block["kind"] > max(f.LiveKind))
    if len(unknown):
        offset = f.PAGE_BYTES + (first + int(unknown[0])) * f.LIVE.itemsize
        problems.add(FILE, offset, f"{len(unknown)} slots are of an unknown kind; left out")
