"""What is written about transfers while they happen; made only where something is asked for."""

from __future__ import annotations

import itertools
import os
from time import time

from greta.engine.d2h import lines
from greta.engine.d2h.errors import D2HError
from greta.engine.d2h.facts import OpId, Transfer
from greta.engine.d2h.log import LineLog
from greta.engine.d2h.settings import Settings
from greta.hip import HipError

# One for the process, so that two Transfers that share a log do not share numbers.
_op_ids = itertools.count()


class Watch:
    """Writes the lines that the settings ask for: the audit's to its log, all others to stderr."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._audit = LineLog(settings.audit_log) if settings.audit else None
        self._stderr = LineLog(None)

    def checking(self, transfer: Transfer) -> None:
        """Debug mode: all is known about it, nothing has been done."""
        self._stderr.write(lines.debug_check(transfer))

    def started(self, transfer: Transfer) -> OpId:
        """The copy is about to be queued."""
        op = next(_op_ids)
        if self._settings.trace:
            self._stderr.write(lines.trace_before(transfer))
        if self._audit is not None:
            self._audit.write(lines.audit_start(op, time(), transfer))
        return op

    def arrived(self, op: OpId, transfer: Transfer) -> None:
        """The bytes are there."""
        if self._audit is not None:
            self._audit.write(lines.audit_end(op, time(), transfer, lines.SUCCESS))
        if self._settings.debug:
            self._stderr.write(lines.debug_succeeded())
        if self._settings.trace:
            self._stderr.write(lines.trace_after(transfer))

    def refused(self, error: D2HError, *, out_of_bounds: bool) -> None:
        """Nothing was queued, because the transfer was not right."""
        if self._settings.debug:
            bounds = lines.debug_bounds(error.transfer) if out_of_bounds else ""
            self._stderr.write(bounds + lines.debug_error(str(error)))

    def failed(self, op: OpId | None, error: D2HError, cause: HipError) -> None:
        """HIP reported an error; `op` is None if that was before the copy was queued."""
        transfer = error.transfer
        if self._audit is not None and op is not None:
            self._audit.write(lines.audit_end(op, time(), transfer, cause.name))
        if self._settings.debug:
            said = lines.debug_sync_failed if op is None else lines.debug_failed
            self._stderr.write(said(transfer, cause) + lines.debug_error(str(error)))
        if self._settings.trace:
            self._stderr.write(lines.trace_fatal(transfer, cause))
            os.abort()
