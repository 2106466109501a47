from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.case import Case
from greta.forensics.checks import hang
from greta.forensics.verdict import Outcome, Ruling, VerdictWord
from greta.trace.evidence import Evidence
from greta.trace.trace import Gap, Kind
from tests.forensics.programs import Program

SECOND = 1_000_000_000


def waiting(program: Program, stream: int, ended: int | None, number: int | None) -> Evidence:
    begin = 10 * len(program.operations)
    program.call(Kind.WAIT_STREAM, stream=stream, finished=False, begin=begin, end=0)
    return Evidence(replace(program.build(), ended=ended, signal=number))


def ruled(evidence: Evidence) -> Ruling:
    return hang.examine(Case(evidence))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_wait_and_what_it_is_for_are_named(number: int) -> None:
    program = Program()
    one, two = program.stream(), program.stream()
    done, buffer = program.kernel("before", stream=one), program.allocate(64)
    program.wait_stream(one)
    program.kernel("elsewhere", buffer, stream=two)
    stuck = program.kernel("spin", buffer, stream=one)
    program.kernel("behind", buffer, stream=one)
    evidence = waiting(program, one, 3 * SECOND, number)
    finding = ruled(evidence).findings[0]
    assert (finding.code, finding.other) == ("wait_for_without_end", stuck + 1)
    assert (finding.data["awaited"], finding.data["seconds"]) == ("spin", "3.0")
    assert finding.strength == 1
    assert done + 1 != finding.other


def test_the_wait_is_blamed() -> None:
    program = Program()
    stream = program.stream()
    program.kernel("spin", stream=stream)
    report = analyze([waiting(program, stream, 2 * SECOND, signal.SIGTERM)])
    assert report.word is VerdictWord.REPRODUCED
    assert report.blamed is not None
    assert report.cause is not None
    assert (report.blamed.seq, report.cause.hypothesis) == (3, "hang")
    assert report.cause.confidence == 0.6


@pytest.mark.parametrize(
    ("ended", "number"),
    [
        (SECOND // 2, signal.SIGTERM),  # it had hardly begun
        (3 * SECOND, signal.SIGSEGV),
        (None, None),  # killed, and nobody knows when
    ],
)
def test_a_wait_that_may_have_ended_is_open(ended: int | None, number: int | None) -> None:
    program = Program()
    stream = program.stream()
    program.kernel("spin", stream=stream)
    ruling = ruled(waiting(program, stream, ended, number))
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("ended_while_waiting",))


def test_a_wait_as_long_as_others_is_open() -> None:
    program = Program()
    stream = program.stream()
    program.call(Kind.WAIT_STREAM, stream=stream, begin=10, end=SECOND)
    assert ruled(waiting(program, stream, 3 * SECOND, signal.SIGINT)).outcome is (
        Outcome.INCONCLUSIVE
    )


def test_waits_that_ended_are_in_order() -> None:
    program = Program()
    program.wait_stream(program.stream())
    assert ruled(program.evidence()).outcome is Outcome.REFUTED


def test_of_a_process_that_was_killed_the_last_calls_are_not_known() -> None:
    program = Program()
    program.gaps[Gap.CUT_SHORT] = "it was killed, or is still running"
    program.wait_stream(program.stream())
    assert ruled(program.evidence()).outcome is Outcome.INCONCLUSIVE
