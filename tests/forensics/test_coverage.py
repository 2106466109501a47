from __future__ import annotations

from dataclasses import replace

from greta.forensics.analysis import coverage_of
from greta.forensics.case import Case
from greta.trace.trace import Gap, Kind, Memory, Space
from tests.forensics.programs import FAILED, HOST, Program, nowhere
from tests.forensics.tracing import NULL_STREAM


def test_copies_to_the_host_are_counted_with_their_bytes() -> None:
    program = Program()
    x, pinned = program.allocate(1024), program.allocate(1024, Memory.PINNED)
    program.d2h(x[:100])
    program.h2d(x[:])
    program.copied(pinned[:50], Space.UNKNOWN, x[:50], Space.UNKNOWN)
    program.copied(replace(HOST, bytes=7), Space.UNKNOWN, x[:7], Space.UNKNOWN)
    program.copied(x[:9], Space.UNKNOWN, pinned[:9], Space.UNKNOWN)
    program.wait_device()
    coverage = coverage_of([Case(program.evidence())])
    assert (coverage.d2h_calls, coverage.d2h_bytes, coverage.d2h_audited) == (3, 157, 3)


def test_of_a_rectangle_its_rows_count() -> None:
    program = Program()
    image = program.allocate(1024)
    part = image.rectangle(0, width=100, pitch=256, rows=3)
    program.d2h(part, replace(HOST, bytes=part.bytes, pitch=256, width=100))
    assert coverage_of([Case(program.evidence())]).d2h_bytes == 300


def test_a_copy_from_memory_that_nobody_knows_is_not_audited() -> None:
    program = Program()
    program.d2h(nowhere(0x5555_0000))
    coverage = coverage_of([Case(program.evidence())])
    assert (coverage.d2h_calls, coverage.d2h_audited) == (1, 0)


def test_a_copy_for_which_nobody_waited_is_not_audited() -> None:
    program = Program()
    x, pinned = program.allocate(64), program.allocate(64, Memory.PINNED)
    program.copied(pinned[:], Space.HOST, x[:], Space.DEVICE)
    assert coverage_of([Case(program.evidence())]).d2h_audited == 0
    program.wait_device()
    assert coverage_of([Case(program.evidence())]).d2h_audited == 1


def test_a_callback_may_have_told_the_host_that_a_copy_is_over() -> None:
    program = Program()
    x, pinned = program.allocate(64), program.allocate(64, Memory.PINNED)
    program.copied(pinned[:], Space.HOST, x[:], Space.DEVICE)
    program.call(Kind.HOST_FUNCTION, stream=NULL_STREAM)
    assert coverage_of([Case(program.evidence())]).d2h_audited == 1


def test_a_refused_copy_moves_nothing() -> None:
    program = Program()
    program.d2h(program.allocate(64)[:], **FAILED)
    coverage = coverage_of([Case(program.evidence())])
    assert (coverage.d2h_calls, coverage.d2h_bytes, coverage.d2h_audited) == (1, 0, 1)


def test_a_captured_copy_did_not_run() -> None:
    program = Program()
    program.d2h(program.allocate(64)[:], captured=True)
    assert coverage_of([Case(program.evidence())]).d2h_calls == 0


def test_complete_means_without_gaps_in_any_process() -> None:
    whole, cut = Program(), Program()
    cut.gaps[Gap.CUT_SHORT] = "killed"
    assert coverage_of([Case(whole.evidence())]).complete
    coverage = coverage_of([Case(whole.evidence()), Case(cut.evidence())])
    assert (coverage.complete, coverage.gaps) == (False, (("CUT_SHORT", "killed"),))


def test_nothing_at_all_is_not_complete() -> None:
    assert not coverage_of([]).complete
