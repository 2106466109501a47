"""Strict placement: every access outside an allocation is the sticky error, and nothing else is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.simdevice.child import answer_of
from tests.simdevice.faults.conftest import STRICT
from tests.simdevice.faults.kernels import ILLEGAL_ADDRESS
from tests.simdevice.faults.staged import (
    GIB,
    Case,
    as_json,
    draw_cases,
    stage_all,
    touch_both_ends,
)
from tests.simdevice.truth import ILLEGAL_ACCESS

CASES = draw_cases()
ENDED_WELL = 0

Outcome = dict[str, Any]

EACH_CASE = pytest.mark.parametrize(
    ("number", "case"),
    list(enumerate(CASES)),
    ids=[f"{number}-{case.name}" for number, case in enumerate(CASES)],
)


@pytest.fixture(scope="module")
def outcomes(strict_code_object: str) -> list[Outcome]:
    staged: list[Outcome] = answer_of(stage_all, strict_code_object, as_json(CASES), **STRICT)
    return staged


@EACH_CASE
def test_a_staged_fault_is_the_sticky_error(
    number: int, case: Case, outcomes: list[Outcome]
) -> None:
    outcome = outcomes[number]
    assert outcome["ended"] == ENDED_WELL, outcome
    assert (outcome["launched"], outcome["code"]) == (0, ILLEGAL_ADDRESS)
    assert outcome["later"] == [ILLEGAL_ADDRESS]


@EACH_CASE
def test_the_device_knows_the_truth_of_a_staged_fault(
    number: int, case: Case, outcomes: list[Outcome]
) -> None:
    outcome = outcomes[number]
    assert outcome["kinds"] == [ILLEGAL_ACCESS]
    assert outcome["kernels"] == [case.kernel]
    assert outcome["writes"] == [bool(case.write)]
    (offset,) = outcome["offsets"]
    assert case.first_bad <= offset <= case.last_bad


def test_all_two_hundred_ended_in_the_sticky_error(outcomes: list[Outcome]) -> None:
    ends = Counter((outcome["ended"], outcome.get("code")) for outcome in outcomes)
    assert ends == {(ENDED_WELL, ILLEGAL_ADDRESS): 200}


def test_the_cases_cover_what_they_should() -> None:
    past = [case for case in CASES if case.kind == "past the end"]
    before = [case for case in CASES if case.kind == "before the start"]
    assert {1, GIB} <= {case.offset + case.width - case.size for case in past}
    assert {1, GIB} <= {-case.offset for case in before}
    assert {case.write for case in CASES} == {0, 1}
    kinds = Counter(case.kind for case in CASES)
    assert min(kinds.values()) >= 10
    assert len({case.kernel for case in CASES}) >= 8
    assert 1 in {case.size for case in CASES}
    assert max(case.size for case in CASES) > 4 << 20


def test_their_twins_within_bounds_do_not_fault(strict_code_object: str) -> None:
    assert answer_of(touch_both_ends, strict_code_object, **STRICT) == []


def test_nor_do_they_in_ordinary_placement(code_object: str) -> None:
    assert answer_of(touch_both_ends, code_object) == []
