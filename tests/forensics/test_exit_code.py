"""Whose exit code it was: the run's is that of the process it began with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.attribution import blamed_call, exit_code_of
from greta.trace.evidence import Evidence
from greta.trace.trace import Kind
from tests.facts import run_facts
from tests.forensics.programs import Program

MAIN, CHILD = 10, 20


def process(pid: int, end: str, code: int) -> dict[str, Any]:
    return {"pid": pid, "end": end, "end_code": code}


def of(pid: int, code: int | None, *processes: Any) -> Evidence:
    """A process in which a call that programs try was refused, and no work followed."""
    program = Program()
    program.call(Kind.OTHER, failed=True, result=500)
    run = run_facts(exit={"code": code, "signal": None}, processes=list(processes))
    return Evidence(replace(program.build(), pid=pid), run=run)


@pytest.mark.parametrize("end", ["exit", "quick"])
def test_a_process_has_the_code_that_the_recorder_saw(end: str) -> None:
    both = process(MAIN, end, 3), process(CHILD, end, 0)
    assert [exit_code_of(of(pid, 3, *both)) for pid in (MAIN, CHILD)] == [3, 0]
    turned = process(MAIN, end, 0), process(CHILD, end, 3)
    assert [exit_code_of(of(pid, 0, *turned)) for pid in (MAIN, CHILD)] == [0, 3]


@pytest.mark.parametrize("end", ["open", "signal"])
def test_of_one_process_the_code_is_that_of_the_run(end: str) -> None:
    assert exit_code_of(of(MAIN, 3, process(MAIN, end, 0))) == 3
    assert exit_code_of(of(CHILD, 3)) == 3  # of a run that lists none


def test_of_several_it_is_not_known_whose_the_runs_code_is() -> None:
    both = process(MAIN, "open", 0), process(CHILD, "open", 0)
    assert exit_code_of(of(MAIN, 3, *both)) == 0


@pytest.mark.parametrize("processes", [None, [None], [{"pid": MAIN, "end": "exit"}]])
def test_a_run_json_that_does_not_say_it_says_nothing(processes: Any) -> None:
    evidence = replace(of(MAIN, None), run=run_facts(exit=None, processes=processes))
    assert exit_code_of(evidence) == 0


def test_only_the_process_that_gave_up_is_blamed_for_it() -> None:
    both = process(MAIN, "exit", 3), process(CHILD, "exit", 0)
    assert blamed_call(of(MAIN, 3, *both)) is not None
    assert blamed_call(of(CHILD, 3, *both)) is None
