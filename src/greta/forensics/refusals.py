"""Calls that HIP refused, and that nothing else explains: what they had asked for."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np

from greta.forensics.attribution import Blamed
from greta.forensics.verdict import Saying, Value
from greta.trace.trace import NONE, Call, Kind, Memory, Row, Trace

CODES: Final[dict[str, tuple[str, ...]]] = {
    "verdict_error_unexplained": ("seq", "call", "error"),
    "verdict_error_logged": ("line", "error"),
    "verdict_launch_refused": ("seq", "kernel", "error", "blocks", "threads", "shared"),
    "verdict_no_memory": ("seq", "call", "asked", "live"),
}
Words: TypeAlias = "dict[str, Value]"
_OUT_OF_MEMORY: Final = 2
_SIZES: Final = ("size", "sizeBytes")
_ON_DEVICE: Final = (Memory.DEVICE, Memory.POOL, Memory.MANAGED)


def refused(trace: Trace, blamed: Blamed) -> Saying:
    """A call, or what a log says of one that it does not show."""
    if blamed.row == NONE:
        return Saying("verdict_error_logged", {"line": blamed.seq, "error": blamed.error})
    call = trace.describe(blamed.seq)
    kind = int(trace.operations["kind"][blamed.row])
    asked = _launch(call) if kind == Kind.LAUNCH else None
    if kind == Kind.ALLOCATE and blamed.error == _OUT_OF_MEMORY:
        asked = _memory(trace, blamed.row, call)
    return asked or Saying(
        "verdict_error_unexplained", {"seq": call.seq, "call": call.name, "error": _error(call)}
    )


def _error(call: Call) -> str:
    return call.result_name or str(call.result)


def _launch(call: Call) -> Saying | None:
    """Most launches that are not accepted are refused because of what they ask for."""
    if call.kernel is None or call.grid is None or call.block is None:
        return None
    shared = call.arguments.get("sharedMemBytes") or 0
    asked: Words = {"blocks": _product(call.grid), "threads": _product(call.block)}
    named: Words = {"seq": call.seq, "kernel": call.kernel, "error": _error(call)}
    return Saying("verdict_launch_refused", {**named, **asked, "shared": shared})


def _product(sides: tuple[int, int, int]) -> str:
    """As it is written in programs: 64 x 1 x 1, without what is 1 at the end."""
    return " x ".join(map(str, sides)).removesuffix(" x 1").removesuffix(" x 1")


def _memory(trace: Trace, row: Row, call: Call) -> Saying | None:
    asked = next((call.arguments[name] for name in _SIZES if name in call.arguments), None)
    if not isinstance(asked, int):
        return None
    known: Words = {"seq": call.seq, "call": call.name, "asked": asked}
    return Saying("verdict_no_memory", {**known, "live": _live_bytes(trace, row)})


def _live_bytes(trace: Trace, row: Row) -> int:
    """Of the devices together, when an operation was called."""
    table = trace.allocations
    live = (table["made_at"] < row) & ((table["freed_at"] == NONE) | (table["freed_at"] > row))
    return int(table["bytes"][live & np.isin(table["memory"], _ON_DEVICE)].sum())
