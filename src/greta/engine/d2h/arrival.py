"""What a transfer gives at once: the promise of an array."""

from __future__ import annotations

import numpy as np

from greta.engine.d2h.facts import Transfer
from greta.engine.d2h.flight import Flight
from greta.engine.d2h.staging import Lease
from greta.engine.d2h.traffic import Traffic
from greta.hip import Array


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
        """The array, in pinned staging that is its own while it, a view of it or this lives."""
        flight = self._flight
        with flight.lock:
            flight.settle()
            if self._array is None:
                held = np.asarray(Lease(flight.block, self._traffic.staging))
                self._array = np.ndarray(flight.wish.shape, flight.wish.dtype, buffer=held)
            return self._array

    def copy(self) -> Array:
        """An array of the caller's own; the staging is free for the next transfer."""
        flight = self._flight
        with flight.lock:
            flight.settle()
            if self._array is not None:
                return np.array(self._array)
            landed = np.ndarray(flight.wish.shape, flight.wish.dtype, buffer=flight.block.bytes)
            self._array = np.array(landed)
            self._traffic.staging.put_back(flight.block)
            return self._array

    def __del__(self) -> None:
        if self._array is None:
            self._traffic.dropped.append(self._flight)
