from __future__ import annotations

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import upstream_kernel_fault
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import DeviceRemark
from tests.forensics.programs import Pointer, Program
from tests.forensics.tracing import Buffer


def damaged(buffer: Buffer, at: int, seq: int | None = None) -> DeviceRemark:
    return DeviceRemark("damage", buffer.address, buffer.bytes, buffer.address + at, seq)


def ruled(program: Program, *remarks: DeviceRemark) -> Ruling:
    program.wait_device()
    return upstream_kernel_fault.examine(Case(program.evidence(remarks=remarks)))


def test_the_only_launch_that_was_given_the_buffer_wrote_there() -> None:
    program = Program()
    values, other = program.allocate(4000), program.allocate(4000)
    program.kernel("norm", other)
    wrote = program.kernel("set", values)
    program.free(values)
    finding = ruled(program, damaged(values, 4000)).findings[0]
    assert (finding.code, finding.seq) == ("kernel_wrote_past_end", wrote + 1)
    assert (finding.strength, finding.allocation) == (2, values.row)


def test_of_several_the_one_whose_numbers_lead_there() -> None:
    program = Program()
    values = program.allocate(4000)
    wrote = program.kernel("write_at", values)
    program.kernel("set", values)
    program.numbers = {wrote + 1: (4, 1000), wrote + 2: (1000,)}
    finding = ruled(program, damaged(values, 4000)).findings[0]
    assert (finding.seq, finding.strength) == (wrote + 1, 1)
    assert finding.data["suspects"] == 2


def test_the_one_that_the_device_names_is_the_one() -> None:
    program = Program()
    values = program.allocate(4000)
    wrote = program.kernel("set", values)
    program.kernel("set", Pointer(values[:], reach=8000))
    finding = ruled(program, damaged(values, 4000, wrote + 1)).findings[0]
    assert (finding.seq, finding.strength) == (wrote + 1, 2)


@pytest.mark.parametrize(
    ("at", "code"), [(-4, "kernel_wrote_before"), (4, "kernel_wrote_past_end")]
)
def test_bytes_before_are_told_from_those_behind(at: int, code: str) -> None:
    program = Program()
    values = program.allocate(4)
    program.kernel("set", values)
    assert ruled(program, damaged(values, at)).findings[0].code == code


def test_a_buffer_that_no_launch_was_given_has_the_last_one_named() -> None:
    program = Program()
    values, table = program.allocate(64), program.allocate(64)
    last = program.kernel("scatter", table)
    finding = ruled(program, damaged(values, 64)).findings[0]
    assert (finding.code, finding.seq) == ("kernel_wrote_outside", last + 1)


def test_where_no_kernel_ran_none_wrote() -> None:
    program = Program()
    assert ruled(program, damaged(program.allocate(64), 64)).outcome is Outcome.NOT_EXERCISED
