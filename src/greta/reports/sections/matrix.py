"""The table of tests."""

from __future__ import annotations

from collections import Counter

from greta.reports.blocks import Block, Cell, Paragraph, Section, Table
from greta.reports.document import Document
from greta.reports.lang import Say, figures, grouped


def section(document: Document, say: Say) -> Section | None:
    """None for a single run."""
    tests = document.parts("tests")
    if not tests:
        return None
    header = tuple(
        say(name)
        for name in ("test", "mode", "iterations", "errors", "result", "tokens_per_second")
    )
    blocks: list[Block] = [Table(header, tuple(_row(test, say) for test in tests))]
    blocks += [Paragraph(sentence) for sentence in _failures(document, say)]
    blocks += [Paragraph(sentence) for sentence in _outputs(document, say)]
    if say.has(code := document.text("profile_evidence")):
        blocks.append(Paragraph(say(code)))
    return Section(say("section_matrix"), tuple(blocks), "matrix")


def _failures(document: Document, say: Say) -> list[str]:
    """How many iterations failed in which way; one may have failed in several."""
    codes = Counter(code for one in document.parts("iterations") for code in one.texts("problems"))
    if not codes:
        return []
    counts = ", ".join(f"{_named(code, say)}: {count}" for code, count in codes.most_common())
    return [say("failed_by", counts=counts)]


def _outputs(document: Document, say: Say) -> list[str]:
    """That runs which passed printed different things; no news to who said what to expect."""
    outputs, asked = document.part("outputs"), document.part("rerun").part("options")
    if not outputs or "expect_output" in asked:
        return []
    return [say("outputs_differ", kinds=outputs.whole("kinds"), runs=outputs.whole("runs"))]


def _named(code: str, say: Say) -> str:
    names = (f"problem_{code}", f"name_{code}")
    return next((say(name) for name in names if say.has(name)), code)


def _row(test: Document, say: Say) -> tuple[Cell, ...]:
    result, speed = test.text("result"), test.number("tokens_per_second")
    asked, done = test.whole("iterations"), test.whole("completed", test.whole("iterations"))
    return (
        Cell(test.text("id")),
        Cell(_mode(test, say)),
        Cell(
            grouped(asked) if done == asked else f"{grouped(done)} / {grouped(asked)}", number=True
        ),
        Cell(grouped(test.whole("errors")), number=True),
        Cell(result, tone="good" if result == "PASS" else "bad" if result == "FAIL" else "odd"),
        Cell(figures(speed) if speed is not None else "-", number=True),
    )


def _mode(test: Document, say: Say) -> str:
    mode = test.text("mode")
    name = say(f"mode_{mode}") if say.has(f"mode_{mode}") else mode
    profile = test.text("profile")
    return f"{name}, {profile}" if profile not in ("", "none") else name
