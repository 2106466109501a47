"""The picture of the streams around the fault."""

from __future__ import annotations

from greta.reports.blocks import Cell, Figure, Section, Table, Tone
from greta.reports.document import Document
from greta.reports.lang import Say
from greta.reports.pictures.streams import Shown, draw
from greta.reports.sentences import is_last_call, operation_of

_TONES: dict[str, Tone] = {"cause": "bad", "blamed": "odd", "operation": "plain"}


def section(document: Document, say: Say) -> Section | None:
    """None if there was no fault to draw."""
    operations = document.part("around").parts("operations")
    if not operations:
        return None
    shown = [_shown(one, say) for one in operations[:24]]
    svg = draw(shown, say("section_streams"), say("axis_calls"))
    header = (say("seq"), say("stream"), say("operation"), say("result"), say("role"))
    suffix = "_last" if is_last_call(document.part("blamed")) else ""
    table = Table(header, tuple(_row(one, suffix, say) for one in shown))
    caption, legend = say(f"caption_streams{suffix}"), say(f"legend_streams{suffix}")
    figure = Figure(svg, caption, table, legend)
    return Section(say("section_streams"), (figure,), "streams")


def _shown(one: Document, say: Say) -> Shown:
    role = one.text("role")
    return Shown(
        seq=one.whole("seq"),
        name=operation_of(one, say),
        stream=one.text("stream") or say("host"),
        role=role if role in _TONES else "operation",
        result=one.text("result"),
    )


def _row(one: Shown, suffix: str, say: Say) -> tuple[Cell, ...]:
    role = say(f"role_{one.role}{suffix if one.role == 'blamed' else ''}")
    return (
        Cell(str(one.seq), number=True),
        Cell(one.stream, code=True),
        Cell(one.name, code=True),
        Cell(one.result, code=True),
        Cell(role, tone=_TONES[one.role]),
    )
