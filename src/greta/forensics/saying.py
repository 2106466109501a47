"""What is to be said: a code and data. Apart, because words for it are needed before all else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias


@dataclass(frozen=True)
class Saying:
    """A code of the language files with its data."""

    code: str
    data: Mapping[str, Value] = field(default_factory=dict)
    text: str = field(default="", compare=False)
    """As a file says it; for a code that has no sentence."""

    said_by: ClassVar[Callable[[Saying], str] | None] = None
    """Makes an English sentence of it: who has words (greta.reports.lang) says how."""

    def __str__(self) -> str:
        return Saying.said_by(self) if Saying.said_by else self.text or self.code


Value: TypeAlias = (
    "bool | int | float | str | Saying | tuple[int | float | str | Saying, ...] | None"
)
