"""Files that somebody changed: how the tests make them, and what must hold of each.

GRETA_TEST_MUTATIONS says how many (200 of each format; 5000 for a long look).
"""

from __future__ import annotations

import os
import random
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from greta.errors import GretaError
from greta.forensics.analysis import analyze
from greta.runs.gather import gather
from tests.trace.logs.test_hostile import hold_together

MUTATIONS = int(os.environ.get("GRETA_TEST_MUTATIONS", "200"))
JUDGED = 10
"""One of so many is judged as well."""
_NUMBERS = (0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1)


def mutants(data: bytes, seed: int) -> Iterator[tuple[random.Random, bytes]]:
    """Bytes changed, numbers made large, parts cut out, doubled or moved."""
    for number in range(MUTATIONS):
        chance = random.Random(seed * 1_000_003 + number)  # noqa: S311 - the same each time
        changed = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(max(len(changed), 1))
            what = chance.randrange(5)
            if what == 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            elif what == 1:
                value = chance.choice(_NUMBERS).to_bytes(8, "little")
                size = chance.choice((2, 4, 8))
                changed[at : at + size] = value[:size]
            elif what == 2:
                del changed[at : at + chance.randint(1, 64)]
            elif what == 3:
                changed[at:at] = changed[at : at + chance.randint(1, 200)]
            else:
                del changed[at:]
        yield chance, bytes(changed)


def hold_for_all(write: Callable[[bytes], Path], data: bytes, seed: int) -> int:
    """Refused in a sentence or read into tables that hold together; how many were read."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    read = 0
    for number, (_, changed) in enumerate(mutants(data, seed)):
        read += holds(write(changed), judge=number % JUDGED == 0)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 1 << 20, f"{grown >> 10} MiB"  # in KiB
    return read


def holds(path: Path, judge: bool) -> bool:
    began = time.monotonic()
    try:
        found = gather(path)
    except GretaError:
        return False
    for evidence in found:
        hold_together(evidence)
    if judge:
        analyze(found)
    assert time.monotonic() - began < 10
    return True
