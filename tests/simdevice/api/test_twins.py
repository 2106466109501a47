"""Twins (_spt) that nothing else tries: captures, launches, fills and arrays of a thread's own."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_ulonglong, c_void_p

from tests.simdevice.api.test_arrays import BYTE, HEIGHT, WIDTH, array_of, on_host, pitched
from tests.simdevice.borrowed import Borrowed
from tests.simdevice.boxes import D2H, H2D
from tests.simdevice.codes import INVALID_HANDLE, INVALID_VALUE, Code
from tests.simdevice.library import Extent, Library, byref, done
from tests.simdevice.streams import on_another_thread

RELAXED = 2
IDLE, CAPTURING = 0, 1


def capture_status(hip: Library) -> tuple[int, int, int, int]:
    """As the three calls say it, and the number of the capture."""
    plain, with_id, with_all = c_int(-1), c_int(-1), c_int(-1)
    number, same = c_ulonglong(), c_ulonglong()
    done(hip.hipStreamIsCapturing_spt(None, byref(plain)))
    done(hip.hipStreamGetCaptureInfo_spt(None, byref(with_id), byref(number)))
    more = (byref(same), None, None, None)
    done(hip.hipStreamGetCaptureInfo_v2_spt(None, byref(with_all), *more))
    assert number.value == same.value
    return plain.value, with_id.value, with_all.value, number.value


def captured(hip: Library, memory: int) -> int:
    """A graph that sets memory, captured from the thread's own stream."""
    graph = c_void_p()
    done(hip.hipStreamBeginCapture_spt(None, RELAXED))
    *states, number = capture_status(hip)
    assert (states, number > 0) == ([CAPTURING] * 3, True)
    assert on_another_thread(lambda: capture_status(hip)[0]) == IDLE
    done(hip.hipMemsetAsync_spt(memory, 7, 16, None))
    done(hip.hipStreamEndCapture_spt(None, byref(graph)))
    assert capture_status(hip)[0] == IDLE
    return graph.value or 0


def test_a_threads_own_stream_is_captured_and_its_graph_launched(
    hip: Library, device: Borrowed
) -> None:
    memory, executable = device.memory(bytes(16)), c_void_p()
    graph = captured(hip, memory)
    assert device.read(memory, 16) == bytes(16)
    done(hip.hipGraphInstantiateWithFlags(byref(executable), graph, 0))
    done(hip.hipGraphLaunch_spt(executable, None))
    done(hip.hipStreamSynchronize_spt(None))
    assert device.read(memory, 16) == bytes([7] * 16)
    done(hip.hipGraphExecDestroy(executable))
    done(hip.hipGraphDestroy(graph))


def test_what_captures_and_launches_refuse(hip: Library) -> None:
    nothing = c_void_p()
    assert hip.hipStreamBeginCapture_spt(None, 99) == INVALID_VALUE
    assert hip.hipStreamEndCapture_spt(None, None) == INVALID_VALUE
    assert hip.hipStreamEndCapture_spt(None, byref(nothing)) == Code.ILLEGAL_STATE
    assert hip.hipGraphLaunch_spt(None, None) == INVALID_VALUE
    assert hip.hipStreamIsCapturing_spt(None, None) == INVALID_VALUE
    assert hip.hipStreamGetCaptureInfo_spt(None, None, None) == INVALID_VALUE
    assert hip.hipStreamGetCaptureInfo_v2_spt(None, *[None] * 5) == INVALID_VALUE


def test_rows_and_boxes_are_filled_on_the_threads_own_stream(
    hip: Library, device: Borrowed
) -> None:
    size, rows = WIDTH * HEIGHT, bytes([9, 9, 9, 0, 0, 0]) * HEIGHT
    for number in range(2):
        memory = device.memory(bytes(size))
        if number == 0:
            code = hip.hipMemset2DAsync_spt(memory, WIDTH, 9, 3, HEIGHT, None)
        else:
            code = hip.hipMemset3DAsync_spt(pitched(memory), 9, Extent(3, HEIGHT, 1), None)
        done(code)
        done(hip.hipStreamSynchronize_spt(None))
        assert device.read(memory, size) == rows
    assert hip.hipMemset2DAsync_spt(None, WIDTH, 9, 3, HEIGHT, None) == INVALID_VALUE
    assert hip.hipMemset3DAsync_spt(pitched(0), 9, Extent(3, HEIGHT, 1), None) == INVALID_VALUE
    assert hip.hipMemset3D_spt(pitched(0), 9, Extent(3, HEIGHT, 1)) == INVALID_VALUE


def test_an_array_is_filled_and_read_on_the_threads_own_stream(hip: Library) -> None:
    content, back = on_host(bytes(range(WIDTH * HEIGHT))), on_host(bytes(WIDTH * HEIGHT))
    source, target = (ctypes.addressof(one) for one in (content, back))
    size = (WIDTH, HEIGHT)
    handle = array_of(BYTE, *size)
    done(hip.hipMemcpy2DToArrayAsync_spt(handle, 0, 0, source, WIDTH, *size, H2D, None))
    done(hip.hipMemcpy2DFromArrayAsync_spt(target, WIDTH, handle, 0, 0, *size, D2H, None))
    done(hip.hipStreamSynchronize_spt(None))
    assert back.raw == content.raw
    done(hip.hipFreeArray(handle))
    into = hip.hipMemcpy2DToArrayAsync_spt(handle, 0, 0, source, WIDTH, *size, H2D, None)
    back_from = hip.hipMemcpy2DFromArrayAsync_spt(target, WIDTH, handle, 0, 0, *size, D2H, None)
    assert (into, back_from) == (INVALID_HANDLE, INVALID_HANDLE)
