"""One thing about a model that is not as it must be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mismatch:
    """What was expected of a field and what was found. A warning if it is not fatal."""

    field: str
    expected: object
    found: object
    advice: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.field}: expected {self.expected}, found {self.found}; {self.advice}"
