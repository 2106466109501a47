"""The audit lines: which the environment asks for, how they are spelled, where they are written.

The spelling is a contract: tests/engine/d2h/strict_log.py reads it to the letter. Addresses and
handles are hexadecimal with 0x, all other numbers decimal. -1 is the step or layer of a transfer
that belongs to none. Each function below gives whole lines, with their ends.
"""

from __future__ import annotations

import itertools
import os
import sys
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import time

from greta.engine.d2h.transfer import D2HError, OpId, Transfer
from greta.errors import UsageError
from greta.hip import HipError

AUDIT = "GCORE_D2H_AUDIT"
AUDIT_LOG = "GCORE_D2H_AUDIT_LOG"
DEBUG = "GRETA_D2H_DEBUG"
TRACE = "GRETA_TRACE_MEMCPY"


@dataclass(frozen=True)
class Settings:
    """Which lines are written, and where the audit's go (None: stderr).

    >>> Settings.from_environment({"GCORE_D2H_AUDIT": "1"})
    Settings(audit=True, audit_log=None, debug=False, trace=False)
    """

    audit: bool = False
    audit_log: Path | None = None
    debug: bool = False
    trace: bool = False

    @classmethod
    def from_environment(cls, variables: Mapping[str, str] = os.environ) -> Settings:
        """The settings that the variables stand for."""
        log = variables.get(AUDIT_LOG)
        return cls(
            audit=_is_on(variables, AUDIT),
            audit_log=Path(log) if log else None,
            debug=_is_on(variables, DEBUG),
            trace=_is_on(variables, TRACE),
        )

    @property
    def silent(self) -> bool:
        """No line is written."""
        return not (self.audit or self.debug or self.trace)


def _is_on(variables: Mapping[str, str], name: str) -> bool:
    value = variables.get(name, "")
    if value not in ("", "0", "1"):
        raise UsageError(f"{name} must be 0 or 1, not {value!r}")
    return value == "1"


SUCCESS = "hipSuccess"


def audit_start(op: OpId, seconds: float, t: Transfer) -> str:
    """GCORE_D2H_AUDIT, just before the copy is queued."""
    return (
        f"[D2H_AUDIT_START] op_id={op} ts={seconds:.6f} stream={t.stream:#x} "
        f"dev_ptr={t.source:#x} host_ptr={t.target:#x} bytes={t.nbytes} "
        f"tensor={t.tensor} step={t.step} layer={t.layer}\n"
    )


def audit_end(op: OpId, seconds: float, t: Transfer, result: str) -> str:
    """GCORE_D2H_AUDIT, when the bytes have arrived, or the copy has failed."""
    return (
        f"[D2H_AUDIT_END] op_id={op} ts={seconds:.6f} stream={t.stream:#x} "
        f"result={result} tensor={t.tensor}\n"
    )


def debug_check(t: Transfer) -> str:
    """GRETA_D2H_DEBUG, before anything is done."""
    return (
        f"[D2H SAFE] engaged for tensor={t.tensor}\n"
        f"[D2H_CHECK] tensor={t.tensor} step={t.step} layer={t.layer} src_ptr={t.source:#x} "
        f"dst_ptr={t.target:#x} offset={t.offset} size={t.nbytes} alloc={t.allocation.nbytes}\n"
    )


def debug_sync_failed(t: Transfer, error: HipError) -> str:
    """GRETA_D2H_DEBUG, when the stream had failed before the copy."""
    return f"[D2H SAFE] Stream sync failed before {t.tensor}: {error.text}\n"


def debug_failed(t: Transfer, error: HipError) -> str:
    """GRETA_D2H_DEBUG, after a copy that failed."""
    return f"[D2H SAFE] Async copy failed {t.tensor}: {error.text}\n"


def debug_succeeded() -> str:
    """GRETA_D2H_DEBUG, after a copy that arrived."""
    return f"[D2H SAFE] async copy succeeded: {SUCCESS}\n"


def debug_bounds(t: Transfer) -> str:
    """GRETA_D2H_DEBUG, when the bytes asked for are not all in the allocation."""
    return (
        f"[D2H_BOUNDS] tensor={t.tensor} offset={t.offset} size={t.nbytes} "
        f"alloc={t.allocation.nbytes}\n"
    )


def debug_error(message: str) -> str:
    """GRETA_D2H_DEBUG, what D2HError says."""
    return f"[D2H_ERROR] {message}\n"


def trace_before(t: Transfer) -> str:
    """GRETA_TRACE_MEMCPY, just before the copy is queued."""
    return (
        f"[D2H TRACE] {t.tensor}:before\n"
        f"  src_ptr={t.source:#x}\n  bytes={t.nbytes}\n  stream={t.stream:#x}\n"
    )


def trace_after(t: Transfer) -> str:
    """GRETA_TRACE_MEMCPY, when the bytes have arrived."""
    return f"[D2H TRACE] {t.tensor}:after\n  dst_ptr={t.target:#x}\n  bytes={t.nbytes}\n"


def trace_fatal(t: Transfer, error: HipError) -> str:
    """GRETA_TRACE_MEMCPY, before the abort."""
    return (
        f"[D2H FATAL] {t.tensor}:FAILED\n  src_ptr={t.source:#x}\n  dst_ptr={t.target:#x}\n"
        f"  bytes={t.nbytes}\n  hipError={error.text}\n"
    )


_STDERR = 2


class LineLog:
    """Appends lines, each with one write: they are whole, and they survive an abort.

    A log that cannot be written any more (a full disk) says so once on stderr and drops lines; the
    transfers go on.
    """

    def __init__(self, path: Path | None) -> None:
        self._name = str(path) if path is not None else "stderr"
        self._file = _STDERR if path is None else _opened(path)
        self._failed = False
        if path is not None:
            weakref.finalize(self, os.close, self._file)

    def write(self, lines: str) -> None:
        """Writes text that ends with the end of a line."""
        data = lines.encode("ascii", "backslashreplace")
        try:
            written = os.write(self._file, data)
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            if not self._failed:
                self._failed = True
                what = f"the D2H log {self._name} cannot be written ({error.strerror})"
                print(f"greta: {what}; lines are lost from here on", file=sys.stderr)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise UsageError(
            f"{AUDIT_LOG}={path} cannot be opened ({error.strerror}); name a file in a folder that "
            "exists and can be written"
        ) from None


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
        self._stderr.write(debug_check(transfer))

    def started(self, transfer: Transfer) -> OpId:
        """The copy is about to be queued."""
        op = next(_op_ids)
        if self._settings.trace:
            self._stderr.write(trace_before(transfer))
        if self._audit is not None:
            self._audit.write(audit_start(op, time(), transfer))
        return op

    def arrived(self, op: OpId, transfer: Transfer) -> None:
        """The bytes are there."""
        if self._audit is not None:
            self._audit.write(audit_end(op, time(), transfer, SUCCESS))
        if self._settings.debug:
            self._stderr.write(debug_succeeded())
        if self._settings.trace:
            self._stderr.write(trace_after(transfer))

    def refused(self, error: D2HError, *, out_of_bounds: bool) -> None:
        """Nothing was queued, because the transfer was not right."""
        if self._settings.debug:
            bounds = debug_bounds(error.transfer) if out_of_bounds else ""
            self._stderr.write(bounds + debug_error(str(error)))

    def failed(self, op: OpId | None, error: D2HError, cause: HipError) -> None:
        """HIP reported an error; `op` is None if that was before the copy was queued."""
        transfer = error.transfer
        if self._audit is not None and op is not None:
            self._audit.write(audit_end(op, time(), transfer, cause.name))
        if self._settings.debug:
            said = debug_sync_failed if op is None else debug_failed
            self._stderr.write(said(transfer, cause) + debug_error(str(error)))
        if self._settings.trace:
            self._stderr.write(trace_fatal(transfer, cause))
            os.abort()
