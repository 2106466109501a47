"""The lines that audits read. Their spelling is a contract: `parse` is their mirror.

Addresses and handles are hexadecimal with 0x, all other numbers decimal. -1 is the step or layer
of a transfer that belongs to none. Each function gives whole lines, with their ends.
"""

from __future__ import annotations

from greta.engine.d2h.facts import OpId, Transfer
from greta.hip import HipError

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
