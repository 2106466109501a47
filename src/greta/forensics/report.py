"""The result of an analysis: what is said of a run, and on what grounds."""

from __future__ import annotations

from dataclasses import dataclass

from greta.forensics.attribution import Attribution, Blamed
from greta.forensics.case import Case
from greta.forensics.cause import ChosenCause
from greta.forensics.verdict import Coverage, Doubt, Outcome, Ruling, Saying, VerdictWord
from greta.trace.evidence import Evidence


@dataclass(frozen=True)
class ProcessReport:
    """Of one process: rulings in the order of the hypotheses."""

    case: Case
    rulings: tuple[Ruling, ...]
    blamed: Blamed | None
    cause: ChosenCause | None

    @property
    def evidence(self) -> Evidence:
        """What the rulings are based on."""
        return self.case.evidence

    @property
    def attribution(self) -> Attribution | None:
        """Who may have made the device fault; None if it did not."""
        return self.case.attribution


@dataclass(frozen=True)
class Report:
    """Of a run with all its processes; in words for readers, see greta.forensics.description."""

    verdict: VerdictWord
    reason: Saying
    coverage: Coverage
    rulings: tuple[Ruling, ...]
    """For each hypothesis what was ruled of all processes together."""
    processes: tuple[ProcessReport, ...]
    main: ProcessReport | None
    """The process that the blamed call and the cause are of."""
    next_steps: tuple[Saying, ...]
    doubts: tuple[Doubt, ...] = ()

    @property
    def blamed(self) -> Blamed | None:
        """Where the failure surfaced."""
        return self.main.blamed if self.main else None

    @property
    def cause(self) -> ChosenCause | None:
        """What made it."""
        return self.main.cause if self.main else None

    @property
    def confirmed(self) -> tuple[str, ...]:
        """Hypotheses that are."""
        return tuple(r.hypothesis for r in self.rulings if r.outcome is Outcome.CONFIRMED)
