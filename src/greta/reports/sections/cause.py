"""The blamed call against the cause: where the error showed, and where it was made."""

from __future__ import annotations

from greta.reports.blocks import Block, Cell, Facts, Paragraph, Section, Table
from greta.reports.document import Document
from greta.reports.lang import Say, grouped, percent, sized
from greta.reports.sentences import call_of, cause_sentence, is_last_call, place_of

Rows = list[tuple[str, Cell]]


def section(document: Document, say: Say) -> Section | None:
    """None if nothing went wrong."""
    blamed, cause = document.part("blamed"), document.part("cause")
    if not (blamed or cause):
        return None
    blocks: list[Block] = []
    elsewhere = blamed.whole("seq", -1) != cause.whole("seq", -2)
    if blamed and cause and elsewhere and not is_last_call(blamed):
        blocks.append(Paragraph(say("blamed_is_not_cause")))
    if cause:
        blocks.append(Paragraph(cause_sentence(cause, say), "bad"))
    else:
        blocks.append(Paragraph(say("no_cause"), "odd"))
    process = _process(cause or blamed, say)
    blocks.append(Facts((*process, *_blamed(blamed, say), *_cause(cause, say))))
    blocks += _alternatives(cause, say)
    return Section(say("section_cause"), tuple(blocks), "cause")


def _process(call: Document, say: Say) -> Rows:
    """Call numbers are of one process; the document names it where there were several."""
    pid = call.whole("pid")
    return [(say("process"), Cell(str(pid)))] if pid else []


def _blamed(blamed: Document, say: Say) -> Rows:
    if not blamed:
        return []
    rows: Rows = []
    if blamed.text("call"):
        title = say("blamed_last" if is_last_call(blamed) else "blamed")
        rows.append((title, Cell(call_of(blamed, say), code=True)))
    title = say("ended_by" if blamed.text("by") == "end" else "error")
    rows.append((title, Cell(blamed.text("error"), code=True)))
    return rows + _where(blamed, say("blamed_where"))


def _cause(cause: Document, say: Say) -> Rows:
    if not cause:
        return []
    rows: Rows = []
    if cause.text("kernel") or cause.text("call"):  # a wrong binary is no call
        rows.append((say("cause"), Cell(call_of(cause, say), code=True)))
    rows.append((say("hypothesis"), Cell(say(f"name_{cause.text('hypothesis')}"))))
    rows += _where(cause, say("cause_where"))
    rows += _buffer(cause.part("buffer"), say)
    rows += _access(cause.part("access"), say)
    confidence = cause.number("confidence")
    if confidence is not None:
        rows.append((say("confidence"), Cell(percent(confidence))))
    return rows


def _where(call: Document, title: str) -> Rows:
    place = place_of(call.part("where"))
    return [(title, Cell(place, code=True))] if place else []


def _buffer(buffer: Document, say: Say) -> Rows:
    if not buffer:
        return []
    name = buffer.text("name")
    what = f"{name + ' ' if name else ''}{buffer.text('address')}, {sized(buffer.whole('bytes'))}"
    rows: Rows = [(say("buffer"), Cell(what, code=True))]
    if "allocated_at" in buffer:
        rows.append((say("allocated_at"), Cell(f"#{buffer.whole('allocated_at')}")))
    if "freed_at" in buffer:
        rows.append((say("freed_at"), Cell(f"#{buffer.whole('freed_at')}")))
    return rows


def _access(access: Document, say: Say) -> Rows:
    if not access:
        return []
    is_page = access.whole("address_bytes") > 1
    title = say("access_page" if is_page else "access")
    rows: Rows = [(title, Cell(access.text("address"), code=True))]
    # Of a kernel whose page is all that is known, the bytes are only what its grid could reach.
    if access.whole("bytes") and not is_page:
        rows.append((say("access_bytes"), Cell(grouped(access.whole("bytes")))))
    past_end = _past_end(access, say)
    if past_end:
        rows.append((say("past_end"), Cell(past_end)))
    return rows


def _past_end(access: Document, say: Say) -> str:
    """One number, or two if only the page is known; nothing if it was not past the end."""
    least, below = access.whole("past_end"), access.whole("past_end_below")
    if below > least + 1:
        return say("past_end_in_page", least=least, below=below)
    return grouped(least) if least else ""


def _alternatives(cause: Document, say: Say) -> list[Block]:
    others = cause.parts("alternatives")
    if not others:
        return []
    rows = tuple(
        (
            Cell(call_of(one, say), code=True),
            Cell(percent(one.number("confidence") or 0.0), number=True),
        )
        for one in others[:8]
    )
    header = (say("suspect"), say("confidence"))
    return [Paragraph(say("alternatives", count=len(others))), Table(header, rows)]
