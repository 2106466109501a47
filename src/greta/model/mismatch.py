"""One thing about a model that is not as it must be."""

from __future__ import annotations

from dataclasses import dataclass

from greta.printable import printable


@dataclass(frozen=True)
class Mismatch:
    """What was expected of a field and what was found. A warning if it is not fatal."""

    field: str
    expected: object
    found: object
    advice: str
    fatal: bool = True
    waivable: bool = True  # the model can be run all the same, for those who insist

    def __str__(self) -> str:
        return printable(
            f"{self.field}: expected {self.expected}, found {self.found}; {self.advice}"
        )
