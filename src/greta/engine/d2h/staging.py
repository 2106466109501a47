"""Pinned memory that copies land in. A block has one owner at a time, from copy to last reader.

    free --take--> a flight --landed--> a lease (the array) --collected--> free
                       \\--failed--> set aside for good: the device may still write to it

`put_back` may run inside a destructor, at any point of any thread, so it takes no lock.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque

from greta.hip import Array, DeviceOrdinal, Event, PinnedBuffer, inspection

SMALLEST = 1 << 12  # bytes: a page


class StagingFullError(Exception):
    """All the memory that may be used is in use; becomes a D2HError."""


class HostBlock:
    """Pinned memory, and the event that says that a copy into it has ended."""

    __slots__ = ("address", "bytes", "device", "event", "nbytes", "pinned")

    def __init__(self, nbytes: int, device: DeviceOrdinal) -> None:
        self.pinned = PinnedBuffer(nbytes)
        self.event = Event(timing=False)
        self.address = self.pinned.address
        self.bytes: Array = self.pinned.array  # uint8 [nbytes]
        self.nbytes = self.bytes.nbytes
        self.device = device

    def close(self) -> None:
        """Gives the memory back."""
        self.event.close()
        self.pinned.free()


class Lease:
    """A landed block while arrays over it live: NumPy keeps it as their base."""

    __slots__ = ("_block", "_staging")

    def __init__(self, block: HostBlock, staging: Staging) -> None:
        self._block = block
        self._staging = staging

    @property
    def __array_interface__(self) -> dict[str, object]:
        block = self._block
        return {
            "version": 3,
            "shape": (block.nbytes,),
            "typestr": "|u1",
            "data": (block.address, False),
        }

    def __del__(self) -> None:
        self._staging.put_back(self._block)


class Staging:
    """Blocks in sizes that are powers of two, made on demand up to a limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._free: defaultdict[tuple[DeviceOrdinal, int], deque[HostBlock]] = defaultdict(deque)
        self._set_aside: list[HostBlock] = []
        self._lock = threading.Lock()
        self._closed = False
        self.nbytes = 0  # of all blocks, whoever owns them

    def take(self, nbytes: int, device: DeviceOrdinal) -> HostBlock:
        """A block that nobody else has."""
        size = max(SMALLEST, 1 << (nbytes - 1).bit_length())
        try:
            return self._free[device, size].pop()
        except IndexError:
            return self._made(size, device)

    def put_back(self, block: HostBlock) -> None:
        """Nobody reads it any more, and nothing writes to it."""
        if not self._closed:
            self._free[block.device, block.nbytes].append(block)

    def set_aside(self, block: HostBlock) -> None:
        """A copy into it has failed; it is neither used again nor freed."""
        self._set_aside.append(block)

    def reserve(self, nbytes: int, blocks: int, device: DeviceOrdinal) -> None:
        """Makes sure that so many blocks of that size are free."""
        for block in [self.take(nbytes, device) for _ in range(blocks)]:
            self.put_back(block)

    def close(self) -> None:
        """Frees what is free; blocks that arrays still have go with the last of them."""
        self._closed = True
        self._drop_free(until=0)

    def _made(self, size: int, device: DeviceOrdinal) -> HostBlock:
        with self._lock:
            if self.nbytes + size > self._limit:
                self._drop_free(until=self._limit - size)
            if self.nbytes + size > self._limit:
                raise StagingFullError(
                    f"{self.nbytes} of at most {self._limit} bytes of staging are held by "
                    "transfers and arrays that are still alive; copy or drop some of them"
                )
            if inspection.has_one_device():
                block = HostBlock(size, device)
            else:
                with inspection.on_device(device):  # an event belongs to the device it was made on
                    block = HostBlock(size, device)
            self.nbytes += size
            return block

    def _drop_free(self, until: int) -> None:
        for blocks in list(self._free.values()):
            while blocks and self.nbytes > until:
                block = blocks.pop()
                self.nbytes -= block.nbytes
                block.close()
