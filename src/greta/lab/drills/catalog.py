"""Which drills there are. Their files are read, not imported: a list needs no engine."""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from greta.errors import UsageError

_FOLDER: Final = Path(__file__).parent / "staged"


@dataclass(frozen=True)
class StagedBuffer:
    address: str
    bytes: int


@dataclass(frozen=True)
class StagedFault:
    """What a drill says that it has done; the detectors never see it."""

    call: str | None = None
    """None of what is no call."""
    nth: int | None = None
    kernel: str | None = None
    iteration: int | None = None
    buffer: StagedBuffer | None = None


@dataclass(frozen=True)
class Drill:
    name: str
    hypothesis: str
    """The one that must be confirmed, and no other."""
    description: str
    """Its docstring: what is staged, why it happens, what must be found."""
    spanish: str = ""
    """The docstring's first line in Spanish."""
    truth: Mapping[str, str | None] = field(default_factory=dict)
    """What is known before it runs: the call, the kernel."""
    environment: Mapping[str, str] = field(default_factory=dict)
    like: str | None = None
    """Another drill, whose fault this one stages; what is not said here is as there."""
    rate: float = 1.0
    """The share of iterations in which the fault is committed."""
    other_bytes: bool = False
    """Whether it matters only shows when fresh memory holds other bytes (greta pin)."""
    watch_host: bool = False
    """Only `greta run --watch-host` can see it."""
    program: str | None = None
    """The text of the program that runs in place of the workload, if it is the fault itself."""
    expected: str | None = None
    """The module that was meant to run, where the user says so."""

    def title(self, language: str) -> str:
        english = self.description.partition("\n")[0]
        return (self.spanish or english) if language == "es" else english


def is_due(rate: float, seed: int) -> bool:
    """Whether a fault that shows in a share of all iterations shows in the one with this seed."""
    return random.Random(f"drill/{seed}").random() < rate  # noqa: S311  not a secret


def all_drills() -> list[Drill]:
    return [_read(path) for path in sorted(_FOLDER.glob("[a-z]*.py"))]


def find_drills(names: list[str]) -> list[Drill]:
    """Those with these names, or all; raises UsageError for a name that there is not."""
    known = {drill.name: drill for drill in all_drills()}
    for name in names:
        if name not in known:
            raise UsageError(
                f"there is no drill {name!r}; `greta drill --list` shows what there is"
            )
    return [known[name] for name in names] or list(known.values())


def _read(path: Path) -> Drill:
    """HYPOTHESIS, TRUTH and so on: what is assigned to names in capitals at the top."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    names = {name.upper(): name for name in Drill.__dataclass_fields__}
    facts = {
        names[node.targets[0].id]: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in names
    }
    facts |= {"name": path.stem, "description": ast.get_docstring(tree) or ""}
    like = facts.get("like")
    return replace(_read(path.with_name(f"{like}.py")), **facts) if like else Drill(**facts)
