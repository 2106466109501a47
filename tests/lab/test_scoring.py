"""A verdict against the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.verdict import HYPOTHESES
from greta.lab.drilling import Score, score
from greta.lab.drills.catalog import StagedBuffer, StagedFault
from greta.lab.judge import Judgement
from tests.lab.typed import verdict_from

TRUTH = StagedFault("hipMemcpyAsync", iteration=0, buffer=StagedBuffer("0x1000", 64))
SEQ = 12


def verdict(*confirmed: str, **cause: Any) -> Judgement:
    hypotheses = [
        {"id": id_, "verdict": "CONFIRMED" if id_ in confirmed else "REFUTED"} for id_ in HYPOTHESES
    ]
    usual: dict[str, Any] = {
        "hypothesis": "use_after_free",
        "call": "hipMemcpyAsync",
        "kernel": None,
        "seq": SEQ,
        "confidence": 0.9,
        "buffer": {"address": "0x1000", "bytes": 64, "name": None},
        "alternatives": [],
    }
    written = {"hypotheses": hypotheses, "cause": {**usual, **cause}}
    return Judgement("run", verdict_from(written))


def scored(judgement: Judgement, truth: StagedFault = TRUTH) -> Score:
    return score("use_after_free", [truth], judgement, lambda _: SEQ)


def test_all_right() -> None:
    found = scored(verdict("use_after_free"))
    assert found.passed
    assert found.operation_exact


@pytest.mark.parametrize(
    ("judgement", "wrong"),
    [
        (verdict(hypothesis="bad_pointer"), {"detected", "class_correct"}),
        (verdict("use_after_free", "bad_pointer"), {"class_correct"}),
        (verdict("use_after_free", hypothesis="bad_pointer"), {"class_correct"}),
        (
            verdict("use_after_free", call="hipMemcpy"),
            {"operation_correct", "buffer_correct", "operation_exact"},
        ),
        (
            verdict("use_after_free", seq=SEQ + 1),
            {"operation_correct", "buffer_correct", "operation_exact"},
        ),
        (verdict("use_after_free", buffer=None), {"buffer_correct"}),
        (verdict("use_after_free", buffer={"address": "0x1000", "bytes": 8}), {"buffer_correct"}),
    ],
)
def test_what_is_wrong_is_said(judgement: Judgement, wrong: set[str]) -> None:
    found = scored(judgement)
    assert {name for name, right in vars(found).items() if not right} == wrong
    assert not found.passed


def test_one_of_launches_that_are_as_likely_will_do_but_is_not_exact() -> None:
    like = {"seq": SEQ, "call": "hipMemcpyAsync", "kernel": None, "confidence": 0.9}
    found = scored(verdict("use_after_free", seq=SEQ - 3, alternatives=[like]))
    assert found.passed
    assert not found.operation_exact
    unlike = {**like, "confidence": 0.1}
    assert not scored(verdict("use_after_free", seq=SEQ - 3, alternatives=[unlike])).passed


def test_where_there_is_no_buffer_none_must_be_named() -> None:
    truth = replace(TRUTH, buffer=None)
    assert not scored(verdict("use_after_free"), truth).buffer_correct
    assert scored(verdict("use_after_free", buffer=None), truth).buffer_correct


def test_a_fault_that_was_not_committed_scores_nothing() -> None:
    assert not any(
        score("use_after_free", [], verdict("use_after_free"), lambda _: SEQ).__dict__.values()
    )
