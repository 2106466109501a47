"""What a caller gets: the right part, type and shape, and facts about it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from greta.engine import d2h
from greta.engine.d2h import Arrival, Transfers
from greta.hip import Buffer, Stream

NUMBERS = np.arange(64, dtype=np.float32)


@pytest.fixture
def buffer() -> Iterator[Buffer]:
    with Buffer.from_array(NUMBERS) as buffer:
        yield buffer


def test_the_public_names() -> None:
    assert sorted(d2h.__all__) == d2h.__all__
    assert all(hasattr(d2h, name) for name in d2h.__all__)


def test_all_of_a_buffer(transfers: Transfers, buffer: Buffer) -> None:
    assert np.array_equal(transfers.read(buffer, dtype=np.float32, tensor="x"), NUMBERS)


def test_a_part_by_offset_and_shape(transfers: Transfers, buffer: Buffer) -> None:
    part = transfers.read(buffer, dtype=np.float32, offset=32, shape=(2, 3), tensor="x")
    assert np.array_equal(part, NUMBERS[8:14].reshape(2, 3))


def test_a_part_by_bytes(transfers: Transfers, buffer: Buffer) -> None:
    part = transfers.read(buffer, dtype="<f4", offset=4, nbytes=8, tensor="x")
    assert part.tolist() == [1.0, 2.0]


def test_one_number(transfers: Transfers, buffer: Buffer) -> None:
    number = transfers.read(buffer, dtype=np.float32, offset=12, shape=(), tensor="x")
    assert (number.shape, float(number)) == ((), 3.0)


def test_records_of_several_fields(transfers: Transfers, buffer: Buffer) -> None:
    pair = np.dtype([("a", "<f4"), ("b", "<f4")])
    assert transfers.read(buffer, dtype=pair, shape=2, tensor="x").tolist() == [(0, 1), (2, 3)]


def test_a_view_of_a_buffer(transfers: Transfers, buffer: Buffer) -> None:
    view = buffer.view(64, 64).view(16, 16)
    arrival = transfers.to_host(view, dtype=np.float32, offset=4, shape=2, tensor="x")
    assert arrival.wait().tolist() == [21.0, 22.0]
    assert arrival.transfer.offset == 64 + 16 + 4
    assert arrival.transfer.allocation.address == buffer.address
    assert arrival.transfer.allocation.nbytes == buffer.nbytes


def test_the_facts_of_a_transfer(transfers: Transfers, buffer: Buffer, stream: Stream) -> None:
    facts = transfers.to_host(
        buffer, dtype=np.float32, offset=16, shape=4, stream=stream, tensor="q", step=3, layer=2
    ).transfer
    assert (facts.tensor, facts.step, facts.layer) == ("q", 3, 2)
    assert (facts.source, facts.offset, facts.nbytes) == (buffer.address + 16, 16, 16)
    assert facts.stream == stream.handle
    assert facts.target != 0


def test_an_allocation_keeps_its_number(transfers: Transfers, buffer: Buffer) -> None:
    def number(source: Buffer) -> int:
        arrival = transfers.to_host(source, dtype=np.uint8, tensor="x")
        return arrival.transfer.allocation.number

    with Buffer(8) as other:
        assert number(buffer) == number(buffer.view(4, 4))
        assert number(other) != number(buffer)


def test_wait_gives_the_same_array_again(transfers: Transfers, buffer: Buffer) -> None:
    arrival = transfers.to_host(buffer, dtype=np.float32, tensor="x")
    assert arrival.wait() is arrival.wait()


def test_copy_gives_an_array_of_its_own(transfers: Transfers, buffer: Buffer) -> None:
    arrival = transfers.to_host(buffer, dtype=np.float32, tensor="x")
    first, second = arrival.copy(), arrival.copy()
    first[:] = 0
    assert first.flags.owndata
    assert second.flags.owndata
    assert not np.shares_memory(first, second)


def test_an_arrival_can_be_awaited_by_another_thread(transfers: Transfers, buffer: Buffer) -> None:
    def total(arrival: Arrival) -> float:
        return float(arrival.wait().sum())

    arrivals = [transfers.to_host(buffer, dtype=np.float32, tensor="x") for _ in range(50)]
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(total, arrivals * 2)) == {float(NUMBERS.sum())}
