"""The matrix: which iterations an audit runs, in which order, under which conditions.

    A  baseline   as it is
    B  audit      every device-to-host transfer written down
    C  stress     audited, several streams, random delays, memory pressure

A and B take turns, so that what the machine does meanwhile falls on both alike.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
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
    """A prompt and the name that reports call it by."""

    name: str
    text: str


@dataclass(frozen=True)
class MatrixTest:
    """One row of the matrix."""

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
        """Whether transfers are written down."""
        return self.environment.get("GCORE_D2H_AUDIT") == "1"


@dataclass(frozen=True)
class Iteration:
    """One run of the workload: of which test, with which prompt and seed."""

    test: MatrixTest
    number: int
    prompt: Prompt
    seed: int


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


def schedule(tests: Sequence[MatrixTest], prompts: Sequence[Prompt], seed: int) -> list[Iteration]:
    """All iterations in the order in which they run; the same for the same seed."""
    queues = {
        test.id: [
            Iteration(test, number, prompts[number % len(prompts)], _seed(seed, test, number))
            for number in range(test.iterations)
        ]
        for test in tests
    }
    return [iteration for group in _groups(tests) for iteration in _in_turn(group, queues)]


def _groups(tests: Sequence[MatrixTest]) -> Iterator[list[MatrixTest]]:
    """Stress runs alone, the others in turn with each other."""
    calm = [test for test in tests if test.mode != "stress"]
    if calm:
        yield calm
    yield from ([test] for test in tests if test.mode == "stress")


def _in_turn(group: list[MatrixTest], queues: dict[str, list[Iteration]]) -> Iterator[Iteration]:
    for turn in zip_longest(*(queues[test.id] for test in group)):
        yield from (iteration for iteration in turn if iteration is not None)


def _seed(seed: int, test: MatrixTest, number: int) -> int:
    # A and B get the same seeds: they are to differ in nothing but the audit.
    family = "stress" if test.mode == "stress" else "calm"
    return random.Random(f"{seed}/{family}/{number}").randrange(1 << 31)  # noqa: S311
