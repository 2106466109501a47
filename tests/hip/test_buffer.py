"""Device memory: allocation, copies, fills, views."""

from __future__ import annotations

import numpy as np
import pytest

from greta.hip import Buffer, HipError, PinnedBuffer, Stream, memory_info


def test_bytes_go_there_and_come_back() -> None:
    given = np.arange(1000, dtype=np.float64)
    with Buffer.from_array(given) as buffer:
        assert buffer.nbytes == len(buffer) == given.nbytes
        assert buffer.address % 256 == 0
        np.testing.assert_array_equal(buffer.to_array(np.float64), given)


def test_shape_and_type_of_what_comes_back_are_as_asked() -> None:
    given = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    with Buffer.from_array(given) as buffer:
        np.testing.assert_array_equal(buffer.to_array(np.int16, (2, 3, 4)), given)
        assert buffer.to_array(np.int16, 3).tolist() == [0, 1, 2]


def test_copy_to_an_offset_leaves_the_rest_alone() -> None:
    with Buffer(8) as buffer:
        buffer.fill(0xFF)
        buffer.copy_from(np.array([1, 2], dtype=np.uint8), offset=3)
        assert buffer.to_array().tolist() == [255, 255, 255, 1, 2, 255, 255, 255]


def test_fill_can_be_a_part() -> None:
    with Buffer(8) as buffer:
        buffer.fill(0)
        buffer.fill(7, offset=2, nbytes=3)
        assert buffer.to_array().tolist() == [0, 0, 7, 7, 7, 0, 0, 0]


def test_device_to_device_copy_is_done_at_return() -> None:
    given = np.arange(1 << 16, dtype=np.int32)
    with Buffer.from_array(given) as source, Buffer(given.nbytes) as target:
        target.copy_from(source)
        np.testing.assert_array_equal(target.to_array(np.int32), given)


def test_copies_in_a_stream_are_there_after_it_was_synchronized() -> None:
    given = np.arange(1 << 16, dtype=np.int32)
    with (
        Stream() as stream,
        Buffer(given.nbytes) as buffer,
        PinnedBuffer(1 << 16, np.int32) as back,
    ):
        buffer.copy_from(given, stream=stream)
        buffer.copy_to(back.array, stream=stream)
        stream.synchronize()
        np.testing.assert_array_equal(back.array, given)


def test_a_view_is_a_window_on_the_same_bytes() -> None:
    with Buffer(16) as buffer:
        buffer.fill(0)
        view = buffer.view(4, 8)
        view.fill(1)
        assert view.address == buffer.address + 4
        assert buffer.to_array().tolist() == [0] * 4 + [1] * 8 + [0] * 4


def test_a_view_of_a_freed_buffer_is_refused() -> None:
    buffer = Buffer(16)
    view = buffer.view(0, 8)
    buffer.free()
    with pytest.raises(ValueError, match="closed"):
        view.fill(0)


@pytest.mark.parametrize(("offset", "nbytes"), [(0, 17), (9, 8), (-1, 4), (17, 0)])
def test_a_view_past_the_end_is_refused(offset: int, nbytes: int) -> None:
    with Buffer(16) as buffer, pytest.raises(ValueError, match="16"):
        buffer.view(offset, nbytes)


def test_an_array_that_does_not_fit_is_refused() -> None:
    with Buffer(16) as buffer:
        with pytest.raises(ValueError, match="the source needs bytes 0 to 20"):
            buffer.copy_from(np.zeros(20, dtype=np.uint8))
        with pytest.raises(ValueError, match="the target needs bytes 8 to 24"):
            buffer.copy_to(np.zeros(16, dtype=np.uint8), offset=8)


def test_arrays_with_gaps_and_read_only_targets_are_refused() -> None:
    with Buffer(64) as buffer:
        with pytest.raises(ValueError, match="gaps"):
            buffer.copy_from(np.zeros((4, 4), dtype=np.uint8)[:, :2])
        target = np.zeros(4, dtype=np.uint8)
        target.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            buffer.copy_to(target)
        with pytest.raises(TypeError, match="NumPy"):
            buffer.copy_from([1, 2, 3])  # type: ignore[arg-type]


def test_freeing_twice_is_one_free_and_use_after_it_is_refused() -> None:
    buffer = Buffer(16)
    buffer.free()
    buffer.free()
    with pytest.raises(ValueError, match="closed"):
        buffer.fill(0)
    assert repr(buffer) == "Buffer(freed, 16 bytes)"


def test_a_buffer_nobody_refers_to_is_freed() -> None:
    before = memory_info().free
    buffer = Buffer(1 << 20)
    assert memory_info().free < before
    del buffer
    assert memory_info().free == before


def test_an_empty_buffer_is_allowed() -> None:
    with Buffer(0) as buffer:
        assert buffer.address == 0
        assert buffer.to_array().size == 0


def test_more_than_the_device_has_is_an_error_with_its_name() -> None:
    with pytest.raises(HipError) as caught:
        Buffer(memory_info().total * 2)
    assert caught.value.call == "hipMalloc"
    assert caught.value.code == 2
    assert caught.value.name == "hipErrorOutOfMemory"
    assert caught.value.text == "out of memory"


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        Buffer(-1)


def test_allocation_and_free_in_a_stream() -> None:
    given = np.arange(256, dtype=np.uint8)
    with Stream() as stream:
        buffer = Buffer(256, stream=stream)
        buffer.copy_from(given, stream=stream)
        back = np.empty_like(given)
        buffer.copy_to(back, stream=stream)
        buffer.free(stream=stream)
        stream.synchronize()
    np.testing.assert_array_equal(back, given)
    with pytest.raises(ValueError, match="closed"):
        buffer.fill(0)
