"""A copy on its way: queued once, awaited once, then landed or failed for good; and its array."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections import deque
from typing import NoReturn

import numpy as np

from greta.engine.d2h.staging import HostBlock, Lease, Staging
from greta.engine.d2h.transfer import CopyRequest, D2HError, OpId, Transfer, contradiction, failure
from greta.engine.d2h.watch import Watch
from greta.hip import Array, HipError, inspection


class Traffic:
    """Sets and deques only: they are shared by threads and filled by destructors, with no lock."""

    def __init__(self, staging: Staging, watch: Watch | None) -> None:
        self.staging = staging
        self.watch = watch
        self.open: set[Flight] = set()  # queued, neither landed nor failed
        self.dropped: deque[Flight] = deque()  # nobody will ask for their array
        # At the end of the process, so that every line that begins a transfer has its end.
        weakref.finalize(self, settle_all, self.open)

    def collect(self, *, wait: bool) -> None:
        """Gives back the blocks of dropped flights that are over, or of all of them."""
        for _ in range(len(self.dropped)):
            try:
                flight = self.dropped.popleft()
            except IndexError:  # another thread was faster
                return
            if wait or flight.is_over:
                with contextlib.suppress(D2HError):
                    flight.settle()
                    self.staging.put_back(flight.block)
            else:
                self.dropped.append(flight)


def settle_all(flights: set[Flight]) -> None:
    """Waits for everything in the air; errors are for those who ask for the arrays."""
    for flight in list(flights):
        with contextlib.suppress(D2HError):
            flight.settle()


class Flight:
    """One copy. Its block is its own until it has landed; who takes the block then holds `lock`."""

    def __init__(
        self, request: CopyRequest, transfer: Transfer, block: HostBlock, traffic: Traffic
    ) -> None:
        self.request = request  # keeps the source and the stream alive
        self.transfer = transfer
        self.block = block
        self.error: D2HError | None = None
        self.lock = threading.RLock()
        self._op: OpId | None = None
        self._traffic = traffic
        self._queued = False
        self._landed = False

    def queue(self) -> None:
        """Puts the copy, and the event behind it, on the stream, after the producer."""
        stream, after, transfer = self.request.stream, self.request.after, self.transfer
        traffic = self._traffic
        try:
            if after is not None:
                stream.wait(after)
            self._queued = True
            traffic.open.add(self)
            if traffic.watch is not None:
                self._op = traffic.watch.started(transfer)
            inspection.queue_copy(transfer.target, transfer.source, transfer.nbytes, stream)
            self.block.event.record(stream)
        except HipError as error:
            self._fail(error)

    def queue_in_debug_mode(self) -> None:
        """The same, with the stream empty before and after, and HIP asked about the source."""
        stream = self.request.stream
        try:
            if self.request.after is not None:
                stream.wait(self.request.after)
            stream.synchronize()
            reason = contradiction(self.transfer)
        except HipError as error:
            self._fail(error)
        if reason is not None:
            self._leave()
            self.error = D2HError(self.transfer, reason)
            if self._traffic.watch is not None:
                self._traffic.watch.refused(self.error, out_of_bounds=False)
            raise self.error
        self.queue()
        try:
            stream.synchronize()
        except HipError as error:
            self._fail(error)

    def settle(self) -> None:
        """Waits for the copy; if it has failed, raises the same error each time."""
        with self.lock:
            if self.error is not None:
                raise self.error
            if not self._landed:
                try:
                    self.block.event.synchronize()
                except HipError as error:
                    self._fail(error)
                if (fault := inspection.device_fault()) is not None:
                    self._fail(fault)
                self._landed = True
                self._traffic.open.discard(self)
                if self._traffic.watch is not None and self._op is not None:
                    self._traffic.watch.arrived(self._op, self.transfer)

    @property
    def is_over(self) -> bool:
        """It has landed or failed, so `settle` will not wait."""
        if self._landed or self.error is not None:
            return True
        try:
            return self.block.event.is_done()
        except HipError:
            return True  # settle will say so

    def _fail(self, cause: HipError) -> NoReturn:
        self._leave()
        self.error = failure(self.transfer, cause)
        if self._traffic.watch is not None:
            self._traffic.watch.failed(self._op, self.error, cause)
        raise self.error from cause

    def _leave(self) -> None:
        self._traffic.open.discard(self)
        if self._queued:
            self._traffic.staging.set_aside(self.block)
        else:
            self._traffic.staging.put_back(self.block)


class Arrival:
    """A copy in flight; `wait` gives its array, `copy` an array that needs no staging.

    One that is dropped is not cancelled: its staging is reused only after the copy has ended.

    >>> arrival = transfers.to_host(buffer, dtype=np.float32, tensor="logits")  # doctest: +SKIP
    >>> arrival.wait()                                                # doctest: +SKIP
    array([0., 1., 2., 3.], dtype=float32)
    """

    __slots__ = ("_array", "_flight", "_traffic")

    def __init__(self, flight: Flight, traffic: Traffic) -> None:
        self._flight = flight
        self._traffic = traffic
        self._array: Array | None = None

    @property
    def transfer(self) -> Transfer:
        """The facts: tensor, step, layer, addresses, bytes, stream, allocation."""
        return self._flight.transfer

    def is_done(self) -> bool:
        """`wait` will not wait."""
        return self._flight.is_over

    def wait(self) -> Array:
        """The array, in pinned staging that is its own while it, a view of it or this exists."""
        flight = self._flight
        with flight.lock:
            flight.settle()
            if self._array is None:
                held = np.asarray(Lease(flight.block, self._traffic.staging))
                self._array = np.ndarray(flight.request.shape, flight.request.dtype, buffer=held)
            return self._array

    def copy(self) -> Array:
        """An array of the caller's own; the staging is free for the next transfer."""
        flight = self._flight
        with flight.lock:
            flight.settle()
            if self._array is not None:
                return np.array(self._array)
            landed = np.ndarray(
                flight.request.shape, flight.request.dtype, buffer=flight.block.bytes
            )
            self._array = np.array(landed)
            self._traffic.staging.put_back(flight.block)
            return self._array

    def __del__(self) -> None:
        if self._array is None:
            self._traffic.dropped.append(self._flight)
