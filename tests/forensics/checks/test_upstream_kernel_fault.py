from __future__ import annotations

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import upstream_kernel_fault
from greta.forensics.fault_address import given_above, reported_address
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import DeviceFault
from greta.trace.trace import NONE, Gap
from tests.forensics.programs import FAULTED, Pointer, Program, null, reported, rope_story
from tests.forensics.tracing import NULL_STREAM


def ruled(program: Program, *faults: DeviceFault) -> Ruling:
    return upstream_kernel_fault.examine(Case(program.evidence(*faults)))


def test_the_fault_just_past_a_buffer_is_that_buffers() -> None:
    program, rope, positions = rope_story(good_synchronization=True)
    ruling = ruled(program, reported(positions.address + 4096, "rope"))
    finding = ruling.findings[0]
    assert (finding.code, finding.seq) == ("kernel_past_end_in_page", rope + 1)
    assert finding.allocation == positions.row
    assert (finding.data["past_end"], finding.data["past_end_below"]) == (4096 - 4, 8192 - 4)


def test_a_fault_that_is_known_to_the_byte_has_one_distance() -> None:
    program, _, positions = rope_story(good_synchronization=True)
    fault = DeviceFault("clr", positions.address + 4100, exact=True, kernel="rope")
    finding = ruled(program, fault).findings[0]
    assert (finding.code, finding.data["fault_bytes"]) == ("kernel_past_end", 1)
    assert (finding.data["past_end"], finding.data["past_end_below"]) == (4096, 4097)


def test_without_a_report_the_buffer_too_small_for_the_grid_is_likely() -> None:
    program, rope, positions = rope_story(good_synchronization=False)
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq, finding.strength) == ("kernel_outgrew_buffer", rope + 1, 1)
    assert finding.allocation == positions.row


def test_a_launch_with_one_buffer_can_have_left_no_other_however_far() -> None:
    program = Program()
    x = program.allocate(4096)
    launch = program.kernel("shift", x, Pointer(x[64:]))
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(x.address + (1 << 36), "shift")).findings[0]
    assert (finding.code, finding.seq) == ("kernel_left_buffer", launch + 1)
    assert (finding.allocation, finding.data["past_end"]) == (x.row, (1 << 36) - 4096)


def test_how_far_behind_a_buffer_of_unknown_size_is_not_told() -> None:
    """Another process shares it: the fault may be right behind its end."""
    program = Program()
    x = program.allocate(0)
    program.allocations[x.row]["known_bytes"] = False
    launch = program.kernel("shift", x)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(x.address + (1 << 20), "shift")).findings[0]
    assert (finding.code, finding.seq) == ("kernel_left_unsized", launch + 1)
    assert (finding.allocation, finding.data["past_end"]) == (x.row, None)


def test_what_no_index_leads_to_is_not_held_against_the_only_buffer() -> None:
    """Its pointer may be one of the heap or of a variable."""
    program = Program()
    x = program.allocate(4096)
    program.kernel("shift", x)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(x.address + (1 << 40), "shift")).findings[0]
    assert (finding.code, finding.allocation) == ("kernel_faulted", NONE)


def test_a_number_that_leads_from_one_buffer_to_the_fault_names_that_buffer() -> None:
    program = Program()
    first, table = program.allocate(4096), program.allocate(4096)
    launch = program.kernel("look_up", first, table)
    program.numbers[launch + 1] = (7, 1 << 28)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(table.address + (4 << 28), "look_up")).findings[0]
    assert (finding.code, finding.allocation) == ("kernel_left_buffer", table.row)


def test_a_buffer_that_seems_too_small_is_not_named_for_a_fault_that_is_far_from_it() -> None:
    program = Program()
    table, ids = program.allocate(1 << 20), program.allocate(12)
    launch = program.kernel("embed", table, Pointer(ids[:], 4096))
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(table.address + (1 << 36), "embed")).findings[0]
    assert (finding.code, finding.seq, finding.allocation) == ("kernel_faulted", launch + 1, NONE)


@pytest.mark.parametrize("type_", ["int", "float* const*"])
def test_a_fault_past_a_buffer_of_a_table_names_that_buffer(type_: str) -> None:
    program = Program()
    table, block = program.allocate(64), program.allocate(4096)
    program.allocations[block.row]["address"] = table.address + (1 << 36)
    launch = program.kernel("batched", table)
    program.numbers[launch + 1], program.number_type = (0,), type_
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(table.address + (1 << 36) + 8192, "batched")).findings[0]
    expected = ("kernel_past_end_of_other", block.row)
    if type_ == "int":  # nothing says that it has pointers from memory
        expected = ("kernel_left_buffer", table.row)
    assert (finding.code, finding.allocation) == expected


@pytest.mark.parametrize(("position", "named"), [(60000, True), (50000, False)])
def test_a_product_that_wraps_in_32_bits_leads_to_the_buffer(position: int, named: bool) -> None:
    program = Program()
    program.allocate(1 << 40)  # so that what is below is far from null
    table, output = program.allocate(1 << 20), program.allocate(4096)
    launch = program.kernel("take_row", table, output)
    program.numbers[launch + 1] = (position, 40000)
    program.wait_device(**FAULTED)
    wrapped = table.address + 4 * (60000 * 40000 - (1 << 32))
    program.allocations[0]["bytes"] = 4096
    finding = ruled(program, reported(wrapped & ~0xFFF, "take_row")).findings[0]
    assert finding.allocation == (table.row if named else NONE)


@pytest.mark.parametrize(
    ("below", "exact", "neighbour", "code"),
    [
        (4096, False, None, "kernel_index_unsigned"),
        (1 << 20, False, None, "kernel_faulted"),
        (4096, True, None, "kernel_index_unsigned"),
        (4094, True, None, "kernel_faulted"),  # between two elements
        (4096, False, "live", "kernel_faulted"),
        (4096, False, "freed", "kernel_index_unsigned"),
    ],
)
def test_an_index_below_zero_that_is_taken_for_unsigned_names_its_buffer(
    below: int, exact: bool, neighbour: str | None, code: str
) -> None:
    program = Program()
    rows, output = program.allocate(1 << 20), program.allocate(4096)
    address = rows.address + (4 << 32) - below
    if neighbour:
        other = program.allocate(4096)
        program.allocations[other.row]["address"] = address + 16384
    if neighbour == "freed":
        program.free(other)
    program.kernel("before", rows, output)
    program.wait_device(**FAULTED)
    fault = DeviceFault("rocr", address, exact=exact, kernel="before")
    finding = ruled(program, fault).findings[0]
    assert (finding.code, finding.data.get("below_zero")) == (
        code,
        below if "unsigned" in code else None,
    )
    assert finding.allocation == (rows.row if "unsigned" in code else NONE)


def test_a_negative_number_leads_below_the_buffer() -> None:
    program = Program()
    program.allocate(1 << 20)  # so that it is far from null
    tokens, output = program.allocate(1 << 16), program.allocate(4096)
    launch = program.kernel("shifted", tokens, output)
    program.numbers[launch + 1] = ((1 << 32) - 2048,)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(tokens.address - 8192, "shifted")).findings[0]
    assert (finding.code, finding.allocation) == ("kernel_below_buffer", tokens.row)


@pytest.mark.parametrize("live", [True, False])
def test_only_live_memory_is_told_to_be_above_a_fault(live: bool) -> None:
    program = Program()
    program.allocate(1 << 20)  # so that it is far from null
    tokens, output = program.allocate(1 << 16), program.allocate(4096)
    if not live:
        program.free(tokens)
    launch = program.kernel("window", tokens, output)
    program.wait_device(**FAULTED)
    fault = reported(tokens.address - 8192, "window")
    assert (given_above(program.build(), launch, reported_address((fault,))) != NONE) == live
    codes = [one.code for one in ruled(program, fault).findings]
    assert codes == (["kernel_faulted_below"] if live else [])


def test_below_a_buffer_the_distance_is_told_where_the_byte_is_known() -> None:
    program = Program()
    program.allocate(1 << 20)  # so that it is far from null
    buffer = program.allocate(4096)
    program.kernel("shifted", buffer)
    program.wait_device(**FAULTED)
    exact = DeviceFault("clr", buffer.address - 4, exact=True, kernel="shifted")
    finding = ruled(program, exact).findings[0]
    assert (finding.code, finding.data["before_start"]) == ("kernel_before_start", 4)
    page = reported(buffer.address - 4096, "shifted")
    finding = ruled(program, page).findings[0]
    assert finding.code == "kernel_below_buffer"
    assert "before_start" not in finding.data


def test_of_equal_launches_the_one_whose_position_leads_to_the_fault_is_first() -> None:
    program = Program()
    cache = program.allocate(16 * 4096)
    launches = [program.kernel("kv_read", Pointer(cache[:], 4096)) for _ in range(20)]
    for position, launch in enumerate(launches):
        program.numbers[launch + 1] = (position, 1024)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(cache.address + 17 * 4096, "kv_read")).findings[0]
    assert (finding.seq, finding.allocation) == (launches[17] + 1, cache.row)


def test_a_far_fault_that_no_number_leads_to_names_no_buffer() -> None:
    program = Program()
    launch = program.kernel("look_up", program.allocate(4096), program.allocate(4096))
    program.numbers[launch + 1] = (7,)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(1 << 46, "look_up")).findings[0]
    assert (finding.code, finding.seq) == ("kernel_faulted", launch + 1)


def test_the_page_that_holds_the_buffers_end_was_left_through_that_end() -> None:
    program, rope, positions = rope_story(good_synchronization=True)
    finding = ruled(program, reported(positions.address & ~0xFFF, "rope")).findings[0]
    assert (finding.code, finding.seq) == ("kernel_past_end_in_page", rope + 1)
    page_ends = (positions.address & ~0xFFF) + 4096
    distance = (finding.data["past_end"], finding.data["past_end_below"])
    assert distance == (0, page_ends - positions.address - 4)


def test_a_page_around_a_buffer_does_not_tell_which_end_was_left() -> None:
    program = Program()
    x = program.allocate(100)
    launch = program.kernel("rope", x)
    program.wait_device(**FAULTED)
    finding = ruled(program, reported(x.address - 2048, "rope")).findings[0]
    assert (finding.code, finding.seq) == ("kernel_around_buffer", launch + 1)
    assert finding.allocation == x.row
    assert finding.data["past_end"] is None


def test_a_small_buffer_without_a_fault_is_nothing() -> None:
    program = Program()
    program.kernel("rope", Pointer(program.allocate(4)[:], reach=4096))
    program.wait_device()
    assert ruled(program).outcome is Outcome.REFUTED


def test_a_launch_that_nobody_waited_for_may_have_faulted_unseen() -> None:
    program = Program()
    program.kernel("rope", program.allocate(64))
    ruling = ruled(program)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("never_waited_for",))


def test_what_another_hypothesis_explains_is_not_this_one() -> None:
    freed, given_null = Program(), Program()
    x = freed.allocate(256)
    freed.free(x)
    freed.kernel("add", x)
    freed.wait_device(**FAULTED)
    given_null.kernel("add", null())
    given_null.wait_device(**FAULTED)
    assert ruled(freed, reported(x.address)).outcome is Outcome.REFUTED
    assert ruled(given_null).outcome is Outcome.REFUTED


def test_a_trap_is_no_reach_for_memory_and_says_so() -> None:
    program = Program()
    launch = program.kernel("check", program.allocate(64))
    program.wait_device(failed=True, result=719)
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq) == ("kernel_stopped", launch + 1)


def test_an_abort_with_a_report_and_no_failed_call() -> None:
    program = Program()
    x = program.allocate(4096)
    launch = program.kernel("over", Pointer(x[:], reach=1 << 20))
    program.wait_stream(NULL_STREAM, finished=False, end=0)
    finding = ruled(program, DeviceFault("rocr", x.address + 8192)).findings[0]
    assert (finding.seq, finding.allocation) == (launch + 1, x.row)


def test_without_launches_there_was_nothing_to_examine() -> None:
    program = Program()
    program.d2h(program.allocate(64)[:])
    assert ruled(program).outcome is Outcome.NOT_EXERCISED


def test_one_launch_in_a_log_of_some_calls_is_not_the_one_suspect() -> None:
    program, rope, _ = rope_story(good_synchronization=True, launches_after=0)
    program.gaps[Gap.ONLY_MARKED] = "a log"
    assert ruled(program).outcome is Outcome.INCONCLUSIVE
    assert ruled(program, reported(kernel="rope")).findings[0].seq == rope + 1


def test_what_a_ring_has_lost_does_not_matter_behind_a_good_wait() -> None:
    for waited, outcome in ((True, Outcome.CONFIRMED), (False, Outcome.INCONCLUSIVE)):
        program = Program()
        program.gaps[Gap.OVERWRITTEN] = "the first 1000 calls"
        x = program.allocate(64)
        if waited:
            program.wait_device()
        program.kernel("k", x)
        program.d2h(x[:], **FAULTED)
        assert ruled(program).outcome is outcome
