"""What people put into a case: entries, how bad it is, what is left to do, and that it is closed.

    artifacts/DATE/CASE/summary.json, entry.json   a run, a log or an audit that was added
    artifacts/cases/CASE.json                      what no recording can say: CaseFacts

A case is closed for a reason that its entries bear out, and open again as soon as one of them shows
the fault.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Final

from greta.errors import NotJsonError, UsageError
from greta.forensics.statistics import failure_rate
from greta.forensics.verdict import VerdictWord
from greta.lab.artifacts import create_case_folder, write_json, write_sums
from greta.lab.cases.history import ENTRY, AddedEntry, JudgedRuns, KeptAudit
from greta.lab.cases.verification import Verification, summed, verify
from greta.outside import read_object
from greta.trace.run_facts import IF_ANY
from greta.typed_json import Json, JsonField, decode, encode

SEVERITIES: Final = ("low", "medium", "high", "critical")
REASONS: Final = ("fixed", "not-reproduced", "duplicate")
_LARGEST_LOG: Final = 64 << 20
"""A log that is larger stays where it is."""
_CASE_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True)
class Closing:
    """Why a case was closed."""

    reason: str
    at: str
    """When."""
    note: str = ""
    author: str = ""
    of: str | None = field(default=None, metadata=IF_ANY)
    """The case that a duplicate is one of."""


@dataclass(frozen=True)
class CaseFacts:
    """What people say of a case."""

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
    """In the place of what was said before."""
    path = _facts_file(root, case)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"schema": 1, "case": case, **encode(facts)})
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; name another --out") from None


def _facts_file(root: Path, case: str) -> Path:
    if not _CASE_ID.fullmatch(case):
        raise UsageError(
            f"{case!r} is no name of a case: letters, digits, '.', '_' and '-', at most 80"
        )
    return root / "cases" / f"{case}.json"


def now() -> str:
    """As entries have it."""
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
    """Whether the fault was seen after the case was closed."""
    closed = facts.closed
    failed = (one for one in audits if one.word is VerdictWord.REPRODUCED)
    return closed is not None and any(one.written > closed.at for one in failed)


def is_open(facts: CaseFacts, audits: Sequence[KeptAudit]) -> bool:
    """Whether there is something left to find out."""
    return facts.closed is None or is_reopened(facts, audits)


@dataclass(frozen=True)
class Since:
    """What was seen since the fault was last."""

    verification: Verification | None
    """Before against after; None if the fault was never seen."""
    after: JudgedRuns
    upper: float | None
    """At most this share of runs fails, with 95 % confidence; None if one did, or none ran."""


def since_last_fault(audits: Sequence[KeptAudit]) -> Since:
    """What the entries behind the last one that shows the fault prove."""
    places = [place for place, one in enumerate(audits) if one.word is VerdictWord.REPRODUCED]
    first = places[-1] + 1 if places else 0
    before, after = ([one.judged for one in part] for part in (audits[:first], audits[first:]))
    runs = summed(after)
    clean = runs.runs > 0 and runs.failures == 0
    upper = failure_rate(runs.failures, runs.runs).upper if clean else None
    return Since(verify(before, after) if places else None, runs, upper)


def close(facts: CaseFacts, audits: Sequence[KeptAudit], closing: Closing) -> CaseFacts:
    """Refuses a reason that the entries do not bear out."""
    since = since_last_fault(audits)
    if closing.reason == "fixed" and not (since.verification and since.verification.proven):
        test = since.verification.test if since.verification else None
        hint = "add what was seen before and after the fix"
        if test and test.runs_for_proof:
            hint = f"{test.runs_for_proof} runs after the fix without a failure would prove it"
        raise UsageError(f"a fix is not proven by the entries of this case: {hint}")
    if closing.reason == "not-reproduced" and since.upper is None:
        raise UsageError(
            "the last entry of this case shows the fault, or could not be judged: add runs in "
            "which it does not show"
        )
    if closing.reason == "duplicate" and not closing.of:
        raise UsageError("a duplicate of which case? --of ID")
    return replace(facts, closed=closing)
