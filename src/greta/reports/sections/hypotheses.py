"""What each hypothesis came to, and on what evidence."""

from __future__ import annotations

from greta.reports.blocks import Cell, Section, Table, Tone
from greta.reports.document import Document
from greta.reports.lang import Say, grouped

TONES: dict[str, Tone] = {"CONFIRMED": "bad", "REFUTED": "good", "INCONCLUSIVE": "odd"}
_MOST = 6
_MOST_FACTS = 3


def section(document: Document, say: Say) -> Section | None:
    """All nine, in the order of the document."""
    hypotheses = document.parts("hypotheses")
    if not hypotheses:
        return None
    header = tuple(
        say(name) for name in ("hypothesis", "outcome", "reason", "evidence", "examined")
    )
    rows = tuple(_row(one, say) for one in hypotheses)
    return Section(say("section_hypotheses"), (Table(header, rows),), "hypotheses")


def _row(one: Document, say: Say) -> tuple[Cell, ...]:
    verdict = one.text("verdict")
    return (
        Cell(say(f"name_{one.text('id')}")),
        Cell(verdict, tone=TONES.get(verdict, "plain")),
        Cell(reason_of(one, say)),
        Cell(_evidence(one)),
        Cell(grouped(one.whole("examined")), number=True),
    )


def reason_of(one: Document, say: Say) -> str:
    """From code and data; the document's own sentence where there is none."""
    code = one.text("code")
    if not say.has(code):
        return one.text("reason") or code
    reason = say(code, **dict(one.part("data").items()))
    return " ".join([reason, *_contradictions(one, say)])


def _contradictions(one: Document, say: Say) -> list[str]:
    """Of a wrong program: how it is wrong. No call has a number that would show it."""
    findings = one.parts("findings") if one.text("id") == "wrong_binary" else []
    said = [say(two.text("code"), **dict(two.part("data").items())) for two in findings]
    return list(dict.fromkeys(said))[:_MOST_FACTS]


def _evidence(one: Document) -> str:
    seqs = [int(number) for number in one.numbers("evidence") if number >= 1]
    more = f" +{grouped(len(seqs) - _MOST)}" if len(seqs) > _MOST else ""
    return ", ".join(f"#{seq}" for seq in seqs[:_MOST]) + more
