"""A capture that spreads over several streams by events."""

from __future__ import annotations

from tests.simdevice.graphs import calls
from tests.simdevice.graphs.calls import begin, done, end, end_code, fork, hip, join, status
from tests.simdevice.graphs.conftest import Kernels


def test_a_wait_draws_the_other_stream_in(stream: int, other: int) -> None:
    begin(stream)
    fork(stream, other)
    assert status(other) == calls.ACTIVE
    ids = [done(hip.hipStreamGetCaptureInfo(each))[1] for each in (stream, other)]
    assert ids[0] == ids[1]
    join(other, stream)
    end(stream)
    assert status(other) == calls.NONE


def test_fork_and_join_make_a_diamond(stream: int, other: int, kernels: Kernels) -> None:
    left, right = calls.device_ints(1), calls.device_ints(1)
    begin(stream)
    kernels.launch("add", left, 1, stream)
    fork(stream, other)
    kernels.launch("multiply", left, 10, stream)
    kernels.launch("multiply", right, 100, other)
    join(other, stream)
    kernels.launch("add", right, 5, stream)
    graph = end(stream)

    first, middle_left, middle_right, last = calls.nodes(graph)
    assert calls.edges(graph) == {
        (first, middle_left),
        (first, middle_right),
        (middle_left, last),
        (middle_right, last),
    }
    calls.run(graph, stream)
    assert (calls.int_at(left), calls.int_at(right)) == (20, 105)


def test_the_other_stream_is_free_again_afterwards(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    fork(stream, other)
    kernels.launch("add", number, 1, other)
    join(other, stream)
    end(stream)
    kernels.launch("add", number, 10, other)
    assert calls.int_at(number) == 10


def test_a_wait_keeps_the_place_of_the_record(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    """What the origin captures between record and wait is no dependency."""
    happened = calls.event()
    begin(stream)
    kernels.launch("add", number, 1, stream)
    done(hip.hipEventRecord(happened, stream))
    kernels.launch("add", number, 2, stream)
    done(hip.hipStreamWaitEvent(other, happened, 0))
    kernels.launch("add", number, 3, other)
    join(other, stream)
    graph = end(stream)
    first, second, third = calls.nodes(graph)
    assert calls.dependencies(third) == [first]
    assert calls.edges(graph) == {(first, second), (first, third)}


def test_work_that_is_not_joined_is_an_error(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    fork(stream, other)
    kernels.launch("add", number, 1, other)
    assert end_code(stream) == 904
    assert status(stream) == status(other) == calls.NONE


def test_a_fork_without_work_needs_no_join(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    kernels.launch("add", number, 1, stream)
    fork(stream, other)
    assert len(calls.nodes(end(stream))) == 1
    assert status(other) == calls.NONE


def test_work_after_the_join_is_not_joined(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    begin(stream)
    fork(stream, other)
    kernels.launch("add", number, 1, other)
    join(other, stream)
    kernels.launch("add", number, 1, other)
    assert end_code(stream) == 904


def test_a_third_stream_may_be_drawn_in_by_the_second(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    with calls.stream() as third:
        begin(stream)
        fork(stream, other)
        fork(other, third)
        kernels.launch("add", number, 7, third)
        join(third, other)
        join(other, stream)
        calls.run(end(stream), stream)
    assert calls.int_at(number) == 7


def test_the_capture_ends_where_it_began(stream: int, other: int) -> None:
    begin(stream)
    fork(stream, other)
    assert end_code(other) == 903
    assert status(stream) == calls.ACTIVE
    end(stream)


def test_a_branch_that_is_destroyed_leaves_its_work_unjoined(
    stream: int, number: int, kernels: Kernels
) -> None:
    branch = int(done(hip.hipStreamCreateWithFlags(0)))
    begin(stream)
    fork(stream, branch)
    kernels.launch("add", number, 1, branch)
    done(hip.hipStreamDestroy(branch))
    assert end_code(stream) == 904


def test_two_captures_cannot_be_merged(stream: int, other: int) -> None:
    happened = calls.event()
    begin(stream)
    begin(other)
    done(hip.hipEventRecord(happened, stream))
    assert calls.code(hip.hipStreamWaitEvent(other, happened, 0)) == 902
    assert end_code(stream) == 901
    assert end_code(other) == 901


def test_a_wait_for_an_outside_event_breaks_the_isolation(
    stream: int, other: int, number: int, kernels: Kernels
) -> None:
    happened = calls.event()
    done(hip.hipEventRecord(happened, other))
    begin(stream)
    assert calls.code(hip.hipStreamWaitEvent(stream, happened, 0)) == 905
    assert status(stream) == calls.INVALIDATED
    assert end_code(stream) == 901


def test_a_wait_for_an_event_never_recorded_is_no_operation(stream: int) -> None:
    begin(stream)
    done(hip.hipStreamWaitEvent(stream, calls.event(), 0))
    assert calls.nodes(end(stream)) == []


def test_the_default_stream_cannot_be_drawn_in(stream: int) -> None:
    happened = calls.event()
    begin(stream)
    done(hip.hipEventRecord(happened, stream))
    assert calls.code(hip.hipStreamWaitEvent(None, happened, 0)) == 906
    assert end_code(stream) == 901


def test_a_captured_event_cannot_be_waited_for_by_the_host(stream: int) -> None:
    for wait in (hip.hipEventSynchronize, hip.hipEventQuery):
        happened = calls.event()
        begin(stream)
        done(hip.hipEventRecord(happened, stream))
        assert calls.code(wait(happened)) == 907
        assert end_code(stream) == 901


def test_a_captured_event_is_an_ordinary_one_after_the_capture(stream: int) -> None:
    happened = calls.event()
    begin(stream)
    done(hip.hipEventRecord(happened, stream))
    end(stream)
    done(hip.hipEventQuery(happened))
    done(hip.hipEventRecord(happened, stream))
    done(hip.hipEventSynchronize(happened))
