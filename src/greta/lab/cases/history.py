"""The audits of a case in order, and what changed from one to the next.

A case has no file of its own that could disagree with its audits: it is the summaries that lie in
artifacts/DATE/CASE/, and CASE.2, CASE.3 for more of the same day.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from greta.errors import NotJsonError, UsageError
from greta.folder_files import read_judged_file
from greta.lab.cases.factors import Observation
from greta.lab.cases.verification import Tally

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

Diagnosis: TypeAlias = Literal[
    "first",
    "unchanged",
    "cause_found",
    "cause_changed",
    "no_longer_seen",
    "seen_again",
    "nothing_judged",
]
"""How the diagnosis of an audit stands to the one before."""
_OWN_FACTORS = ("prompt", "seed", "profile")


@dataclass(frozen=True)
class KeptAudit:
    """One audit, as its summary says."""

    folder: Path
    summary: dict[str, Any]

    @property
    def case(self) -> str:
        """The case it belongs to."""
        return str(self.summary.get("case", self.folder.name))

    @property
    def date(self) -> str:
        """The day, from the folder."""
        return self.folder.parent.name

    @property
    def verdict(self) -> str:
        """REPRODUCED, NOT_REPRODUCED or INCONCLUSIVE."""
        return str(self.summary.get("verdict", "INCONCLUSIVE"))

    @property
    def tally(self) -> Tally:
        """Its iterations."""
        results = [str(one.get("result")) for one in self._iterations]
        judged = sum(result in ("PASS", "FAIL") for result in results)
        return Tally(judged, results.count("FAIL"), len(results) - judged)

    @property
    def observations(self) -> list[Observation]:
        """Its judged iterations with what they ran with."""
        return observations_of(self._iterations, self.summary.get("factor_sets") or [])

    @property
    def _iterations(self) -> list[dict[str, Any]]:
        return [one for one in self.summary.get("iterations") or [] if isinstance(one, dict)]


def observations_of(
    iterations: list[dict[str, Any]], sets: list[dict[str, str]]
) -> list[Observation]:
    """The judged iterations of a summary, with what they ran with."""
    return [
        Observation(
            one["result"] == "FAIL", {**_factors(one, sets), **_order(place, len(iterations))}
        )
        for place, one in enumerate(iterations)
        if one.get("result") in ("PASS", "FAIL")
    ]


def _factors(iteration: dict[str, Any], sets: list[dict[str, str]]) -> dict[str, str]:
    place = iteration.get("factors")
    common = (sets[place] if isinstance(place, int) and 0 <= place < len(sets) else None) or {}
    own: dict[str, str] = {n: str(iteration[n]) for n in _OWN_FACTORS if n in iteration}
    return {**{name: str(value) for name, value in common.items()}, **own}


def _order(place: int, count: int) -> dict[str, str]:
    """A machine that warms up, or memory that fills up, shows in the later runs."""
    return {"half of the audit": "first" if 2 * place < count else "second"}


@dataclass(frozen=True)
class Change:
    """What is different from the audit before: a fact of the environment, model or program."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Entry:
    """An audit in the history of its case."""

    audit: KeptAudit
    changes: tuple[Change, ...]
    diagnosis: Diagnosis


def find_audits(artifacts: Path, case: str | None = None) -> list[KeptAudit]:
    """All audits, or those of a case, oldest first. Folders without a readable summary are none."""
    audits = [audit for audit in _all_audits(artifacts) if case in (None, audit.case)]
    return sorted(audits, key=lambda one: (str(one.summary.get("started", "")), str(one.folder)))


def _all_audits(artifacts: Path) -> Iterator[KeptAudit]:
    for path in artifacts.glob("*/*/summary.json"):
        if not _DATE.fullmatch(path.parent.parent.name):
            continue
        summary = read_summary(path)
        if summary is not None:
            yield KeptAudit(path.parent, summary)


def read_summary(path: Path) -> dict[str, Any] | None:
    """A summary, or None if it is none; raises OutsideError for one that cannot be trusted."""
    try:
        summary = read_judged_file(path)
    except (NotJsonError, OSError):
        return None
    return summary if summary.get("schema") == 1 else None


def require_case(artifacts: Path, case: str) -> list[KeptAudit]:
    """The audits of a case that the user has named."""
    audits = find_audits(artifacts, case)
    if not audits:
        known = sorted({audit.case for audit in find_audits(artifacts)})
        hint = f"there are: {', '.join(known)}" if known else "there are none yet"
        raise UsageError(f"no audit of the case {case!r} is in {artifacts}; {hint}")
    return audits


def history(audits: list[KeptAudit]) -> list[Entry]:
    """The audits with what changed between them."""
    entries = []
    for place, audit in enumerate(audits):
        before = audits[place - 1] if place else None
        changes = tuple(_changes(before, audit)) if before else ()
        entries.append(Entry(audit, changes, _diagnosis(before, audit)))
    return entries


def _changes(before: KeptAudit, after: KeptAudit) -> Iterator[Change]:
    old, new = (dict(flat_facts(compared_facts(audit.summary))) for audit in (before, after))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Change(name, old.get(name, ""), new.get(name, ""))


def compared_facts(summary: dict[str, Any]) -> dict[str, Any]:
    """What one audit may have been run with and another not."""
    model = summary.get("model") or {}
    return {
        "environment": summary.get("environment") or {},
        "model": {name: model.get(name) for name in ("name", "hash") if model.get(name)},
        "program": summary.get("program") or {},
        "command": _command_line(summary),
    }


def _command_line(summary: dict[str, Any]) -> str | None:
    command = (summary.get("rerun") or {}).get("command")
    return shlex.join(map(str, command)) if isinstance(command, list) else None


def flat_facts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Each fact with its place, such as environment.python."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat_facts(inner, f"{name}.{key}" if name else str(key))
    elif value is not None:
        yield name, value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _cause(audit: KeptAudit) -> tuple[str, str, str] | None:
    cause = audit.summary.get("cause")
    if not isinstance(cause, dict):
        return None
    return tuple(str(cause.get(name)) for name in ("hypothesis", "call", "kernel"))  # type: ignore[return-value]


def _diagnosis(before: KeptAudit | None, after: KeptAudit) -> Diagnosis:
    if before is None:
        return "first"
    old, new = _cause(before), _cause(after)
    seen, sees = (audit.verdict == "REPRODUCED" for audit in (before, after))
    if after.verdict == "INCONCLUSIVE" and after.tally.runs == 0:
        return "nothing_judged"
    if seen and not sees:
        return "no_longer_seen"
    if sees and not seen:
        return "seen_again"
    if old == new:
        return "unchanged"
    return "cause_found" if old is None else "cause_changed"
