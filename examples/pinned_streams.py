"""Copies that overlap: several streams, pinned host arrays, fills, events.

    greta sim -- python examples/pinned_streams.py

Each stream works on its own part of one device array: it copies numbers in, overwrites the first
quarter with zeros, and copies the part out again.
"""

import ctypes
import random

import numpy as np
from rocm.bindings import hip

STREAMS = 4
COUNT = 100_000


def checked(result):
    """Takes the error code off a result, and raises if there was an error."""
    error, *values = result
    if error != hip.hipError_t.hipSuccess:
        raise RuntimeError(error.name)
    return values[0] if len(values) == 1 else tuple(values)


def pinned_array(count: int, dtype):
    """Page-locked host memory and a NumPy array over it."""
    nbytes = count * np.dtype(dtype).itemsize
    memory = checked(hip.hipHostMalloc(nbytes, hip.hipHostMallocDefault))
    raw = (ctypes.c_byte * nbytes).from_address(int(memory))
    return memory, np.frombuffer(raw, dtype=dtype)


def main() -> None:
    source_memory, source = pinned_array(COUNT, np.int32)
    target_memory, target = pinned_array(COUNT, np.int32)
    source[:] = [random.randrange(1, 1000) for _ in range(COUNT)]  # noqa: S311
    target[:] = -1

    device = checked(hip.hipMalloc(source.nbytes))
    device.configure(typestr="int32", shape=(COUNT,), itemsize=4)
    streams = [checked(hip.hipStreamCreate()) for _ in range(STREAMS)]
    start, stop = checked(hip.hipEventCreate()), checked(hip.hipEventCreate())

    part = COUNT // STREAMS
    checked(hip.hipEventRecord(start, None))
    for index, stream in enumerate(streams):
        first = index * part
        on_device = device[first : first + part]
        on_host = source[first : first + part]
        back = target[first : first + part]
        to_device = hip.hipMemcpyKind.hipMemcpyHostToDevice
        to_host = hip.hipMemcpyKind.hipMemcpyDeviceToHost
        checked(hip.hipMemcpyAsync(on_device, on_host, on_host.nbytes, to_device, stream))
        checked(hip.hipMemsetAsync(on_device, 0, on_host.nbytes // 4, stream))
        checked(hip.hipMemcpyAsync(back, on_device, on_host.nbytes, to_host, stream))
    for stream in streams:
        checked(hip.hipStreamSynchronize(stream))
    checked(hip.hipEventRecord(stop, None))
    checked(hip.hipEventSynchronize(stop))
    print(f"{STREAMS} streams took {checked(hip.hipEventElapsedTime(start, stop)):.3f} ms")

    expected = source.copy().reshape(STREAMS, part)
    expected[:, : part // 4] = 0
    np.testing.assert_array_equal(target, expected.reshape(-1))

    for stream in streams:
        checked(hip.hipStreamDestroy(stream))
    checked(hip.hipEventDestroy(start))
    checked(hip.hipEventDestroy(stop))
    checked(hip.hipFree(device))
    checked(hip.hipHostFree(source_memory))
    checked(hip.hipHostFree(target_memory))
    print("ok")


if __name__ == "__main__":
    main()
