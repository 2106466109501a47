"""From recorded calls to when their work is known to be complete."""

from __future__ import annotations

import struct

from greta.reports.export.timeline import Work, work_of
from tests.recording.writer import KERNARG, STRUCT, Payload
from tests.reports.export.made import D2D, D2H, H2D, Program

S, T = 0x5000, 0x6000


def work(program: Program) -> Work:
    (process,) = program.recorded().processes
    return work_of(process)


def known(program: Program) -> dict[int, int]:
    """By the call that put it on a stream, the call that proves a piece of work complete."""
    found = work(program)
    return dict(zip(found.seq, found.known_by, strict=True))


def copy(program: Program, stream: int, **more: int) -> None:
    program.call("hipMemcpyAsync", 1, 2, 64, H2D, stream, **more)


def test_work_is_complete_when_its_stream_was_waited_for(program: Program) -> None:
    program.call("hipStreamCreateWithFlags", S, 1)
    copy(program, S)
    program.call("hipMemsetAsync", 1, 0, 64, S)
    program.call("hipStreamSynchronize", S)
    copy(program, S)
    assert known(program) == {2: 4, 3: 4, 5: 0}


def test_a_wait_that_failed_or_did_not_return_proves_nothing(program: Program) -> None:
    copy(program, S)
    program.call("hipStreamSynchronize", S, result=700)
    program.call("hipStreamQuery", S, result=600)
    program.call("hipStreamSynchronize", S, end=None)
    assert known(program) == {1: 0}


def test_work_that_was_refused_is_not_work(program: Program) -> None:
    program.call("hipMemcpyAsync", 1, 2, 64, H2D, S, result=1)
    assert known(program) == {}


def test_a_query_that_found_the_stream_idle_proves_it(program: Program) -> None:
    copy(program, S)
    program.call("hipStreamQuery", S)
    assert known(program) == {1: 2}


def test_a_blocking_copy_is_complete_at_its_return_and_so_is_what_it_waits_for(
    program: Program,
) -> None:
    program.call("hipStreamCreate", S)
    program.call("hipStreamCreateWithFlags", T, 1)
    copy(program, S)
    copy(program, T)
    program.call("hipMemcpy", 1, 2, 64, D2H)
    assert known(program) == {3: 5, 4: 0, 5: 5}


def test_a_copy_within_the_device_does_not_block(program: Program) -> None:
    program.call("hipMemcpy", 1, 2, 64, D2D)
    program.call("hipDeviceSynchronize")
    assert known(program) == {1: 2}


def test_a_copy_that_never_returned_is_open(program: Program) -> None:
    program.call("hipMemcpy", 1, 2, 64, D2H, end=None)
    assert known(program) == {1: 0}


def test_events(program: Program) -> None:
    program.call("hipStreamCreateWithFlags", S, 1)
    copy(program, S)
    program.call("hipEventRecord", 0xE, S)
    copy(program, S)
    program.call("hipEventSynchronize", 0xE)
    assert known(program) == {2: 5, 4: 0}


def test_an_event_at_the_handle_of_one_that_was_destroyed(program: Program) -> None:
    copy(program, S)
    program.call("hipEventRecord", 0xE, S)
    program.call("hipEventDestroy", 0xE)
    program.call("hipEventCreateWithFlags", 0xE, 0)
    program.call("hipEventSynchronize", 0xE)
    assert known(program) == {1: 0}


def test_streams_with_the_same_handle(program: Program) -> None:
    program.call("hipStreamCreateWithFlags", S, 1)
    copy(program, S)
    program.call("hipStreamDestroy", S)
    program.call("hipStreamCreateWithFlags", S, 1)
    program.call("hipStreamSynchronize", S)
    assert known(program) == {2: 0}


def test_a_device_is_waited_for_by_the_thread_that_turned_to_it(program: Program) -> None:
    program.call("hipSetDevice", 1, thread=7)
    copy(program, 0, thread=7)
    copy(program, 0)
    program.call("hipDeviceSynchronize")
    program.call("hipDeviceSynchronize", thread=7)
    assert known(program) == {2: 5, 3: 4}


def test_each_thread_has_a_default_stream_of_its_own(program: Program) -> None:
    program.call("hipMemcpyAsync_spt", 1, 2, 64, H2D, 0)
    program.call("hipMemcpyAsync_spt", 1, 2, 64, H2D, 0, thread=7)
    program.call("hipStreamSynchronize_spt", 0)
    assert known(program) == {1: 3, 2: 0}


def test_what_another_thread_puts_while_one_waits_is_not_covered(program: Program) -> None:
    program.call("hipStreamCreate", S)
    start = program.now
    copy(program, S, thread=7, begin=start, end=start + 20)
    program.call("hipStreamSynchronize", S, begin=start + 10, end=start + 100)
    copy(program, S, thread=7, begin=start + 30, end=start + 40)
    assert known(program) == {2: 0, 4: 0}


def test_what_another_thread_put_before_the_wait_began_is_covered(program: Program) -> None:
    program.call("hipStreamCreate", S)
    copy(program, S, thread=7)
    program.call("hipStreamSynchronize", S, takes=100)
    assert known(program) == {2: 3}


def test_captured_work_is_not_done(program: Program) -> None:
    program.call("hipStreamCreate", S)
    program.call("hipStreamBeginCapture", S, 0)
    copy(program, S)
    program.call("hipEventRecord", 0xE, S)
    program.call("hipStreamWaitEvent", T, 0xE, 0)
    copy(program, T)
    program.call("hipStreamEndCapture", S, 0x9000)
    program.call("hipGraphLaunch", 0x9100, S)
    program.call("hipStreamSynchronize", S)
    assert known(program) == {8: 9}


def test_the_stream_of_a_launch_may_be_in_a_struct(program: Program) -> None:
    config = struct.pack("<6IQQ", 1, 1, 1, 64, 1, 1, 0, S)
    program.call("hipLaunchKernelExC", 0x1, 0x2, payloads=[Payload(STRUCT, 0, config)])
    program.call("hipLaunchKernelExC", 0x1, 0x2)  # and then nobody knows
    program.call("hipStreamSynchronize", S)
    assert known(program) == {1: 3}


def test_the_stop_event_of_a_launch_stands_for_the_launch(program: Program) -> None:
    words = (0xF, 64, 1, 1, 64, 1, 1, 0, S, 0)
    copy(program, T)
    program.call("hipEventRecord", 0xE, T)
    stop = Payload(1, 0, struct.pack("<QQ", 0xE, 0))
    program.call(
        "hipExtModuleLaunchKernel", *words, payloads=[stop, Payload(KERNARG, 0, b"\0" * 8)]
    )
    program.call("hipEventSynchronize", 0xE)
    assert known(program) == {1: 0, 3: 4}


def test_the_start_event_of_a_launch_makes_its_old_record_void(program: Program) -> None:
    copy(program, T)
    program.call("hipEventRecord", 0xE, T)
    none = Payload(1, 0, struct.pack("<QQ", 0, 0))
    words = (0xF, 64, 1, 1, 64, 1, 1, 0, S, 0xE)
    program.call("hipExtModuleLaunchKernel", *words, payloads=[none, Payload(KERNARG, 0, b"")])
    program.call("hipEventSynchronize", 0xE)
    assert known(program) == {1: 0, 3: 0}
