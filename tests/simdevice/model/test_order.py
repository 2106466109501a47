"""The rules that make the random programs correct."""

from __future__ import annotations

from tests.simdevice.model.order import Operation, Order, is_over


def comes_first(order: Order, operation: Operation, stream: int) -> bool:
    """Whether the stream's next operation comes after this one."""
    return is_over(operation, order.clock_of_next(stream))


def test_a_stream_keeps_its_own_order() -> None:
    order = Order()
    stream = order.add_stream(blocking=False)
    assert comes_first(order, order.submit(stream), stream)


def test_streams_know_nothing_of_each_other() -> None:
    order = Order()
    first, second = order.add_stream(blocking=True), order.add_stream(blocking=True)
    assert not comes_first(order, order.submit(first), second)


def test_an_event_orders_what_was_submitted_before_its_record() -> None:
    order = Order()
    first, second = order.add_stream(blocking=False), order.add_stream(blocking=False)
    before = order.submit(first)
    record = order.clock_of_last(first)
    after = order.submit(first)
    order.wait(second, record)
    assert comes_first(order, before, second)
    assert not comes_first(order, after, second)


def test_waits_are_passed_on() -> None:
    order = Order()
    first, second, third = (order.add_stream(blocking=False) for _ in range(3))
    operation = order.submit(first)
    order.wait(second, order.clock_of_last(first))
    order.submit(second)
    order.wait(third, order.clock_of_last(second))
    assert comes_first(order, operation, third)


def test_the_default_stream_and_blocking_streams_wait_for_each_other() -> None:
    order = Order()
    blocking = order.add_stream(blocking=True)
    assert comes_first(order, order.submit(blocking), order.default)
    assert comes_first(order, order.submit(order.default), blocking)


def test_the_default_stream_knows_nothing_of_non_blocking_streams() -> None:
    order = Order()
    free = order.add_stream(blocking=False)
    assert not comes_first(order, order.submit(free), order.default)
    assert not comes_first(order, order.submit(order.default), free)


def test_what_the_host_waited_for_comes_before_everything_later() -> None:
    order = Order()
    first, second = order.add_stream(blocking=False), order.add_stream(blocking=False)
    operation = order.submit(first)
    order.synchronize([first])
    assert comes_first(order, operation, second)


def test_synchronizing_the_default_stream_leaves_non_blocking_streams_out() -> None:
    order = Order()
    blocking, free = order.add_stream(blocking=True), order.add_stream(blocking=False)
    seen, unseen = order.submit(blocking), order.submit(free)
    order.synchronize_default()
    assert is_over(seen, order.host)
    assert not is_over(unseen, order.host)
    order.synchronize_all()
    assert is_over(unseen, order.host)
