"""Two runs side by side: what changed in calls, order, sizes, results, timing and verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from greta.lab.environment import run_factors
from greta.recording import CallEvent, CallKind, Recording, effects_of, open_recording
from greta.runs.folder import read_run_if_whole

MOST_COMPARED: Final = 200_000
_EXTENTS: Final = (
    ("sizeBytes",),
    ("bytes",),
    ("width", "height"),
    ("extent.width", "extent.height", "extent.depth"),
    ("count",),
    ("size",),
)
"""Arguments that are the extent of what a call asks for: the first that it has all of."""
_SIZED: Final = (CallKind.COPY, CallKind.MEMSET, CallKind.ALLOCATE)
_LIBRARY: Final = "library "
"""How the names of these factors begin."""


@dataclass(frozen=True)
class ComparedCall:
    """A call, reduced to what two runs of one program have in common."""

    call: str
    kernel: str | None
    extent: tuple[int, ...]
    """Bytes, then rows and layers where there are several; nothing if it does not say."""
    result: str | None

    @property
    def size(self) -> int:
        return math.prod(self.extent) if self.extent else 0


@dataclass(frozen=True)
class Parting:
    seq_a: int
    seq_b: int
    a: ComparedCall | None
    b: ComparedCall | None


@dataclass(frozen=True)
class Count:
    name: str
    a: int
    b: int


@dataclass(frozen=True)
class Timing:
    """Median duration of a call in each, in nanoseconds."""

    name: str
    a: float
    b: float


@dataclass(frozen=True)
class Difference:
    calls: tuple[Count, ...]
    kernels: tuple[Count, ...]
    failures: tuple[Count, ...]
    sizes: tuple[Count, ...]
    timing: tuple[Timing, ...]
    parting: Parting | None
    """None if one sequence is as the other, as far as they were compared."""
    compared: int
    factors: tuple[tuple[str, str, str], ...]
    """Name, in a, in b."""


def difference(a: Path, b: Path) -> Difference:
    one, two = (open_recording(path / "recording") for path in (a, b))
    calls = [list(_calls_of(run)) for run in (one, two)]
    parting, compared = _parting(calls[0], calls[1])
    return Difference(
        calls=_counts(
            *(sum((Counter(p.calls_by_name) for p in r.processes), Counter()) for r in (one, two))
        ),
        kernels=_counts(*(Counter(s.kernel for _, s in own if s.kernel) for own in calls)),
        failures=_counts(
            *(Counter(f"{s.call} {s.result}" for _, s in own if s.result) for own in calls)
        ),
        sizes=_counts(*(_sizes(own) for own in calls)),
        timing=_timings(one, two),
        parting=parting,
        compared=compared,
        factors=_factors(*(run_factors(read_run_if_whole(path)) for path in (a, b))),
    )


def _calls_of(run: Recording) -> Iterator[tuple[int, ComparedCall]]:
    for process in run.processes:
        for event in process.events(1, MOST_COMPARED + 1):
            kernel = event.kernel.name if event.kernel else None
            result = event.result_name if event.failed else None
            yield event.seq, ComparedCall(event.call, kernel, _extent(event), result)


def _extent(event: CallEvent) -> tuple[int, ...]:
    does = effects_of(event.call)
    set_to = does.writes if does else None
    unit = set_to.unit if set_to and isinstance(set_to.unit, int) else 1
    for names in _EXTENTS:
        known = [n for name in names if isinstance(n := event.arguments.get(name), int)]
        if len(known) == len(names):
            return (unit * known[0], *known[1:])
    return ()


def _parting(
    a: list[tuple[int, ComparedCall]], b: list[tuple[int, ComparedCall]]
) -> tuple[Parting | None, int]:
    for place, ((seq_a, one), (seq_b, two)) in enumerate(zip(a, b, strict=False)):
        if one != two:
            return Parting(seq_a, seq_b, one, two), place
    common = min(len(a), len(b))
    if len(a) == len(b):
        return None, common
    rest_a, rest_b = (own[common] if len(own) > common else (0, None) for own in (a, b))
    return Parting(rest_a[0], rest_b[0], rest_a[1], rest_b[1]), common


def _sizes(calls: list[tuple[int, ComparedCall]]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for _, step in calls:
        does = effects_of(step.call)
        if step.size and does and does.kind in _SIZED and not does.is_node:
            totals[step.call] += step.size
    return totals


def _counts(a: Counter[str], b: Counter[str]) -> tuple[Count, ...]:
    names = sorted(a.keys() | b.keys(), key=lambda name: (-abs(a[name] - b[name]), name))
    return tuple(Count(name, a[name], b[name]) for name in names if a[name] != b[name])


def _timings(a: Recording, b: Recording) -> tuple[Timing, ...]:
    """Calls that both make often enough to have a median."""
    one, two = _durations(a), _durations(b)
    both = [
        Timing(name, median(one[name]), median(two[name]))
        for name in one.keys() & two.keys()
        if min(len(one[name]), len(two[name])) >= 5
    ]
    return tuple(sorted(both, key=lambda t: -abs(np.log(max(t.b, 1) / max(t.a, 1))))[:10])


def _durations(run: Recording) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for process in run.processes:
        columns = process.columns
        took = columns.end_ns - columns.begin_ns
        for id_ in process.calls_by_id:
            chosen = took[(columns.call == id_) & columns.finished][:MOST_COMPARED]
            found.setdefault(process.tables.call_name(id_), []).extend(chosen.tolist())
    return found


def _factors(a: dict[str, str], b: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
    names = sorted(a.keys() | b.keys())
    return tuple(
        (name, a.get(name, ""), b.get(name, ""))
        for name in names
        if a.get(name) != b.get(name) and not _is_other_name(name, a, b)
    )


def _is_other_name(name: str, a: dict[str, str], b: dict[str, str]) -> bool:
    """Whether both have that library, one of them under another name, such as that of a link."""
    if not name.startswith(_LIBRARY) or (name in a and name in b):
        return False
    builds = [{own[n] for n in own if n.startswith(_LIBRARY)} for own in (a, b)]
    return (a.get(name) or b[name]) in builds[0] & builds[1]
