"""How much was seen. No verdict is better than this."""

from __future__ import annotations

from greta.reports.blocks import Block, Bullets, Cell, Facts, Paragraph, Section
from greta.reports.document import Document
from greta.reports.lang import Say, grouped, sized
from greta.reports.sentences import gap_sentence


def section(document: Document, say: Say) -> Section | None:
    """Always there in what greta writes."""
    coverage = document.part("coverage")
    if not coverage:
        return None
    transfers = coverage.part("d2h")
    rows = (
        (say("calls"), Cell(grouped(coverage.whole("calls")))),
        (say("d2h_calls"), Cell(grouped(transfers.whole("calls")))),
        (say("d2h_audited"), Cell(grouped(transfers.whole("audited")))),
        (say("d2h_bytes"), Cell(sized(transfers.whole("bytes")))),
        (say("launches"), Cell(grouped(coverage.whole("launches")))),
        (say("dropped"), Cell(grouped(coverage.whole("dropped")))),
    )
    complete = coverage.truth("complete")
    sentence = say("coverage_complete" if complete else "coverage_partial")
    blocks: list[Block] = [Paragraph(sentence, "plain" if complete else "odd"), Facts(rows)]
    gaps = [gap_sentence(gap, say) for gap in coverage.parts("gaps")]
    if gaps:
        blocks.append(Bullets(tuple(gaps)))
    return Section(say("section_coverage"), tuple(blocks), "coverage")
