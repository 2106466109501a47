"""What people put into a case: entries, how bad it is, what is left to do, and that it is closed.

    artifacts/DATE/CASE/summary.json, entry.json   a run, a log or an audit that was added
    artifacts/cases/CASE.json                      what no recording can say: CaseFacts

A case is closed for a reason that its entries bear out, and open again as soon as one of them shows
the fault.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Final

from greta.errors import NotJsonError, UsageError
from greta.forensics.statistics import failure_rate
from greta.forensics.verdict import VerdictWord
from greta.lab.artifacts import create_case_folder, require_case_name, write_json, write_sums
from greta.lab.cases.history import ENTRY, AddedEntry, Change, JudgedRuns, KeptAudit
from greta.lab.cases.verification import (
    ComparedRuns,
    Verification,
    compare_sides,
    summed,
    verify,
)
from greta.outside import read_object
from greta.trace.run_facts import IF_ANY
from greta.typed_json import Json, JsonField, decode, encode

SEVERITIES: Final = ("low", "medium", "high", "critical")
REASONS: Final = ("fixed", "not-reproduced", "duplicate")
_COMMIT: Final = "environment.commit"
"""A fix is a commit as often as not."""
_LARGEST_LOG: Final = 64 << 20
"""A log that is larger stays where it is."""


@dataclass(frozen=True)
class Closing:
    reason: str
    at: str
    note: str = ""
    author: str = ""
    of: str | None = field(default=None, metadata=IF_ANY)
    """The case that a duplicate is one of."""


@dataclass(frozen=True)
class CaseFacts:
    severity: str = ""
    author: str = ""
    follow_ups: tuple[str, ...] = ()
    closed: Closing | None = None


def read_facts(root: Path, case: str) -> CaseFacts:
    """Nothing of a case of which nobody has said anything."""
    path = _facts_file(root, case)
    try:
        data = read_object(path)
    except OSError:
        return CaseFacts()
    except NotJsonError:
        raise UsageError(f"{path} is not JSON") from None
    return decode(CaseFacts, data, JsonField(path))


def write_facts(root: Path, case: str, facts: CaseFacts) -> None:
    path = _facts_file(root, case)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"schema": 1, "case": case, **encode(facts)})
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; name another --out") from None


def _facts_file(root: Path, case: str) -> Path:
    require_case_name(case)
    return root / "cases" / f"{case}.json"


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def add_entry(root: Path, case: str, day: date, summary: Json, entry: AddedEntry) -> Path:
    """A folder of its own; of a log, with the log."""
    folder = create_case_folder(root, case, day)
    write_json(folder / "summary.json", {**summary, "case": case})
    write_json(folder / ENTRY, encode(entry))
    log = Path(entry.path)
    if entry.source == "log" and log.is_file() and log.stat().st_size <= _LARGEST_LOG:
        shutil.copyfile(log, folder / f"evidence{log.suffix or '.log'}")
    write_sums(folder)
    return folder


def is_reopened(facts: CaseFacts, audits: Sequence[KeptAudit]) -> bool:
    closed = facts.closed
    failed = (one for one in audits if one.word is VerdictWord.REPRODUCED)
    return closed is not None and any(_is_later(one, closed.at) for one in failed)


def _is_later(one: KeptAudit, at: str) -> bool:
    """By when it ran; on the day itself, where the hour is not known, by when it was added."""
    if one.date != at[:10]:
        return one.date > at[:10]
    return (one.hour or one.written) > at


def is_open(facts: CaseFacts, audits: Sequence[KeptAudit]) -> bool:
    return facts.closed is None or is_reopened(facts, audits)


@dataclass(frozen=True)
class Since:
    """What was seen since the fault was last."""

    verification: Verification | None
    """Before against after; None if the fault was never seen."""
    after: JudgedRuns
    upper: float | None
    """At most this share of runs fails, with 95 % confidence; None if one did, or none ran."""
    differences: tuple[Change, ...] = ()
    """What else than the fix may have made the failures go away."""


def since_last_fault(audits: Sequence[KeptAudit]) -> Since:
    """What the entries behind the last one that shows the fault prove."""
    places = [place for place, one in enumerate(audits) if one.word is VerdictWord.REPRODUCED]
    first = places[-1] + 1 if places else 0
    before, after = _tried(audits[:first]), _tried(audits[first:])
    tallies = [one.trials for one in after]
    runs = summed(tallies)
    clean = runs.runs > 0 and runs.failures == 0
    upper = failure_rate(runs.failures, runs.runs).upper if clean else None
    if not places:
        return Since(None, runs, upper)
    sides = ([ComparedRuns.of(one.summary) for one in part] for part in (before, after))
    found = verify([one.trials for one in before], tallies)
    others = compare_sides(*sides).others
    return Since(found, runs, upper, tuple(one for one in others if one.name != _COMMIT))


def _tried(audits: Sequence[KeptAudit]) -> list[KeptAudit]:
    """Evidence with trials; the same evidence added twice counts once."""
    found: list[KeptAudit] = []
    for one in audits:
        if one.trials.runs and all(one.evidence != other.evidence for other in found):
            found.append(one)
    return found


def _lacking(since: Since) -> str:
    """What a proof of the fix still takes; nothing if it is there."""
    found = since.verification
    if found is None or found.test is None:
        return "add runs or audits from before and after the fix; logs are not counted"
    if found.code != "verify_proven":
        needed = found.test.runs_for_proof
        if needed is None or since.upper is None:
            return "add more runs or audits from before the fix, and after it without a failure"
        return f"{needed} runs after the fix without a failure would prove it"
    if since.differences:
        names = ", ".join(one.name for one in since.differences)
        return f"the runs before and after it also differ in {names}; add runs that do not"
    return ""


def close(facts: CaseFacts, audits: Sequence[KeptAudit], closing: Closing) -> CaseFacts:
    """Refuses a reason that the entries do not bear out."""
    since = since_last_fault(audits)
    lacking = _lacking(since) if closing.reason == "fixed" else ""
    if lacking:
        raise UsageError(f"a fix is not proven by the entries of this case: {lacking}")
    if closing.reason == "not-reproduced" and since.upper is None:
        raise UsageError(
            "the last entry of this case shows the fault, or could not be judged: add runs in "
            "which it does not show"
        )
    if closing.reason == "duplicate" and not closing.of:
        raise UsageError("a duplicate of which case? --of ID")
    return replace(facts, closed=closing)
