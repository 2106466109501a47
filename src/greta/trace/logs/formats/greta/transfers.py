"""From records to transfers: three kinds of lines may speak of one copy."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from greta.trace.logs.errors import UNKNOWN_ERROR, number_of
from greta.trace.logs.formats.greta.check import Base, is_bare, numbers_of
from greta.trace.logs.formats.greta.records import (
    AuditEnd,
    AuditStart,
    BoundsLine,
    CheckLine,
    CopyOutcome,
    Record,
    TraceAfter,
    TraceBefore,
    TracedRange,
    TraceFatal,
)
from greta.trace.logs.lines import LogLine
from greta.trace.logs.logged import UNKNOWN_STREAM, LoggedAccess, LoggedAllocation, LoggedOperation
from greta.trace.trace import Kind, Memory, Mode, Role, Space, Waits

_OPEN_AT_ONCE: Final = 256
REFUSED: Final = 1
"""hipErrorInvalidValue: what the wrapper answers when the bytes are not all in the allocation."""


@dataclass
class LoggedTransfer:
    line: LogLine
    tensor: str
    source: int | None
    """None: the log does not say, as of a synchronization that failed."""
    bytes: int
    target: int | None = None
    stream: int = UNKNOWN_STREAM
    step: int = -1
    layer: int = -1
    origin: int | None = None
    """Where the allocation begins."""
    alloc: int | None = None
    begin: int = 0
    end: int = 0
    result: int | None = None
    name: str = "hipMemcpyAsync"
    seen: set[str] = field(default_factory=set)
    """Which kinds of lines have told of it, and which have told of its end."""

    def logged(self, finished: bool) -> LoggedOperation:
        """As an operation. The wrapper waits for its copies."""
        is_copy = self.name.startswith("hipMemcpy")
        return LoggedOperation(
            line=self.line.number,
            offset=self.line.offset,
            name=self.name,
            kind=Kind.COPY if is_copy else Kind.WAIT_STREAM,
            waits=Waits.FOR_IT if is_copy else Waits.NO,
            begin=self.begin,
            end=self.end or self.begin + 1,
            finished=finished,
            failed=bool(self.result),
            result=self.result or 0,
            stream=self.stream,
            accesses=self._accesses(),
            shown=self._shown(),
            labels=self._labels(),
        )

    def _accesses(self) -> tuple[LoggedAccess, ...]:
        if self.source is None:
            return ()
        read = LoggedAccess(self.source, self.bytes, Mode.READ, Role.SOURCE, Space.DEVICE)
        if self.target is None:
            return (read,)
        written = LoggedAccess(self.target, self.bytes, Mode.WRITE, Role.DESTINATION, Space.HOST)
        return (read, written)

    def _shown(self) -> tuple[LoggedAllocation, ...]:
        if self.origin and self.alloc:
            return (LoggedAllocation(self.origin, self.alloc, Memory.DEVICE),)
        # The program took it for memory; how much there is, it does not say.
        return (
            (LoggedAllocation(self.source, 1, Memory.DEVICE, known_bytes=False),)
            if self.source
            else ()
        )

    def _labels(self) -> tuple[str, ...]:
        labels = [f"tensor={self.tensor}"]
        labels += [f"step={self.step}"] if self.step >= 0 else []
        labels += [f"layer={self.layer}"] if self.layer >= 0 else []
        return tuple(labels)


class FoldedTransfers:
    """Folds records, in the order of the lines, into transfers."""

    def __init__(self, base_of_bare: Base, base_of_others: Base) -> None:
        self.transfers: list[LoggedTransfer] = []
        self.ends_without_start = 0
        self.unreadable = 0
        self.refused: list[BoundsLine] = []
        """Refusals of a copy that no other line speaks of."""
        self._bases: dict[bool, Base] = {True: base_of_bare, False: base_of_others}
        self._open: deque[LoggedTransfer] = deque(maxlen=_OPEN_AT_ONCE)
        self._by_op: dict[str, LoggedTransfer] = {}

    def fold(self, records: Sequence[Record]) -> None:
        for record in records:
            self._add(record)

    def _add(self, record: Record) -> None:
        if isinstance(record, AuditStart):
            self._start(record)
        elif isinstance(record, AuditEnd):
            self._end(record)
        elif isinstance(record, CheckLine):
            self._check(record)
        elif isinstance(record, BoundsLine):
            self._bounds(record)
        elif isinstance(record, CopyOutcome):
            self._outcome(record)
        elif isinstance(record, TracedRange):
            self._range(record)
        elif isinstance(record, TraceFatal):
            self._fatal(record)
        else:
            self._trace(record)

    def _same(self, how: str, source: int, size: int, line: LogLine, tensor: str) -> LoggedTransfer:
        """The copy that another kind of line has begun, or a new one."""
        for transfer in reversed(self._open):
            same = (transfer.source, transfer.bytes) == (source, size)
            if same and how not in transfer.seen and transfer.result is None:
                transfer.seen.add(how)
                return transfer
        transfer = LoggedTransfer(line, tensor, source, size, seen={how})
        self.transfers.append(transfer)
        self._open.append(transfer)
        return transfer

    def _start(self, start: AuditStart) -> None:
        transfer = self._same("audit", start.source, start.bytes, start.line, start.tensor)
        transfer.target, transfer.stream, transfer.begin = start.target, start.stream, start.ns
        transfer.step, transfer.layer = start.step, start.layer
        self._by_op[start.op_id] = transfer

    def _end(self, end: AuditEnd) -> None:
        numbered = self._by_op.get(end.op_id)
        if numbered and numbered.tensor == end.tensor:
            transfer: LoggedTransfer | None = self._by_op.pop(end.op_id)
        else:
            transfer = self._open_audit(end)
        if transfer is None:
            self.ends_without_start += 1
            return
        transfer.end = end.ns
        transfer.seen.add("audit end")
        code = number_of(end.result)
        self._close(transfer, UNKNOWN_ERROR if code is None else code)

    def _open_audit(self, end: AuditEnd) -> LoggedTransfer | None:
        """Older builds numbered START and END on their own."""
        for transfer in self._open:
            same = (transfer.tensor, transfer.stream) == (end.tensor, end.stream)
            if same and "audit" in transfer.seen and "audit end" not in transfer.seen:
                return transfer
        return None

    def _check(self, check: CheckLine) -> None:
        numbers = numbers_of(check.fields, self._bases[is_bare(check.fields)])
        if numbers.source is None or numbers.size is None or numbers.size < 0:
            self.unreadable += 1
            return
        tensor = check.fields.get("tensor", "?")
        transfer = self._same("check", numbers.source, numbers.size, check.line, tensor)
        transfer.target = numbers.target if transfer.target is None else transfer.target
        transfer.step, transfer.layer = numbers.step, numbers.layer
        if numbers.offset is not None and numbers.alloc is not None:
            transfer.origin = max(numbers.source - numbers.offset, 0)
            transfer.alloc = numbers.alloc

    def _bounds(self, bounds: BoundsLine) -> None:
        checked = next((one for one in reversed(self._open) if "check" in one.seen), None)
        numbers = numbers_of(bounds.fields, self._bases[True])
        tensor = bounds.fields.get("tensor", "?")
        if checked and (checked.tensor, checked.bytes) == (tensor, numbers.size):
            self._close(checked, REFUSED)
        else:
            self.refused.append(bounds)

    def _outcome(self, outcome: CopyOutcome) -> None:
        """A copy that has ended before is not the one that this line tells of."""
        checked = self._checked(outcome)
        if checked is None and outcome.error:
            checked = self._failed(outcome.line, outcome.tensor or "?", None, 0)
        if checked is None:
            return
        checked.seen.add("outcome")
        if outcome.call != checked.name:
            self._synchronized(checked, outcome)
        self._close(checked, outcome.error)

    def _checked(self, outcome: CopyOutcome) -> LoggedTransfer | None:
        told = {"check", "audit", "trace"} if outcome.error else {"check"}
        for transfer in reversed(self._open):
            same = outcome.tensor in (None, transfer.tensor) and bool(told & transfer.seen)
            if same and "outcome" not in transfer.seen and (transfer.result or not outcome.error):
                return transfer
            if same and "outcome" not in transfer.seen and transfer.result is None:
                return transfer
        return None

    def _synchronized(self, transfer: LoggedTransfer, outcome: CopyOutcome) -> None:
        """What failed is the wait before the copy, which therefore was never asked for."""
        if transfer.result is None:
            transfer.name, transfer.line = outcome.call, outcome.line
            transfer.source, transfer.target = None, None

    def _failed(self, line: LogLine, tensor: str, source: int | None, size: int) -> LoggedTransfer:
        """A copy of which only its failure is told."""
        transfer = LoggedTransfer(line, tensor, source, size)
        self.transfers.append(transfer)
        return transfer

    def _range(self, record: TracedRange) -> None:
        source = record.origin + record.offset
        transfer = self._same("range", source, record.bytes, record.line, record.tensor)
        transfer.step, transfer.layer = record.step, record.layer
        transfer.origin, transfer.alloc = record.origin, record.alloc

    def _trace(self, record: TraceBefore | TraceAfter) -> None:
        if isinstance(record, TraceBefore):
            found = self._same("trace", record.source, record.bytes, record.line, record.tensor)
            found.stream = record.stream if found.stream == UNKNOWN_STREAM else found.stream
            return
        traced = self._traced(record)
        if traced is None:
            self.ends_without_start += 1
            return
        self._end_of_trace(traced, record.target, 0)

    def _fatal(self, record: TraceFatal) -> None:
        traced = self._traced(record)
        if traced is None:
            traced = self._failed(record.line, record.tensor, record.source, record.bytes or 0)
        self._end_of_trace(traced, record.target, record.error)

    def _end_of_trace(self, traced: LoggedTransfer, target: int | None, error: int) -> None:
        traced.seen.add("trace end")
        traced.target = target if traced.target is None else traced.target
        self._close(traced, error)

    def _traced(self, record: TraceAfter | TraceFatal) -> LoggedTransfer | None:
        """The copy whose end it is; only a failure says the source."""
        source = record.source if isinstance(record, TraceFatal) else None
        for transfer in reversed(self._open):
            same = transfer.tensor == record.tensor and "trace end" not in transfer.seen
            same &= record.bytes in (None, transfer.bytes) and source in (None, transfer.source)
            if same and ("trace" in transfer.seen or source is not None):
                return transfer
        return None

    def _close(self, transfer: LoggedTransfer, result: int) -> None:
        """Other lines about the same end may follow; an error is not taken back by them."""
        transfer.result = transfer.result or result
