"""Page-locked host memory as NumPy arrays."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

from greta.hip import Buffer, PinnedBuffer, Stream


def test_the_array_is_the_memory_itself() -> None:
    with PinnedBuffer((3, 4), np.float32) as pinned:
        pinned.array[:] = 5
        assert pinned.array.shape == (3, 4)
        assert pinned.array.dtype == np.float32
        assert pinned.array.ctypes.data == pinned.address
        assert pinned.nbytes == 48
        assert pinned.array.sum() == 60


def test_the_array_keeps_the_memory_alive() -> None:
    array = PinnedBuffer(1000, np.int64).array
    array[:] = 7
    gc.collect()
    other = PinnedBuffer(1000, np.int64)  # would take the place of freed memory
    other.array[:] = 9
    assert (array == 7).all()


def test_a_queued_copy_reads_the_memory_when_it_runs() -> None:
    # The staging buffer is overwritten while the copy waits: the copy takes the new bytes.
    with Stream(non_blocking=True) as stream, Buffer(4) as buffer, PinnedBuffer(4) as pinned:
        pinned.array[:] = 1
        release = threading.Event()
        stream.call_on_host(lambda: _wait(release))
        buffer.copy_from(pinned.array, stream=stream)
        pinned.array[:] = 2
        release.set()
        stream.synchronize()
        assert buffer.to_array().tolist() == [2, 2, 2, 2]


def test_a_synchronized_copy_has_read_the_memory() -> None:
    with Stream(non_blocking=True) as stream, Buffer(4) as buffer, PinnedBuffer(4) as pinned:
        pinned.array[:] = 1
        buffer.copy_from(pinned.array, stream=stream)
        stream.synchronize()
        pinned.array[:] = 2
        assert buffer.to_array().tolist() == [1, 1, 1, 1]


def test_an_empty_one_is_an_empty_array() -> None:
    with PinnedBuffer(0, np.float32) as pinned:
        assert pinned.array.shape == (0,)


def test_use_after_free_is_refused() -> None:
    pinned = PinnedBuffer(4)
    pinned.free()
    pinned.free()
    with pytest.raises(ValueError, match="closed"):
        _ = pinned.array


def _wait(release: threading.Event) -> None:
    release.wait(30)
