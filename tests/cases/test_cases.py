"""Programs with one fault, and the same programs without it: what is said of them is true.

Each folder beside this file holds the programs of one hypothesis and truths.py, which says what is
so; see truth.py. To look at one by hand, with this folder's root in PYTHONPATH:

    greta run --device sim --out r -- python tests/cases/missing_sync/event_waited_first.py
    greta analyze r
"""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path

import pytest

from greta.forensics.verdict import HYPOTHESES
from tests.cases.conftest import Runs
from tests.cases.judging import disagreements, recorded_calls
from tests.cases.truth import Case

HERE = Path(__file__).parent
SUFFIXES = {".py", ".c", ".cpp"}
OTHERS = {"truths.py", "scenarios.py"}


def cases_of(hypothesis: str) -> list[Case]:
    cases: list[Case] = importlib.import_module(f"tests.cases.{hypothesis}.truths").CASES
    return cases


CASES = [case for hypothesis in HYPOTHESES for case in cases_of(hypothesis)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_verdict_is_true(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    found = disagreements(case, run.verdict, recorded_calls(run.folder))
    assert not found, "\n".join([str(run.folder), *found])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_exit_code_says_it(case: Case, runs: Runs) -> None:
    assert runs[case.name].result().exit_code == (1 if case.fires else 0)


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_every_hypothesis_has_programs_of_both_kinds(hypothesis: str) -> None:
    kinds = Counter(case.fires for case in cases_of(hypothesis))
    assert kinds[True] >= 6
    assert kinds[False] >= 6


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_the_truth_of_every_program_is_told(hypothesis: str) -> None:
    there = {p.name for p in (HERE / hypothesis).iterdir() if p.suffix in SUFFIXES} - OTHERS
    assert there == {case.program for case in cases_of(hypothesis)}
