"""What an analysis and an audit came to, as objects: verdict.json and summary.json, read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from greta.errors import ExitCode
from greta.typed_json import JsonField, decode

_EXIT_CODES = {
    "NOT_REPRODUCED": ExitCode.OK,
    "REPRODUCED": ExitCode.FAULT,
    "INCONCLUSIVE": ExitCode.INCONCLUSIVE,
}


def exit_code_of(word: str) -> int:
    """The exit code of the command that comes to this verdict: 0, 1 or 3."""
    return _EXIT_CODES[word]


@dataclass(frozen=True)
class SourceLine:
    """Where a call was made."""

    file: str | None = None
    line: int | None = None
    function: str | None = None


@dataclass(frozen=True)
class Transfers:
    """Copies to the host."""

    calls: int = 0
    bytes: int = 0
    audited: int = 0
    """Of which everything is known: end, sizes, the source's allocation."""


@dataclass(frozen=True)
class CoverageCounts:
    """What ran and was seen."""

    calls: int = 0
    d2h: Transfers = field(default_factory=Transfers)
    launches: int = 0
    dropped: int = 0
    complete: bool = False


@dataclass(frozen=True)
class HypothesisRuling:
    """What was ruled on one hypothesis: CONFIRMED, REFUTED, INCONCLUSIVE or NOT_EXERCISED."""

    id: str = ""
    verdict: str = ""
    reason: str = ""
    evidence: tuple[int, ...] = ()
    """Numbers of calls, as `greta export` shows them."""
    examined: int = 0


@dataclass(frozen=True)
class BlamedCall:
    """Where the failure surfaced."""

    seq: int | None = None
    call: str | None = None
    kernel: str | None = None
    error: str | None = None
    where: SourceLine = field(default_factory=SourceLine)


@dataclass(frozen=True)
class Buffer:
    """The allocation that a fault is about."""

    address: str | None = None
    bytes: int | None = None
    allocated_at: int | None = None
    freed_at: int | None = None
    name: str | None = None


@dataclass(frozen=True)
class FaultyAccess:
    """What the operation at fault accessed."""

    address: str | None = None
    bytes: int | None = None
    past_end: int | None = None


@dataclass(frozen=True)
class FaultCause:
    """What made the run fail, or the one fault that was found."""

    hypothesis: str = ""
    seq: int | None = None
    call: str | None = None
    kernel: str | None = None
    stream: int | None = None
    buffer: Buffer | None = None
    access: FaultyAccess | None = None
    confidence: float | None = None
    where: SourceLine = field(default_factory=SourceLine)
    run: str | None = None
    """In an audit: the run folder that shows it."""


@dataclass(frozen=True)
class Verdict:
    """All that is said of a run; of an audit, of its runs together."""

    word: str
    """REPRODUCED, NOT_REPRODUCED or INCONCLUSIVE."""
    reason: str = ""
    coverage: CoverageCounts = field(default_factory=CoverageCounts)
    hypotheses: tuple[HypothesisRuling, ...] = ()
    blamed: BlamedCall | None = None
    cause: FaultCause | None = None
    next_steps: tuple[str, ...] = ()

    @property
    def confirmed(self) -> tuple[str, ...]:
        """The hypotheses that are."""
        return tuple(one.id for one in self.hypotheses if one.verdict == "CONFIRMED")

    @property
    def exit_code(self) -> int:
        """Of the command that comes to it: 0, 1 or 3."""
        return exit_code_of(self.word)


@dataclass(frozen=True)
class TestCounts:
    """One test of the matrix."""

    id: str = ""
    mode: str = ""
    iterations: int = 0
    completed: int = 0
    errors: int = 0
    result: str = ""


@dataclass(frozen=True)
class FailureStatistics:
    """Of the iterations that could be judged."""

    runs: int = 0
    failures: int = 0
    inconclusive: int = 0
    failure_rate: float | None = None
    failure_rate_upper_95: float | None = None


@dataclass(frozen=True)
class Summary:
    """What an audit came to."""

    case: str
    verdict: Verdict
    tests: tuple[TestCounts, ...] = ()
    statistics: FailureStatistics = field(default_factory=FailureStatistics)
    partial: str | None = None
    """Why it did not run to its end: interrupted, failed, no_hip, strict; None if it did."""
    seconds: float = 0.0


def verdict_of(document: Mapping[str, Any], file: Path) -> Verdict:
    """From verdict.json, or the same fields of summary.json."""
    return decode(Verdict, {**document, "word": document["verdict"]}, JsonField(file))


def summary_of(document: Mapping[str, Any], file: Path) -> Summary:
    """From summary.json."""
    own = {name: value for name, value in document.items() if name != "verdict"}
    verdict = verdict_of(document, file)
    return decode(Summary, own, JsonField(file), {Verdict: lambda _value, _field: verdict})
