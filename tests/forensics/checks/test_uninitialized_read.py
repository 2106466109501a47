from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import uninitialized_read
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import DeviceRemark, Evidence
from greta.trace.trace import Gap, Memory, Space, Waits
from tests.forensics.programs import HOST, Program


def ruled(program: Program, *remarks: DeviceRemark, calls: tuple[str, ...] = ()) -> Ruling:
    trace = program.build()
    evidence = Evidence(replace(trace, calls=(*trace.calls, *calls)), remarks=remarks)
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


def test_the_devices_word_counts_for_kernels() -> None:
    program = Program()
    weights = program.allocate(1024)
    norm = program.kernel("norm", weights)
    remark = DeviceRemark(
        "unwritten", weights.address, 1024, weights.address, seq=norm + 1, kernel="norm"
    )
    finding = ruled(program, remark).findings[0]
    assert (finding.code, finding.seq) == ("kernel_reads_unwritten", norm + 1)
    assert finding.allocation == weights.row
