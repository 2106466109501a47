"""All of GRETA's lines of one file, as the log of one process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from greta.trace.evidence import Message
from greta.trace.logs.formats.format import LogFormat
from greta.trace.logs.formats.greta.check import Decision, decide, is_bare
from greta.trace.logs.formats.greta.program import MARKS, guard_rail, read_plain
from greta.trace.logs.formats.greta.records import (
    BoundsLine,
    CheckLine,
    Record,
    Segment,
    TraceBlock,
    fields,
    read_end,
    read_outcome,
    read_rope,
    read_start,
    read_traced_range,
    segments,
)
from greta.trace.logs.formats.greta.transfers import REFUSED, FoldedTransfers
from greta.trace.logs.lines import LogLine
from greta.trace.logs.logged import MOST_OPERATIONS, ProcessLog
from greta.trace.logs.numbers import error_in
from greta.trace.trace import Gap

_MARKED: Final = "only transfers and launches that print a line of their own are seen"


class GretaLog(LogFormat):
    """Transfers, launches and messages of a program of GRETA's family."""

    name = "greta"
    needles = (
        "[D2H",
        "[GRETA_",
        "[ROPE_DIAG]",
        "[GUARD_RAIL",
        *MARKS,
    )

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._log = ProcessLog(self.name, path)
        self._records: list[Record] = []
        self._block: TraceBlock | None = None
        self._unreadable = 0
        self._last = 0

    def take(self, line: LogLine) -> bool:
        """Every tagged piece of it, or a plain line, or one below a block."""
        self._last = line.number
        if self._block is not None and self._below(self._block, line):
            return True
        pieces = list(segments(line))
        for piece in pieces:
            self._piece(piece)
        return bool(pieces) or read_plain(self._log, line)

    def _below(self, block: TraceBlock, line: LogLine) -> bool:
        taken = block.take(line)
        if block.whole or block.too_far(line):
            self._close(block)
        return taken

    def _close(self, block: TraceBlock) -> None:
        self._keep(block.record())
        self._block, self.follows = None, False

    def _piece(self, piece: Segment) -> None:
        self._log.counts[piece.tag] += 1
        if piece.tag.startswith("GUARD_RAIL"):
            guard_rail(self._log, piece.line, piece.tag, piece.text)
        elif piece.tag == "ROPE_DIAG":
            self._rope(piece)
        elif piece.tag in ("D2H TRACE", "D2H FATAL"):
            self._open(piece)
        elif piece.tag == "D2H_ERROR":
            self._error(piece)
        elif piece.tag == "D2H_AUDIT_START":
            self._keep(read_start(piece))
        elif piece.tag == "D2H_AUDIT_END":
            self._keep(read_end(piece))
        elif piece.tag == "D2H_CHECK":
            self._keep(CheckLine(piece.line, fields(piece)))
        elif piece.tag == "D2H_BOUNDS":
            self._keep(BoundsLine(piece.line, fields(piece)))
        elif piece.tag.endswith("_TRACE_D2H"):
            self._keep(read_traced_range(piece))
        elif piece.tag == "D2H SAFE" and (outcome := read_outcome(piece)):
            self._keep(outcome)

    def _keep(self, record: Record | None) -> None:
        if record is None:
            self._unreadable += 1
        elif len(self._records) < 2 * MOST_OPERATIONS:
            self._records.append(record)

    def _rope(self, piece: Segment) -> None:
        launch = read_rope(piece)
        if launch is None:
            self._unreadable += 1
        else:
            self._log.add(launch)

    def _open(self, piece: Segment) -> None:
        if self._block is not None:
            self._close(self._block)
        block = TraceBlock(piece)
        if block.known:
            self._block, self.follows = block, True
        else:
            self._unreadable += 1

    def _error(self, piece: Segment) -> None:
        number = piece.line.number
        self._log.say(Message("greta", piece.text, error=error_in(piece.text), line=number))

    def finish(self) -> Iterable[ProcessLog]:
        """One log, of a process that is not named."""
        if self._block is not None:
            self._close(self._block)
        transfers = self._folded()
        for transfer in transfers.transfers:
            returned = transfer.result is not None or transfer.line.number < self._last
            self._log.add(transfer.logged(finished=returned))
        self._log.operations.sort(key=lambda operation: operation.line)
        self._say_refused(transfers.refused)
        self._note_gaps(transfers)
        return [self._log]

    def _folded(self) -> FoldedTransfers:
        bare, others = self._decisions()
        transfers = FoldedTransfers(bare.base, others.base)
        transfers.fold(self._records)
        return transfers

    def _decisions(self) -> tuple[Decision, Decision]:
        checks = [one for one in self._records if isinstance(one, CheckLine | BoundsLine)]
        addressed = [one for one in checks if isinstance(one, CheckLine)]
        bare = [one for one in addressed if is_bare(one.fields)]
        others = [one for one in addressed if not is_bare(one.fields)]
        # Refusals have no address to tell their build by; they are spelled like the checks.
        bounds = [one for one in checks if isinstance(one, BoundsLine)]
        decisions = decide([*bare, *bounds]), decide(others)
        for group, decision in zip((bare, others), decisions, strict=True):
            self._tell_base(group, decision)
        if bounds and others and not bare:
            return decisions[1], decisions[1]
        return decisions

    def _tell_base(self, group: Sequence[CheckLine], decision: Decision) -> None:
        if not group:
            return
        base = "hexadecimal" if decision.base == 16 else "decimal"
        text = f"numbers of {len(group)} [D2H_CHECK] lines are {base}: {decision.evidence}"
        self._log.say(Message("base", text, line=group[0].line.number))
        if not decision.sure:
            self._log.gaps[Gap.NO_SIZES] = f"taken for {base}: {decision.evidence}"

    def _say_refused(self, refused: Iterable[BoundsLine]) -> None:
        for bounds in refused:
            words = " ".join(f"{name}={value}" for name, value in bounds.fields.items())
            text = f"[D2H_BOUNDS] {words}"
            self._log.say(Message("greta", text, error=REFUSED, line=bounds.line.number))

    def _note_gaps(self, transfers: FoldedTransfers) -> None:
        gaps = self._log.gaps
        if self._log.operations:
            gaps[Gap.ONLY_MARKED] = _MARKED
            gaps[Gap.NO_ORDER] = "the lines do not show synchronization"
        unreadable = self._unreadable + transfers.unreadable + transfers.ends_without_start
        if unreadable:
            gaps[Gap.DAMAGED] = f"{unreadable} lines that are cut or miss their other half"
        if not self.ended_whole and self._log.operations:
            gaps[Gap.CUT_SHORT] = "the last line has no end"
