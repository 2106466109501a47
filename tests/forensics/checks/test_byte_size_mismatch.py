from __future__ import annotations

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import byte_size_mismatch
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.trace import Gap, Memory
from tests.forensics.programs import FAILED, FAULTED, Program, past
from tests.forensics.tracing import NULL_STREAM, Part


def ruled(program: Program) -> Ruling:
    return byte_size_mismatch.examine(Case(program.evidence()))


def test_a_copy_that_reads_past_the_end_is_found_with_how_far() -> None:
    program = Program()
    logits = program.allocate(1000)
    copy = program.d2h(past(logits, 24), **FAILED)
    ruling = ruled(program)
    assert ruling.outcome is Outcome.CONFIRMED
    finding = ruling.findings[0]
    assert (finding.code, finding.seq, finding.allocation) == ("transfer_past_end", copy + 1, 0)
    assert (finding.data["left"], finding.data["past_end"]) == (1000, 24)
    assert (finding.data["side"], finding.data["refused"]) == ("source", "yes")


def test_the_copy_that_ends_at_the_end_is_not() -> None:
    program = Program()
    logits = program.allocate(1000)
    program.d2h(logits[:])
    assert ruled(program).outcome is Outcome.REFUTED


def test_the_pinned_destination_counts_as_well() -> None:
    program = Program()
    logits, staging = program.allocate(4096), program.allocate(1024, Memory.PINNED)
    program.d2h(logits[:], past(staging, 3072), stream=NULL_STREAM)
    finding = ruled(program).findings[0]
    assert (finding.data["side"], finding.allocation) == ("destination", staging.row)


@pytest.mark.parametrize(("rows", "outcome"), [(4, Outcome.REFUTED), (5, Outcome.CONFIRMED)])
def test_of_a_rectangle_its_last_byte_counts(rows: int, outcome: Outcome) -> None:
    program = Program()
    image = program.allocate(4 * 256)
    program.d2h(image.rectangle(0, width=100, pitch=256, rows=rows))
    assert ruled(program).outcome is outcome


def test_fills_count() -> None:
    program = Program()
    cache = program.allocate(256)
    program.fill(past(cache, 1), **FAILED)
    assert ruled(program).outcome is Outcome.CONFIRMED


def test_an_overrun_that_starts_outside_is_another_matter() -> None:
    program = Program()
    logits = program.allocate(256)
    program.d2h(Part(-1, logits.address + 512, 16), **FAILED)
    assert ruled(program).outcome is Outcome.REFUTED


def test_calls_after_a_fault_of_the_device_are_only_its_consequences() -> None:
    program = Program()
    logits = program.allocate(256)
    program.wait_device(**FAULTED)
    program.d2h(past(logits, 4), **FAULTED)
    assert ruled(program).outcome is Outcome.NOT_EXERCISED


def test_where_calls_were_lost_only_what_hip_refused_is_believed() -> None:
    for fields, outcome in ((FAILED, Outcome.CONFIRMED), ({}, Outcome.INCONCLUSIVE)):
        program = Program()
        program.gaps[Gap.DROPPED] = "12 calls"
        logits = program.allocate(256)
        program.d2h(past(logits, 4), **fields)
        assert ruled(program).outcome is outcome


def test_a_captured_copy_counts_when_its_graph_is_launched_not_before() -> None:
    program = Program()
    logits = program.allocate(256)
    program.d2h(past(logits, 4), captured=True)
    assert ruled(program).outcome is Outcome.NOT_EXERCISED


def test_without_transfers_there_was_nothing_to_examine() -> None:
    program = Program()
    program.kernel("norm", program.allocate(64))
    assert ruled(program).outcome is Outcome.NOT_EXERCISED


def test_a_recording_that_was_cut_refutes_nothing() -> None:
    program = Program()
    program.gaps[Gap.CUT_SHORT] = "killed"
    program.d2h(program.allocate(64)[:])
    ruling = ruled(program)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("CUT_SHORT",))


def test_a_refusal_that_nothing_explains_refutes_nothing() -> None:
    program = Program()
    program.d2h(program.allocate(64)[:], **FAILED)
    ruling = ruled(program)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("refused_transfer",))


def test_a_refusal_for_another_reason_is_not_about_sizes() -> None:
    program = Program()
    freed = program.allocate(64)
    program.free(freed)
    program.d2h(freed[:], **FAILED)
    program.d2h(Part(-1, 0, 16), **FAILED)
    assert ruled(program).outcome is Outcome.REFUTED
