from __future__ import annotations

from typing import Any

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import bad_pointer
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.trace import Gap, Kind, Memory, Mode, Role, Space
from tests.forensics.programs import (
    FAILED,
    FAULTED,
    HOST,
    Pointer,
    Program,
    nowhere,
    null,
    reported,
)
from tests.forensics.tracing import Buffer, Part


def ruled(program: Program, *faults: Any) -> Ruling:
    return bad_pointer.examine(Case(program.evidence(*faults)))


def codes(ruling: Ruling) -> list[str]:
    return [finding.code for finding in ruling.findings]


def test_null_with_bytes_to_copy() -> None:
    program = Program()
    program.d2h(nowhere(0), **FAILED)
    assert codes(ruled(program)) == ["null_pointer"]


def test_null_with_nothing_to_copy_is_fine() -> None:
    program = Program()
    program.d2h(nowhere(0, size=0))
    assert ruled(program).outcome is Outcome.REFUTED


def test_an_address_that_was_never_allocated() -> None:
    program = Program()
    program.allocate(256)
    program.d2h(nowhere(0x5555_0000_0000), **FAILED)
    assert codes(ruled(program)) == ["never_allocated"]


def test_an_offset_beyond_the_buffer_names_the_buffer() -> None:
    program = Program()
    x = program.allocate(256)
    program.d2h(nowhere(x.address + 300), **FAILED)
    finding = ruled(program).findings[0]
    assert finding.code == "outside_allocation"
    assert (finding.data["nearest"], finding.data["beyond"]) == (hex(x.address), 44)


def test_an_unknown_host_address_is_pageable_memory() -> None:
    program = Program()
    program.h2d(program.allocate(256)[:])
    assert ruled(program).outcome is Outcome.REFUTED


def test_sides_that_were_swapped() -> None:
    program = Program()
    x = program.allocate(256)
    program.copied(x[:], Space.HOST, HOST, Space.DEVICE)
    assert set(codes(ruled(program))) == {"swapped"}


def test_a_kind_that_calls_device_memory_the_hosts() -> None:
    program = Program()
    x, y = program.allocate(256), program.allocate(256)
    program.copied(y[:], Space.DEVICE, x[:], Space.HOST)
    assert codes(ruled(program)) == ["wrong_kind"]


def test_the_default_kind_is_always_right() -> None:
    program = Program()
    x, y = program.allocate(256), program.allocate(256)
    program.copied(y[:], Space.UNKNOWN, x[:], Space.UNKNOWN)
    assert ruled(program).outcome is Outcome.REFUTED


def test_pinned_memory_may_stand_where_the_kind_says_device() -> None:
    program = Program()
    x, mapped = program.allocate(256), program.allocate(256, Memory.PINNED)
    program.copied(mapped[:], Space.DEVICE, x[:], Space.DEVICE)
    assert ruled(program).outcome is Outcome.REFUTED


@pytest.mark.parametrize(("offset", "fires"), [(2, True), (4, False)])
def test_a_pointer_to_floats_is_a_multiple_of_four(offset: int, fires: bool) -> None:
    program = Program()
    x = program.allocate(256)
    program.kernel("scale", Pointer(x[offset:], reach=64))
    program.wait_device()
    assert (codes(ruled(program)) == ["misaligned"]) == fires


@pytest.mark.parametrize(("inside", "code"), [(True, "free_of_inside"), (False, "free_of_unknown")])
def test_frees_of_what_is_no_allocation(inside: bool, code: str) -> None:
    program = Program()
    x = program.allocate(256)
    program.d2h(x[:])
    row, address = (x.row, x.address + 64) if inside else (-1, 0x5555_0000)
    freed = {"address": address, "allocation": row, "mode": Mode.WRITE, "role": Role.FREED}
    program.call(Kind.FREE, [freed], **FAILED)
    assert codes(ruled(program)) == [code]


def test_null_for_an_optional_argument_is_no_finding() -> None:
    program = Program()
    program.kernel("bias", program.allocate(256), null())
    program.wait_device()
    assert ruled(program).outcome is Outcome.REFUTED


def test_null_is_the_finding_if_the_fault_was_there() -> None:
    program = Program()
    launch = program.kernel("bias", program.allocate(256), null())
    program.kernel("next", program.allocate(256))
    program.wait_device(**FAULTED)
    ruling = ruled(program, reported(0x40, "bias"))
    assert (codes(ruling), ruling.findings[0].seq) == (["kernel_given_null"], launch + 1)


def test_null_is_not_the_finding_if_the_fault_was_elsewhere() -> None:
    program = Program()
    program.kernel("bias", program.allocate(256), null())
    program.wait_device(**FAULTED)
    assert ruled(program, reported(0x7777_0000_0000, "bias")).outcome is not Outcome.CONFIRMED


def test_null_is_the_finding_if_its_launch_is_the_one_suspect() -> None:
    for more, outcome in ((0, Outcome.CONFIRMED), (1, Outcome.INCONCLUSIVE)):
        program = Program()
        program.kernel("bias", program.allocate(256), null())
        for _ in range(more):
            program.kernel("next", program.allocate(256))
        program.wait_device(**FAULTED)
        assert ruled(program).outcome is outcome


def test_a_fault_near_null_is_a_null_pointer_wherever_it_was() -> None:
    program = Program()
    launch = program.kernel("view", program.allocate(256))
    program.wait_device(**FAULTED)
    ruling = ruled(program, reported(0, "view"))
    assert (codes(ruling), ruling.findings[0].seq) == (["kernel_reached_null"], launch + 1)


def test_an_unknown_argument_without_a_fault_settles_nothing() -> None:
    program = Program()
    program.kernel("gather", Pointer(nowhere(0x5555_0000_0000)))
    program.wait_device()
    ruling = ruled(program)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("unknown_arguments",))


def test_the_end_of_a_buffer_is_not_unknown() -> None:
    program = Program()
    x = program.allocate(256)
    program.kernel("sum", x, Pointer(nowhere(x.address + x.bytes, 0)))
    program.wait_device()
    assert ruled(program).outcome is Outcome.REFUTED


def test_where_calls_were_lost_an_unknown_address_may_be_one_of_them() -> None:
    program = Program()
    program.gaps[Gap.DROPPED] = "7 calls"
    program.d2h(nowhere(0x5555_0000_0000), **FAILED)
    assert ruled(program).outcome is Outcome.INCONCLUSIVE


def test_a_bad_host_pointer_that_the_device_ran_into() -> None:
    program = Program()
    x = program.allocate(256)
    program.d2h(x[:], Part(-1, 0x9999_0000_0000, 256), **FAULTED)
    assert codes(ruled(program, reported(0x9999_0000_0000))) == ["host_side_faulted"]


def test_buffers_are_told_apart_by_life_not_by_address() -> None:
    program = Program()
    x = program.allocate(256)
    program.d2h(Buffer(x.row, x.address, 256)[128:])
    assert ruled(program).outcome is Outcome.REFUTED
