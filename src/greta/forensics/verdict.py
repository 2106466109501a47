"""Verdicts: codes and data. The words for them are in greta.reports.lang."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from greta.trace.trace import NONE, Row, Seq

Value: TypeAlias = "int | float | str | tuple[str, ...] | None"

HYPOTHESES: Final = (
    "byte_size_mismatch",
    "use_after_free",
    "missing_sync",
    "bad_pointer",
    "staging_reuse",
    "overlapping_copies",
    "upstream_kernel_fault",
    "model_mismatch",
    "wrong_binary",
)
RACES: Final = ("missing_sync", "staging_reuse", "overlapping_copies")
"""Of these, those that are about order; their findings name the synchronization that is missing."""


class Outcome(str, Enum):
    """Of a hypothesis."""

    CONFIRMED = "CONFIRMED"
    REFUTED = "REFUTED"
    INCONCLUSIVE = "INCONCLUSIVE"
    NOT_EXERCISED = "NOT_EXERCISED"


class Verdict(str, Enum):
    """Of a run."""

    REPRODUCED = "REPRODUCED"
    NOT_REPRODUCED = "NOT_REPRODUCED"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True)
class Finding:
    """One fault that the evidence shows."""

    code: str
    """Such as "copy_past_end"; names a sentence in the language files."""
    seq: Seq
    """The operation that is at fault, or that came too early."""
    other: Seq | None = None
    """The second operation of a race, or the one that freed the memory."""
    allocation: Row = NONE
    access: Row = NONE
    data: dict[str, Value] = field(default_factory=dict)
    """For the sentence."""
    strength: int = 2
    """2: the evidence leaves no other reading. 1: it does, and confidence says so."""


@dataclass(frozen=True)
class Ruling:
    """What a check says of its hypothesis."""

    hypothesis: str
    outcome: Outcome
    code: str
    """Why; names a sentence in the language files."""
    examined: int
    """How many operations, accesses or facts it looked at."""
    findings: tuple[Finding, ...] = ()
    """The one that matters most first."""
    data: dict[str, Value] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    """What evidence would settle it (names of gaps, or codes)."""
