"""The matrix: which iterations an audit runs, in which order, under which conditions.

A and B take turns in random order, so that what the machine does meanwhile falls on both alike.
Some iterations of A are repeated without the recorder in the same turn: two durations of one turn
are a pair, and no drift of the machine can pass for what recording costs.
"""

from __future__ import annotations

import random
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, zip_longest
from typing import Final, Literal, TypeAlias

Mode: TypeAlias = Literal["baseline", "audit", "stress", "repeat"]

AUDIT_VARIABLES: Final = {"GCORE_D2H_AUDIT": "1"}

PROFILES: Final[dict[str, dict[str, str]]] = {
    "none": {},
    "serialize": {
        "AMD_SERIALIZE_KERNEL": "3",
        "AMD_SERIALIZE_COPY": "3",
        "HIP_LAUNCH_BLOCKING": "1",
        "HSA_ENABLE_SDMA": "0",
    },
}
"""Debug environments by name. A new one is a line here."""


@dataclass(frozen=True)
class Prompt:
    name: str
    text: str


@dataclass(frozen=True)
class MatrixTest:
    id: str
    mode: Mode
    iterations: int
    profile: str = "none"
    environment: Mapping[str, str] = field(default_factory=dict)
    streams: int = 1
    delays: bool = False
    pressure: bool = False

    @property
    def audited(self) -> bool:
        return self.environment.get("GCORE_D2H_AUDIT") == "1"


@dataclass(frozen=True)
class Iteration:
    """One run of the workload: of which test, with which prompt and seed."""

    test: MatrixTest
    number: int
    prompt: Prompt
    seed: int
    recorded: bool = True
    """If not, nothing is known of it but its duration."""


def matrix(
    iterations: int, stress_iterations: int, profiles: Sequence[str], streams: int = 2
) -> list[MatrixTest]:
    """A, B and C for each profile; beyond the first profile they are A2, B2 ..."""
    tests = []
    for place, profile in enumerate(profiles, start=1):
        suffix = "" if place == 1 else str(place)
        base = PROFILES[profile]
        audit = {**base, **AUDIT_VARIABLES}
        stress = MatrixTest(
            f"C{suffix}", "stress", stress_iterations, profile, audit, streams, True, True
        )
        tests += [
            MatrixTest(f"A{suffix}", "baseline", iterations, profile, base),
            MatrixTest(f"B{suffix}", "audit", iterations, profile, audit),
            stress,
        ]
    return [test for test in tests if test.iterations > 0]


def schedule(
    tests: Sequence[MatrixTest], prompts: Sequence[Prompt], seed: int, unrecorded: int = 0
) -> list[Iteration]:
    """All iterations in the order in which they run; the same for the same seed.

    So many of the first baseline are there twice, recorded and `unrecorded`.
    """
    queues = {
        test.id: [
            Iteration(test, number, prompts[number % len(prompts)], _seed(seed, test, number))
            for number in range(test.iterations)
        ]
        for test in tests
    }
    chosen = _spread(tests, unrecorded, seed)
    calm = [test for test in tests if test.mode != "stress"]
    groups = [calm, *([test] for test in tests if test.mode == "stress")]
    return [
        iteration
        for group in groups
        for turn in zip_longest(*(queues[test.id] for test in group))
        for iteration in _shuffled([one for one in turn if one is not None], chosen, seed)
    ]


def turns(iterations: Sequence[Iteration]) -> list[list[Iteration]]:
    """What is compared with each other, and so belongs on one device, one right after the other."""
    return [
        list(turn)
        for _, turn in groupby(iterations, lambda one: (one.test.mode == "stress", one.number))
    ]


def _spread(tests: Sequence[MatrixTest], count: int, seed: int) -> set[tuple[str, int]]:
    """Test and number: one drawn from each of `count` equal parts of the first baseline."""
    for test in tests:
        if test.mode == "baseline":
            parts, draw = min(count, test.iterations), _draw(seed, "unrecorded")
            edges = [part * test.iterations // parts for part in range(parts + 1)] if parts else []
            return {(test.id, draw.randrange(*part)) for part in pairwise(edges)}
    return set()


def _shuffled(
    turn: list[Iteration], chosen: Container[tuple[str, int]], seed: int
) -> list[Iteration]:
    """A fixed order would let drift, and who ran just before, favour the same one each time."""
    twins = [replace(one, recorded=False) for one in turn if (one.test.id, one.number) in chosen]
    entries = [*turn, *twins]
    _draw(seed, f"order/{turn[0].number}").shuffle(entries)
    return entries


def _seed(seed: int, test: MatrixTest, number: int) -> int:
    # A and B get the same seeds: they are to differ in nothing but the audit.
    family = "stress" if test.mode == "stress" else "calm"
    return _draw(seed, f"{family}/{number}").randrange(1 << 31)


def _draw(seed: int, purpose: str) -> random.Random:
    return random.Random(f"{seed}/{purpose}")  # noqa: S311
