"""The case file in words: for a terminal, and as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from greta.forensics.verdict import Outcome
from greta.lab.cases.case_file import CaseFacts, Since, is_open, is_reopened, since_last_fault
from greta.lab.cases.factors import Factor
from greta.lab.cases.history import CaseAudit, Change, KeptAudit, blames
from greta.lab.cases.verification import Verification
from greta.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Facts,
    Figure,
    Folded,
    Headline,
    Page,
    Paragraph,
    Section,
    Table,
    Tone,
)
from greta.reports.lang import Say, chance, grouped, p_value, percent
from greta.reports.layout import TitledLine, command_line, titled
from greta.reports.pictures import DrawnEntry, draw_evolution
from greta.reports.reported import Reported
from greta.reports.sections import PAGE_WORDS, fault
from greta.reports.sections.follow_up import as_case
from greta.reports.sections.verdict import WORD_TONES, names_of, reason_of
from greta.reports.sentences import fact_name, fact_value, story_sentence, without_quotes

_MOST_CHANGES = 8
_MOST_FACTORS = 5
_LONGEST = 60
_LONGEST_ID = 80
_HASH = 16
"""Letters of a hash that a factor has."""
_IS_HASH = re.compile("[0-9a-f]{32,128}")
_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._-]+")
"""A kernel may be called anything, and what is suggested is pasted into a shell."""


@dataclass(frozen=True)
class CaseStory:
    case: str
    entries: tuple[CaseAudit, ...]
    factors: tuple[Factor, ...] = ()
    facts: CaseFacts = field(default_factory=CaseFacts)

    @property
    def audits(self) -> list[KeptAudit]:
        return [entry.audit for entry in self.entries]

    @property
    def state(self) -> str:
        """OPEN or CLOSED: the same in every language."""
        return "OPEN" if is_open(self.facts, self.audits) else "CLOSED"


def list_lines(
    audits: Sequence[KeptAudit], facts: Mapping[str, CaseFacts], say: Say
) -> list[TitledLine]:
    cases: dict[str, list[KeptAudit]] = {}
    for audit in audits:
        cases.setdefault(audit.case, []).append(audit)
    if not cases:
        return [TitledLine("", say("case_none"))]
    lines = []
    for case, own in cases.items():
        last, state = own[-1], "OPEN" if is_open(facts[case], own) else "CLOSED"
        text = say(
            "case_line", state=state, audits=len(own), date=last.date, verdict=last.word.value
        )
        lines.append(TitledLine(case, text, WORD_TONES[last.word]))
    return lines


def case_lines(story: CaseStory, say: Say) -> list[TitledLine]:
    moved = moved_sentence(story.audits, say)
    lines = [TitledLine(story.state, " ".join(_state_texts(story, say)), _state_tone(story))]
    lines += [TitledLine(say("case_moved_title"), without_quotes(moved))] if moved else []
    lines += [line for entry in story.entries for line in _entry(entry, say)]
    lines += titled(say("case_proven"), since_texts(story.audits, say))
    lines += [*_factors(story.factors, story.entries, say)]
    follow_ups = titled(say("case_left"), story.facts.follow_ups)
    return [*lines, *follow_ups, *_follow_up(story.entries, say)]


def moved_sentence(audits: Sequence[KeptAudit], say: Say) -> str:
    """Whom the entries blamed, one after the other; nothing if that was always the same."""
    found = blames(audits)
    if len(found) < 2:
        return ""
    names = [
        say("case_blamed_kernel" if one.is_kernel else "case_blamed", name=one.name, date=one.date)
        for one in found
    ]
    text = say("case_moved", before=names[0], after=names[1])
    return text + "".join(say("case_moved_on", after=name) for name in names[2:]) + "."


def _state_tone(story: CaseStory) -> Tone:
    return "odd" if story.state == "OPEN" else "good"


def _state_texts(story: CaseStory, say: Say) -> Iterator[str]:
    facts, closed = story.facts, story.facts.closed
    if closed and is_reopened(facts, story.audits):
        yield say("case_reopened", date=closed.at[:10])
    elif closed:
        yield say(f"case_closed_{closed.reason}", date=closed.at[:10], of=closed.of or "?")
        yield from filter(None, (closed.note,))
    else:
        yield say("case_is_open")
    if facts.severity:
        yield say("case_severity", severity=say(f"severity_{facts.severity}"))
    if facts.author:
        yield say("case_author", author=facts.author)


def since_texts(audits: Sequence[KeptAudit], say: Say) -> list[str]:
    """What is proven of a fix, and how rare the fault must be since it was last seen."""
    since: Since = since_last_fault(audits)
    found = since.verification
    if found is None:
        texts = [say("case_never_seen")]
    elif since.after.runs == 0:
        texts = [say("case_nothing_since")]
    else:
        texts = [verified_sentence(found, say)]
    if since.upper is not None:
        texts.append(say("case_bound", runs=since.after.runs, upper=percent(since.upper)))
    return texts


def verified_sentence(found: Verification, say: Say) -> str:
    test = found.test
    return say(
        found.code,
        p=chance(test.p_value) if test else None,
        p_value=p_value(test.p_value) if test else None,
        failures=found.after.failures,
        runs=found.after.runs,
        needed=test.runs_for_proof if test else None,
    )


def _entry(entry: CaseAudit, say: Say) -> Iterator[TitledLine]:
    audit, judged = entry.audit, entry.audit.judged
    sentence = without_quotes(story_sentence(_reported(audit), say))
    yield TitledLine(audit.date, f"{audit.word.value}: {sentence}", WORD_TONES[audit.word])
    if audit.entry.source:
        known = {"source": say(f"case_source_{audit.source}"), "path": audit.entry.path}
        yield TitledLine("", say("case_added", **known))
    if audit.entry.note:
        yield TitledLine("", audit.entry.note)
    if audit.source == "audit":
        yield TitledLine("", say("case_runs", failures=judged.failures, runs=judged.runs))
    if entry.diagnosis != "first":
        yield TitledLine("", say(f"diagnosis_{entry.diagnosis}"))
    for change in entry.changes[:_MOST_CHANGES]:
        yield TitledLine("", change_sentence(change, say))
    if len(entry.changes) > _MOST_CHANGES:
        yield TitledLine("", say("case_more_changes", count=len(entry.changes) - _MOST_CHANGES))


def _reported(audit: KeptAudit) -> Reported:
    return Reported(audit.summary, from_log=audit.source == "log")


# --- the page -------------------------------------------------------------------------------------


def case_page(story: CaseStory, say: Say) -> Page:
    audits = story.audits
    dates = (audits[0].date, audits[-1].date)
    sections = (
        _overview(story, say),
        _steps_section(story, say),
        _evolution(audits, say),
        _entries_section(story, say),
        _proofs(audits, say),
        _factor_section(story, say),
    )
    return Page(
        title=say("title_case", case=story.case),
        subtitle=say(
            "subtitle_case" if dates[0] != dates[1] else "subtitle_case_day",
            first=dates[0],
            last=dates[1],
            count=len(audits),
        ),
        lang=say.lang,
        sections=tuple(section for section in sections if section is not None),
        words={name: say(name) for name in PAGE_WORDS},
    )


def _overview(story: CaseStory, say: Say) -> Section:
    last, texts = story.audits[-1], list(_state_texts(story, say))
    moved = moved_sentence(story.audits, say)
    now = story_sentence(_reported(last), say)
    if story.state == "CLOSED":
        told, more = texts[0], [text for text in (moved, say("case_now", story=now)) if text]
    else:
        told, more = (moved, [say("case_now", story=now)]) if moved else (now, [])
    headline = Headline(story.state, told, _state_tone(story), say(f"state_{story.state}"))
    blocks: list[Block] = [headline, *map(Paragraph, more)]
    proven = " ".join(since_texts(story.audits, say))
    state = " ".join(texts)
    blocks.append(Facts(((say("case_state"), Cell(state)), (say("case_proven"), Cell(proven)))))
    return Section(say("section_overview"), tuple(blocks), "overview", leads=True)


def _steps_section(story: CaseStory, say: Say) -> Section | None:
    last = story.audits[-1].summary.verdict
    steps = [say.saying(step) for step in last.next_steps] if story.state == "OPEN" else []
    items = tuple(dict.fromkeys((*story.facts.follow_ups, *steps)))
    own = [line.text for line in _follow_up(story.entries, say)]
    codes = ("",) * len(items)
    if own:
        items, codes = (*items, own[0]), (*codes, own[1] if len(own) > 1 else "")
    if not items:
        return None
    bullets = Bullets(items, numbered=True, codes=codes)
    return Section(say("section_steps"), (bullets,), "steps", leads=True)


def _evolution(audits: Sequence[KeptAudit], say: Say) -> Section:
    drawn = [
        DrawnEntry(
            one.date,
            say(f"case_source_{one.source}"),
            one.diagnosed or say("case_nothing_blamed"),
            WORD_TONES[one.word],
        )
        for one in audits
    ]
    header = (say("case_date"), say("case_source"), say("outcome"), say("case_at_fault"))
    rows = tuple(
        (
            Cell(drawn_one.date, number=True),
            Cell(drawn_one.label),
            Cell(one.word.value, tone=WORD_TONES[one.word]),
            Cell(drawn_one.blamed, code=bool(one.diagnosed)),
        )
        for drawn_one, one in zip(drawn, audits, strict=True)
    )
    title, tones = say("section_evolution"), dict.fromkeys(one.tone for one in drawn)
    svg = draw_evolution(drawn, title)
    figure = Figure(
        svg,
        say("caption_evolution"),
        Table(header, rows),
        keys=tuple((f"dot-{tone}", say(f"key_{tone}")) for tone in tones),
        table_title=say("table_case"),
    )
    return Section(title, (figure,), "evolution")


def _entries_section(story: CaseStory, say: Say) -> Section:
    blocks = []
    for entry in story.entries:
        first, *others = _entry(entry, say)
        found = fault.cause(_reported(entry.audit), say)
        inside: list[Block] = [Bullets(tuple(line.text for line in others if line.text))]
        inside += list(found.blocks) if found else []
        story_told = story_sentence(_reported(entry.audit), say)
        blocks.append(
            Folded(f"{first.title} `{entry.audit.word.value}` {story_told}", tuple(inside))
        )
    return Section(say("section_entries"), tuple(blocks), "entries")


def _proofs(audits: Sequence[KeptAudit], say: Say) -> Section:
    """By hypothesis: what some entry has proven, and what the last one leaves open."""
    header = (say("case_date"), say("hypothesis"), say("outcome"), say("reason"))
    chosen = [
        (one, ruling)
        for one in audits
        for ruling in one.summary.verdict.rulings
        if ruling.confirmed or (ruling.outcome is Outcome.INCONCLUSIVE and one is audits[-1])
    ]
    rows = tuple(
        (
            Cell(one.date, number=True),
            Cell(names_of([ruling], say)),
            Cell(ruling.outcome.value, tone="bad" if ruling.confirmed else "odd"),
            Cell(reason_of(ruling, say)),
        )
        for one, ruling in chosen
    )
    blocks: list[Block] = [Paragraph(text) for text in since_texts(audits, say)]
    blocks += [Table(header, rows)] if rows else []
    return Section(say("section_proofs"), tuple(blocks), "proofs")


def _factor_section(story: CaseStory, say: Say) -> Section | None:
    if not any(audit.judged.runs for audit in story.audits):
        return None
    texts = tuple(line.text for line in _factors(story.factors, story.entries, say))
    return Section(say("section_separates"), (Bullets(texts),), "factors")


def change_sentence(change: Change, say: Say) -> str:
    old, new = differing(change.before, change.after)
    return say("case_change", name=fact_name(change.name, say), before=old, after=new)


def differing(before: str, after: str) -> tuple[str, str]:
    """Two values; of long ones only the words that differ, each with the word before it."""
    if _IS_HASH.fullmatch(before) and _IS_HASH.fullmatch(after):
        return before[:_HASH], after[:_HASH]
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
        yield TitledLine(title, say(_why_none(factors, entries), count=len(factors)))
        return
    for place, factor in enumerate(telling[:_MOST_FACTORS]):
        yield TitledLine(title if place == 0 else "", factor_sentence(factor, say), "bad")
        if files := _files(factor, entries):
            yield TitledLine("", say("factor_files", files=files))
        if factor.same_division:
            names = ", ".join(sorted({fact_name(name, say) for name, _ in factor.same_division}))
            yield TitledLine("", say("factor_same", names=_shortened(names)))


def _why_none(factors: Sequence[Factor], entries: Sequence[CaseAudit]) -> str:
    if not factors:
        failed = any(entry.audit.judged.failures for entry in entries)
        return "factor_all" if failed else "factor_no_failures"
    fix = since_last_fault([entry.audit for entry in entries]).verification
    # One question can be answered where many cannot; to a reader the two would contradict.
    return "factor_none_of_fix" if fix and fix.proven and len(factors) > 1 else "factor_none"


def _files(factor: Factor, entries: Sequence[CaseAudit]) -> list[str]:
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
    before = {entry.audit.diagnosed for entry in entries[:-1]} - {""}
    if before - {name}:
        own = f"{last.case}-{_NOT_IN_AN_ID.sub('_', name)}"[:_LONGEST_ID]
        yield TitledLine(say("section_steps"), say("case_follow_up", name=name))
        if words := as_case(own, Reported(last.summary), Path.cwd()):
            yield command_line("", words)


def _shortened(text: str) -> str:
    text = Path(text).name if text.startswith("/") and len(text) > _LONGEST else text
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
