"""Streams and memory that are gone after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from greta.hip import SimTree
from tests.simdevice import memory
from tests.simdevice.library import Library, hip_library
from tests.simdevice.memory import Block
from tests.simdevice.streams import BLOCKING, NON_BLOCKING, Handle, destroy, new_stream

MemoryOf = Callable[[str, int], Block]

SIZE = 4096


@pytest.fixture
def hip(sim_tree: SimTree) -> Library:
    return hip_library()


@pytest.fixture
def streams(hip: Library) -> Iterator[Callable[[int], Handle]]:
    """Makes streams."""
    made: list[Handle] = []

    def make(flags: int) -> Handle:
        made.append(new_stream(flags))
        return made[-1]

    yield make
    for handle in made:
        destroy(handle)


@pytest.fixture
def stream(streams: Callable[[int], Handle]) -> Handle:
    """A blocking stream: one that knows the default stream."""
    return streams(BLOCKING)


@pytest.fixture
def other(streams: Callable[[int], Handle]) -> Handle:
    """Another one."""
    return streams(BLOCKING)


@pytest.fixture
def free_stream(streams: Callable[[int], Handle]) -> Handle:
    """A NonBlocking stream: one that takes no part in the rules of the default stream."""
    return streams(NON_BLOCKING)


@pytest.fixture
def other_free_stream(streams: Callable[[int], Handle]) -> Handle:
    return streams(NON_BLOCKING)


@pytest.fixture
def memory_of(hip: Library) -> Iterator[MemoryOf]:
    """Makes memory of a kind: "device", "pinned", "pageable" or "registered"."""
    made: list[Block] = []

    def make(kind: str, size: int = SIZE) -> Block:
        made.append(getattr(memory, kind)(size))
        return made[-1]

    yield make
    for block in made:
        block.free()


@pytest.fixture
def block(memory_of: MemoryOf) -> Block:
    """Device memory, all 0."""
    made = memory_of("device", SIZE)
    made.fill(0)
    return made
