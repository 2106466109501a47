"""Reports carry the same facts in every language and format, and trust nothing they are given."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.errors import OutsideError
from greta.forensics.verdict import Outcome, VerdictWord
from greta.lab.summary_json import SummaryError
from greta.reports import compose, html, markdown, read_reported
from tests.reports.documents import reported, summary

CODE = re.compile(r"```.*?\n```+|(?<![\\`])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", re.DOTALL)
"""Of Markdown: blocks, and spans between as many backticks on either side."""
NUMBER = re.compile(r"0x[0-9a-f]+|\d+(?:[.\u202f]\d+)*")


def numbers(text: str) -> list[str]:
    return sorted(NUMBER.findall(unescape(text)))


class Text(HTMLParser):
    """What a reader sees, and which tags there are."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._hidden += tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.seen.append(data)


def read_html(text: str) -> Text:
    reader = Text()
    reader.feed(text)
    return reader


@pytest.mark.parametrize("render", [markdown.render, html.render])
def test_spanish_and_english_carry_the_same_numbers_and_codes(render: Any) -> None:
    english, spanish = (render(compose(reported(summary()), lang)) for lang in ("en", "es"))
    assert numbers(english) == numbers(spanish)
    codes = re.compile(r"\b(?:[A-Z]+_)*(?:REPRODUCED|CONFIRMED|REFUTED|PASS|FAIL)\b|hip[A-Z]\w+")
    assert sorted(codes.findall(english)) == sorted(codes.findall(spanish))


@pytest.mark.parametrize("lang", ["en", "es"])
def test_both_formats_show_what_the_summary_says(lang: Any) -> None:
    page = compose(reported(summary()), lang)
    web = " ".join(read_html(html.render(page)).seen)
    for text in (markdown.render(page).replace("\\", ""), web):
        for fact in ("REPRODUCED", "rope", "positions", "hipMemcpyAsync", "4713", "4711", "0x7ed0"):
            assert fact in text
        assert "3" in text
        assert "123\u202f456" in text


def test_a_clean_audit_shows_its_bound_and_no_cause() -> None:
    statistics = {
        "runs": 200,
        "failures": 0,
        "failure_rate_upper_95": 0.01487,
        "runs_needed_for": {"0.001": 2995},
    }
    clean = summary(
        verdict="NOT_REPRODUCED", cause=None, blamed=None, around={}, statistics=statistics
    )
    text = markdown.render(compose(reported(clean), "en"))
    assert "at most 1.49\u202f%" in text
    assert "2995" in text
    assert "rope" not in text.replace("Look at rope", "")


def test_the_page_needs_nothing_from_outside() -> None:
    page = html.render(compose(reported(summary()), "es"))
    reader = read_html(page)
    assert set(reader.tags).isdisjoint({"link", "img", "iframe", "object"})
    assert not [value for name, value in reader.attributes if name in ("src", "onload")]
    links = [str(value) for name, value in reader.attributes if name == "href"]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "url(" not in page
    assert not re.search(r"fetch\(|XMLHttp|import\(|https?://(?!www\.w3\.org/2000/svg)", page)
    assert 'lang="es"' in page


WORDS = {*VerdictWord, *Outcome, "PASS", "FAIL"}


def poisoned(value: Any) -> Any:
    """The same document with text that would break out of HTML and Markdown."""
    if value in WORDS if isinstance(value, str) else False:  # a file with others is refused
        return value
    if isinstance(value, dict):
        return {key: poisoned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner) for inner in value]
    return f"{value}<script>alert(1)</script>|\x1b[31m`" if isinstance(value, str) else value


def test_text_from_outside_cannot_become_markup() -> None:
    page = compose(reported(poisoned(summary())), "en")
    ours = read_html(html.render(compose(reported(summary()), "en"))).tags.count("script")
    assert read_html(html.render(page)).tags.count("script") == ours == 2
    text = markdown.render(page)
    assert "\x1b" not in text
    assert "<script" not in CODE.sub("", text).replace("\\<", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_document_breaks_a_report(data: st.DataObject) -> None:
    document = summary()
    for _ in range(data.draw(st.integers(1, 4))):
        place: Any = document
        while isinstance(place, dict) and place:
            key = data.draw(st.sampled_from(sorted(place)))
            if data.draw(st.booleans()) or not isinstance(place[key], (dict, list)):
                place[key] = data.draw(JSON)
                break
            place = place[key] if isinstance(place[key], dict) else next(iter(place[key]), None)
    try:
        found = reported(document)
    except OutsideError as error:
        assert "the field" in str(error)  # noqa: PT017  either is right
        return
    page = compose(found, data.draw(st.sampled_from(["en", "es"])))
    assert markdown.render(page)
    assert html.render(page)


@pytest.mark.parametrize("text", ["", "[", "[]", "{}", '{"schema": 2, "verdict": "x"}'])
def test_what_is_no_summary_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "summary.json"
    path.write_text(text)
    with pytest.raises(SummaryError, match=re.escape(str(path))):
        read_reported(path)


def test_a_summary_is_read(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    path.write_text(json.dumps(summary()))
    assert read_reported(path).summary.case == "logits"


def test_a_cause_that_is_no_call_has_no_call() -> None:
    cause = {"hypothesis": "wrong_binary", "seq": 0, "call": None, "kernel": None}
    text = markdown.render(compose(reported(summary(cause=cause)), "en"))
    assert "caused by" not in text
    assert "#0" not in text


def test_of_a_page_nobody_says_how_many_bytes_were_accessed() -> None:
    cause = summary()["cause"]
    for address_bytes, said in ((1, True), (4096, False)):
        access = {"address": "0x7000", "address_bytes": address_bytes, "bytes": 777}
        text = markdown.render(compose(reported(summary(cause={**cause, "access": access})), "en"))
        assert (", 777 bytes" in text) is said


@pytest.mark.parametrize(
    ("kind", "said"), [("sim", "was simulated, no GPU"), ("hip", "was a real GPU"), ("", "")]
)
def test_the_summary_names_the_device(kind: str, said: str) -> None:
    text = markdown.render(compose(reported(summary(device={"kind": kind})), "en"))
    assert (said in text) if said else ("The device was" not in text)


def test_the_matrix_has_a_total() -> None:
    text = markdown.render(compose(reported(summary()), "en"))
    assert "| Σ | total | 200 | 3 | FAIL | - |" in text
    one = summary(tests=summary()["tests"][:1])
    assert "Σ" not in markdown.render(compose(reported(one), "en"))
