"""Which stream a call means: a life of its handle, or a default stream of a device or a thread."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from greta.recording import Identity, LiveKind, Process
from greta.trace.reading.lives import Found, HandleLives, Seqs, device_number
from greta.trace.trace import NONE, STREAM, StreamKind, Table

NULL_STREAM: Final = 0
LEGACY_STREAM: Final = 1
PER_THREAD_STREAM: Final = 2
NON_BLOCKING: Final = 1  # hipStreamNonBlocking


class Streams:
    """The streams of a process. Default streams, and unknown ones, are added when first seen."""

    def __init__(self, process: Process) -> None:
        lives = process.handles(LiveKind.STREAM)
        self._lives = HandleLives(process.columns, lives)
        self._rows = [_row(life) for life in lives]
        self._devices = np.empty(0, np.int64)
        self._added: dict[tuple[int, int, int], int] = {}

    def find(
        self,
        handle: npt.NDArray[np.uint64],
        seq: Seqs,
        device: npt.NDArray[np.int64],
        thread: npt.NDArray[np.int64],
        *,
        per_thread: bool,
    ) -> Found:
        """The row of each call's stream."""
        own = handle == PER_THREAD_STREAM
        if per_thread:
            own |= handle == NULL_STREAM
        legacy = ~own & (handle <= LEGACY_STREAM)
        rows = self._lives.find(handle, seq)
        self._put(rows, legacy, StreamKind.LEGACY, [np.zeros_like(device), device])
        self._put(rows, own, StreamKind.PER_THREAD, [thread, device])
        unknown = (rows == NONE) & ~own & ~legacy
        self._put(rows, unknown, StreamKind.UNKNOWN, [handle.view(np.int64), device])
        return rows

    def made_by(self, seq: Seqs) -> Found:
        """The row of the stream that each call made, or NONE."""
        return self._lives.made_by(seq)

    def _put(
        self, rows: Found, chosen: npt.NDArray[np.bool_], kind: StreamKind, key: list[Found]
    ) -> None:
        if not chosen.any():
            return
        keys, inverse = np.unique(
            np.stack([part[chosen] for part in key]), axis=1, return_inverse=True
        )
        numbers = [self._add(kind, int(first), int(device)) for first, device in keys.T]
        rows[chosen] = np.array(numbers, np.int64)[inverse.reshape(-1)]

    def _add(self, kind: StreamKind, first: int, device: int) -> int:
        key = (int(kind), first, device if kind != StreamKind.UNKNOWN else NONE)
        if key not in self._added:
            self._added[key] = len(self._rows)
            handle = first & (2**64 - 1) if kind == StreamKind.UNKNOWN else 0
            handle = PER_THREAD_STREAM if kind == StreamKind.PER_THREAD else handle
            thread = first if kind == StreamKind.PER_THREAD else NONE
            self._rows.append((handle, int(kind), device, thread, 1))
        return self._added[key]

    def table(self) -> tuple[Table, Found]:
        """The table, default streams first, and for each row its place there."""
        table = np.array(self._rows, STREAM)
        rank = np.array([0, 2, 2, 1, 2], np.int64)  # of each StreamKind
        order = np.argsort(rank[table["kind"]], kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return table[order], place

    @property
    def devices(self) -> npt.NDArray[np.int64]:
        """The device of each row so far."""
        if len(self._devices) < len(self._rows):
            self._devices = np.array([row[2] for row in self._rows], np.int64)
        return self._devices


def _row(life: Identity) -> tuple[int, int, int, int, int]:
    seen = life.made_by is not None or life.number is not None
    kind = StreamKind.NON_BLOCKING if life.flags & NON_BLOCKING else StreamKind.BLOCKING
    kind = kind if seen else StreamKind.UNKNOWN
    return life.handle, int(kind), device_number(life), NONE, life.generation
