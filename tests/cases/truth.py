"""What is true of a program, as the one who wrote it knows it. Nothing here is read by a check."""

from __future__ import annotations

from dataclasses import dataclass, field

TINY = "{tiny}"
"""On a command line: the path of a small model."""


@dataclass(frozen=True)
class Step:
    """A call of a program: the nth of its name, or the nth launch of a kernel."""

    name: str
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.name} no. {self.nth}"


@dataclass(frozen=True)
class Case:
    """One program, how it is run, and what must be said of it."""

    hypothesis: str
    program: str
    """A file in the folder of the hypothesis."""
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """Of `greta run`."""
    variables: dict[str, str] = field(default_factory=dict)
    label: str = ""
    """Tells apart cases with the same program."""
    fires: bool = False
    outcome: str = "REFUTED"
    """What the hypothesis must be where it does not fire."""
    cause: Step | None = None
    """The operation at fault; of a race, the one that came too early."""
    other: Step | None = None
    """The second operation of a race, or the one that freed the memory."""
    buffer: Step | None = None
    """The call that made the memory which the cause is about."""
    blamed: Step | None = None
    """Where the error surfaced, if that does not depend on timing; else the first failed call."""
    fails: bool = False
    """Some call returns an error."""
    aborts: bool = False
    """The process ends by a signal before a call could return the error."""

    @property
    def name(self) -> str:
        """For pytest."""
        stem = f"{self.hypothesis}/{self.program}"
        return f"{stem}[{self.label}]" if self.label else stem
