"""How reports name the operations that a verdict is about."""

from __future__ import annotations

import pytest

from greta.reports import compose, markdown
from greta.reports.blocks import Facts
from greta.reports.lang import Language, Say
from greta.reports.sections import fault
from tests.reports.documents import reported

TOUCH = {"seq": 279, "call": "greta_host_touch", "hypothesis": "missing_sync", "role": "cause"}


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "access by the host"), ("es", "acceso del host")]
)
def test_what_the_host_did_is_not_told_as_a_call(lang: Language, words: str) -> None:
    verdict = {"verdict": "REPRODUCED", "cause": TOUCH, "around": {"operations": [TOUCH]}}
    page = markdown.render(compose(reported(verdict), lang))
    assert f"`{words}` (#279)" in page
    assert f"`{words}` |" in page
    assert "greta_host_touch" not in page


@pytest.mark.parametrize(("pid", "shown"), [({"pid": 4711}, ["4711"]), ({}, [])])
def test_the_process_is_named_where_there_were_several(
    pid: dict[str, int], shown: list[str]
) -> None:
    verdict = {"verdict": "REPRODUCED", "cause": {**TOUCH, **pid}}
    section = fault.cause(reported(verdict), Say("en"))
    assert section is not None
    facts = next(block for block in section.blocks if isinstance(block, Facts))
    assert [cell.text for title, cell in facts.rows if title == "process"] == shown
