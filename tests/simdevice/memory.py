"""Memory of every kind that the tests fill with one byte and look at.

Device memory is filled and looked at through a stream of its own that takes no part in the rules
of the default stream: looking neither waits for anybody nor makes anybody wait.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
from dataclasses import dataclass, field
from typing import Any

from tests.simdevice.library import byref, done, hip_library

NON_BLOCKING = 1
HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = range(5)


@dataclass
class Block:
    """Some bytes that a copy can come from or go to."""

    address: int
    size: int
    keeper: Any = field(default=None, repr=False)  # what keeps pageable memory alive

    is_device = False

    def fill(self, value: int) -> None:
        ctypes.memset(self.address, value, self.size)

    def read(self) -> bytes:
        return ctypes.string_at(self.address, self.size)

    @property
    def byte(self) -> int:
        """The value that all bytes have."""
        values = set(self.read())
        assert len(values) == 1, f"not one value but {sorted(values)}"
        return values.pop()

    def free(self) -> None:
        """Gives it back to whoever it came from."""


class DeviceBlock(Block):
    is_device = True

    def fill(self, value: int) -> None:
        done(hip_library().hipMemsetAsync(self.address, value, self.size, probe_stream()))
        done(hip_library().hipStreamSynchronize(probe_stream()))

    def read(self) -> bytes:
        seen = ctypes.create_string_buffer(self.size)
        hip = hip_library()
        done(hip.hipMemcpyAsync(seen, self.address, self.size, DEVICE_TO_HOST, probe_stream()))
        return seen.raw

    def write(self, content: bytes) -> None:
        hip, size = hip_library(), len(content)
        done(hip.hipMemcpyAsync(self.address, content, size, HOST_TO_DEVICE, probe_stream()))
        done(hip.hipStreamSynchronize(probe_stream()))

    def free(self) -> None:
        done(hip_library().hipFree(self.address))


class PinnedBlock(Block):
    def free(self) -> None:
        done(hip_library().hipHostFree(self.address))


class RegisteredBlock(Block):
    def free(self) -> None:
        done(hip_library().hipHostUnregister(self.address))


@functools.cache
def probe_stream() -> int:
    handle = ctypes.c_void_p()
    done(hip_library().hipStreamCreateWithFlags(byref(handle), NON_BLOCKING))
    return handle.value or 0


def device(size: int) -> DeviceBlock:
    pointer = ctypes.c_void_p()
    done(hip_library().hipMalloc(byref(pointer), size))
    return DeviceBlock(pointer.value or 0, size)


def pinned(size: int) -> PinnedBlock:
    pointer = ctypes.c_void_p()
    done(hip_library().hipHostMalloc(byref(pointer), size, 0))
    return PinnedBlock(pointer.value or 0, size)


def pageable(size: int) -> Block:
    """Ordinary memory, in pages that nothing else uses."""
    pages = mmap.mmap(-1, size)
    return Block(ctypes.addressof(ctypes.c_char.from_buffer(pages)), size, pages)


def registered(size: int) -> RegisteredBlock:
    plain = pageable(size)
    done(hip_library().hipHostRegister(plain.address, size, 0))
    return RegisteredBlock(plain.address, size, plain)
