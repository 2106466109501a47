"""The address index finds what looking at every life would find."""

from __future__ import annotations

import numpy as np
import pytest

from greta.trace.reading.allocations import address_index
from greta.trace.trace import NONE


@pytest.mark.parametrize("seed", range(12))
def test_as_if_every_life_was_looked_at(seed: int) -> None:
    """Lives like those of an allocator: of any size, and never two at once at one address."""
    random = np.random.default_rng(seed)
    lives = allocator_lives(random, count=200, space=int(random.choice([50, 1000])))
    address, bytes_, first, last = lives.T
    index = address_index(address.astype(np.uint64), bytes_.astype(np.uint64), first, last)
    asked = random.integers(0, 1100, 800)
    seq = random.integers(0, 500, 800)
    found, live = index.find(asked.astype(np.uint64), seq)
    for which, is_live, at, when in zip(found, live, asked, seq, strict=True):
        expected, expected_live = looked_up(lives, int(at), int(when))
        assert (which, is_live) == (expected, expected_live)


def allocator_lives(random: np.random.Generator, count: int, space: int) -> np.ndarray:
    used: list[tuple[int, int, int, int]] = []
    time = 0
    while len(used) < count:
        time += int(random.integers(1, 4))
        begin, size = int(random.integers(0, space)), int(random.integers(1, 30))
        end = time + int(random.integers(0, 60))
        in_use = (a < begin + size and begin < a + b and last >= time for a, b, _, last in used)
        if not any(in_use):
            used.append((begin, size, time, end))
    return np.array(used, np.int64)


def looked_up(lives: np.ndarray, address: int, seq: int) -> tuple[int, bool]:
    address_in = (lives[:, 0] <= address) & (address < lives[:, 0] + lives[:, 1])
    begun = np.flatnonzero(address_in & (lives[:, 2] <= seq))
    if not len(begun):
        return NONE, False
    live = begun[lives[begun, 3] >= seq]
    if len(live):
        return int(live[0]), True
    return int(begun[np.argmax(lives[begun, 3])]), False


def test_memory_that_is_registered_inside_other_memory() -> None:
    """When the inner life is over, the outer one counts again."""
    address, bytes_ = np.array([100, 120], np.uint64), np.array([100, 10], np.uint64)
    index = address_index(address, bytes_, np.array([1, 5]), np.array([50, 9]))
    found, live = index.find(np.array([125, 125, 125], np.uint64), np.array([3, 7, 20]))
    assert found.tolist() == [0, 1, 0]
    assert live.all()


def test_no_lives() -> None:
    none = np.empty(0, np.int64)
    index = address_index(none.astype(np.uint64), none.astype(np.uint64), none, none)
    assert index.find(np.array([5], np.uint64), np.array([1]))[0].tolist() == [NONE]
