from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import uninitialized_read
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import DeviceRemark, Evidence, FreshBytes
from greta.trace.trace import Gap, Memory, Space, Waits
from tests.forensics.programs import HOST, Program


def ruled(
    program: Program,
    *remarks: DeviceRemark,
    calls: tuple[str, ...] = (),
    tried: FreshBytes | None = None,
) -> Ruling:
    trace = replace(program.build(), calls=(*program.build().calls, *calls))
    evidence = Evidence(trace, remarks=remarks, fresh_bytes=tried)
    return uninitialized_read.examine(Case(evidence))


def d2d(program: Program, to: Any, source: Any) -> int:
    return program.copied(to, Space.DEVICE, source, Space.DEVICE)


def test_fresh_memory_that_is_fetched_is_found() -> None:
    program = Program()
    logits = program.allocate(4096)
    copy = program.d2h(logits[:])
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq, finding.allocation) == ("copy_of_unwritten", copy + 1, 0)
    assert (finding.data["unwritten_bytes"], finding.strength) == (4096, 2)


@pytest.mark.parametrize("how", ["fill", "h2d"])
def test_memory_that_was_written_is_not(how: str) -> None:
    program = Program()
    logits = program.allocate(4096)
    getattr(program, how)(logits[:])
    program.d2h(logits[:])
    assert ruled(program).outcome is Outcome.REFUTED


@pytest.mark.parametrize(("fetched", "found"), [(2048, None), (4096, 2048)])
def test_only_what_is_fetched_counts(fetched: int, found: int | None) -> None:
    program = Program()
    logits = program.allocate(4096)
    program.h2d(logits[:2048])
    program.d2h(logits[:fetched])
    ruling = ruled(program)
    assert not ruling.findings  # who fetches a whole buffer need not use all of it
    assert [one.data["unwritten_bytes"] for one in ruling.doubts] == ([found] if found else [])


@pytest.mark.parametrize(("width", "outcome"), [(64, Outcome.REFUTED), (80, Outcome.INCONCLUSIVE)])
def test_what_lies_between_the_rows_of_a_rectangle_is_not_read(
    width: int, outcome: Outcome
) -> None:
    program = Program()
    image = program.allocate(256)
    program.h2d(image[:64])
    program.h2d(image[128:192])
    program.d2h(image.rectangle(0, width=width, pitch=128, rows=2))
    assert ruled(program).outcome is outcome


def test_a_copy_that_moves_unwritten_bytes_counts_once_they_are_fetched() -> None:
    program = Program()
    old, new = program.allocate(1024), program.allocate(4096)
    program.h2d(old[:512])
    copy = d2d(program, new[:1024], old[:])  # a cache that is grown takes all it had along
    program.d2h(new[:512])
    assert ruled(program).outcome is Outcome.REFUTED
    program.d2h(new[512:1024])
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq, finding.allocation) == (
        "unwritten_copied_on",
        copy + 1,
        old.row,
    )


def test_a_kernel_in_between_may_have_written() -> None:
    program = Program()
    logits = program.allocate(4096)
    program.kernel("head", logits)
    program.d2h(logits[:])
    ruling = ruled(program)
    assert ruling.outcome is Outcome.INCONCLUSIVE
    assert ruling.missing == ("kernel_reach",)


def test_a_kernel_before_the_allocation_may_not() -> None:
    program = Program()
    other = program.allocate(64)
    program.kernel("head", other)
    logits = program.allocate(4096)
    program.d2h(logits[:])
    assert ruled(program).outcome is Outcome.CONFIRMED


def test_a_later_write_that_nothing_orders_may_have_come_first() -> None:
    program = Program()
    one, two = program.stream(), program.stream()
    logits, host = program.allocate(64), program.allocate(64, Memory.PINNED)
    program.copied(host[:], Space.HOST, logits[:], Space.DEVICE, stream=one)
    program.h2d(logits[:], HOST, stream=two, waits=Waits.NO)
    assert ruled(program).outcome is Outcome.REFUTED


@pytest.mark.parametrize("memory", [Memory.PINNED, Memory.MANAGED, Memory.SYMBOL])
def test_memory_that_others_write_is_not_looked_at(memory: Memory) -> None:
    program = Program()
    program.d2h(program.allocate(64, memory)[:])
    assert not ruled(program).findings


def test_memory_that_is_shared_is_not_either() -> None:
    program = Program()
    program.d2h(program.allocate(64)[:])
    assert ruled(program, calls=("hipIpcGetMemHandle",)).outcome is Outcome.INCONCLUSIVE


def test_nothing_is_found_where_calls_are_lost() -> None:
    program = Program()
    program.gaps[Gap.DROPPED] = "2 calls"
    program.d2h(program.allocate(64)[:])
    assert ruled(program).outcome is Outcome.INCONCLUSIVE


def loaded(program: Program, buffer: Any, kernel: str) -> DeviceRemark:
    """A launch that was seen to read all of a buffer that nobody wrote."""
    seq = program.kernel(kernel, buffer) + 1
    size, start = buffer.bytes, buffer.address
    return DeviceRemark("unwritten", start, size, start, seq=seq, kernel=kernel, bytes=size)


def test_a_load_is_no_use() -> None:
    program = Program()
    remark = loaded(program, program.allocate(1024), "norm")
    ruling = ruled(program, remark)
    assert (ruling.outcome, ruling.findings) == (Outcome.INCONCLUSIVE, ())
    assert [(one.code, one.operations) for one in ruling.doubts] == [
        ("unwritten_read", (remark.seq,))
    ]


@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.parametrize("kernels", [1, 2])
def test_what_goes_with_fresh_memory_is_used(copied: bool, kernels: int) -> None:
    program = Program()
    remarks = [loaded(program, program.allocate(1024), f"norm{n}") for n in range(kernels)]
    copy = program.d2h(program.allocate(64)[:]) + 1 if copied else None
    ruling = ruled(program, *remarks, tried=FreshBytes("used", copy))
    finding = next(one for one in ruling.findings if one.seq == remarks[0].seq)
    assert finding.code == ("unwritten_used" if copied else "unwritten_shows")
    assert finding.data.get("user") == copy
    assert finding.strength == (2 if kernels == 1 else 1)  # which of two matters is not known
    assert not ruling.doubts


@pytest.mark.parametrize("reach", ["part", "none"])
def test_what_reaches_the_host_in_part_or_not_at_all_is_no_finding(
    reach: Literal["part", "none"],
) -> None:
    program = Program()
    remark = loaded(program, program.allocate(1024), "norm")
    ruling = ruled(program, remark, tried=FreshBytes(reach, 9 if reach == "part" else None))
    assert (ruling.outcome, ruling.findings) == (Outcome.INCONCLUSIVE, ())
    assert [one.code for one in ruling.doubts] == ["unwritten_result"] * (reach == "part")
    assert ("dropped_reads" in ruling.missing) == (reach == "none")


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("passed_on", [True, False])
def test_what_a_late_write_was_to_bring_was_only_read_too_early(
    ordered: bool, passed_on: bool
) -> None:
    """As the device saw it, the copy came before the write; of an ordered one that says nothing."""
    program = Program()
    source, other = program.allocate(1024), program.allocate(1024)
    first, second = program.stream(), program.stream()
    program.fill(source[: 512 if ordered else 1024], stream=first)
    if ordered:
        program.wait_stream(first)
    read = source
    if passed_on:
        program.copied(other[:], Space.DEVICE, source[:], Space.DEVICE, stream=second)
        read = other
    copy = program.d2h(read[:], stream=second) + 1
    start = read.address + 512
    remark = DeviceRemark("unwritten", read.address, 1024, start, seq=copy, bytes=512)
    codes = {one.code for one in ruled(program, remark).doubts}
    assert codes == ({"unwritten_copy"} if ordered else set())
