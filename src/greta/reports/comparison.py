"""Two runs side by side, and the runs before and after a fix, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Final

from greta.forensics.verdict import HYPOTHESES
from greta.lab.cases.history import JudgedRuns, compared_facts
from greta.lab.cases.verification import SideChanges, Verification
from greta.lab.difference import ComparedCall, Difference
from greta.lab.trace_difference import NumberChange, TraceDifference
from greta.reports.blocks import Tone
from greta.reports.case_file import change_sentence, verified_sentence
from greta.reports.lang import Say, figures, grouped, percent
from greta.reports.layout import TitledLine, titled
from greta.reports.reported import Reported
from greta.reports.sentences import call_of, cause_sentence, fact_name, fact_value
from greta.symbols.sites import short_name

_MOST = 8
_MOST_FACTORS = 16


def difference_lines(found: Difference, verdicts: tuple[str, str], say: Say) -> list[TitledLine]:
    """Verdicts first, then what could explain them."""
    same = verdicts[0] == verdicts[1]
    lines = [
        TitledLine(say("outcome"), f"{verdicts[0]} | {verdicts[1]}", "plain" if same else "bad")
    ]
    if found.parting is None:
        lines.append(TitledLine(say("order"), say("diff_same_order", count=found.compared)))
    else:
        seqs = {"seq_a": found.parting.seq_a, "seq_b": found.parting.seq_b}
        calls = {"a": _call(found.parting.a), "b": _call(found.parting.b)}
        sentence = say("diff_parts", count=found.compared, **calls, **seqs)
        lines.append(TitledLine(say("order"), sentence, "odd"))
    for title, counts in (
        ("calls", found.calls),
        ("kernels", found.kernels),
        ("errors", found.failures),
        ("bytes_by_call", found.sizes),
    ):
        texts = [f"{one.name}: {grouped(one.a)} | {grouped(one.b)}" for one in counts]
        lines += _listed(title, texts, _MOST, say)
    slower = [one for one in found.timing if max(one.a, one.b) > 1.5 * max(1.0, min(one.a, one.b))]
    times = [f"{t.name}: {figures(t.a / 1000)} | {figures(t.b / 1000)} us" for t in slower]
    facts = [
        f"{fact_name(name, say)}: {fact_value(a, say) or '-'} | {fact_value(b, say) or '-'}"
        for name, a, b in found.factors
    ]
    lines += _listed("timing", times, _MOST, say)
    lines += _listed("section_environment", facts, _MOST_FACTORS, say)
    return lines


def verdict_difference_lines(one: Reported, two: Reported, say: Say) -> list[TitledLine]:
    """Of what has no recording to compare call by call: logs, audits, summaries."""

    def sides(title: str, texts: tuple[str, str]) -> list[TitledLine]:
        a, b = texts
        shown = a if a == b else f"{a or say('diff_nothing')} | {b or say('diff_nothing')}"
        return [TitledLine(say(title), shown, "plain" if a == b else "bad")] if a or b else []

    both = (one.verdict, two.verdict)
    words = (both[0].word.value, both[1].word.value)
    blamed = [call_of(v.blamed, say) if v.blamed and v.blamed.call else "" for v in both]
    causes = [cause_sentence(v.cause, say) if v.cause else "" for v in both]
    lines = sides("outcome", words)
    lines += sides("diff_blamed", (blamed[0], blamed[1]))
    lines += sides("diff_cause", (causes[0], causes[1]))
    rulings = [{ruling.hypothesis: ruling.outcome.value for ruling in v.rulings} for v in both]
    texts = [
        f"{say(f'name_{name}')}: {rulings[0].get(name, '-')} | {rulings[1].get(name, '-')}"
        for name in HYPOTHESES
        if rulings[0].get(name) != rulings[1].get(name)
    ]
    lines += _listed("section_hypotheses", texts, len(HYPOTHESES), say)
    facts = [dict(compared_facts(side.ran)) for side in (one, two)]
    if not all(facts):  # of a log nobody knows what it ran with
        return lines
    names = sorted(
        name for name in {*facts[0], *facts[1]} if facts[0].get(name) != facts[1].get(name)
    )
    changes = [
        f"{fact_name(name, say)}: {facts[0].get(name) or '-'} | {facts[1].get(name) or '-'}"
        for name in names
    ]
    return [*lines, *_listed("section_environment", changes, _MOST_FACTORS, say)]


def trace_difference_lines(found: TraceDifference, say: Say) -> list[TitledLine]:
    """What is not finite first, then where the numbers part, then how much was compared."""
    lines = []
    if found.first_not_finite:
        lines.append(_change_line("first_not_finite", found.first_not_finite, "bad", say))
    if found.first and found.first != found.first_not_finite:
        lines.append(_change_line("first_difference", found.first, "bad", say))
    elif found.first is None and found.first_byte:
        lines.append(_change_line("first_difference", found.first_byte, "odd", say))
    if found.first is None:
        key = "trace_other_bytes" if found.first_byte else "trace_same"
        lines.append(TitledLine(say("outcome"), say(key), "good"))
    counts = {
        "compared": grouped(found.compared),
        "identical": grouped(found.identical),
        "changed": grouped(found.changed),
    }
    lines.append(TitledLine(say("compared"), say("trace_compared", **counts)))
    if found.only_a or found.only_b:
        missing = say("trace_only_one", a=grouped(found.only_a), b=grouped(found.only_b))
        lines.append(TitledLine("", missing, "odd"))
    return lines


def _change_line(title: str, change: NumberChange, tone: Tone, say: Say) -> TitledLine:
    traced = change.a
    place = say("trace_place" if traced.layer >= 0 else "trace_place_no_layer", **asdict(traced))
    values = " | ".join(_number(getattr(one, change.field)) for one in (change.a, change.b))
    return TitledLine(say(title), f"{traced.name}, {place}: {change.field} {values}", tone)


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)[:12] if isinstance(value, str) else str(value)


def _listed(title: str, texts: Sequence[str], most: int, say: Say) -> Iterator[TitledLine]:
    yield from titled(say(title), texts[:most])
    if len(texts) > most:
        yield TitledLine("", say("more_findings", count=len(texts) - most))


def _call(call: ComparedCall | None) -> str:
    if call is None:
        return "-"
    extent = " x ".join(map(str, call.extent)) if call.size else ""
    parts = [short_name(call.kernel) if call.kernel else call.call, extent, call.result or ""]
    return " ".join(part for part in parts if part)


NOT_BETTER: Final = ("verify_not_better", "verify_now_fails")


def verification_lines(found: Verification, say: Say) -> list[TitledLine]:
    test = found.test
    tone: Tone = "good" if found.proven else "bad" if found.code in NOT_BETTER else "odd"
    lines = [
        TitledLine(say("section_verify"), verified_sentence(found, say), tone),
        TitledLine(say("before"), _counted(found.before, say)),
        TitledLine(say("after"), _counted(found.after, say)),
    ]
    if test is not None:
        lines.append(TitledLine("", say("verify_bound", upper=percent(test.after.upper))))
    return lines


def side_lines(
    sides: SideChanges, foreign: Sequence[tuple[str, str]], case: str, say: Say
) -> list[TitledLine]:
    """What else differs between the two sides: the verdict is about all of it together."""
    lines = [
        TitledLine("", say("verify_other_case", folder=f, other=c, case=case)) for f, c in foreign
    ]
    lines += [
        TitledLine("", say("verify_fix_is", path=one.name, before=one.before, after=one.after))
        for one in sides.fix
    ]
    if sides.others:
        lines.append(TitledLine("", say("verify_also_differs"), "odd"))
        lines += [TitledLine("", change_sentence(one, say), "odd") for one in sides.others]
    titled = [replace(line, title=say("verify_sides")) for line in lines[:1]]
    return [*titled, *lines[1:]]


def _counted(judged: JudgedRuns, say: Say) -> str:
    text = say("case_runs", failures=judged.failures, runs=judged.runs)
    if judged.inconclusive:
        text += f"; {say('case_inconclusive', count=judged.inconclusive)}"
    return text
