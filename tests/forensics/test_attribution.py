from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from greta.forensics.attribution import attribute, blamed_call
from greta.forensics.fault_address import same_kernel
from greta.trace.evidence import DeviceFault, Evidence, Message, Pinned
from greta.trace.trace import Kind, Memory, Row, StreamKind, Waits
from tests.forensics.programs import FAILED, FAULTED, Pointer, Program, reported, rope_story
from tests.forensics.tracing import NULL_STREAM, Buffer


def test_the_blamed_call_is_the_first_that_failed() -> None:
    program = Program()
    x = program.allocate(64)
    program.kernel("k", x)
    copy = program.d2h(x[:], **FAULTED)
    program.wait_device(**FAULTED)
    blamed = blamed_call(program.evidence())
    assert blamed is not None
    assert (blamed.seq, blamed.error, blamed.by) == (copy + 1, 700, "call")


def test_what_programs_try_is_not_blamed_unless_they_die() -> None:
    program = Program()
    tried = program.call(Kind.OTHER, **FAILED)
    program.d2h(program.allocate(64)[:])
    evidence = program.evidence()
    assert blamed_call(evidence) is None
    died = Evidence(replace(evidence.trace, signal=int(signal.SIGABRT)))
    blamed = blamed_call(died)
    assert blamed is not None
    assert blamed.seq == tried + 1


def test_an_allocation_without_a_runtime_is_not_tried() -> None:
    for result, is_blamed in ((2, False), (3, True)):
        program = Program()
        program.call(Kind.ALLOCATE, failed=True, result=result)
        assert (blamed_call(program.evidence()) is not None) == is_blamed


def test_destructors_that_come_after_the_runtime_are_not_blamed() -> None:
    program = Program()
    x = program.allocate(64)
    program.free(x, failed=True, result=4)
    assert blamed_call(program.evidence()) is None


def test_where_only_a_report_is_known_the_call_under_way_is_blamed() -> None:
    program = Program()
    program.kernel("k", program.allocate(64))
    waiting = program.wait_stream(NULL_STREAM, finished=False, end=0)
    blamed = blamed_call(program.evidence(reported(0x1234_0000)))
    assert blamed is not None
    assert (blamed.row, blamed.by) == (waiting, "report")


def test_a_log_that_only_says_that_there_was_an_error() -> None:
    evidence = program_of_nothing()
    said = Message("pytorch", "HIP error: an illegal memory access", error=700, line=7)
    log = replace(evidence, trace=replace(evidence.trace, source="pytorch"), messages=(said,))
    blamed = blamed_call(log)
    assert blamed is not None
    assert (blamed.seq, blamed.error, blamed.by) == (7, 700, "message")
    assert blamed_call(replace(evidence, messages=(said,))) is None


def program_of_nothing() -> Evidence:
    return Program().evidence()


def test_one_suspect_and_the_address_are_as_good_as_it_gets() -> None:
    program, rope, positions = rope_story(good_synchronization=True, launches_after=0)
    found = attribute(program.evidence(reported(positions.address + 4096)))
    assert found is not None
    assert found.likely is not None
    assert (found.likely.row, found.count) == (rope, 1)
    assert (found.rule, found.confidence) == ("one_and_address", 0.95)


def test_the_launch_whose_access_the_device_refused_is_the_only_suspect() -> None:
    program, rope, positions = rope_story(good_synchronization=False)
    seq = int(program.evidence().trace.operations["seq"][rope])
    told = DeviceFault("device", positions.address + 64, exact=True, seq=seq, bytes=4)
    found = attribute(program.evidence(told))
    assert found is not None
    assert [one.row for one in found.suspects] == [rope]
    assert (found.rule, found.confidence, found.launch_confidence) == ("told", 0.99, 0.99)


def test_one_suspect_alone() -> None:
    program, rope, _ = rope_story(good_synchronization=True, launches_after=0)
    found = attribute(program.evidence())
    assert found is not None
    assert (found.suspects[0].row, found.rule, found.confidence) == (rope, "one_left", 0.9)


def test_three_suspects_without_a_report_are_visibly_less_sure() -> None:
    program, rope, _ = rope_story(good_synchronization=False)
    found = attribute(program.evidence())
    assert found is not None
    assert (found.suspects[0].row, found.count) == (rope, 3)
    assert (found.rule, found.confidence) == ("arguments", 0.6)


def test_three_equal_suspects_share() -> None:
    program = Program()
    x = program.allocate(64)
    for name in ("a", "b", "c"):
        program.kernel(name, x)
    program.d2h(x[:], **FAULTED)
    found = attribute(program.evidence())
    assert found is not None
    assert (found.rule, found.confidence) == ("equal", 0.33)


def test_the_device_names_the_kernel() -> None:
    program, rope, _ = rope_story(good_synchronization=False)
    found = attribute(program.evidence(reported(kernel="rope.kd")))
    assert found is not None
    assert (found.suspects[0].row, found.rule, found.confidence) == (rope, "named", 0.9)


def test_the_address_past_a_buffer_that_one_launch_has() -> None:
    program, rope, positions = rope_story(good_synchronization=False)
    found = attribute(program.evidence(DeviceFault("rocr", positions.address + 4096)))
    assert found is not None
    assert (found.suspects[0].row, found.rule, found.confidence) == (rope, "address", 0.85)


def test_a_rerun_that_pinned_it_leaves_one() -> None:
    program, rope, _ = rope_story(good_synchronization=False)
    found = attribute(program.evidence(pinned=Pinned(rope + 1, runs=4)))
    assert found is not None
    assert ([s.row for s in found.suspects], found.confidence) == ([rope], 0.95)


@pytest.mark.parametrize("fault", [(), (reported(kernel="rope"),)])
def test_the_same_kernel_twice_is_sure_and_which_launch_is_not(
    fault: tuple[DeviceFault, ...],
) -> None:
    program = Program()
    x = program.allocate(4096)
    program.kernel("rope", x)
    program.kernel("rope", x)
    program.d2h(x[:], **FAULTED)
    found = attribute(program.evidence(*fault))
    assert found is not None
    assert (found.confidence, found.launch_confidence) == (0.9, 0.45)
    assert (len(found.alike), found.others) == (2, ())


def test_the_same_kernel_on_two_buffers_is_half_as_sure() -> None:
    program = Program()
    x, y = program.allocate(4096), program.allocate(4096)
    program.kernel("rope", x)
    program.kernel("rope", y)
    program.d2h(x[:], **FAULTED)
    found = attribute(program.evidence(reported(kernel="rope")))
    assert found is not None
    assert (found.confidence, found.launch_confidence) == (0.45, 0.45)
    assert [one.seq for one in found.others] == [4]


def test_many_launches_of_one_kernel_are_no_better_suspect_than_one_of_another() -> None:
    program = Program()
    x = program.allocate(4096)
    for _ in range(9):
        program.kernel("rope", x)
    program.kernel("norm", x)
    program.d2h(x[:], **FAULTED)
    found = attribute(program.evidence())
    assert found is not None
    assert (found.rule, found.confidence, found.launch_confidence) == ("equal", 0.5, 0.056)


# --- transfers in flight --------------------------------------------------------------------------


def upload_in_flight(memory: Memory, kernel: bool = False) -> tuple[Program, Row, Buffer]:
    program = Program()
    stream = program.stream()
    host, x = program.allocate(1 << 16, memory), program.allocate(1 << 16)
    if kernel:
        program.kernel("norm", x)
    copy = program.h2d(x[:], host[:], stream=stream, waits=0)
    program.wait_device(**FAULTED)
    return program, copy, host


def test_a_fault_in_the_registered_source_of_a_copy_points_to_the_copy() -> None:
    program, copy, host = upload_in_flight(Memory.REGISTERED, kernel=True)
    found = attribute(program.evidence(reported(host.address + 4096)))
    assert found is not None
    likely = found.suspects[0]
    assert (likely.row, likely.hypothesis, found.rule) == (copy, "use_after_free", "address")


def test_without_an_address_a_copy_under_way_takes_its_share() -> None:
    program, copy, _ = upload_in_flight(Memory.REGISTERED, kernel=True)
    found = attribute(program.evidence())
    assert found is not None
    assert (found.rule, found.confidence, [s.row for s in found.others]) == ("equal", 0.5, [copy])
    program, copy, _ = upload_in_flight(Memory.REGISTERED)
    found = attribute(program.evidence())
    assert found is not None
    assert (found.suspects[0].row, found.rule, found.confidence) == (copy, "arguments", 0.6)


def test_memory_that_hip_owns_cannot_be_gone() -> None:
    program, _, host = upload_in_flight(Memory.PINNED)
    for faults in ((), (reported(host.address + 4096),)):
        found = attribute(program.evidence(*faults))
        assert found is not None
        assert found.suspects == ()


def test_a_rerun_may_pin_a_copy() -> None:
    program, copy, _ = upload_in_flight(Memory.REGISTERED, kernel=True)
    found = attribute(program.evidence(pinned=Pinned(copy + 1, runs=4)))
    assert found is not None
    assert ([s.row for s in found.suspects], found.confidence) == ([copy], 0.95)
    assert found.suspects[0].hypothesis == "use_after_free"


def suspects_after(program: Program) -> list[int]:
    program.wait_device(**FAULTED)
    found = attribute(program.evidence())
    assert found is not None
    return [suspect.row for suspect in found.suspects]


def test_a_wait_for_another_stream_proves_nothing() -> None:
    program = Program()
    one, other = program.stream(), program.stream()
    launch = program.kernel("k", program.allocate(64), stream=one)
    program.wait_stream(other)
    assert suspects_after(program) == [launch]


def test_a_wait_that_failed_proves_nothing() -> None:
    program = Program()
    one = program.stream()
    launch = program.kernel("k", program.allocate(64), stream=one)
    program.wait_stream(one, failed=True, result=1)
    assert suspects_after(program) == [launch]


def test_a_query_that_was_not_ready_proves_nothing() -> None:
    program = Program()
    one = program.stream()
    launch = program.kernel("k", program.allocate(64), stream=one)
    program.call(Kind.QUERY_STREAM, stream=one, result=600)
    assert suspects_after(program) == [launch]


def test_an_event_proves_what_was_enqueued_before_it() -> None:
    program = Program()
    one, done = program.stream(), program.event()
    program.kernel("before", program.allocate(64), stream=one)
    program.record(done, one)
    after = program.kernel("after", program.allocate(64), stream=one)
    program.wait_event(done)
    assert suspects_after(program) == [after]


def test_waiting_for_a_stream_that_waited_for_an_event() -> None:
    program = Program()
    one, other, done = program.stream(), program.stream(), program.event()
    program.kernel("before", program.allocate(64), stream=one)
    program.record(done, one)
    program.stream_wait(other, done)
    last = program.kernel("last", program.allocate(64), stream=one)
    program.wait_stream(other)
    assert suspects_after(program) == [last]


@pytest.mark.parametrize("kind", [StreamKind.BLOCKING, StreamKind.NON_BLOCKING])
def test_a_blocking_copy_proves_the_work_of_blocking_streams(kind: StreamKind) -> None:
    program = Program()
    x, stream = program.allocate(64), program.stream(kind)
    launch = program.kernel("k", x, stream=stream)
    program.d2h(x[:], stream=NULL_STREAM)
    assert suspects_after(program) == ([] if kind == StreamKind.BLOCKING else [launch])


def test_work_of_the_default_stream_is_proven_by_a_blocking_stream_behind_it() -> None:
    program = Program()
    x, stream = program.allocate(64), program.stream(StreamKind.BLOCKING)
    program.kernel("k", x, stream=NULL_STREAM)
    program.copy(x[:8], x[8:16], stream=stream)
    program.wait_stream(stream)
    assert suspects_after(program) == []


def test_a_launch_that_waits_for_itself_reports_its_own_fault() -> None:
    program = Program()
    x = program.allocate(64)
    program.kernel("a", x, waits=Waits.FOR_IT)
    launch = program.kernel("b", x, waits=Waits.FOR_IT, **FAULTED)
    found = attribute(program.evidence())
    assert found is not None
    assert [s.row for s in found.suspects] == [launch]


def test_a_copy_of_freed_memory_is_a_suspect_beside_the_launches() -> None:
    program = Program()
    x, freed = program.allocate(64), program.allocate(64)
    program.free(freed)
    program.kernel("innocent", x)
    copy = program.d2h(freed[:], **FAULTED)
    found = attribute(program.evidence(reported(freed.address)))
    assert found is not None
    assert (found.suspects[0].row, found.suspects[0].hypothesis) == (copy, "use_after_free")


def test_live_memory_between_buffer_and_address_makes_it_anothers() -> None:
    program = Program()
    far, near = program.allocate(64), program.allocate(64)
    program.kernel("far", Pointer(far[:], reach=64))
    launch = program.kernel("near", Pointer(near[:], reach=64))
    program.wait_device(**FAULTED)
    found = attribute(program.evidence(reported(near.address + 4096)))
    assert found is not None
    assert (found.suspects[0].row, found.rule) == (launch, "address")


@pytest.mark.parametrize(
    "name", ["rope", "rope.kd", "rope(float*, int const*)", "void rope<4>(float*)", "_Z4ropePfPKi"]
)
def test_names_of_one_kernel(name: str) -> None:
    assert same_kernel(name, "rope")
    assert not same_kernel(name, "rope_neox")
