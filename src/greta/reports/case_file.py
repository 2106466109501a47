"""The case file in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from greta.forensics.verdict import Verdict
from greta.lab.cases.factors import Factor
from greta.lab.cases.history import CaseAudit, Change, KeptAudit
from greta.reports.commands import as_case
from greta.reports.lang import Say, grouped, p_value
from greta.reports.layout import TitledLine, command_line
from greta.reports.reported import Reported
from greta.reports.sections.verdict import WORD_TONES
from greta.reports.sentences import fact_name, fact_value, verdict_sentence

_MOST_CHANGES = 8
_MOST_FACTORS = 5
_LONGEST = 60
_LONGEST_ID = 80
_HASH = 16
"""Letters of a hash that a factor has."""
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._-]+")
"""A kernel may be called anything, and what is suggested is pasted into a shell."""


def list_lines(audits: Sequence[KeptAudit], say: Say) -> list[TitledLine]:
    """All cases, each with its last verdict."""
    cases: dict[str, list[KeptAudit]] = {}
    for audit in audits:
        cases.setdefault(audit.case, []).append(audit)
    if not cases:
        return [TitledLine("", say("case_none"))]
    lines = []
    for case, own in cases.items():
        last = own[-1]
        text = say("case_line", audits=len(own), date=last.date, verdict=last.word.value)
        lines.append(TitledLine(case, text, WORD_TONES[last.word]))
    return lines


def case_lines(
    entries: Sequence[CaseAudit], factors: Sequence[Factor], say: Say
) -> list[TitledLine]:
    """One case over days."""
    lines = [line for entry in entries for line in _entry(entry, say)]
    return [*lines, *_factors(factors, entries, say), *_follow_up(entries, say)]


def _entry(entry: CaseAudit, say: Say) -> Iterator[TitledLine]:
    audit, judged = entry.audit, entry.audit.judged
    sentence = verdict_sentence(Reported(audit.summary), say)
    yield TitledLine(audit.date, f"{audit.word.value}: {sentence}", WORD_TONES[audit.word])
    yield TitledLine("", say("case_runs", failures=judged.failures, runs=judged.runs))
    if entry.diagnosis != "first":
        yield TitledLine("", say(f"diagnosis_{entry.diagnosis}"))
    for change in entry.changes[:_MOST_CHANGES]:
        yield TitledLine("", change_sentence(change, say))
    if len(entry.changes) > _MOST_CHANGES:
        yield TitledLine("", say("case_more_changes", count=len(entry.changes) - _MOST_CHANGES))


def change_sentence(change: Change, say: Say) -> str:
    """What a fact was before, and what it is now."""
    old, new = differing(change.before, change.after)
    return say("case_change", name=fact_name(change.name, say), before=old, after=new)


def differing(before: str, after: str) -> tuple[str, str]:
    """Two values; of long ones only the words that differ, each with the word before it."""
    if max(len(before), len(after)) <= _LONGEST:
        return before, after
    old, new = before.split(" "), after.split(" ")
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    parts = [change[1:] for change in changes if change[0] != "equal"]
    gone = " … ".join(" ".join(old[max(a - 1, 0) : b]) for a, b, _, _ in parts)
    come = " … ".join(" ".join(new[max(c - 1, 0) : d]) for _, _, c, d in parts)
    return _shortened(gone), _shortened(come)


def _factors(
    factors: Sequence[Factor], entries: Sequence[CaseAudit], say: Say
) -> Iterator[TitledLine]:
    title = say("section_factors")
    telling = [factor for factor in factors if factor.significant]
    if not telling:
        failures = sum(entry.audit.judged.failures for entry in entries)
        code = "factor_none" if factors else "factor_no_failures" if not failures else "factor_all"
        yield TitledLine(title, say(code, count=len(factors)))
        return
    for place, factor in enumerate(telling[:_MOST_FACTORS]):
        yield TitledLine(title if place == 0 else "", factor_sentence(factor, say), "bad")
        if files := _files(factor, entries):
            yield TitledLine("", say("factor_files", files=files))
        if factor.same_division:
            names = ", ".join(sorted({fact_name(name, say) for name, _ in factor.same_division}))
            yield TitledLine("", say("factor_same", names=_shortened(names)))


def _files(factor: Factor, entries: Sequence[CaseAudit]) -> list[str]:
    """Where the files are that a value names by name and hash."""
    hashes = tuple(word for word in factor.value.replace(",", " ").split() if len(word) >= _HASH)
    programs = (one for entry in entries for one in entry.audit.summary.programs)
    known = ((one.path, one.sha256 or one.build_id or "") for one in programs)
    found = [f"{path} {hash_[:_HASH]}" for path, hash_ in known if path and hash_[:_HASH] in hashes]
    return list(dict.fromkeys(found))


def factor_sentence(factor: Factor, say: Say) -> str:
    """All 4 failures ran binary 3f9c, none of the 26 passes did."""
    passes_with = factor.runs_with - factor.failures_with
    code = "factor_separates" if factor.separates and factor.failures_with else "factor_tells"
    return say(
        code,
        name=fact_name(factor.name, say),
        value=_shortened(fact_value(factor.value, say)),
        failures_with=factor.failures_with,
        failures=factor.failures_with + factor.failures_without,
        passes_with=passes_with,
        passes=passes_with + factor.runs_without - factor.failures_without,
        p_value=p_value(factor.corrected),
        questions=grouped(factor.questions),
    )


def _follow_up(entries: Sequence[CaseAudit], say: Say) -> Iterator[TitledLine]:
    """A cause upstream of what an audit had blamed before deserves a case of its own."""
    last = entries[-1].audit
    cause, blamed = last.summary.verdict.cause, last.summary.verdict.blamed
    if not cause or not cause.operation or not blamed or cause.seq == blamed.seq:
        return
    name = cause.operation
    before = {_diagnosed(entry.audit.summary.verdict) for entry in entries[:-1]} - {""}
    if before - {name}:
        own = f"{last.case}-{_NOT_IN_AN_ID.sub('_', name)}"[:_LONGEST_ID]
        yield TitledLine(say("section_steps"), say("case_follow_up", name=name))
        if words := as_case(own, Reported(last.summary), Path.cwd()):
            yield command_line("", words)


def _diagnosed(verdict: Verdict) -> str:
    """What an audit held to be at fault: the cause, or the call that reported it."""
    reported = (verdict.blamed.kernel or verdict.blamed.call or "") if verdict.blamed else ""
    return (verdict.cause.operation if verdict.cause else "") or reported


def _shortened(text: str, most: int = _LONGEST) -> str:
    text = Path(text).name if text.startswith("/") and len(text) > most else text
    return text if len(text) <= most else f"{text[: most - 1]}…"
