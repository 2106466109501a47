"""What the runtime knows about memory, streams and faults: for whoever checks before acting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from greta.errors import HipError
from greta.hip._bindings import SUCCESS, OwnedHandle, call, hip, hip_error
from greta.hip.buffer import Buffer
from greta.hip.device import DeviceOrdinal, current_device, device_count, set_device
from greta.hip.stream import Stream

_DEFAULT_STREAMS = (0, 1, 2)  # NULL, legacy, per thread: those of the current device
_DEVICE_MEMORY = (2, 3, 11)  # hipMemoryType: device, managed, unified

# Errors that stay for the life of the process: the device, not a call, has failed. Not 709, whose
# name says as much: HIP answers it for the handle of a stream that is gone.
FAULTS = frozenset({214, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999})


@cache
def device_to_host() -> Any:
    """The kind of copy, as AMD's bindings take it."""
    return hip().hipMemcpyKind.hipMemcpyDeviceToHost


@cache
def has_one_device() -> bool:
    """So that nothing can be on the wrong one."""
    return device_count() == 1


def queue_copy(target: int, source: int, nbytes: int, stream: Stream) -> None:
    """Queues a copy from the device to pinned memory."""
    call("hipMemcpyAsync", target, source, nbytes, device_to_host(), stream.native)


def device_fault() -> HipError | None:
    """The fault that the device is known to have; errors of other calls are left to their owners.

    hipPeekAtLastError clears nothing, so whoever made a failed call still finds its error.
    """
    code = hip().hipPeekAtLastError()[0]
    if code == SUCCESS:
        return None
    return hip_error("hipPeekAtLastError", code) if int(code) in FAULTS else None


def is_capturing(stream: Stream) -> bool:
    """Work put on the stream is written into a graph instead of being done."""
    native = stream.native
    if native is None or int(native) in _DEFAULT_STREAMS:
        return False  # HIP captures none of them; asking would end a capture elsewhere
    return int(call("hipStreamIsCapturing", native)) != 0


def device_of_stream(stream: Stream) -> DeviceOrdinal:
    """The device whose queue it is."""
    if stream.handle in _DEFAULT_STREAMS:
        return current_device()
    return int(call("hipStreamGetDevice", stream.native))


def device_of_memory(address: int) -> DeviceOrdinal:
    """The device that the memory is on."""
    return int(call("hipPointerGetAttributes", address).device)


def is_device_memory(address: int) -> bool:
    """The runtime knows the address as memory of a device."""
    return int(call("hipPointerGetAttributes", address).type) in _DEVICE_MEMORY


def live_range(address: int) -> tuple[int, int]:
    """Begin and bytes of the live allocation around an address, as the runtime knows it."""
    base, nbytes = call("hipMemGetAddressRange", address)
    return int(base), int(nbytes)


@contextmanager
def on_device(ordinal: DeviceOrdinal) -> Iterator[None]:
    """Makes a device the thread's current one for a while."""
    before = current_device()
    set_device(ordinal)
    try:
        yield
    finally:
        set_device(before)


def root_of(buffer: Buffer) -> Buffer:
    """The buffer that owns the memory of a view."""
    while buffer._parent is not None:
        buffer = buffer._parent
    return buffer


def number_of(owned: OwnedHandle) -> int:
    """Its address or handle, also after it was given back."""
    return int(owned._native) if owned._native is not None else 0


def is_closed(owned: OwnedHandle) -> bool:
    """It, or the buffer it is a view of, has been given back."""
    parent = owned._parent if isinstance(owned, Buffer) else None
    return owned._closed or (parent is not None and is_closed(parent))
