"""Memory, streams and events that a test borrows from the device and need not give back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from tests.simdevice.library import Library, byref, done

Address = int
Handle = int

DEVICE_TO_HOST, HOST_TO_DEVICE = 2, 1


class Borrowed:
    """Everything is given back at the end, except what the test has given back by itself."""

    def __init__(self, hip: Library) -> None:
        self._hip = hip
        self._give_back: list[tuple[Callable[..., Any], int]] = []

    def memory(self, content: int | bytes) -> Address:
        """Device memory: so many bytes, or these bytes."""
        nbytes = content if isinstance(content, int) else len(content)
        address = self._take(self._hip.hipFree, self._hip.hipMalloc, nbytes)
        if isinstance(content, bytes):
            self.write(address, content)
        return address

    def pinned(self, nbytes: int, flags: int = 0) -> Address:
        return self._take(self._hip.hipHostFree, self._hip.hipHostMalloc, nbytes, flags)

    def managed(self, nbytes: int) -> Address:
        return self._take(self._hip.hipFree, self._hip.hipMallocManaged, nbytes, 1)

    def stream(self, flags: int = 0) -> Handle:
        return self._take(self._hip.hipStreamDestroy, self._hip.hipStreamCreateWithFlags, flags)

    def event(self, flags: int = 0) -> Handle:
        return self._take(self._hip.hipEventDestroy, self._hip.hipEventCreateWithFlags, flags)

    def module(self, image: bytes) -> Handle:
        return self._take(self._hip.hipModuleUnload, self._hip.hipModuleLoadData, image)

    def kernel(self, image: bytes, name: bytes) -> Handle:
        function = ctypes.c_void_p()
        done(self._hip.hipModuleGetFunction(byref(function), self.module(image), name))
        return function.value or 0

    def read(self, address: Address, nbytes: int) -> bytes:
        seen = ctypes.create_string_buffer(nbytes)
        done(self._hip.hipMemcpy(seen, address, nbytes, DEVICE_TO_HOST))
        return seen.raw

    def write(self, address: Address, content: bytes) -> None:
        done(self._hip.hipMemcpy(address, content, len(content), HOST_TO_DEVICE))

    def destroyed_stream(self) -> Handle:
        stream = self.stream()
        done(self._hip.hipStreamDestroy(stream))
        return stream

    def destroyed_event(self) -> Handle:
        event = self.event()
        done(self._hip.hipEventDestroy(event))
        return event

    def return_all(self) -> None:
        while self._give_back:
            function, handle = self._give_back.pop()
            function(handle)  # fails where the test has done it already
        done(self._hip.hipDeviceSynchronize())

    def _take(self, back: Callable[..., Any], call: Callable[..., Any], *arguments: Any) -> int:
        out = ctypes.c_void_p()
        done(call(byref(out), *arguments))
        assert out.value, "success, but nothing was given"
        self._give_back.append((back, out.value))
        return out.value
