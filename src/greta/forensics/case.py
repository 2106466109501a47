"""What a check is given: the evidence of one process, and what several checks ask of it.

    def examine(case: Case) -> Ruling: ...

`case.trace` has the tables (greta.trace.trace), `case.evidence` what else is known of the process
(greta.trace.evidence). The answers below are worked out when first asked for, once for an analysis.
"""

from __future__ import annotations

from functools import cached_property

from greta.forensics.attribution import Attribution, attribute
from greta.forensics.order import Completion, Conflicts, completion, conflicts
from greta.forensics.strayed import Strayed
from greta.trace.evidence import Evidence


class Case:
    """One process under analysis. Nothing of the evidence is changed."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.trace = evidence.trace

    @cached_property
    def conflicts(self) -> Conflicts:
        return conflicts(self.trace)

    @cached_property
    def completion(self) -> Completion:
        """Which work is known to be done, as of the end."""
        return completion(self.trace)

    @cached_property
    def strayed(self) -> Strayed:
        """Launches that were seen in memory that they were not given."""
        return Strayed(self.trace)

    @cached_property
    def attribution(self) -> Attribution | None:
        """Who may have made the device fault; None if it did not."""
        return attribute(self.evidence)
