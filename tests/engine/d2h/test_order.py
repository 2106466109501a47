"""Bytes that arrive are those the producer left, not those that were there before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from greta.engine.d2h import Transfers
from greta.hip import Buffer, Stream
from tests.engine.d2h.holding import held


@pytest.fixture
def buffer() -> Iterator[Buffer]:
    """Eight old bytes."""
    with Buffer(8) as buffer:
        buffer.fill(1)
        yield buffer


@pytest.fixture
def other() -> Iterator[Stream]:
    with Stream(non_blocking=True) as other:
        yield other


def test_a_transfer_behind_its_producer_brings_the_new_bytes(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    with held(stream):
        buffer.fill(2, stream=stream)
        arrival = transfers.to_host(buffer, dtype=np.uint8, stream=stream, tensor="x")
        assert not arrival.is_done()
    assert arrival.wait().tolist() == [2] * 8
    assert arrival.is_done()


def test_wait_waits_for_this_copy_and_not_for_the_device(
    transfers: Transfers, buffer: Buffer, stream: Stream, other: Stream
) -> None:
    with held(other):
        assert transfers.read(buffer, dtype=np.uint8, stream=stream, tensor="x").tolist() == [1] * 8
        assert not other.is_done()


def test_work_queued_behind_the_copy_is_not_waited_for(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    arrival = transfers.to_host(buffer, dtype=np.uint8, stream=stream, tensor="x")
    with held(stream):
        buffer.fill(2, stream=stream)
        assert arrival.wait().tolist() == [1] * 8


def test_with_its_event_a_producer_on_another_stream_comes_first(
    transfers: Transfers, buffer: Buffer, stream: Stream, other: Stream
) -> None:
    with held(other):
        buffer.fill(2, stream=other)
        arrival = transfers.to_host(
            buffer, dtype=np.uint8, stream=stream, after=other.record(), tensor="x"
        )
        assert not arrival.is_done()
    assert arrival.wait().tolist() == [2] * 8


def test_without_it_there_is_no_order_between_the_streams(
    transfers: Transfers, buffer: Buffer, stream: Stream, other: Stream
) -> None:
    # The twin of the test above: the caller has to name the producer, nobody else knows it.
    with held(other):
        buffer.fill(2, stream=other)
        early = transfers.read(buffer, dtype=np.uint8, stream=stream, tensor="x")
    assert early.tolist() == [1] * 8


def test_the_default_stream_orders_itself_after_blocking_streams(
    transfers: Transfers, buffer: Buffer
) -> None:
    with Stream() as blocking:
        with held(blocking):
            buffer.fill(2, stream=blocking)
            arrival = transfers.to_host(buffer, dtype=np.uint8, tensor="x")
            assert not arrival.is_done()
        assert arrival.wait().tolist() == [2] * 8


def test_the_event_stands_for_the_work_before_it_only(
    transfers: Transfers, buffer: Buffer, stream: Stream, other: Stream
) -> None:
    buffer.fill(2, stream=other)
    event = other.record()
    with held(other):
        buffer.fill(3, stream=other)
        array = transfers.read(buffer, dtype=np.uint8, stream=stream, after=event, tensor="x")
    assert array.tolist() == [2] * 8


def test_the_source_lives_while_its_copy_is_in_flight(transfers: Transfers, stream: Stream) -> None:
    with held(stream):
        buffer = Buffer(8)
        buffer.fill(7, stream=stream)
        arrival = transfers.to_host(buffer, dtype=np.uint8, stream=stream, tensor="x")
        del buffer
    assert arrival.wait().tolist() == [7] * 8
