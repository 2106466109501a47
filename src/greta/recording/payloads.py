"""What follows a record: bytes too long for its words, in one continuation or several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from greta.recording import _format as f
from greta.recording.files import Structs

KINDS = frozenset(f.PayloadKind) - {f.PayloadKind.FILLER}


@dataclass(frozen=True)
class Payload:
    """Bytes that belong to a call: kernel arguments, or what the pointer in a word points to."""

    kind: f.PayloadKind
    word: int
    data: bytes
    total: int

    @property
    def complete(self) -> bool:
        """Whether all of it was kept and could be read."""
        return len(self.data) == self.total

    @property
    def words(self) -> tuple[int, ...]:
        """As 64-bit words, as of an array."""
        whole = len(self.data) // 8 * 8
        return tuple(np.frombuffer(self.data[:whole], "<u8").tolist())


def join(continuations: Structs) -> list[Payload]:
    """Payloads, put together from their parts. A part that does not fit is left out."""
    found: dict[tuple[int, int], tuple[int, bytearray]] = {}
    for _, kind, word, used, offset, total, part in continuations.tolist():
        if kind not in KINDS or used > f.MORE_BYTES:
            continue
        whole, data = found.setdefault((kind, word), (total, bytearray()))
        if len(data) == offset and offset + used <= total == whole:
            data += bytes(part[:used])
    return [
        Payload(f.PayloadKind(kind), word, bytes(data), total)
        for (kind, word), (total, data) in found.items()
    ]
