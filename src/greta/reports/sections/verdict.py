"""The verdict: the story in a few sentences, by hypothesis, and how much was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from greta.forensics.verdict import Outcome, Ruling, VerdictWord
from greta.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Facts,
    Headline,
    OpeningRow,
    OpeningTable,
    Paragraph,
    Section,
    Table,
    Tone,
)
from greta.reports.lang import Say, grouped, percent, sized
from greta.reports.reported import Reported
from greta.reports.sentences import (
    approximate_sentence,
    fact_value,
    gap_sentence,
    stopped_sentence,
    story_sentence,
    surfaced_sentence,
    verdict_sentence,
)
from greta.trace.run_facts import DeviceFacts

WORD_TONES: Final[dict[VerdictWord, Tone]] = {
    VerdictWord.REPRODUCED: "bad",
    VerdictWord.NOT_REPRODUCED: "good",
    VerdictWord.INCONCLUSIVE: "odd",
}
TONES: Final[dict[Outcome, Tone]] = {
    Outcome.CONFIRMED: "bad",
    Outcome.REFUTED: "good",
    Outcome.INCONCLUSIVE: "odd",
    Outcome.NOT_EXERCISED: "plain",
}
_MOST: Final = 6
_MOST_DOUBTS: Final = 8
_MOST_FACTS: Final = 3
_MOST_FINDINGS: Final = 20


def overview(reported: Reported, say: Say) -> Section:
    """What is wrong, how often, and what that rests on; always there."""
    word = reported.verdict.word
    told = "audit" if reported.summary.tests else "run"
    headline = Headline(
        word.value,
        story_sentence(reported, say),
        WORD_TONES[word],
        say(f"found_{told}_{word.value}"),
    )
    surfaced = surfaced_sentence(reported, say)
    blocks: list[Block] = [headline, *([Paragraph(surfaced)] if surfaced else [])]
    blocks += _doubts(reported, say)
    rows = [*_how_often(reported, say), *_how_sure(reported, say), *_on_device(reported, say)]
    blocks += [Facts(tuple(rows))] if rows else []
    blocks += partial_notes(reported, say)
    if word is not VerdictWord.REPRODUCED:  # else it stands with the cause
        blocks.append(Paragraph(say(f"means_{word.value}")))
    return Section(say("section_overview"), tuple(blocks), "overview", leads=True)


def figures_told(reported: Reported, say: Say) -> list[Paragraph]:
    """Beside the verdict's sentence: what is not all, how often, on which device."""
    return [
        *partial_notes(reported, say),
        *(Paragraph(text) for text in (*_bound(reported, say), *_by_profile(reported, say))),
        *_device(reported.ran.device or DeviceFacts(), say),
    ]


def _how_often(reported: Reported, say: Say) -> list[tuple[str, Cell]]:
    word = reported.verdict.word
    told = [*_bound(reported, say), *_by_profile(reported, say)]
    if not told and not reported.summary.tests and say.has(f"once_{word.value}"):
        told = [say(f"once_{word.value}_in_log" if reported.from_log else f"once_{word.value}")]
    return [(say("how_often"), Cell(" ".join(told)))] if told else []


def _how_sure(reported: Reported, say: Say) -> list[tuple[str, Cell]]:
    cause = reported.verdict.cause
    if cause is None or cause.confidence is None:
        return []
    sure, others = percent(cause.confidence), len(cause.alternatives)
    text = say("sure_of_others", confidence=sure, count=others) if others else sure
    return [(say("how_sure"), Cell(text))]


def _doubts(reported: Reported, say: Say) -> list[Block]:
    found = reported.verdict.doubts[:_MOST_DOUBTS]
    return [Bullets(tuple(say.of(f"doubt_{one.code}", one.data) for one in found))] if found else []


def partial_notes(reported: Reported, say: Say) -> list[Paragraph]:
    """That it is not all that was asked for, and why."""
    summary, reason = reported.summary, reported.verdict.reason
    if not summary.partial:
        return []
    why = stopped_sentence(reported, say)
    if why and not (reason and reason.code.endswith("_early")):  # which says it already
        told = [] if why == verdict_sentence(reported, say) else [why]
        return [Paragraph(text, "odd") for text in (*told, say("seen_until_then"))]
    return [Paragraph(say(f"partial_{summary.partial}", saved=summary.ended[11:19]), "odd")]


def _device(device: DeviceFacts, say: Say) -> list[Paragraph]:
    """Nobody may take the simulated device for a GPU."""
    if device.obstacle:
        why = fact_value(device.obstacle, say)
        return [Paragraph(say("device_was_not_there", why=why), "odd")]
    code = f"device_was_{device.kind}"
    return [Paragraph(say(code))] if say.has(code) else []


def _on_device(reported: Reported, say: Say) -> list[tuple[str, Cell]]:
    device = reported.ran.device or DeviceFacts()
    memory = f", {sized(device.memory_bytes)}" if device.memory_bytes else ""
    named = [f"{device.name}{memory}."] if device.name else []
    notes = _device(device, say)
    told = " ".join([*named, *(one.text for one in notes)])
    tone: Tone = notes[0].tone if notes else "plain"
    return [(say("fact_device"), Cell(told, tone=tone))] if told else []


def _by_profile(reported: Reported, say: Say) -> list[str]:
    """A rate over several profiles is nobody's: each has its own."""
    profiles = [one for one in reported.summary.profiles if one.runs]
    if len(profiles) < 2:
        return []
    rates = [_rate(one.failures, one.runs, one.failure_rate_interval_95) for one in profiles]
    pairs = zip(profiles, rates, strict=True)
    return [say("bound_profile", profile=one.name, **rate) for one, rate in pairs]


def _rate(failures: int, runs: int, interval: tuple[float, float]) -> dict[str, int | str]:
    low, high = map(percent, interval)
    rate = percent(failures / runs)
    return {"failures": failures, "runs": runs, "rate": rate, "low": low, "high": high}


def _bound(reported: Reported, say: Say) -> list[str]:
    statistics = reported.summary.statistics
    upper, runs, failures = statistics.failure_rate_upper_95, statistics.runs, statistics.failures
    if upper is None or runs == 0:
        return []
    if failures == 0:
        needed = statistics.runs_needed_for.get("0.001", 0)
        return [say("bound_clean", runs=runs, upper=percent(upper), needed=needed)]
    interval = statistics.failure_rate_interval_95 or (0.0, upper)
    return [say("bound_failing", **_rate(failures, runs, interval))]


def hypotheses(reported: Reported, say: Say) -> Section | None:
    if not reported.verdict.rulings:
        return None
    names = ("hypothesis", "outcome", "reason", "evidence", "examined")
    groups = told_together(reported.verdict.rulings)
    table = Table(tuple(map(say, names)), tuple(_row(alike, say) for alike in groups))
    rows = tuple(_opening_row(alike, say) for alike in groups)
    header = tuple(say(name) for name in names if name != "evidence")
    opening = OpeningTable(header, rows, table)
    return Section(say("section_hypotheses"), (opening,), "hypotheses")


def _opening_row(alike: Sequence[Ruling], say: Say) -> OpeningRow:
    """The row; inside it what was asked and all that was found."""
    name, outcome, reason, evidence, examined = _row(alike, say)
    asked = [say(f"asks_{one.hypothesis}") for one in alike if say.has(f"asks_{one.hypothesis}")]
    found = [say.of(two.code, two.words) for one in alike for two in one.findings[:_MOST_FINDINGS]]
    found = [one for one in dict.fromkeys(found) if one not in reason.text]
    inside: list[Block] = [Paragraph(" ".join(asked))] if asked else []
    inside += [Bullets(tuple(found))] if found else []
    inside += [Facts(((say("evidence"), evidence),))] if evidence.text else []
    return OpeningRow((name, outcome, reason, examined), tuple(inside))


def told_together(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    """Those that only the same limits, or the same gaps, keep from being refuted are one line."""
    groups: dict[object, list[Ruling]] = {}
    for one in rulings:
        alike = one.is_limited or _is_only_hidden(one)
        groups.setdefault(one.missing if alike else one.hypothesis, []).append(one)
    return list(groups.values())


def _is_only_hidden(one: Ruling) -> bool:
    """Whether nothing was found, in what there is to be seen."""
    is_open = one.code == f"{one.hypothesis}_inconclusive" and bool(one.missing)
    return is_open and not one.findings and not one.doubts


def names_of(alike: Sequence[Ruling], say: Say) -> str:
    return ", ".join(say(f"name_{one.hypothesis}") for one in alike)


def tone_of(one: Ruling) -> Tone:
    """What only a limit leaves open is no warning: a clean run reads as clean."""
    return "plain" if one.is_limited else TONES[one.outcome]


def _row(alike: Sequence[Ruling], say: Say) -> tuple[Cell, ...]:
    one = alike[0]
    seqs = [seq for seq in one.evidence if seq >= 1]
    more = f" +{grouped(len(seqs) - _MOST)}" if len(seqs) > _MOST else ""
    return (
        Cell(names_of(alike, say)),
        Cell(one.outcome.value, tone=tone_of(one)),
        Cell(reason_together(alike, say)),
        Cell(", ".join(f"#{seq}" for seq in seqs[:_MOST]) + more),
        Cell(grouped(sum(two.examined for two in alike)), number=True),
    )


def reason_together(alike: Sequence[Ruling], say: Say) -> str:
    one = alike[0]
    if len(alike) > 1 and _is_only_hidden(one) and not one.is_limited:
        return say.of("hidden_together", one.data)
    return reason_of(one, say)


def reason_of(one: Ruling, say: Say) -> str:
    """From code and data; a file's own sentence where there is none."""
    if not say.has(one.code):
        return one.text or one.code
    # Of a wrong program: how it is wrong. No call has a number that would show it.
    findings = one.findings if one.hypothesis == "wrong_binary" else ()
    said = [say.of(two.code, two.words) for two in findings]
    return " ".join([say.of(one.code, one.data), *list(dict.fromkeys(said))[:_MOST_FACTS]])


def coverage(reported: Reported, say: Say) -> Section:
    """How much was seen. No verdict is better than this."""
    seen = reported.verdict.coverage
    rows = (
        (say("calls"), Cell(grouped(seen.calls))),
        (say("d2h_calls"), Cell(grouped(seen.d2h_calls))),
        (say("d2h_audited"), Cell(grouped(seen.d2h_audited))),
        (say("d2h_bytes"), Cell(sized(seen.d2h_bytes))),
        (say("launches"), Cell(grouped(seen.launches))),
        (say("dropped"), Cell(grouped(seen.dropped))),
    )
    sentence = say("coverage_complete" if seen.complete else "coverage_partial")
    blocks: list[Block] = [Paragraph(sentence, "plain" if seen.complete else "odd"), Facts(rows)]
    if seen.gaps:
        blocks.append(Bullets(tuple(gap_sentence(gap, say) for gap in seen.gaps)))
    if seen.approximate:
        blocks.append(Paragraph(approximate_sentence(seen.approximate, say)))
    return Section(say("section_coverage"), tuple(blocks), "coverage")
