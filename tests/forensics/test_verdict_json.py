"""A verdict that is read back is the one that was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greta.errors import OutsideError
from greta.forensics.analysis import analyze
from greta.forensics.verdict import Saying, Verdict
from greta.forensics.verdict_json import dump_verdict, load_verdict, read_verdict
from greta.reports import compose, markdown, reported_verdict
from greta.reports.lang import Say
from greta.trace.evidence import DeviceFault
from greta.typed_json import JsonField
from tests.forensics.programs import FAULTED, Pointer, Program

SAY = Say("en").of


def overrun() -> Verdict:
    """A kernel that reaches past its buffer."""
    program = Program()
    x = program.allocate(4096)
    program.kernel("rope", Pointer(x[:], reach=8192))
    program.wait_device(**FAULTED)
    fault = DeviceFault("clr", x.address + 4096, exact=True, kernel="rope")
    return analyze([program.evidence(fault)])


def clean() -> Verdict:
    program = Program()
    program.allocate(64)
    return analyze([program.evidence()])


@pytest.mark.parametrize("verdict", [overrun(), clean()], ids=["a fault", "none"])
def test_what_is_read_is_what_was_written(verdict: Verdict, tmp_path: Path) -> None:
    path = tmp_path / "verdict.json"
    path.write_text(json.dumps(dump_verdict(verdict, SAY)))
    read = read_verdict(path)
    assert dump_verdict(read, SAY) == dump_verdict(verdict, SAY)
    fresh, again = (compose(reported_verdict(one), "es") for one in (verdict, read))
    assert markdown.render(fresh) == markdown.render(again)
    assert (read.cause, read.blamed, read.around) == (verdict.cause, verdict.blamed, verdict.around)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"verdict": "MAYBE"}, "verdict is not one of REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE"),
        ({"cause": 3}, "cause is not an object"),
        ({"cause": {"seq": "7"}}, "cause.seq is not a whole number"),
        ({"blamed": {"where": {"file": 1}}}, "blamed.where.file is not a text"),
        ({"coverage": {"d2h": {"calls": 1.5}}}, "coverage.d2h_calls is not a whole number"),
        ({"hypotheses": [{"verdict": "x"}]}, r"hypotheses\[0\].verdict is not one of CONFIRMED"),
        ({"next_steps": "look"}, "next_steps is not a list"),
    ],
)
def test_a_field_of_another_type_is_refused_by_its_name(change: dict[str, Any], field: str) -> None:
    data = {**dump_verdict(overrun(), SAY), **change}
    with pytest.raises(OutsideError, match=f"v.json: the field {field}"):
        load_verdict(data, JsonField(Path("v.json")))


def test_fields_that_nobody_knows_are_passed_over() -> None:
    data = dump_verdict(overrun(), SAY)
    more = {**data, "limits": ["x"], "cause": {**data["cause"], "mood": {"now": "good"}}}
    assert load_verdict(more, JsonField(Path("v.json"))) == load_verdict(
        data, JsonField(Path("v.json"))
    )


def test_a_file_without_codes_keeps_its_sentences() -> None:
    data = {"verdict": "REPRODUCED", "reason": "It broke.", "next_steps": ["Look at rope."]}
    read = load_verdict(data, JsonField(Path("v.json")))
    assert read.next_steps == (Saying("", text="Look at rope."),)
    assert "Look at rope." in markdown.render(compose(reported_verdict(read), "es"))
