"""Which work is known to be done: against a plain reference, and each rule with its near miss."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.forensics.order import How, completion, ordered
from greta.trace.trace import NONE, Gap, Kind, Row, StreamKind, Trace, Waits
from tests.forensics import random_programs
from tests.forensics.completion_reference import CompletionReference
from tests.forensics.tracing import NULL_STREAM, TraceBuilder

SOME = settings(max_examples=150)
spreads = st.sampled_from((0, 0, 15, 60))


def known(trace: Trace, before: Row | None = None) -> dict[Row, Row]:
    found = completion(trace, before).known_by.tolist()
    return {row: by for row, by in enumerate(found) if by != NONE}


@SOME
@given(random_programs.actions, spreads)
def test_the_same_is_known(actions: list[random_programs.Action], spread: int) -> None:
    trace = random_programs.program(actions, spread).build()
    assert known(trace) == CompletionReference(trace).known_by


@SOME
@given(random_programs.actions, spreads)
def test_as_of_a_call_only_the_calls_before_it_count(
    actions: list[random_programs.Action], spread: int
) -> None:
    whole = known(random_programs.program(actions, spread).build())
    trace = random_programs.program(actions, spread).build()
    for before in range(len(trace.operations)):
        part = known(trace, before)
        assert all(by < before for by in part.values())
        assert part.keys() <= whole.keys()
        assert {row for row, by in whole.items() if by < before} <= part.keys()


@SOME
@given(random_programs.actions)
def test_of_one_thread_it_is_what_the_order_says(actions: list[random_programs.Action]) -> None:
    """What is known to be done is before a call at the end, and by a wait of the host."""
    build = random_programs.program(actions)
    last = build.call(Kind.OTHER)
    for call in build.operations:  # a thread that made another call has returned from this one
        call.update(finished=True)
    trace = build.build()
    rows = list(range(last))
    answers = ordered(trace, [(row, last) for row in rows])
    waited = {r for r, answer in zip(rows, answers, strict=True) if answer.how is How.HOST_WAITED}
    assert known(trace).keys() == waited


class Two:
    """Streams of every kind, and threads whose calls overlap."""

    def __init__(self) -> None:
        self.build = TraceBuilder()
        self.blocking = self.build.add_stream(StreamKind.BLOCKING)
        self.free = self.build.add_stream(StreamKind.NON_BLOCKING)
        self.unknown = self.build.add_stream(StreamKind.UNKNOWN)
        self.event = self.build.event()

    def put(self, stream: int, **fields: Any) -> Row:
        return self.build.call(Kind.FILL, stream=stream, **fields)

    def known(self) -> dict[Row, Row]:
        return known(self.build.build())


def test_what_another_thread_puts_while_one_waits_is_not_covered() -> None:
    two = Two()
    two.put(two.free, thread=1, begin=0, end=20)
    two.build.wait_stream(two.free, thread=2, begin=10, end=100)
    two.put(two.free, thread=1, begin=30, end=40)
    assert two.known() == {}


def test_what_had_been_put_before_the_wait_began_is_covered() -> None:
    two = Two()
    first = two.put(two.free, thread=1, begin=0, end=20)
    wait = two.build.wait_stream(two.free, thread=2, begin=20, end=100)
    assert two.known() == {first: wait}


def test_an_event_that_is_being_recorded_again_stands_for_nothing() -> None:
    two = Two()
    first = two.put(two.free, thread=1, begin=0, end=5)
    two.build.record(two.event, two.free, thread=1, begin=5, end=10)
    two.build.record(two.event, two.blocking, thread=1, begin=10, end=100)
    two.build.wait_event(two.event, thread=2, begin=20, end=30)
    assert two.known() == {}
    two.build.operations[2].update(failed=True, result=1)  # refused: the old record stands
    assert two.known()[first] == 3


def test_what_cannot_be_told_is_not_known() -> None:
    two = Two()
    two.put(two.unknown)
    two.put(NULL_STREAM)
    two.build.call(Kind.WAIT_STREAM, stream=NONE)
    two.build.call(Kind.WAIT_EVENT, event=NONE)
    two.build.call(Kind.WAIT_DEVICE, device=NONE)
    assert two.known() == {}
    wait = two.build.wait_stream(NULL_STREAM)  # is the unknown stream a blocking one?
    assert two.known() == {1: wait}


def test_work_on_streams_that_a_log_does_not_name_is_not_in_turn() -> None:
    two = Two()
    two.build.streams[two.unknown]["handle"] = 0
    two.put(two.unknown)
    copy = two.put(two.unknown, waits=Waits.FOR_IT)
    two.build.record(two.event, two.unknown)
    two.build.wait_event(two.event)
    two.build.wait_stream(two.unknown)
    assert two.known() == {copy: copy}
    wait = two.build.wait_device()  # all streams, whichever they are
    assert two.known() == {0: wait, copy: copy, 2: wait}


def test_waiting_for_a_blocking_stream_does_not_cover_the_default_stream() -> None:
    two = Two()
    first = two.put(two.blocking)
    two.put(NULL_STREAM)
    wait = two.build.wait_stream(two.blocking)
    assert two.known() == {first: wait}


def test_a_call_that_waits_shows_itself_done_on_any_stream() -> None:
    two = Two()
    copy = two.put(NONE, waits=Waits.FOR_IT)
    assert two.known() == {copy: copy}
    two.build.operations[copy].update(finished=False)
    assert two.known() == {}


def test_the_start_event_of_a_launch_is_recorded_before_it() -> None:
    two = Two()
    other = two.put(two.blocking)
    two.build.record(two.event, two.blocking)
    first = two.put(two.free)
    two.build.call(Kind.LAUNCH, stream=two.free, start_event=two.event)
    wait = two.build.wait_event(two.event)
    assert two.known() == {first: wait}
    assert other not in two.known()


def test_the_start_event_of_a_streams_first_launch_stands_for_what_the_launch_waited_for() -> None:
    two = Two()
    first = two.put(two.blocking)
    two.build.call(Kind.LAUNCH, stream=NULL_STREAM, start_event=two.event)
    wait = two.build.wait_event(two.event)
    last = two.build.call(Kind.OTHER)
    assert two.known() == {first: wait}
    assert ordered(two.build.build(), [(first, last)])[0].how is How.HOST_WAITED


@pytest.mark.parametrize("waited", [False, True])
def test_of_a_ring_matters_what_streams_had_before_the_first_call(waited: bool) -> None:
    two = Two()
    if waited:
        two.build.wait_stream(two.free)
    two.put(two.free)
    trace = two.build.build()
    assert not completion(trace).may_lack_launches()
    trace.gaps[Gap.OVERWRITTEN] = "some"
    assert completion(trace).may_lack_launches() == (not waited)
