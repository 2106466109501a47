"""What differs between the runs before a fix and those after it, beside how they ended.

A fix is a changed program. Where the variables, the arguments or the device changed as well, they
may be what made the failures go away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from greta.lab.cases.history import Change, compared_facts, flat_facts

Summary: TypeAlias = "Mapping[str, Any]"
Values: TypeAlias = "tuple[str, ...]"

_VARIABLES: Final = "environment.variables."
_ARGUMENTS: Final = "arguments"
_FILES: Final = ("program.sha256", "programs.sha256")
"""What a program is, at whatever path."""
_PATHS: Final = ("program.path", "programs.path")
_SHORT: Final = 16
_BY_OPTIONS: Final = "command"
"""How often something is run, and under which name, is in the command too and changes nothing."""


@dataclass(frozen=True)
class Sides:
    """`fix`: files (their name is the path) that changed where they are. `others`: all else."""

    fix: tuple[Change, ...]
    others: tuple[Change, ...]


def compare_sides(before: Sequence[Summary], after: Sequence[Summary]) -> Sides:
    """Of all audits and runs of both sides; nothing is known of what was only counted."""
    if not before or not after:
        return Sides((), ())
    old, new = ([dict(_facts(dict(one))) for one in side] for side in (before, after))
    names = sorted({name for one in (*old, *new) for name in one})
    values = {name: (_values(name, old), _values(name, new)) for name in names}
    changes = [
        Change(name, _joined(one), _joined(two))
        for name, (one, two) in values.items()
        if one != two and one and two
    ]
    moved = any(change.name in _PATHS for change in changes)
    others = [change for change in changes if change.name not in _FILES]
    return Sides(() if moved else tuple(_files(values)), _told_once(others))


def _files(values: Mapping[str, tuple[Values, Values]]) -> list[Change]:
    """Files that are others now at the same path; scripts seldom are what makes the calls."""
    changes = []
    for name, path in zip(_FILES, _PATHS, strict=True):
        old, new = values.get(name, ((), ()))
        if old and new and old != new:
            files = _joined(values[path][0]) if path in values else ""
            hashes = (_joined(one[:_SHORT] for one in side) for side in (old, new))
            changes.append(Change(files, *hashes))
    return list(dict.fromkeys(changes))


def _joined(values: Iterable[str]) -> str:
    return ", ".join(value or "-" for value in values)


def _values(name: str, side: Sequence[dict[str, str]]) -> Values:
    """All that a fact was on one side. That a variable is not set is a value, too."""
    is_known_if_absent = name.startswith(_VARIABLES) or name == _ARGUMENTS
    found = {one.get(name, "" if is_known_if_absent else None) for one in side}
    return tuple(sorted(value for value in found if value is not None))


def _told_once(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The program that was started is often the one that made the calls."""
    found: dict[tuple[str, str, str], Change] = {}
    for change in changes:
        kind = change.name.removeprefix("programs.").removeprefix("program.")
        found.setdefault((kind, change.before, change.after), change)
    return tuple(found.values())


def _facts(summary: dict[str, Any]) -> list[tuple[str, str]]:
    facts = {name: v for name, v in compared_facts(summary).items() if name != _BY_OPTIONS}
    # A hash says it all; a build id would say it twice.
    facts["program"] = {n: v for n, v in _part(facts, "program").items() if n != "build_id"}
    facts |= {_ARGUMENTS: _arguments(summary), "device": _part(summary, "device").get("kind")}
    profiles = [str(one.get("name")) for one in _parts(summary, "profiles")]
    facts["profiles"] = ", ".join(sorted(profiles)) or None
    for name in ("path", "sha256"):
        values = {str(one[name]) for one in _parts(summary, "programs") if one.get(name)}
        facts[f"programs.{name}"] = ", ".join(sorted(values)) or None
    return list(flat_facts(facts))


def _arguments(summary: dict[str, Any]) -> str | None:
    rerun = _part(summary, "rerun")
    command = _part(rerun, "options").get("program") or (
        None if "options" in rerun else rerun.get("command")
    )
    return " ".join(map(str, command[1:])) if isinstance(command, list) else None


def _part(summary: Mapping[str, Any], name: str) -> dict[str, Any]:
    part = summary.get(name)
    return part if isinstance(part, dict) else {}


def _parts(summary: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    listed = summary.get(name)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
