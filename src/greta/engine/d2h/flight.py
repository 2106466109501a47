"""A copy on its way: queued once, awaited once, and then landed or failed for good."""

from __future__ import annotations

import threading
from typing import NoReturn

from greta.engine.d2h.checks import Wish, contradiction
from greta.engine.d2h.errors import MAYBE_EARLIER, THIS_CALL, D2HError
from greta.engine.d2h.facts import OpId, Transfer
from greta.engine.d2h.staging import Block
from greta.engine.d2h.traffic import Traffic
from greta.hip import HipError, inspection


class Flight:
    """One copy. Its block is its own until it has landed; who takes the block then holds `lock`."""

    def __init__(self, wish: Wish, transfer: Transfer, block: Block, traffic: Traffic) -> None:
        self.wish = wish  # keeps the source and the stream alive
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
        stream, after, transfer = self.wish.stream, self.wish.after, self.transfer
        try:
            if after is not None:
                stream.wait(after)
            self._start()
            inspection.queue_copy(transfer.target, transfer.source, transfer.nbytes, stream)
            self.block.event.record(stream)
        except HipError as error:
            self._fail(error)

    def queue_in_debug_mode(self) -> None:
        """The same, with the stream empty before and after, and HIP asked about the source."""
        stream = self.wish.stream
        try:
            if self.wish.after is not None:
                stream.wait(self.wish.after)
            stream.synchronize()
            reason = contradiction(self.transfer)
        except HipError as error:
            self._fail(error)
        if reason is not None:
            self._refuse(reason)
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
                self._land()

    @property
    def is_over(self) -> bool:
        """It has landed or failed, so `settle` will not wait."""
        if self._landed or self.error is not None:
            return True
        try:
            return self.block.event.is_done()
        except HipError:
            return True  # settle will say so

    def _start(self) -> None:
        self._queued = True
        self._traffic.open.add(self)
        if self._traffic.watch is not None:
            self._op = self._traffic.watch.started(self.transfer)

    def _land(self) -> None:
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

    def _fail(self, cause: HipError) -> NoReturn:
        self._leave()
        self.error = failure(self.transfer, cause)
        if self._traffic.watch is not None:
            self._traffic.watch.failed(self._op, self.error, cause)
        raise self.error from cause

    def _refuse(self, reason: str) -> NoReturn:
        self._leave()
        self.error = D2HError(self.transfer, reason)
        if self._traffic.watch is not None:
            self._traffic.watch.refused(self.error, out_of_bounds=False)
        raise self.error

    def _leave(self) -> None:
        self._traffic.open.discard(self)
        if self._queued:
            self._traffic.staging.set_aside(self.block)
        else:
            self._traffic.staging.put_back(self.block)


def failure(transfer: Transfer, cause: HipError) -> D2HError:
    """The error for a HIP call that failed; that call may be the messenger, and not the cause."""
    its_own = cause.call == "hipMemcpyAsync" and cause.code not in inspection.FAULTS
    return D2HError(transfer, THIS_CALL if its_own else MAYBE_EARLIER, cause)
