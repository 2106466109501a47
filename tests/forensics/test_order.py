"""HIP's rules of order, one by one, each with the program that lacks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from greta.forensics.order import ConflictKind, How, Sign, conflicts, ordered, would_order
from greta.trace.trace import Kind, Known, Memory, Mode, Row, StreamKind, Trace, Waits
from tests.forensics.tracing import NULL_STREAM, Buffer, TraceBuilder, pageable

RAW = ConflictKind.READ_AFTER_WRITE
WAR = ConflictKind.WRITE_AFTER_READ
WAW = ConflictKind.WRITE_AFTER_WRITE


def kinds(build: TraceBuilder) -> list[ConflictKind]:
    return [conflict.kind for conflict in conflicts(build.build())]


class Handover:
    """A kernel writes on stream a; something that a test adds; a copy reads on stream b."""

    def __init__(
        self,
        a: StreamKind = StreamKind.NON_BLOCKING,
        b: StreamKind = StreamKind.NON_BLOCKING,
        device_b: int = 0,
    ) -> None:
        self.build = TraceBuilder()
        legacy = StreamKind.LEGACY
        self.a = NULL_STREAM if a == legacy else self.build.stream(a)
        self.b = NULL_STREAM if b == legacy else self.build.stream(b, device_b)
        self.x = self.build.allocate(64)
        self.pinned = self.build.allocate(64, Memory.PINNED)
        self.event = self.build.event()

    def write(self) -> Row:
        return self.build.launch(self.a, may_write=[self.x[:]])

    def read(self, **fields: object) -> Row:
        return self.build.copy(self.pinned[:], self.x[:], self.b, **fields)

    def trace_with(self, between: Callable[[Handover], object]) -> tuple[Trace, Row, Row]:
        first = self.write()
        between(self)
        second = self.read()
        return self.build.build(), first, second


def nothing(_: Handover) -> None:
    """No order at all."""


def event(program: Handover) -> Row:
    program.build.record(program.event, program.a)
    return program.build.stream_wait(program.b, program.event)


def through_a_third_stream(program: Handover) -> Row:
    third, second_event = program.build.stream(), program.build.event()
    program.build.record(program.event, program.a)
    program.build.stream_wait(third, program.event)
    program.build.record(second_event, third)
    return program.build.stream_wait(program.b, second_event)


ORDERS: dict[str, tuple[Callable[[Handover], object], How]] = {
    "event": (event, How.EVENT),
    "stream wait": (lambda p: p.build.wait_stream(p.a), How.HOST_WAITED),
    "device wait": (lambda p: p.build.wait_device(), How.HOST_WAITED),
    "reset": (lambda p: p.build.call(Kind.RESET, device=0), How.HOST_WAITED),
    "event wait": (
        lambda p: (p.build.record(p.event, p.a), p.build.wait_event(p.event)),
        How.HOST_WAITED,
    ),
    "query": (lambda p: p.build.call(Kind.QUERY_STREAM, stream=p.a), How.HOST_WAITED),
    "event query": (
        lambda p: (p.build.record(p.event, p.a), p.build.call(Kind.QUERY_EVENT, event=p.event)),
        How.HOST_WAITED,
    ),
    "free": (lambda p: p.build.free(p.build.allocate(4)), How.HOST_WAITED),
    "blocking copy": (
        lambda p: p.build.copy(p.pinned[:8], p.x[:8], p.a, waits=Waits.FOR_IT),
        How.HOST_WAITED,
    ),
    "wait by another thread": (lambda p: p.build.wait_stream(p.a, thread=1), How.HOST_WAITED),
    "event recorded twice": (
        lambda p: (p.build.record(p.event, p.b), event(p)),
        How.EVENT,
    ),
    "event recorded again after the wait": (
        lambda p: (event(p), p.build.record(p.event, p.b)),
        How.EVENT,
    ),
    "through a third stream": (through_a_third_stream, How.EVENT),
}

LACKING: dict[str, Callable[[Handover], object]] = {
    "nothing": nothing,
    "event of another stream": lambda p: (
        p.build.record(p.event, p.b),
        p.build.stream_wait(p.b, p.event),
    ),
    "event never recorded": lambda p: p.build.stream_wait(p.b, p.event),
    "event recorded after the wait": lambda p: (
        p.build.stream_wait(p.b, p.event),
        p.build.record(p.event, p.a),
    ),
    "event recorded again on another stream": lambda p: (
        p.build.record(p.event, p.a),
        p.build.record(p.event, p.b),
        p.build.stream_wait(p.b, p.event),
    ),
    "wait for another stream": lambda p: p.build.wait_stream(p.b),
    "wait for another device": lambda p: p.build.wait_device(1),
    "wait for the default stream": lambda p: p.build.wait_stream(NULL_STREAM),
    "wait that failed": lambda p: p.build.wait_stream(p.a, failed=True, result=1),
    "wait that did not return": lambda p: p.build.wait_stream(p.a, finished=False, end=0, thread=1),
    "wait that is still going on": lambda p: p.build.wait_stream(p.a, thread=1, end=10_000),
    "query that said not ready": lambda p: p.build.call(Kind.QUERY_STREAM, stream=p.a, result=600),
    "destroying the stream": lambda p: p.build.call(Kind.STREAM_DESTROY, stream=p.a),
    "captured wait": lambda p: (
        p.build.record(p.event, p.a),
        p.build.stream_wait(p.b, p.event, captured=True),
    ),
    "another call": lambda p: p.build.allocate(4),
}


@pytest.mark.parametrize("name", ORDERS)
def test_what_orders(name: str) -> None:
    between, how = ORDERS[name]
    trace, first, second = Handover().trace_with(between)
    assert [conflict.kind for conflict in conflicts(trace)] == []
    [answer] = ordered(trace, [(first, second)])
    assert answer.how == how
    assert first < answer.via < second


@pytest.mark.parametrize("name", LACKING)
def test_what_does_not_order(name: str) -> None:
    trace, first, second = Handover().trace_with(LACKING[name])
    found = list(conflicts(trace))
    assert [(c.kind, c.first, c.second) for c in found] == [(RAW, first, second)]
    assert ordered(trace, [(first, second)])[0].how == How.UNORDERED


BLOCKING, FREE_RUNNING = StreamKind.BLOCKING, StreamKind.NON_BLOCKING
LEGACY, OWN = StreamKind.LEGACY, StreamKind.PER_THREAD


@pytest.mark.parametrize(
    ("a", "b", "how"),
    [
        (LEGACY, BLOCKING, How.DEFAULT_STREAM),
        (BLOCKING, LEGACY, How.DEFAULT_STREAM),
        (LEGACY, OWN, How.DEFAULT_STREAM),
        (OWN, LEGACY, How.DEFAULT_STREAM),
        (LEGACY, LEGACY, How.SAME_STREAM),
        (LEGACY, FREE_RUNNING, How.UNORDERED),
        (FREE_RUNNING, LEGACY, How.UNORDERED),
        (BLOCKING, BLOCKING, How.UNORDERED),
        (BLOCKING, OWN, How.UNORDERED),
        (StreamKind.UNKNOWN, LEGACY, How.DEFAULT_STREAM),
    ],
)
def test_the_default_stream(a: StreamKind, b: StreamKind, how: How) -> None:
    trace, first, second = Handover(a, b).trace_with(nothing)
    assert ordered(trace, [(first, second)])[0].how == how
    assert len(conflicts(trace)) == (how == How.UNORDERED)


def test_the_default_stream_of_another_device_is_another_one() -> None:
    program = Handover(LEGACY, BLOCKING, device_b=1)
    trace, first, second = program.trace_with(nothing)
    assert ordered(trace, [(first, second)])[0].how == How.UNORDERED


def test_work_of_the_default_stream_lies_between_two_blocking_streams() -> None:
    program = Handover(BLOCKING, BLOCKING)
    trace, first, second = program.trace_with(lambda p: p.build.launch(NULL_STREAM))
    [answer] = ordered(trace, [(first, second)])
    assert answer.how == How.DEFAULT_STREAM


def test_the_barrier_is_made_when_work_is_submitted() -> None:
    """What the default stream does later is not waited for by what was there before."""
    build = TraceBuilder()
    blocking = build.stream(BLOCKING)
    x, y = build.allocate(64), build.allocate(64)
    build.copy(y[:], x[:], blocking)
    build.fill(x[:], NULL_STREAM)
    assert kinds(build) == []  # the default stream waits for the copy


def test_waiting_for_the_default_stream_waits_for_blocking_streams() -> None:
    program = Handover(BLOCKING, FREE_RUNNING)
    trace, *_ = program.trace_with(lambda p: p.build.wait_stream(NULL_STREAM))
    assert len(conflicts(trace)) == 0


def test_launches_of_one_graph_wait_for_each_other() -> None:
    for graphs, expected in (((7, 7), []), ((7, 8), [RAW]), ((-1, -1), [RAW])):
        build = TraceBuilder()
        x = build.allocate(64)
        for graph in graphs:
            build.launch(build.stream(), may_write=[x[:]])
            build.operations[-1].update(kind=Kind.GRAPH_LAUNCH, event=graph)
        assert kinds(build) == expected


def test_a_launch_may_bring_its_event() -> None:
    program = Handover()
    program.build.launch(program.a, may_write=[program.x[:]], event=program.event)
    program.build.stream_wait(program.b, program.event)
    program.read()
    assert kinds(program.build) == []


# ---- the host


def two_threads(end: int) -> TraceBuilder:
    """Two threads copy into the same pageable memory; the first call returns at `end`."""
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    x = build.allocate(64)
    build.copy(pageable(0x10, 8), x[:8], a, waits=Waits.FOR_IT, begin=100, end=end, thread=1)
    build.copy(pageable(0x14, 8), x[:8], b, waits=Waits.FOR_IT, begin=150, end=190, thread=2)
    return build


def test_calls_of_two_threads_are_ordered_by_time() -> None:
    assert kinds(two_threads(end=150)) == []
    assert kinds(two_threads(end=151)) == [WAW]


def touched(between: Callable[[TraceBuilder, Row], object], mode: Mode) -> TraceBuilder:
    """The host touches the pinned end of a copy."""
    build = TraceBuilder()
    stream = build.stream()
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    if mode == Mode.READ:
        build.copy(pinned[:], x[:], stream)
    else:
        build.copy(x[:], pinned[:], stream)
    between(build, stream)
    build.host_touch(pinned[8:9], mode)
    return build


def test_the_host_touches_a_copy_in_flight() -> None:
    assert kinds(touched(lambda b, s: None, Mode.READ)) == [RAW]
    assert kinds(touched(lambda b, s: None, Mode.WRITE)) == [WAR]
    assert kinds(touched(lambda b, s: b.wait_stream(s), Mode.READ)) == []
    assert kinds(touched(lambda b, s: b.wait_stream(s), Mode.WRITE)) == []


def test_a_callback_may_have_told_the_host() -> None:
    [conflict] = conflicts(touched(lambda b, s: b.host_function(s), Mode.READ).build())
    assert Sign.CALLBACK in conflict.signs


def test_enqueuing_comes_after_what_the_host_did() -> None:
    build = TraceBuilder()
    x, pinned = build.allocate(64), build.allocate(64, Memory.PINNED)
    build.host_touch(pinned[:1], Mode.WRITE)
    build.copy(x[:], pinned[:], build.stream())
    assert kinds(build) == []


# ---- memory


def test_bytes_that_do_not_meet_do_not_conflict() -> None:
    for begin, expected in ((32, []), (31, [WAW])):
        build = TraceBuilder()
        x = build.allocate(64)
        build.fill(x[:32], build.stream())
        build.fill(x[begin:], build.stream())
        assert kinds(build) == expected


def test_columns_of_a_matrix_do_not_conflict() -> None:
    for offset, expected in ((8, []), (7, [WAW])):
        build = TraceBuilder()
        x = build.allocate(64)
        build.fill(x.rectangle(0, 8, 16, 4), build.stream())
        build.fill(x.rectangle(offset, 8, 16, 3), build.stream())
        assert kinds(build) == expected


def test_reading_twice_is_no_conflict() -> None:
    build = TraceBuilder()
    x, y = build.allocate(64), build.allocate(64)
    build.copy(y[:32], x[:], build.stream())
    build.copy(y[32:], x[:], build.stream())
    assert kinds(build) == []


def test_a_read_is_remembered_beyond_other_reads() -> None:
    build = TraceBuilder()
    a, b, c = build.stream(), build.stream(), build.stream()
    x, y = build.allocate(64), build.allocate(64)
    build.copy(y[:32], x[:32], a)
    build.copy(y[32:], x[:32], b)
    event = build.event()
    build.record(event, b)
    build.stream_wait(c, event)
    build.fill(x[:], c)
    [conflict] = conflicts(build.build())
    assert (conflict.kind, conflict.allocation, conflict.bytes) == (WAR, x.row, 32)


def signs(build: TraceBuilder) -> Sign:
    [conflict] = conflicts(build.build())
    return conflict.signs & Sign.DOUBTFUL


def test_of_two_kernels_nobody_knows_where_in_their_buffer_they_are() -> None:
    for start in (16, 0):
        build = TraceBuilder()
        arena = build.allocate(256)
        build.launch(build.stream(), may_write=[arena[:64]])
        build.launch(build.stream(), may_write=[arena[start : start + 64]])
        assert signs(build)


def test_what_is_read_was_written_by_somebody() -> None:
    """Somebody who is known to be done, or else it is read too early."""
    for earlier in (False, True):
        build = TraceBuilder()
        a, b = build.stream(), build.stream()
        x, y = build.allocate(256), build.allocate(256)
        if earlier:
            build.fill(x[:128], a)
            build.wait_stream(a)
        build.launch(a, may_write=[x[:64]])
        build.launch(b, reads=[x[:64]], writes=[y[:64]])
        assert bool(signs(build)) == earlier


def test_who_overwrites_all_that_was_written_meets_whoever_reads_it() -> None:
    for overwritten in (64, 32):
        build = TraceBuilder()
        a, b = build.stream(), build.stream()
        x, y = build.allocate(256), build.allocate(256)
        build.copy(x[:64], y[:64], a)
        build.launch(a, reads=[x[:64]], writes=[y[:64]])
        build.wait_device()
        build.launch(a, reads=[x[:64]], writes=[y[:64]])
        build.fill(x[:overwritten], b)
        assert bool(signs(build)) == (overwritten < 64)


def test_where_pointers_lie_in_memory_anybody_may_have_written() -> None:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    x, table = build.allocate(64), build.allocate(64)
    build.launch(a, reads=[table[:]])
    build.accesses[-1]["known"] |= Known.POINTERS
    build.wait_device()
    build.launch(a, may_write=[x[:]])
    build.launch(b, reads=[x[:]])
    assert signs(build)


def freed(free: Callable[[TraceBuilder, Buffer, Row, Row], object]) -> list[ConflictKind]:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    x = build.allocate(64, stream=a)
    build.launch(a, may_write=[x[:]])
    free(build, x, a, b)
    return kinds(build)


def test_memory_freed_in_flight() -> None:
    in_flight = [ConflictKind.FREED_IN_FLIGHT]
    assert freed(lambda build, x, a, b: build.free(x, b)) == in_flight
    assert freed(lambda build, x, a, b: build.free(x, waits=Waits.NO)) == in_flight
    assert freed(lambda build, x, a, b: build.free(x, a)) == []
    assert freed(lambda build, x, a, b: build.free(x)) == []
    assert freed(lambda build, x, a, b: (build.wait_stream(a), build.free(x, b))) == []


def test_stream_ordered_memory_used_elsewhere() -> None:
    for waits, expected in ((False, [ConflictKind.USED_BEFORE_ALLOCATED]), (True, [])):
        build = TraceBuilder()
        a, b = build.stream(), build.stream()
        x = build.allocate(64, stream=a)
        event = build.event()
        build.record(event, a)
        if waits:
            build.stream_wait(b, event)
        build.fill(x[:], b)
        assert kinds(build) == expected


def test_a_new_life_of_an_address_is_other_memory() -> None:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    x = build.allocate(64)
    build.fill(x[:], a)
    build.free(x, a)
    y = build.allocate(64)
    build.allocations[y.row]["address"] = x.address
    build.fill(Buffer(y.row, x.address, 64)[:], b)
    assert kinds(build) == []


@pytest.mark.parametrize("odd", [{"failed": True, "result": 1}, {"captured": True}])
def test_what_did_not_run_touched_nothing(odd: dict[str, object]) -> None:
    program = Handover()
    program.write()
    program.build.operations[-1].update(odd)
    program.read()
    assert kinds(program.build) == []


def test_one_missing_wait_is_one_conflict_for_all_that_it_would_order() -> None:
    build = TraceBuilder()
    a, b = build.stream(), build.stream()
    x, y, pinned = build.allocate(64), build.allocate(64), build.allocate(128)
    build.launch(a, reads=[y[:]], may_write=[x[:]])
    build.copy(pinned[:64], x[:], b)
    build.fill(y[:], b)
    assert kinds(build) == [RAW]


def test_a_loop_is_one_group() -> None:
    program = Handover()
    for _ in range(10):
        program.write()
        program.read()
    found = {conflict.kind: conflict.repeats for conflict in conflicts(program.build.build())}
    assert found == {RAW: 9, WAR: 8}


# ---- what would order


def test_what_would_order() -> None:
    program = Handover()
    trace, first, second = program.trace_with(nothing)
    remedy = would_order(trace, first, second)
    assert remedy.code == "record_and_wait"
    assert remedy.data == {"stream": program.a, "other_stream": program.b}


def test_an_event_that_is_there_already_would_order() -> None:
    program = Handover()
    trace, first, second = program.trace_with(lambda p: p.build.record(p.event, p.a))
    remedy = would_order(trace, first, second)
    assert remedy.code == "wait_for_recorded_event"
    assert remedy.data["event_seq"] == trace.operations["seq"][first + 1]


def test_a_non_blocking_stream_beside_the_default_stream() -> None:
    trace, first, second = Handover(FREE_RUNNING, LEGACY).trace_with(nothing)
    assert would_order(trace, first, second).code == "default_stream_does_not_wait"


def test_the_host_would_have_to_wait() -> None:
    trace = touched(lambda b, s: None, Mode.READ).build()
    [conflict] = conflicts(trace)
    remedy = would_order(trace, conflict.first, conflict.second)
    assert (remedy.code, remedy.data) == ("synchronize_stream", {"stream": 1})


def test_on_one_stream_the_earlier_call_would_have_to_return() -> None:
    trace, first, second = Handover().trace_with(nothing)
    trace.operations["stream"][second] = trace.operations["stream"][first]
    remedy = would_order(trace, first, second)
    seq = trace.operations["seq"][first]
    assert (remedy.code, remedy.data) == ("let_call_return", {"call_seq": seq})
