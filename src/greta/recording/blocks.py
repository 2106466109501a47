"""Blocks that a program announced inside its allocations (greta.blocks, greta/blocks.h)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from greta.recording.events import CallEvent

CREATED: Final = "greta_block_created"
DESTROYED: Final = "greta_block_destroyed"


@dataclass(frozen=True)
class Block:
    """A block and its lifetime, by the ranks of the events that announced it."""

    base: int
    bytes: int
    name: str
    stream: int
    """That uses it first."""
    created: int
    destroyed: int | None = None
    """None: it was still there when the recording ends."""
    last_stream: int | None = None
    """That used it last, where it was destroyed."""
    replaced: bool = False
    """Whether it was not destroyed, but another was created at its base."""


def blocks_of(events: Iterable[CallEvent]) -> list[Block]:
    """All blocks in the order of their creation. The end of one that is not known says nothing."""
    blocks: list[Block] = []
    live: dict[int, int] = {}
    for event in events:
        base = int(event.first_words[0])
        known = live.pop(base, None)
        if event.call == CREATED:
            if known is not None:
                blocks[known] = replace(blocks[known], destroyed=event.seq, replaced=True)
            live[base] = len(blocks)
            name = event.arguments.get("name")
            size, stream = int(event.first_words[1]), int(event.first_words[3])
            text = name if isinstance(name, str) else ""
            blocks.append(Block(base, size, text, stream, event.seq))
        elif known is not None:
            stream = int(event.first_words[3])
            blocks[known] = replace(blocks[known], destroyed=event.seq, last_stream=stream)
    return blocks
