from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import use_after_free
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import DeviceFault, DeviceRemark
from greta.trace.trace import Gap, Known, Memory, Row
from tests.forensics.programs import FAILED, FAULTED, Pointer, Program, reported
from tests.forensics.tracing import Buffer


def ruled(program: Program) -> Ruling:
    return use_after_free.examine(Case(program.evidence()))


def test_a_copy_of_freed_memory_names_the_free() -> None:
    program = Program()
    logits = program.allocate(256)
    free = program.free(logits)
    copy = program.d2h(logits[:], **FAILED)
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq, finding.other) == ("transfer_uses_freed", copy + 1, free + 1)


def test_the_same_copy_before_the_free_is_right() -> None:
    program = Program()
    logits = program.allocate(256)
    program.d2h(logits[:])
    program.free(logits)
    assert ruled(program).outcome is Outcome.REFUTED


def test_an_address_that_was_handed_out_again_belongs_to_its_new_owner() -> None:
    program = Program()
    old = program.allocate(256)
    program.free(old)
    new = program.allocate(256)
    program.allocations[new.row]["address"] = old.address
    program.d2h(Buffer(new.row, old.address, 256)[:])
    assert ruled(program).outcome is Outcome.REFUTED


def test_a_kernel_that_is_given_freed_memory_is_found_without_any_fault() -> None:
    program = Program()
    x, weights = program.allocate(256), program.allocate(256)
    program.free(weights)
    launch = program.kernel("add", x, weights)
    program.wait_device()
    finding = ruled(program).findings[0]
    assert (finding.seq, finding.allocation, finding.strength) == (launch + 1, weights.row, 2)
    assert (finding.data["kernel"], finding.data["argument"]) == ("add", 1)


def given_in_a_struct(**fault: Any) -> Ruling:
    program = Program()
    weights = program.allocate(256)
    program.free(weights)
    program.kernel("add", Pointer(weights[:], in_struct=True))
    program.wait_device(**fault)
    return ruled(program)


def test_a_pointer_inside_a_struct_is_a_finding_if_the_device_faulted() -> None:
    assert given_in_a_struct(**FAULTED).findings[0].strength == 2


def test_a_word_of_a_struct_that_no_fault_follows_may_not_be_used() -> None:
    ruling = given_in_a_struct()
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("freed_words",))


def test_the_end_of_a_live_buffer_may_be_where_a_freed_one_began() -> None:
    program = Program()
    x, old = program.allocate(0x1000), program.allocate(256)
    program.allocations[old.row]["address"] = x.address + x.bytes
    program.free(old)
    program.kernel("sum", x, Pointer(Buffer(old.row, x.address + x.bytes, 0)[:]))
    program.wait_device()
    assert ruled(program).outcome is Outcome.REFUTED


def test_freeing_twice_is_found() -> None:
    program = Program()
    x = program.allocate(256)
    first = program.free(x)
    second = program.free(x, **FAILED)
    program.allocations[x.row].update(freed_at=first, freed_by=first + 1)
    program.kernel("k", program.allocate(4))
    program.wait_device()
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq, finding.other) == ("freed_twice", second + 1, first + 1)


@pytest.mark.parametrize(
    ("fields", "fires"),
    [({}, False), (FAULTED, True), (FAILED, False), ({"finished": False, "end": 0}, False)],
)
def test_host_memory_that_a_copy_could_use_is_somebodys_again(
    fields: dict[str, Any], fires: bool
) -> None:
    program = Program()
    logits, staging = program.allocate(256), program.allocate(256, Memory.PINNED)
    program.free(staging)
    program.d2h(logits[:], staging[:], **fields)
    assert (ruled(program).outcome is Outcome.CONFIRMED) == fires


def test_memory_freed_on_another_stream_while_a_kernel_uses_it() -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x = program.allocate(256, stream=other)
    program.wait_stream(other)
    launch = program.kernel("scale", x, stream=worker)
    free = program.free(x, stream=other)
    program.wait_device()
    finding = ruled(program).findings[0]
    assert (finding.code, finding.seq, finding.other) == ("freed_in_flight", free + 1, launch + 1)


def test_the_free_that_waits_for_an_event_is_right() -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x = program.allocate(256, stream=other)
    program.wait_stream(other)
    program.kernel("scale", x, stream=worker)
    done = program.event()
    program.record(done, worker)
    program.stream_wait(other, done)
    program.free(x, stream=other)
    program.wait_device()
    assert ruled(program).outcome is Outcome.REFUTED


def test_a_host_function_behind_the_use_may_have_told_the_program() -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x = program.allocate(256, stream=other)
    program.wait_stream(other)
    program.kernel("scale", x, stream=worker)
    program.host_function(worker)
    program.free(x, stream=other)
    program.wait_device()
    ruling = ruled(program)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("callback",))


def test_a_kernel_behind_the_use_may_have_told_the_program_by_memory() -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x, flag = program.allocate(256, stream=other), program.allocate(4, Memory.PINNED)
    program.wait_stream(other)
    program.kernel("scale", x, stream=worker)
    program.kernel("tell", flag, stream=worker)
    program.free(x, stream=other)
    program.wait_device()
    ruling = ruled(program)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("polled_memory",))


@pytest.mark.parametrize("others", [0, 1])
def test_a_fault_in_what_is_freed_beside_a_kernel_that_may_leave_it_alone(others: int) -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x = program.allocate(256, stream=other)
    program.wait_stream(other)
    program.kernel("scale", x, stream=worker)
    program.accesses[-1]["known"] = Known.PLAIN
    program.free(x, stream=other)
    for _ in range(others):
        program.kernel("other", program.allocate(64), stream=worker)
    program.wait_device(**FAULTED)
    ruling = ruled_with(program, reported(x.address))
    codes = [finding.code for finding in ruling.findings]
    assert ("freed_in_flight" in codes) == (others == 0)


def test_without_knowledge_of_order_nothing_is_in_flight_for_sure() -> None:
    program = Program()
    worker, other = program.stream(), program.stream()
    x = program.allocate(256, stream=other)
    program.kernel("scale", x, stream=worker)
    program.free(x, stream=other)
    program.gaps[Gap.NO_ORDER] = "a log"
    assert ruled(program).outcome is Outcome.INCONCLUSIVE


# --- what the simulated device saw in freed memory, of a pool that keeps it mapped ----------------


Remarked = Literal["damage", "outside", "unwritten"]


def seen(program: Program, buffer: Buffer, launch: Row, what: Remarked = "outside") -> Ruling:
    """The launch reads the first byte of a buffer; `what` the device calls it."""
    remark = DeviceRemark(what, buffer.address, 256, buffer.address, launch + 1, access="read")
    return use_after_free.examine(Case(replace(program.evidence(), remarks=(remark,))))


def freed_table() -> tuple[Program, Buffer, Row]:
    program = Program()
    table, block = program.allocate(64), program.allocate(256)
    program.free(block)
    return program, block, program.kernel("batched", table)


def test_a_launch_that_is_seen_in_freed_memory_is_found() -> None:
    program, block, launch = freed_table()
    program.wait_device()
    (finding,) = seen(program, block, launch).findings
    assert (finding.code, finding.seq) == ("kernel_accessed_freed", launch + 1)
    assert finding.allocation == block.row


@pytest.mark.parametrize("what", ["damage", "unwritten"])
def test_other_remarks_are_about_something_else(what: Remarked) -> None:
    program, block, launch = freed_table()
    program.wait_device()
    assert seen(program, block, launch, what).findings == ()


def test_what_is_seen_in_live_memory_is_no_use_after_free() -> None:
    program = Program()
    table, block = program.allocate(64), program.allocate(256)
    launch = program.kernel("batched", table)
    program.wait_device()
    program.free(block)
    assert seen(program, block, launch).findings == ()


def test_memory_that_was_gone_when_a_launch_came_is_freed_in_flight() -> None:
    """Though the free is a later call: nothing kept it from being the first to run."""
    program = Program()
    table, block = program.allocate(64), program.allocate(256)
    first, second = program.stream(), program.stream()
    launch = program.kernel("batched", table, stream=first)
    program.free(block, stream=second)
    finding = seen(program, block, launch).findings[0]
    assert (finding.code, finding.other) == ("freed_in_flight", launch + 1)


def test_an_argument_that_a_second_number_may_switch_off_is_a_doubt() -> None:
    for numbers in ((), (256, 2)):
        program = Program()
        x, scratch = program.allocate(256), program.allocate(256)
        program.free(scratch)
        program.launch(0, reads=[x[:], scratch[:]], numbers=numbers)
        program.wait_device()
        ruling = ruled(program)
        assert bool(ruling.findings) == (not numbers)
        assert [doubt.code for doubt in ruling.doubts] == ["dangling_argument"] * bool(numbers)


# --- where a fault was ----------------------------------------------------------------------------


def ruled_with(program: Program, fault: DeviceFault) -> Ruling:
    return use_after_free.examine(Case(program.evidence(fault)))


def test_a_fault_in_freed_memory_that_no_argument_names() -> None:
    program = Program()
    program.allocate(1 << 20)  # so that it is far from null
    table, block = program.allocate(64), program.allocate(1 << 16)
    freed = program.free(block)
    launch = program.kernel("batched", table)
    program.wait_device(**FAULTED)
    page = reported((block.address + 8192) & ~0xFFF, "batched")
    finding = ruled_with(program, page).findings[0]
    assert (finding.code, finding.seq, finding.other) == (
        "kernel_reached_freed",
        launch + 1,
        freed + 1,
    )
    assert finding.allocation == block.row


def test_memory_that_was_handed_out_again_is_not_freed() -> None:
    program = Program()
    program.allocate(1 << 20)
    table, block = program.allocate(64), program.allocate(1 << 16)
    program.free(block)
    again = program.allocate(1 << 16)
    program.allocations[again.row]["address"] = block.address
    program.kernel("batched", table)
    program.wait_device(**FAULTED)
    page = reported((block.address + 8192) & ~0xFFF, "batched")
    assert ruled_with(program, page).findings == ()


def test_a_dangling_argument_is_not_the_fault_that_another_one_explains() -> None:
    program = Program()
    small, scratch = program.allocate(64), program.allocate(4096)
    program.free(scratch)
    program.kernel("with_scratch", Pointer(small[:], 4096), Pointer(scratch[:], 4096))
    program.wait_device(**FAULTED)
    program.allocations[scratch.row]["address"] += 1 << 30
    past = reported((small.address + 4096) & ~0xFFF, "with_scratch")
    ruling = ruled_with(program, past)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("freed_arguments",))


def test_registered_memory_that_is_gone_while_a_copy_uses_it() -> None:
    program = Program()
    stream = program.stream()
    host, x = program.allocate(1 << 16, Memory.REGISTERED), program.allocate(1 << 16)
    copy = program.h2d(x[:], host[:], stream=stream, waits=0)
    program.wait_device(**FAULTED)
    inside = ruled_with(program, reported(host.address + 4096)).findings[0]
    assert (inside.code, inside.seq, inside.allocation) == ("host_memory_gone", copy + 1, host.row)
    assert ruled_with(program, reported(1 << 46)).findings == ()
