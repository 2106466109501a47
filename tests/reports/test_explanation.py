"""The reasoning on one hypothesis, in full."""

from __future__ import annotations

from typing import Any

import pytest

from greta.forensics.order import REMEDIES
from greta.reports import Document
from greta.reports.explanation import explanation_lines
from greta.reports.lang import Language, Say

WORDS = {
    "stream": "0x5e10",
    "other_stream": "default",
    "event_seq": 11,
    "call_seq": 12,
}


def race(remedy: str | None) -> Document:
    names = REMEDIES[remedy] if remedy else ()
    data: dict[str, Any] = {"seq": 14, "other": 13, "remedy": remedy}
    data |= {f"remedy_{name}": WORDS[name] for name in names}
    finding = {"code": "transfer_uses_unfinished", "data": data}
    ruling = {"id": "missing_sync", "verdict": "CONFIRMED", "code": "missing_sync_confirmed"}
    return Document({"hypotheses": [{**ruling, "findings": [finding]}]})


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("remedy", REMEDIES)
def test_a_race_is_told_with_the_synchronization_that_it_lacks(remedy: str, lang: Language) -> None:
    say = Say(lang)
    last = explanation_lines(race(remedy), "missing_sync", say)[-1].text
    assert all(str(WORDS[name]) in last for name in REMEDIES[remedy])
    assert "#14" in last
    assert "remedy" not in last
    assert "?" not in last


def test_a_finding_without_a_remedy_is_told_without() -> None:
    with_one, without = (
        explanation_lines(race(remedy), "missing_sync", Say("en"))
        for remedy in ("record_and_wait", None)
    )
    assert len(without) == len(with_one) - 1
