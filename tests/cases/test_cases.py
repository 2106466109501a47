"""Programs with one fault, and the same programs without it: what is said of them is true.

Each folder beside this file holds the programs of one hypothesis or rule and truths.py, which says
what is so; see truth.py. `make cases` prints all of them in two tables. To look at one by hand,
with this folder's root in PYTHONPATH:

    greta run --device sim --out r -- python tests/cases/missing_sync/event_waited_first.py
    greta analyze r
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from greta.forensics.verdict import HYPOTHESES
from tests.cases.conftest import Runs
from tests.cases.folders import CLEAN, FOLDERS, RULES, all_cases, cases_of
from tests.cases.judging import disagreements, recorded_calls
from tests.cases.truth import NOT_BUILT, Case

HERE = Path(__file__).parent
SUFFIXES = {".py", ".c", ".cpp", ".log"}
OTHERS = {"truths.py", "scenarios.py"}
EXIT_CODES = {"REPRODUCED": 1, "NOT_REPRODUCED": 0, "INCONCLUSIVE": 3, "REFUSED": 2}

CASES = all_cases()


def parameters() -> Iterator[Any]:
    """A case that waits for a rule must be wrong until the rule is there."""
    for case in CASES:
        waits = pytest.mark.xfail(strict=True, reason=case.needs)
        yield pytest.param(case, id=case.name, marks=[waits] if case.needs else [])


@pytest.mark.parametrize("case", list(parameters()))
def test_the_verdict_is_true(case: Case, runs: Runs) -> None:
    run = runs[case.name].result()
    found = disagreements(case, run.verdict, recorded_calls(run.folder))
    assert not found, "\n".join([str(run.folder), *found])
    assert run.exit_code == EXIT_CODES[case.expected_verdict]


def test_names_are_unique() -> None:
    assert not [name for name, count in Counter(c.name for c in CASES).items() if count > 1]


def test_what_a_case_waits_for_is_a_rule() -> None:
    assert {case.needs for case in CASES} - {""} <= set(NOT_BUILT)


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_every_hypothesis_has_programs_of_both_kinds(hypothesis: str) -> None:
    kinds = Counter(case.fires for case in cases_of(hypothesis))
    assert kinds[True] >= 6
    assert kinds[False] >= 6


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_programs_of_both_kinds(rule: str) -> None:
    kinds = Counter(case.is_faulty for case in cases_of(rule))
    assert kinds[True]
    assert kinds[False]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_truth_of_every_program_is_told(folder: str) -> None:
    there = {p.name for p in (HERE / folder).iterdir() if p.suffix in SUFFIXES} - OTHERS
    told = {case.program for case in cases_of(folder)}
    assert told <= there
    named = {p for p in there for case in cases_of(folder) if f"{{{Path(p).stem}}}" in case.command}
    assert there == told | named


def test_clean_programs_are_clean() -> None:
    cases = cases_of(CLEAN)
    assert len(cases) >= 30
    assert not any(case.is_faulty for case in cases)
