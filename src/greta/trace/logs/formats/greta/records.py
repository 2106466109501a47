"""What the lines about transfers say, one record a line."""

from __future__ import annotations

from typing import NamedTuple

from greta.trace.logs.formats.greta.segments import Fields
from greta.trace.logs.lines import Line


class AuditStart(NamedTuple):
    """GCORE_D2H_AUDIT, before the copy."""

    line: Line
    op_id: str
    ns: int
    stream: int
    source: int
    target: int
    bytes: int
    tensor: str
    step: int
    layer: int


class AuditEnd(NamedTuple):
    """And after it."""

    line: Line
    op_id: str
    ns: int
    stream: int
    result: str
    tensor: str


class Check(NamedTuple):
    """GRETA_D2H_DEBUG; its numbers are read when the whole file has said what base they have."""

    line: Line
    fields: Fields


class Bounds(NamedTuple):
    """The wrapper refused the copy."""

    line: Line
    fields: Fields


class Outcome(NamedTuple):
    """How the last checked copy ended; `error` is 0 for success."""

    line: Line
    tensor: str | None
    error: int
    text: str
    call: str = "hipMemcpyAsync"
    """The one that returned it: the copy, or a synchronization around it."""


class TracedRange(NamedTuple):
    """Early builds: a transfer with the allocation that it is in."""

    line: Line
    tensor: str
    step: int
    layer: int
    origin: int
    alloc: int
    offset: int
    bytes: int


class TraceBefore(NamedTuple):
    """GRETA_TRACE_MEMCPY, before the copy."""

    line: Line
    tensor: str
    source: int
    bytes: int
    stream: int


class TraceAfter(NamedTuple):
    """And after it."""

    line: Line
    tensor: str
    target: int
    bytes: int


class TraceFatal(NamedTuple):
    """Or when it failed."""

    line: Line
    tensor: str
    source: int | None
    """None, like the others: its line is missing."""
    target: int | None
    bytes: int | None
    error: int
    text: str


Record = (
    AuditStart
    | AuditEnd
    | Check
    | Bounds
    | Outcome
    | TracedRange
    | TraceBefore
    | TraceAfter
    | TraceFatal
)
