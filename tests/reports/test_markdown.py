"""Markdown reads well as it is, and shows what is there when it is rendered."""

from __future__ import annotations

from typing import Any

import pytest

from greta.reports import compose, html, markdown
from greta.reports.blocks import Bullets, Cell, Facts, Page, Paragraph, Section, Table
from tests.reports.documents import reported, summary


def rendered(*blocks: Any) -> str:
    text = markdown.render(Page("t", "s", "en", (Section("section", blocks),)))
    return text.partition("## section\n\n")[2].rstrip("\n")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_only_a_page_with_pictures_speaks_of_colours_and_lines(lang: Any) -> None:
    words = {
        "en": ("Widths", "to scale", "curve", 'class="key cause"'),
        "es": ("anchos", "a escala", "curva", 'class="key cause"'),
    }
    page = compose(reported(summary()), lang)
    assert [word for word in words[lang] if word in markdown.render(page)] == []
    assert [word for word in words[lang] if word not in html.render(page)] == []


def test_code_in_a_sentence_is_code() -> None:
    assert rendered(Paragraph("Run `greta run --strict`: x_y.")) == "Run `greta run --strict`: x_y."
    page = Page("t", "s", "en", (Section("x", (Paragraph("Run `a < b`."),)),))
    assert "Run <code>a &lt; b</code>." in html.render(page)


def test_a_lone_backtick_is_a_letter() -> None:
    assert rendered(Paragraph("a`b <c>")) == "a\\`b \\<c\\>"


def test_code_with_backticks_stands_between_more_of_them() -> None:
    assert rendered(Facts((("kernel", Cell("a`b", code=True)),))) == "- kernel: ``a`b``"
    assert rendered(Facts((("kernel", Cell("`b", code=True)),))) == "- kernel: `` `b ``"


def test_a_bar_ends_no_cell_and_is_no_more_than_a_bar_elsewhere() -> None:
    cell = Cell("a|b", code=True)
    assert rendered(Table(("x",), ((cell,),))).endswith("| `a\\|b` |")
    assert rendered(Facts((("x", cell),))) == "- x: `a|b`"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("NOT_REPRODUCED", "NOT_REPRODUCED"),
        ("_x_", "\\_x\\_"),
        ("a __b", "a \\_\\_b"),
        ("rope (#13)", "rope (#13)"),
        ("# no title", "\\# no title"),
    ],
)
def test_what_means_nothing_in_its_place_is_left_alone(text: str, shown: str) -> None:
    assert rendered(Paragraph(text)) == shown


def test_the_number_of_a_call_is_no_title() -> None:
    assert rendered(Facts((("freed by call", Cell("#4")),))) == "- freed by call: #4"


def test_the_command_of_a_step_belongs_to_it() -> None:
    steps = Bullets(("Do this.", "Then that."), numbered=True, codes=("greta pin x", ""))
    assert rendered(steps) == "1. Do this.\n\n   ```\n   greta pin x\n   ```\n\n2. Then that."
