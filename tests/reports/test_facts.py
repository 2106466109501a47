"""Facts of a run have names in every language."""

from __future__ import annotations

import pytest

from greta.reports import compose, markdown
from greta.reports.lang import Say
from greta.reports.sentences import fact_name, fact_value
from tests.reports.documents import reported, summary


@pytest.mark.parametrize(
    ("name", "english", "spanish"),
    [
        ("arguments", "arguments", "argumentos"),
        (
            "variable HIP_VISIBLE_DEVICES",
            "variable HIP_VISIBLE_DEVICES",
            "variable HIP_VISIBLE_DEVICES",
        ),
        ("environment.variables.A.B", "variable A.B", "variable A.B"),
        ("variables.A", "variable A", "variable A"),
        ("library libc.so.6", "library libc.so.6", "biblioteca libc.so.6"),
        ("environment.host", "machine", "máquina"),
        ("model.name", "model, name", "modelo, nombre"),
        ("half of the audit", "half of the audit", "mitad de la auditoría"),
        ("no such fact", "no such fact", "no such fact"),
    ],
)
def test_a_name_in_words(name: str, english: str, spanish: str) -> None:
    assert (fact_name(name, Say("en")), fact_name(name, Say("es"))) == (english, spanish)


def test_values_are_data_but_for_a_few() -> None:
    assert [fact_value(one, Say("es")) for one in ("first", "First St.", "sim")] == [
        "primera",
        "First St.",
        "sim",
    ]


def test_what_says_nothing_new_is_left_out() -> None:
    same = {"path": "/m", "argument": "/m", "sha256": "ab", "hash": "ab", "hash_method": "sha256"}
    other = {**same, "argument": "m", "hash": "cd"}
    texts = [markdown.render(compose(reported(summary(model=one)), "en")) for one in (same, other)]
    assert ["as it was named" in text for text in texts] == [False, True]
    assert ["kind of hash" in text for text in texts] == [False, True]


def test_the_runtime_has_its_version() -> None:
    page = compose(reported(summary(environment={"hip_runtime": 71526333})), "en")
    assert "HIP runtime: `7.15.26333`" in markdown.render(page)
