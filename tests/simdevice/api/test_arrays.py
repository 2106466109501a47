"""Boxes and arrays: allocated, described, copied, filled, refused."""

from __future__ import annotations

import ctypes
from ctypes import c_size_t, c_uint, c_void_p
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.boxes import (
    ARRAY,
    BY_ADDRESS,
    CUBE,
    D2D,
    D2H,
    DEVICE,
    FLOAT,
    GATHER,
    H2D,
    HOST,
    LAYERED,
    SIGNED,
    UNSIGNED,
    ArrayShape,
    ArrayShape3D,
    BatchCopy3D,
    BatchOperand,
    Copy3D,
    DriverCopy2D,
    DriverCopy3D,
    PeerCopy3D,
)
from tests.simdevice.child import answer_of
from tests.simdevice.codes import DESTROYED, INVALID_HANDLE, INVALID_VALUE, OUT_OF_MEMORY, Code
from tests.simdevice.library import (
    Channels,
    Extent,
    Library,
    PitchedPointer,
    byref,
    done,
    hip_library,
)

INT8, INT32 = 1, 3  # hipArray_Format, unsigned
WIDTH, HEIGHT, DEPTH = 6, 4, 3
BYTES = WIDTH * HEIGHT * DEPTH
CONTENT = bytes(range(BYTES))
ARGUMENTS_OF_A_SIDE = {"host": HOST, "device": DEVICE, "array": ARRAY}


def pitched(
    address: int, width: int = WIDTH, height: int = HEIGHT, pitch: int = 0
) -> PitchedPointer:
    return PitchedPointer(address, pitch or width, width, height)


def whole(dst: int, src: int, kind: int) -> Copy3D:
    extent = Extent(WIDTH, HEIGHT, DEPTH)
    return Copy3D(src=pitched(src), dst=pitched(dst), extent=extent, kind=kind)


def on_host(content: bytes = bytes(BYTES)) -> Any:
    return ctypes.create_string_buffer(content, len(content))


def array_of(channels: Channels, *extent: int, flags: int = 0) -> int:
    handle = c_void_p()
    shape = Extent(*extent, *[0] * (3 - len(extent)))
    done(hip_library().hipMalloc3DArray(byref(handle), byref(channels), shape, flags))
    return handle.value or 0


BYTE = Channels(8, 0, 0, 0, UNSIGNED)


@pytest.fixture
def array(hip: Library) -> Any:
    """Of bytes, in three dimensions; holds CONTENT."""
    handle = array_of(BYTE, WIDTH, HEIGHT, DEPTH)
    copy = whole(0, ctypes.addressof(source := on_host(CONTENT)), H2D)
    copy.dst, copy.dst_array = PitchedPointer(), handle
    done(hip.hipMemcpy3D(byref(copy)))
    del source
    yield handle
    hip.hipFreeArray(handle)


def test_a_box_is_copied_row_by_row(hip: Library, device: Borrowed) -> None:
    src, dst, back = device.memory(CONTENT), device.memory(bytes(256 * HEIGHT * DEPTH)), on_host()
    copy = whole(dst, src, D2D)
    copy.dst.pitch = 256
    done(hip.hipMemcpy3D(byref(copy)))
    seen = device.read(dst, 256 * HEIGHT * DEPTH)
    rows = [seen[row * 256 : row * 256 + WIDTH] for row in range(HEIGHT * DEPTH)]
    assert b"".join(rows) == CONTENT
    assert set(seen[WIDTH:256]) == {0}
    for call, stream in (("hipMemcpy3DAsync", device.stream()), ("hipMemcpy3DAsync_spt", 0)):
        to_host = whole(ctypes.addressof(back), dst, D2H)
        to_host.src.pitch = 256
        done(getattr(hip, call)(byref(to_host), stream))
        assert back.raw == CONTENT
    part = whole(ctypes.addressof(back), src, BY_ADDRESS)
    part.extent, part.src_pos.x, part.src_pos.y, part.src_pos.z = Extent(2, 2, 2), 1, 2, 1
    part.dst = pitched(ctypes.addressof(back), 2, 2)
    done(hip.hipMemcpy3D_spt(byref(part)))
    first = WIDTH * HEIGHT + 2 * WIDTH + 1
    assert back.raw[:4] == bytes([first, first + 1, first + WIDTH, first + WIDTH + 1])


def test_a_box_of_nothing_is_no_copy(hip: Library, device: Borrowed) -> None:
    copy = whole(device.memory(BYTES), device.memory(BYTES), D2D)
    copy.extent.depth = 0
    done(hip.hipMemcpy3D(byref(copy)))


def test_boxes_that_make_no_sense(hip: Library, device: Borrowed, array: int) -> None:
    src, dst = device.memory(BYTES), device.memory(BYTES)

    def changed(**fields: Any) -> Any:
        copy = whole(dst, src, D2D)
        for name, value in fields.items():
            setattr(copy, name, value)
        return byref(copy)

    wide, other = PitchedPointer(src, 4, 6, 4), PitchedPointer(src, 3, 3, 4)
    for params, code in (
        (None, INVALID_VALUE), (changed(src=PitchedPointer()), INVALID_VALUE),
        (changed(src_array=array), INVALID_VALUE), (changed(src=wide), Code.INVALID_PITCH),
        (changed(src=other), INVALID_VALUE), (changed(kind=99), Code.INVALID_COPY_KIND),
        (changed(extent=Extent(WIDTH, HEIGHT, DEPTH + 1)), INVALID_VALUE),
        (changed(dst_array=0x123, dst=PitchedPointer()), INVALID_HANDLE),
    ):  # fmt: skip
        assert hip.hipMemcpy3D(params) == code
        assert hip.hipMemcpy3DAsync(params, None) == code


@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize(("from_", "to"), [("host", "device"), ("device", "array"),
                                           ("array", "host"), ("array", "array")])  # fmt: skip
def test_the_driver_s_copies_name_their_sides(
    hip: Library, device: Borrowed, array: int, from_: str, to: str, blocking: bool
) -> None:
    target = array_of(BYTE, WIDTH, HEIGHT, DEPTH)
    back, source = on_host(), on_host(CONTENT)
    places = {
        "host": (ctypes.addressof(source), ctypes.addressof(back)),
        "device": (device.memory(CONTENT), device.memory(bytes(BYTES))),
        "array": (array, target),
    }
    copy = DriverCopy3D(width=WIDTH, height=HEIGHT, depth=DEPTH)
    copy.src_type, copy.dst_type = ARGUMENTS_OF_A_SIDE[from_], ARGUMENTS_OF_A_SIDE[to]
    copy.src_height = copy.dst_height = HEIGHT
    setattr(copy, f"src_{from_}", places[from_][0])
    setattr(copy, f"dst_{to}", places[to][1])
    arguments = () if blocking else (device.stream(),)
    done((hip.hipDrvMemcpy3D if blocking else hip.hipDrvMemcpy3DAsync)(byref(copy), *arguments))
    done(hip.hipDeviceSynchronize())
    if to == "array":
        done(hip.hipMemcpyAtoH(back, target, 0, BYTES))
    elif to == "device":
        done(hip.hipMemcpy(back, places[to][1], BYTES, D2H))
    assert back.raw == CONTENT
    done(hip.hipFreeArray(target))


def test_rectangles_in_the_driver_s_words(hip: Library, device: Borrowed) -> None:
    src, dst, stream = device.memory(CONTENT), device.memory(bytes(BYTES)), device.stream()
    copy = DriverCopy2D(src_type=DEVICE, dst_type=DEVICE, src_device=src, dst_device=dst)
    copy.width, copy.height, copy.src_pitch, copy.src_x, copy.src_y = 2, 2, WIDTH, 1, 1
    expected = bytes([7, 8, 13, 14])
    for call, *rest in (
        ("hipMemcpyParam2D",), ("hipMemcpyParam2DAsync", stream), ("hipDrvMemcpy2DUnaligned",),
    ):  # fmt: skip
        done(hip.hipMemset(dst, 0, BYTES))
        done(hip.hipDeviceSynchronize())
        done(getattr(hip, call)(byref(copy), *rest))
        done(hip.hipDeviceSynchronize())
        assert device.read(dst, 5) == expected + b"\0"
    copy.src_device = ctypes.addressof(on_host())
    assert hip.hipMemcpyParam2D(byref(copy)) == INVALID_VALUE  # no device memory
    assert hip.hipMemcpyParam2D(None) == INVALID_VALUE


def test_an_array_says_what_it_is(hip: Library) -> None:
    handle, channels = c_void_p(), Channels(32, 32, 0, 0, FLOAT)
    done(hip.hipMallocArray(byref(handle), byref(channels), 5, 7, 0))
    seen, extent, flags = Channels(), Extent(), c_uint(9)
    done(hip.hipArrayGetInfo(byref(seen), byref(extent), byref(flags), handle))
    assert [getattr(seen, name) for name in "xyzwf"] == [32, 32, 0, 0, FLOAT]
    assert (extent.width, extent.height, extent.depth, flags.value) == (5, 7, 0, 0)
    shape, flat, again = ArrayShape3D(), ArrayShape(), Channels()
    done(hip.hipArray3DGetDescriptor(byref(shape), handle))
    done(hip.hipArrayGetDescriptor(byref(flat), handle))
    done(hip.hipGetChannelDesc(byref(again), handle))
    assert (shape.width, shape.height, shape.depth, shape.format, shape.channels) == (
        5,
        7,
        0,
        32,
        2,
    )
    assert (flat.width, flat.height, flat.format, flat.channels) == (5, 7, 32, 2)
    assert bytes(again) == bytes(seen) == bytes(hip.hipCreateChannelDesc(32, 32, 0, 0, FLOAT))
    done(hip.hipFreeArray(handle))
    assert hip.hipFreeArray(handle) == DESTROYED
    assert hip.hipArrayGetInfo(None, None, None, handle) == INVALID_HANDLE
    assert hip.hipArrayGetDescriptor(byref(flat), handle) == INVALID_HANDLE
    assert hip.hipArray3DGetDescriptor(byref(shape), handle) == INVALID_HANDLE


def test_arrays_are_created_by_description(hip: Library) -> None:
    handle, flat, deep = c_void_p(), ArrayShape(4, 4, INT32, 4), ArrayShape3D(4, 4, 2, INT8, 1, 0)
    done(hip.hipArrayCreate(byref(handle), byref(flat)))
    done(hip.hipArrayDestroy(handle))
    assert hip.hipArrayDestroy(handle) == DESTROYED
    done(hip.hipArray3DCreate(byref(handle), byref(deep)))
    done(hip.hipArrayDestroy(handle))
    bad = (
        Channels(8, 16, 0, 0, UNSIGNED),
        Channels(8, 8, 8, 0, UNSIGNED),
        Channels(8, 0, 0, 0, FLOAT),
    )
    one = INVALID_VALUE
    for name, arguments, code in (
        ("hipMallocArray", (None, byref(BYTE), 1, 1, 0), one),
        ("hipMallocArray", (byref(handle), None, 1, 1, 0), one),
        ("hipMallocArray", (byref(handle), byref(BYTE), 0, 0, 0), one),
        ("hipMallocArray", (byref(handle), byref(BYTE), 1, 1, CUBE), one),
        ("hipMallocArray", (byref(handle), byref(BYTE), 1, 0, GATHER), one),
        ("hipMallocArray", (byref(handle), byref(BYTE), 1 << 40, 1 << 20, 0), OUT_OF_MEMORY),
        *(("hipMallocArray", (byref(handle), byref(each), 4, 4, 0), one) for each in bad),
        ("hipArrayCreate", (byref(handle), None), one),
        ("hipArray3DCreate", (byref(handle), None), one),
        ("hipArrayCreate", (byref(handle), byref(ArrayShape(4, 4, INT8, 3))), one),
        ("hipArrayCreate", (byref(handle), byref(ArrayShape(4, 4, 99, 1))), one),
        ("hipFreeArray", (None,), one), ("hipArrayDestroy", (None,), one),
        ("hipGetChannelDesc", (byref(Channels()), None), one),
    ):  # fmt: skip
        assert getattr(hip, name)(*arguments) == code, (name, arguments)
    layered = array_of(Channels(16, 0, 0, 0, SIGNED), 8, 0, 4, flags=LAYERED)
    done(hip.hipFreeArray(layered))


def test_rectangles_go_to_arrays_and_back(hip: Library, device: Borrowed) -> None:
    handle, stream, back = array_of(BYTE, WIDTH, HEIGHT), device.stream(), on_host(bytes(24))
    flat, source = CONTENT[: WIDTH * HEIGHT], on_host(CONTENT[: WIDTH * HEIGHT])
    place = (WIDTH, WIDTH, HEIGHT)
    for to, from_, rest in (
        ("hipMemcpy2DToArray", "hipMemcpy2DFromArray", ()),
        ("hipMemcpy2DToArray_spt", "hipMemcpy2DFromArray_spt", ()),
        ("hipMemcpy2DToArrayAsync", "hipMemcpy2DFromArrayAsync", (stream,)),
    ):
        done(getattr(hip, to)(handle, 0, 0, source, *place, H2D, *rest))
        ctypes.memset(back, 0, 24)
        done(getattr(hip, from_)(back, WIDTH, handle, 0, 0, *place[1:], D2H, *rest))
        done(hip.hipDeviceSynchronize())
        assert back.raw == flat
    other = array_of(BYTE, WIDTH, HEIGHT)
    done(hip.hipMemcpy2DArrayToArray(other, 2, 1, handle, 0, 0, 3, 2, D2D))
    done(hip.hipMemcpy2DFromArray(back, 3, other, 2, 1, 3, 2, D2H))
    assert back.raw[:6] == bytes([0, 1, 2, 6, 7, 8])
    for arguments, code in (
        ((None, 0, 0, source, *place, H2D), INVALID_HANDLE),
        ((handle, 1, 0, source, *place, H2D), INVALID_VALUE),
        ((handle, 0, 1, source, *place, H2D), INVALID_VALUE),
        ((handle, 0, 0, None, *place, H2D), INVALID_VALUE),
        ((handle, 0, 0, source, 2, WIDTH, HEIGHT, H2D), Code.INVALID_PITCH),
        ((handle, 0, 0, source, *place, 99), Code.INVALID_COPY_KIND),
    ):
        assert hip.hipMemcpy2DToArray(*arguments) == code
    assert (
        hip.hipMemcpy2DArrayToArray(other, 0, 0, handle, 0, 0, 1, 1, H2D) == Code.INVALID_COPY_KIND
    )
    for each in (handle, other):
        done(hip.hipFreeArray(each))


def test_bytes_go_to_arrays_and_back(hip: Library, device: Borrowed) -> None:
    handle, other = array_of(BYTE, WIDTH, HEIGHT), array_of(BYTE, WIDTH, HEIGHT)
    memory, stream, back = device.memory(CONTENT), device.stream(), on_host(bytes(24))
    source = on_host(CONTENT[:24])
    steps: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("hipMemcpyToArray", (handle, 0, 0, source, 24, H2D)),
        ("hipMemcpyHtoA", (handle, 0, source, 24)), ("hipMemcpyDtoA", (handle, 0, memory, 24)),
        ("hipMemcpyHtoAAsync", (handle, 0, source, 24, stream)),
        ("hipMemcpyAtoA", (other, 0, handle, 0, 24)), ("hipMemcpyAtoD", (memory, other, 0, 24)),
        ("hipMemcpyFromArray", (back, other, 0, 0, 24, D2H)),
        ("hipMemcpyFromArray_spt", (back, other, 0, 0, 24, D2H)),
        ("hipMemcpyAtoHAsync", (back, other, 0, 24, stream)),
        ("hipMemcpyAtoH", (back, other, 0, 24)),
    )  # fmt: skip
    for name, arguments in steps:
        done(getattr(hip, name)(*arguments))
        done(hip.hipDeviceSynchronize())
    assert back.raw == device.read(memory, 24) == CONTENT[:24]
    done(hip.hipMemcpyFromArray(back, handle, 2, 1, 4, D2H))
    assert back.raw[:4] == bytes([8, 9, 10, 11])
    for name, arguments in (
        ("hipMemcpyToArray", (None, 0, 0, source, 1, H2D)),
        ("hipMemcpyHtoA", (handle, 0, source, 25)), ("hipMemcpyAtoH", (None, handle, 0, 1)),
        ("hipMemcpyAtoA", (other, 0, None, 0, 1)), ("hipMemcpyDtoA", (handle, 7, memory, 1)),
        ("hipMemcpyFromArray", (back, handle, 0, HEIGHT, 1, D2H)),
    ):  # fmt: skip
        assert getattr(hip, name)(*arguments) == INVALID_VALUE, name
    for each in (handle, other):
        done(hip.hipFreeArray(each))


def test_elements_count_where_an_array_takes_part(hip: Library) -> None:
    handle, back = array_of(Channels(32, 0, 0, 0, SIGNED), 4, 2), on_host(bytes(32))
    source = on_host(bytes(range(32)))
    copy = Copy3D(dst_array=handle, extent=Extent(4, 2, 1), kind=H2D)
    copy.src = pitched(ctypes.addressof(source), 16, 2)
    done(hip.hipMemcpy3D(byref(copy)))
    part = Copy3D(src_array=handle, extent=Extent(2, 1, 1), kind=D2H)
    part.src_pos.x, part.src_pos.y, part.dst = 1, 1, pitched(ctypes.addressof(back), 8, 1)
    done(hip.hipMemcpy3D(byref(part)))
    assert back.raw[:8] == bytes(range(20, 28))
    part.extent.width = 4
    assert hip.hipMemcpy3D(byref(part)) == INVALID_VALUE
    done(hip.hipFreeArray(handle))


def test_boxes_are_allocated_and_filled(hip: Library, device: Borrowed) -> None:
    place, extent = PitchedPointer(), Extent(10, 3, 2)
    done(hip.hipMalloc3D(byref(place), extent))
    assert (place.pitch, place.xsize, place.ysize) == (256, 10, 3)
    done(hip.hipMemset(place.ptr, 0, 256 * 6))
    for value, call, rest in ((1, "hipMemset3D", ()), (2, "hipMemset3D_spt", ()),
                              (3, "hipMemset3DAsync", (device.stream(),))):  # fmt: skip
        done(getattr(hip, call)(place, value, extent, *rest))
        done(hip.hipDeviceSynchronize())
        seen = device.read(place.ptr, 256 * 6)
        assert {seen[row * 256 + x] for row in range(6) for x in range(10)} == {value}
        assert set(seen[10:256]) == {0}
    assert hip.hipMemset3D(place, 1, Extent(10, 3, 3)) == INVALID_VALUE
    assert hip.hipMemset3D(PitchedPointer(None, 256, 10, 3), 1, extent) == INVALID_VALUE
    done(hip.hipMemset3D(place, 1, Extent(0, 3, 2)))
    done(hip.hipFree(place.ptr))
    pitch, memory = c_size_t(), c_void_p()
    done(hip.hipMemAllocPitch(byref(memory), byref(pitch), 100, 4, 4))
    assert pitch.value == 256
    done(hip.hipFree(memory))
    for arguments in ((0, 4, 4), (4, 0, 4), (4, 4, 3)):
        assert hip.hipMemAllocPitch(byref(memory), byref(pitch), *arguments) == INVALID_VALUE
    assert hip.hipMalloc3D(None, extent) == INVALID_VALUE
    done(hip.hipMemAllocHost(byref(memory), 64))
    done(hip.hipHostFree(memory))


@pytest.mark.parametrize(
    ("size", "value", "calls"),
    [
        (1, 0x7F, "hipMemsetD2D8 hipMemsetD2D8Async"),
        (2, 0x7F01, "hipMemsetD2D16 hipMemsetD2D16Async"),
        (4, 0x7F010203, "hipMemsetD2D32 hipMemsetD2D32Async"),
    ],
)
def test_rows_of_elements_are_filled(
    hip: Library, device: Borrowed, size: int, value: int, calls: str
) -> None:
    memory = device.memory(bytes(64 * 3))
    for call, rest in zip(calls.split(), ((), (None,)), strict=True):
        done(hip.hipMemset(memory, 0, 64 * 3))
        done(getattr(hip, call)(memory, 64, value, 4, 3, *rest))
        seen, row = device.read(memory, 64 * 3), value.to_bytes(size, "little") * 4
        assert [seen[64 * at : 64 * at + 4 * size] for at in range(3)] == [row] * 3
        assert set(seen[4 * size : 64]) == {0}
        assert getattr(hip, call)(memory, 2, value, 4, 3, *rest) == INVALID_VALUE
        assert getattr(hip, call)(memory, 64, value, 4, 4, *rest) == INVALID_VALUE


def test_a_batch_of_copies_stops_at_the_first_that_fails(hip: Library, device: Borrowed) -> None:
    source, target, failed = device.memory(CONTENT), device.memory(bytes(BYTES)), c_size_t()
    dsts, srcs = (c_void_p * 3)(*[target + 8 * i for i in range(3)]), (c_void_p * 3)(*[source] * 3)
    for sizes, code, index in (((4, 4, 4), 0, 2**64 - 1), ((4, 0, 4), INVALID_VALUE, 1)):
        each = (c_size_t * 3)(*sizes)
        rest = (None, None, 0, byref(failed), None)
        assert hip.hipMemcpyBatchAsync(dsts, srcs, each, 3, *rest) == code
        assert failed.value == index
    done(hip.hipDeviceSynchronize())
    assert device.read(target, 20)[16:20] == CONTENT[:4]
    assert hip.hipMemcpyBatchAsync(None, srcs, each, 3, *rest) == INVALID_VALUE
    attributes = (None, None, 1, byref(failed), None)
    assert hip.hipMemcpyBatchAsync(dsts, srcs, each, 3, *attributes) == Code.NOT_SUPPORTED


def test_a_batch_of_boxes_stops_at_the_first_that_fails(hip: Library, device: Borrowed) -> None:
    source, target, failed = device.memory(CONTENT), device.memory(bytes(BYTES)), c_size_t()
    words = array_of(Channels(32, 0, 0, 0, SIGNED), 4, 2)
    box, row, none = Extent(WIDTH, HEIGHT, DEPTH), Extent(2, 1, 1), c_size_t * 3
    copies = (BatchCopy3D * 3)(
        BatchCopy3D(BatchOperand(1, source, none(WIDTH, HEIGHT)), BatchOperand(1, target), box),
        # Elements of four bytes, as one side is an array of such.
        BatchCopy3D(BatchOperand(1, source), BatchOperand(2, words, none(2, 1)), row),
        BatchCopy3D(BatchOperand(2, words, none(2, 1)), BatchOperand(1, target), row),
    )
    assert hip.hipMemcpy3DBatchAsync(3, copies, byref(failed), 0, None) == 0
    assert failed.value == 2**64 - 1
    assert device.read(target, BYTES) == CONTENT[:8] + CONTENT[8:]
    done(hip.hipMemset(target, 0, BYTES))
    assert hip.hipMemcpy3DBatchAsync(2, ctypes.byref(copies, 112), None, 0, None) == 0
    assert device.read(target, 9) == CONTENT[:8] + b"\0"
    for change in ((0, 1, 1), (WIDTH, HEIGHT, DEPTH + 1)):
        copies[1].extent = Extent(*change)
        assert hip.hipMemcpy3DBatchAsync(3, copies, byref(failed), 0, None) == INVALID_VALUE
        assert failed.value == 1
    for arguments in ((0, copies, None, 0), (3, None, None, 0), (3, copies, None, 1)):
        assert hip.hipMemcpy3DBatchAsync(*arguments, None) == INVALID_VALUE
    done(hip.hipFreeArray(words))


def copy_between_devices() -> list[Any]:
    hip, borrowed = hip_library(), Borrowed(hip_library())
    here = borrowed.memory(CONTENT)
    done(hip.hipSetDevice(1))
    there = borrowed.memory(bytes(BYTES))
    copy = PeerCopy3D(src=pitched(here), dst=pitched(there), extent=Extent(WIDTH, HEIGHT, DEPTH))
    copy.src_device, copy.dst_device = 0, 1
    done(hip.hipMemcpy3DPeer(byref(copy)))
    seen = [borrowed.read(there, BYTES) == CONTENT]
    done(hip.hipMemset(there, 0, BYTES))
    done(hip.hipMemcpy3DPeerAsync(byref(copy), None))
    seen.append(borrowed.read(there, BYTES) == CONTENT)
    copy.src_device = 7
    return [*seen, hip.hipMemcpy3DPeer(byref(copy)), hip.hipMemcpy3DPeerAsync(byref(copy), None)]


def test_boxes_are_copied_between_devices() -> None:
    answer = answer_of(copy_between_devices, GRETA_SIM_DEVICES="2")
    assert answer == [True, True, Code.INVALID_DEVICE, Code.INVALID_DEVICE]
