"""A launch that reads what is still being written may go anywhere: then the race is the cause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict import Outcome, Verdict
from greta.trace.evidence import Evidence, Pinned
from greta.trace.trace import Kind, Memory, Space
from tests.forensics.programs import FAULTED, Pointer, Program, reported

WILD = 0x7FFF_0000_0000


def gather(
    *, waits: bool, at: int | None = WILD, launch_reports: bool = False, reach: int = 4096
) -> Evidence:
    """A kernel that is given indices which a copy on another stream brings."""
    program = Program()
    uploads, works = program.stream(), program.stream()
    indices, table, output = (program.allocate(4096) for _ in range(3))
    program.h2d(indices[:], stream=uploads, waits=0)
    if waits:
        program.wait_stream(uploads)
    fields: dict[str, Any] = FAULTED if launch_reports else {}
    program.kernel("gather", indices, table, Pointer(output[:], reach), stream=works, **fields)
    if not launch_reports:
        program.wait_device(**FAULTED)
    address = output.address + output.bytes if at is None else at
    return program.evidence(reported(address, kernel="gather"))


def cause_of(report: Verdict) -> tuple[str, float | None]:
    assert report.cause is not None
    return report.cause.hypothesis, report.cause.confidence


@pytest.mark.parametrize("launch_reports", [False, True])
def test_indices_that_are_being_written_explain_a_fault_anywhere(launch_reports: bool) -> None:
    report = analyze([gather(waits=False, launch_reports=launch_reports)])
    assert cause_of(report) == ("missing_sync", 0.6)
    codes = [step.code for step in report.next_steps]
    assert codes[:2] == ["remedy_record_and_wait", "fix_upstream_kernel_fault"]


def test_with_order_the_kernel_alone_is_to_blame() -> None:
    report = analyze([gather(waits=True)])
    assert cause_of(report)[0] == "upstream_kernel_fault"
    assert [step.code for step in report.next_steps][:1] == ["fix_upstream_kernel_fault"]


def test_a_bad_index_may_land_near_a_buffer() -> None:
    report = analyze([gather(waits=False, at=None)])
    assert cause_of(report) == ("missing_sync", 0.6)
    assert "fix_upstream_kernel_fault" in [step.code for step in report.next_steps]


def test_a_grid_that_is_too_large_needs_no_race() -> None:
    report = analyze([gather(waits=False, at=None, reach=8192)])
    assert cause_of(report)[0] == "upstream_kernel_fault"
    assert "remedy_record_and_wait" in [step.code for step in report.next_steps]


def test_a_fault_that_stays_where_everything_is_waited_for_is_no_race() -> None:
    evidence = gather(waits=False)
    launch = evidence.trace.operations["seq"][evidence.trace.operations["kind"] == Kind.LAUNCH]
    report = analyze([replace(evidence, pinned=Pinned(int(launch[0]), runs=3))])
    assert cause_of(report) == ("upstream_kernel_fault", 0.95)


def test_the_race_of_a_launch_that_the_device_names_needs_no_address() -> None:
    evidence = gather(waits=False)
    report = analyze([replace(evidence, faults=(reported(kernel="gather"),))])
    assert cause_of(report) == ("missing_sync", 0.6)


def fed_by_upload(*, feeds: bool, waits: bool) -> Evidence:
    """The staging buffer of an upload is overwritten; a kernel then uses what was uploaded."""
    program = Program()
    stream, other = program.stream(), program.stream()
    staging = program.allocate(64, Memory.PINNED)
    indices, unused, table = (program.allocate(64) for _ in range(3))
    program.h2d(indices[:], staging[:], stream=stream, waits=0)
    if waits:
        program.wait_stream(stream)
    program.copied(staging[:], Space.HOST, table[:], Space.DEVICE, stream=other)
    program.kernel("gather", indices if feeds else unused, table, stream=stream)
    program.wait_device(**FAULTED)
    return program.evidence(reported(WILD, kernel="gather"))


def test_an_overwritten_upload_explains_the_fault_of_the_kernel_that_it_feeds() -> None:
    assert cause_of(analyze([fed_by_upload(feeds=True, waits=False)])) == ("staging_reuse", 0.6)


def test_an_overwritten_upload_does_not_explain_the_fault_of_another_kernel() -> None:
    found = cause_of(analyze([fed_by_upload(feeds=False, waits=False)]))
    assert found[0] == "upstream_kernel_fault"
    found = cause_of(analyze([fed_by_upload(feeds=True, waits=True)]))
    assert found[0] == "upstream_kernel_fault"


def test_the_trace_is_left_as_it_was() -> None:
    evidence = gather(waits=False, launch_reports=True)
    failed = evidence.trace.operations["failed"].copy()
    ruling = next(r for r in analyze([evidence]).rulings if r.hypothesis == "missing_sync")
    assert ruling.outcome is Outcome.CONFIRMED
    assert (evidence.trace.operations["failed"] == failed).all()


def test_a_fault_just_below_a_buffer_is_not_far_from_it() -> None:
    program = Program()
    program.allocate(1 << 20)  # so that it is far from null
    buffer = program.allocate(4096)
    program.kernel("back", Pointer(buffer[:], reach=4096))
    program.wait_device(**FAULTED)
    report = analyze([program.evidence(reported(buffer.address - 4096, kernel="back"))])
    assert report.cause is not None
    assert report.cause.code == "kernel_below_buffer"
