"""Staging belongs to one transfer at a time, from the copy to the last reader of its array."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.engine.d2h import Arrival, D2HError, Settings, Transfers
from greta.hip import Buffer, SimTree, Stream
from tests.engine.d2h.holding import held

PAGE = 4096


@pytest.fixture
def buffer() -> Iterator[Buffer]:
    with Buffer(PAGE) as buffer:
        yield buffer


def copy_of(transfers: Transfers, buffer: Buffer, byte: int, stream: Stream) -> Arrival:
    buffer.fill(byte, stream=stream)
    return transfers.to_host(buffer, dtype=np.uint8, stream=stream, tensor=f"t{byte}")


def targets(arrivals: list[Arrival]) -> set[int]:
    return {arrival.transfer.target for arrival in arrivals}


class Site(NamedTuple):
    """Made once: what is freed while a stream is held would wait for it."""

    transfers: Transfers
    streams: list[Stream]
    buffers: list[Buffer]

    def queue(self, on: int, byte: int) -> Arrival:
        return copy_of(self.transfers, self.buffers[on], byte, self.streams[on])


@pytest.fixture(scope="module")
def site(sim_tree: SimTree) -> Site:
    streams = [Stream(non_blocking=True) for _ in range(2)]
    return Site(Transfers(settings=Settings()), streams, [Buffer(PAGE) for _ in streams])


Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
ENDS = st.sampled_from(["wait and keep", "wait and drop", "copy", "drop unseen"])


def end_of(arrival: Arrival, byte: int, end: str) -> Bytes | None:
    """Ends a transfer in one of the ways there are; gives the array if it is to be kept."""
    if end == "drop unseen":
        return None
    array = arrival.copy() if end == "copy" else arrival.wait()
    assert np.all(array == byte)
    return array if end == "wait and keep" else None


@settings(max_examples=60)
@given(st.data())
def test_in_whatever_order_transfers_are_awaited_each_has_its_own_bytes(
    site: Site, data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, 24), "transfers")
    kept: dict[int, Bytes] = {}
    for base in (0, 100):  # the second round reuses what the first gave back
        with held(*site.streams):
            flying = {
                byte: site.queue(data.draw(st.integers(0, 1), "stream"), byte)
                for byte in range(base, base + count)
            }
            in_use = targets(list(flying.values()))
            assert len(in_use) == count
            assert not in_use & {array.ctypes.data for array in kept.values()}
        for byte in data.draw(st.permutations(sorted(flying)), "order"):
            array = end_of(flying.pop(byte), byte, data.draw(ENDS, "end"))
            if array is not None:
                kept[byte] = array
        assert all(np.all(array == byte) for byte, array in kept.items())


def test_a_block_is_used_again_once_its_array_is_gone(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    seen = {
        copy_of(transfers, buffer, 1, stream).wait().__array_interface__["data"][0]
        for _ in range(20)
    }
    assert len(seen) == 1
    assert transfers.staging_bytes == PAGE


def test_a_view_of_the_array_keeps_the_block(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    part = copy_of(transfers, buffer, 1, stream).wait()[10:20]
    gc.collect()
    other = copy_of(transfers, buffer, 2, stream).wait()
    assert np.all(part == 1)
    assert np.all(other == 2)


def test_a_copy_gives_the_block_back_at_once(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    kept = [copy_of(transfers, buffer, byte, stream).copy() for byte in range(20)]
    assert transfers.staging_bytes == PAGE
    assert all(np.all(array == byte) for byte, array in enumerate(kept))


def test_a_transfer_dropped_in_flight_keeps_its_block_until_the_copy_has_ended(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    with held(stream):
        dropped = copy_of(transfers, buffer, 1, stream).transfer.target
        assert copy_of(transfers, buffer, 2, stream).transfer.target != dropped
    transfers.read(buffer, dtype=np.uint8, stream=stream, tensor="x")
    after = [copy_of(transfers, buffer, 3, stream) for _ in range(4)]
    assert dropped in targets(after)


def test_staging_grows_on_demand_and_is_bounded(buffer: Buffer, stream: Stream) -> None:
    with Transfers(staging_bytes=4 * PAGE, settings=Settings()) as transfers:
        arrivals = [copy_of(transfers, buffer, byte, stream) for byte in range(4)]
        with pytest.raises(D2HError, match=r"16384 of at most 16384 bytes of staging") as caught:
            copy_of(transfers, buffer, 9, stream)
        assert caught.value.refused
        arrivals.pop().copy()
        assert np.all(copy_of(transfers, buffer, 5, stream).wait() == 5)
        assert transfers.staging_bytes == 4 * PAGE


def test_a_full_staging_waits_for_transfers_that_were_dropped(
    buffer: Buffer, stream: Stream
) -> None:
    with Transfers(staging_bytes=2 * PAGE, settings=Settings()) as transfers:
        for byte in range(50):
            copy_of(transfers, buffer, byte, stream)
        assert np.all(copy_of(transfers, buffer, 77, stream).wait() == 77)


def test_it_waits_until_their_copies_have_ended(buffer: Buffer, stream: Stream) -> None:
    transfers = Transfers(staging_bytes=PAGE, settings=Settings())
    with Buffer(PAGE) as other, Stream(non_blocking=True) as free, held(stream) as release:
        other.fill(2)
        copy_of(transfers, buffer, 1, stream)  # dropped, and on its way into the only block
        threading.Timer(0.2, release.set).start()
        array = transfers.to_host(other, dtype=np.uint8, stream=free, tensor="x").wait()
        stream.synchronize()
        assert np.all(array == 2)


def test_free_blocks_make_room_for_blocks_of_another_size(stream: Stream) -> None:
    with Transfers(staging_bytes=8 * PAGE, settings=Settings()) as transfers:
        for nbytes in (PAGE, 8 * PAGE, 2 * PAGE, 5 * PAGE, 100):
            with Buffer(nbytes) as buffer:
                assert np.all(copy_of(transfers, buffer, 3, stream).copy() == 3)
        assert transfers.staging_bytes <= 8 * PAGE


def test_a_transfer_larger_than_all_staging_is_refused(stream: Stream) -> None:
    transfers, large = Transfers(staging_bytes=PAGE, settings=Settings()), Buffer(PAGE + 1)
    with pytest.raises(D2HError, match="0 of at most 4096 bytes of staging"):
        transfers.to_host(large, dtype=np.uint8, stream=stream, tensor="large")


def test_reserved_staging_is_there_before_the_first_transfer(
    transfers: Transfers, buffer: Buffer, stream: Stream
) -> None:
    transfers.reserve(PAGE, blocks=3)
    assert transfers.staging_bytes == 3 * PAGE
    arrivals = [copy_of(transfers, buffer, byte, stream) for byte in range(3)]
    assert transfers.staging_bytes == 3 * PAGE
    assert [int(arrival.wait()[0]) for arrival in arrivals] == [0, 1, 2]


def test_closing_waits_for_what_is_in_flight(buffer: Buffer, stream: Stream) -> None:
    transfers = Transfers(settings=Settings())
    arrival = copy_of(transfers, buffer, 4, stream)
    transfers.close()
    assert arrival.is_done()
    assert np.all(arrival.wait() == 4)
