"""What every audit is: a schedule that is run to its end, or to what ends it before."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from greta.forensics.verdict_json import Say
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.plan import Iteration
from greta.lab.summary import UnrecordedIteration
from greta.lab.trouble import NO_CALL, AuditStoppedError, Trouble, explain

MOST_STARTS_IN_VAIN: Final = 3

Progress = Callable[["Audit"], None]


@dataclass(kw_only=True)
class Audit(ABC):
    """An audit under way, and what it knows so far."""

    folder: Path
    schedule: list[Iteration]
    seconds_per_iteration: float
    fail_fast: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    outcomes: list[IterationOutcome] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    unrecorded: list[UnrecordedIteration] = field(default_factory=list)
    """A command has none."""
    partial: str | None = None
    problem: Trouble | None = None
    progress: Progress = lambda _: None
    say: Say = lambda code, _: code
    """For the sentences of each verdict.json."""

    @property
    def failures(self) -> int:
        """Iterations that have failed so far."""
        return sum(outcome.result == "FAIL" for outcome in self.outcomes)

    def run(self) -> None:
        """The whole schedule, or as much of it as there is until something ends it."""
        try:
            for iteration in self.schedule:
                self._run(iteration)
                if not iteration.recorded:
                    continue
                self.progress(self)
                if self.fail_fast and self.outcomes[-1].result == "FAIL":
                    self.partial = "strict"  # the code in summary.json
                    break
        except KeyboardInterrupt:
            self.partial = "interrupted"
        except (OSError, AuditStoppedError) as error:
            self._give_up(error)

    @abstractmethod
    def _run(self, iteration: Iteration) -> None:
        """One iteration; if it is recorded, its outcome is the last of `outcomes` then."""

    def _give_up(self, error: OSError | AuditStoppedError) -> None:
        self.problem = explain(error, self.folder)
        self.partial = "no_hip" if self.problem.code == NO_CALL else "failed"

    def _name(self, folder: Path) -> str:
        return str(folder.relative_to(self.folder))
