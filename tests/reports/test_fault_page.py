"""Of a fault whose page is all that is known, no format claims to know the byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict_json import dump_verdict
from greta.reports import compose, html, markdown
from greta.reports.lang import Language, Say
from greta.reports.terminal import verdict_lines
from greta.trace.evidence import DeviceFault
from tests.forensics.programs import FAULTED, Pointer, Program
from tests.reports.documents import reported

PAGE = 4096


def overrun(*, exact: bool, lang: Language = "en") -> dict[str, Any]:
    """The verdict on a kernel that reaches what comes right after a buffer of one page."""
    program = Program()
    x = program.allocate(PAGE)
    program.kernel("rope", Pointer(x[:], reach=2 * PAGE))
    program.wait_device(**FAULTED)
    fault = DeviceFault("clr", x.address + PAGE, exact=exact, kernel="rope")
    report = dump_verdict(analyze([program.evidence(fault)]), Say(lang).of)
    read: dict[str, Any] = json.loads(json.dumps(report))
    return read


def texts(report: dict[str, Any], lang: Language) -> list[str]:
    """What the terminal, Markdown and HTML say."""
    document = reported(report)
    page = compose(document, lang)
    lines = verdict_lines(document, Say(lang))
    return [
        "\n".join(f"{line.title} {line.text}" for line in lines),
        markdown.render(page).replace("\\", ""),
        html.render(page),
    ]


def test_the_json_has_both_ends_of_the_distance() -> None:
    access = overrun(exact=False)["cause"]["access"]
    assert (access["past_end"], access["past_end_below"]) == (0, PAGE)
    assert access["address_bytes"] == PAGE


def test_the_json_has_one_distance_where_the_byte_is_known() -> None:
    access = overrun(exact=True)["cause"]["access"]
    assert (access["past_end"], access["past_end_below"], access["address_bytes"]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("lang", "sentence", "fact"),
    [
        ("en", "at least 0 and fewer than 4096 bytes past", "0 to 4096 B past the end"),
        ("es", "al menos 0 y a menos de 4096 bytes de él", "de 0 a 4096 B más allá del final"),
    ],
)
def test_every_format_says_from_where_to_where(lang: Language, sentence: str, fact: str) -> None:
    report = overrun(exact=False, lang=lang)
    for text in texts(report, lang):
        assert sentence in text
        assert fact in text
        assert ", 0 bytes" not in text


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_known_byte_is_no_page(lang: Language) -> None:
    for text in texts(overrun(exact=True, lang=lang), lang):
        assert Say(lang)("access_page") not in text
