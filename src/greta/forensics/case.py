"""What a check is given: the evidence of one process, and what several checks ask of it.

    def examine(case: Case) -> Ruling: ...

`case.trace` has the tables (greta.trace.trace), `case.evidence` what else is known of the process
(greta.trace.evidence). The answers below are worked out when first asked for, once for an analysis.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import cached_property

from greta.forensics.attribution import Attribution, attribute
from greta.forensics.copies import audited_copies
from greta.forensics.order import (
    Completion,
    Conflicts,
    completion,
    conflicts,
    copies_never_waited_for,
)
from greta.forensics.scan import Choice, Survey
from greta.forensics.strayed import Strayed
from greta.trace.evidence import Evidence


class Case:
    """One process under analysis. Nothing of the evidence is changed."""

    def __init__(
        self, evidence: Evidence, choices: Iterable[Choice] = (), counted: Iterable[Choice] = ()
    ) -> None:
        self.trace = evidence.trace.unchanging()
        self.evidence = replace(evidence, trace=self.trace)
        self.survey = Survey(self.trace, choices, counted)
        """Answers which accesses a check chooses: those that were said beforehand, in one pass."""
        self._completion: Future[Completion] | None = None
        self._conflicts: Future[Conflicts] | None = None

    def begin_order(self, executor: Executor) -> None:
        """Have the order of all work found while others look at accesses: most of it is native."""
        self._completion = executor.submit(completion, self.trace)
        self._conflicts = executor.submit(conflicts, self.trace)

    @cached_property
    def conflicts(self) -> Conflicts:
        return self._conflicts.result() if self._conflicts else conflicts(self.trace)

    @cached_property
    def completion(self) -> Completion:
        """Which work is known to be done, as of the end."""
        return self._completion.result() if self._completion else completion(self.trace)

    @cached_property
    def copies_to_host(self) -> tuple[int, int, int]:
        """Count, bytes and audited ones."""
        return audited_copies(self.trace, copies_never_waited_for(self.completion))

    @cached_property
    def strayed(self) -> Strayed:
        """Launches that were seen in memory that they were not given."""
        return Strayed(self.trace, self.survey)

    @cached_property
    def attribution(self) -> Attribution | None:
        """Who may have made the device fault; None if it did not."""
        return attribute(self.evidence)
