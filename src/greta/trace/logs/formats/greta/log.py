"""All of GRETA's lines of one file, tagged and plain, as the log of one process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.recording import ERROR_NAMES, ERROR_TEXTS
from greta.trace.evidence import DeviceRemark, Message, ModelFact
from greta.trace.logs.errors import UNKNOWN_ERROR, error_in
from greta.trace.logs.formats.greta.check import Decision, decide, is_bare
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
from greta.trace.logs.lines import LogLine, count, message_of
from greta.trace.logs.logged import (
    MOST_OPERATIONS,
    MOST_REMARKS,
    LogFormat,
    LoggedOperation,
    ProcessLog,
)
from greta.trace.trace import Gap, Kind

_GENERATION: Final = re.compile(r"Generation error: (.{1,1000})")
_FAILED_CALL: Final = re.compile(r"\b(hip[A-Z]\w{1,60})\b(?: [A-Z0-9]{2,4})? failed: ")
_LAUNCH: Final = re.compile(
    r"(?:Generation error: )?(\S{1,120}(?: \S{1,60}){0,2}) launch failed: (.+)"
)
_CALL: Final = re.compile(r"(hip[A-Z]\w{1,60}|Async copy)(?: [A-Z0-9]{2,4})? failed: (.{1,400})")
_RETURNED: Final = re.compile(
    r"(hip[A-Z]\w{1,60})\([^()]{0,400}\)(?: result=| returned | -> | => | = |: )(hipError\w{1,60})"
)
_ITEM: Final = re.compile(r"\s{0,8}(?:[-*\u2022]|\d{1,3}[.)])\s")
"""Of a list in a text. Some name a tag that a program would print."""
_STATUS: Final = re.compile(r"STATUS=([A-Z_]{1,40})\b")
_SPEED: Final = re.compile(r"Tokens/second: {0,8}([0-9.]{1,30})")
_STAGE: Final = re.compile(
    r"Weights loaded\b|Loading weights from: |Generator initialized|Generating\.\.\."
    r"|Generated tokens: |Buffers allocated"
)
_FOUND: Final = re.compile(r"the guard rail found (\d{1,9}) mismatch")
_UNSUPPORTED: Final = re.compile(r"greta-sim: (\w{1,80}) is not supported by the simulated device")
_DAMAGE: Final = re.compile(
    r"greta-sim: something wrote outside an allocation, 0x([0-9a-f]{1,16}) of (\d{1,18}) bytes: "
    r"the first byte changed is number (-?\d{1,18})\."
)
MARKS: Final = (
    "greta-sim: ",
    "STATUS=",
    "Tokens/second:",
    "Generation error: ",
    " launch failed: ",
    " failed: ",
    "=hipError",
    " hipError",
    "Model config: ",
    "Model: ",
    "the guard rail found ",
    "Weights loaded",
    "Loading weights from: ",
    "Generator initialized",
    "Generating...",
    "Generated tokens: ",
    "Buffers allocated",
    "Loaded GGUF vocab: ",
)
"""What such lines have in them."""


def read_plain(log: ProcessLog, line: LogLine) -> bool:
    """Reads a line without a tag of its own. Text that quotes such a line does not begin so."""
    text = message_of(line.text, MARKS)
    found = read_model(log, line, text) | _stage(log, text)
    return (
        found
        or _status(log, line, text)
        or _unsupported(log, line, text)
        or _damage(log, text)
        or _launch_failed(log, line, text)
        or _call_failed(log, line, text)
        or _generation_error(log, line, text)
        or (_FOUND.search(text) is not None and guard_rail(log, line, "GUARD_RAIL_ERROR", text))
    )


def guard_rail(log: ProcessLog, line: LogLine, tag: str, text: str) -> bool:
    """A line of the guard rail; `tag` says how bad it is."""
    log.counts["guard_rail"] += 1
    log.say(Message("guard_rail", f"[{tag}] {text.strip()}", line=line.number))
    return True


def _stage(log: ProcessLog, text: str) -> bool:
    """A program that says how far it has come has run, whatever calls the log shows."""
    if _STAGE.match(text) is None:
        return False
    log.counts["stage"] += 1
    return True


def _unsupported(log: ProcessLog, line: LogLine, text: str) -> bool:
    """The simulated device's own word that it lacks a call."""
    found = _UNSUPPORTED.match(text)
    if found is None:
        return False
    log.counts["simulator"] += 1
    log.say(Message("simulator", found[0], call=found[1], line=line.number))
    return True


def _damage(log: ProcessLog, text: str) -> bool:
    """The simulated device's own word that bytes next to an allocation were changed."""
    found = _DAMAGE.match(text)
    if found is None:
        return False
    log.counts["simulator"] += 1
    buffer, size, at = int(found[1], 16), int(found[2]), int(found[3])
    if len(log.remarks) < MOST_REMARKS:
        log.remarks.append(DeviceRemark("damage", buffer, size, buffer + at))
    return True


def _status(log: ProcessLog, line: LogLine, text: str) -> bool:
    for pattern, name in ((_STATUS, "STATUS"), (_SPEED, "Tokens/second")):
        if (found := pattern.match(text)) and not line.cut:
            log.counts["status"] += 1
            log.say(Message("status", f"{name}={found[1]}", line=line.number))
            return True
    return False


def _generation_error(log: ProcessLog, line: LogLine, text: str) -> bool:
    found = _GENERATION.match(text)
    if found is None:
        return False
    call = _FAILED_CALL.search(found[1])
    _say_failed(log, line, found[1], call[1] if call else None, None)
    return True


def _launch_failed(log: ProcessLog, line: LogLine, text: str) -> bool:
    found = _LAUNCH.match(text)
    if found is None or error_in(found[2]) is None:
        return False
    words = f"{found[1]} launch failed: {found[2][:400]}"
    _say_failed(log, line, words, "hipLaunchKernel", found[1])
    return True


def _call_failed(log: ProcessLog, line: LogLine, text: str) -> bool:
    """hipMemcpy D2H failed: an illegal memory access was encountered. And nothing else."""
    found = _CALL.fullmatch(text.strip()) or _RETURNED.fullmatch(text.strip())
    error = error_in(found[2]) if found else None
    if found is None or found[2] not in (ERROR_NAMES.get(error or 0), ERROR_TEXTS.get(error or 0)):
        return False
    call = "hipMemcpyAsync" if found[1] == "Async copy" else found[1]
    _say_failed(log, line, found[0], call, None)
    return True


def _say_failed(
    log: ProcessLog, line: LogLine, text: str, call: str | None, kernel: str | None
) -> None:
    error = error_in(text)
    log.say(Message("greta", text.strip(), call=call, error=error, line=line.number))
    if call:
        code = UNKNOWN_ERROR if error is None else error
        kind = Kind.LAUNCH if kernel else Kind.COPY if "Memcpy" in call else Kind.OTHER
        failed = LoggedOperation(line.number, line.offset, call, kind, failed=True, result=code)
        failed.kernel = kernel
        log.add(failed)


_CONFIG: Final = re.compile(r"\b(layers|dim|heads|kv_heads|head_dim|hidden|vocab)=(\d{1,12})\b")
_COUNTED: Final = re.compile(r"\bparams=(\d{1,6}(?:\.\d{1,8})?)([BM])\b")
_NAMED: Final = re.compile(r"Model: ([!-~]{1,80}) \((\d{1,6}(?:\.\d{1,8})?)([BM]) params\)")
_VOCABULARY: Final = re.compile(
    r"(?:Weights loaded.{0,60}\(vocab size: |Loaded GGUF vocab: )(\d{1,9})\b"
)
# In this line "hidden" stands beside "dim", the width of the residual stream: it is the width of
# the feed-forward part.
_DIMENSIONS: Final = {
    "layers": "layers",
    "dim": "hidden",
    "heads": "heads",
    "kv_heads": "kv_heads",
    "head_dim": "head_dim",
    "hidden": "feed_forward",
    "vocab": "vocabulary",
}
_SCALE: Final = {"B": 1e9, "M": 1e6}
_UNSEEN: Final = ModelFact("the log", problem="known only from what the program printed")


def read_model(log: ProcessLog, line: LogLine, text: str) -> bool:
    """Adds what a line says to the one model that the log tells of; `text`: without prefixes."""
    known = log.models[0] if log.models else _UNSEEN
    new = None if line.cut else _said(known, text)
    if new is None:
        return False
    log.counts["model"] += 1
    log.models[:] = [new]
    return True


def _said(known: ModelFact, text: str) -> ModelFact | None:
    if text.startswith("Model config: "):
        return _config(known, text)
    if found := _NAMED.match(text):
        counted = round(float(found[2]) * _SCALE[found[3]])
        return replace(known, name=found[1], parameters=(*known.parameters, counted))
    if found := _VOCABULARY.match(text):
        return _with(known, {"vocabulary": count(found[1]) or 0})
    return None


def _config(known: ModelFact, text: str) -> ModelFact | None:
    values = {_DIMENSIONS[name]: count(value) or 0 for name, value in _CONFIG.findall(text)}
    if "hidden" not in values:
        return None
    counted = tuple(round(float(size) * _SCALE[unit]) for size, unit in _COUNTED.findall(text))
    return replace(_with(known, values), parameters=(*known.parameters, *counted))


def _with(known: ModelFact, values: dict[str, int]) -> ModelFact:
    """The first value of a dimension stays; another one that differs is a contradiction."""
    other = tuple(
        (name, str(known.dimensions[name]), str(value))
        for name, value in values.items()
        if known.dimensions.get(name, value) != value
    )
    contradictions = tuple(dict.fromkeys((*known.contradictions, *other)))
    return replace(
        known, dimensions={**values, **known.dimensions}, contradictions=contradictions[:8]
    )


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
        self._records: list[Record] = []
        self._block: TraceBlock | None = None
        self._unreadable = 0
        self._last = 0

    def take(self, line: LogLine) -> bool:
        """Every tagged piece of it, or a plain line, or one below a block."""
        self._last = line.number
        if (block := self._block) is not None:
            taken = block.take(line)
            if block.whole or block.too_far(line):
                self._close(block)
            if taken:
                return True
        pieces = [] if _ITEM.match(line.text) else list(segments(line))
        for piece in pieces:
            self._piece(piece)
        return bool(pieces) or read_plain(self._log, line)

    def _close(self, block: TraceBlock) -> None:
        self._keep(block.record())
        self._block, self.follows = None, False

    def _piece(self, piece: Segment) -> None:
        self._log.counts[piece.tag] += 1
        if piece.tag.startswith("GUARD_RAIL"):
            guard_rail(self._log, piece.line, piece.tag, piece.text)
        elif piece.tag == "ROPE_DIAG" and (launch := read_rope(piece)):
            self._log.add(launch)
        elif piece.tag == "ROPE_DIAG":
            self._unreadable += 1
        elif piece.tag in ("D2H TRACE", "D2H FATAL"):
            self._open(piece)
        elif piece.tag == "D2H_ERROR":
            error, number = error_in(piece.text), piece.line.number
            self._log.say(Message("greta", piece.text, error=error, line=number))
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

    def _open(self, piece: Segment) -> None:
        if self._block is not None:
            self._close(self._block)
        block = TraceBlock(piece)
        if block.known:
            self._block, self.follows = block, True
        elif piece.tag == "D2H FATAL":  # that it failed is said, if not where and how
            error = error_in(piece.text) or UNKNOWN_ERROR
            self._log.say(Message("greta", piece.text, error=error, line=piece.line.number))
        else:
            self._unreadable += 1

    def finish(self) -> Iterable[ProcessLog]:
        if self._block is not None:
            self._close(self._block)
        self._note_gaps(self._unreadable + (self._fold_records() if self._records else 0))
        return [self._log]

    def _fold_records(self) -> int:
        """Makes transfers of the lines about copies; how many lines cannot be read."""
        bare, others = self._decisions()
        transfers = FoldedTransfers(bare.base, others.base)
        transfers.fold(self._records)
        for transfer in transfers.transfers:
            returned = transfer.result is not None or transfer.line.number < self._last
            self._log.add(transfer.logged(finished=returned))
        self._log.operations.sort(key=lambda operation: operation.line)
        self._say_refused(transfers.refused)
        return transfers.unreadable + transfers.ends_without_start

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

    def _note_gaps(self, unreadable: int) -> None:
        gaps = self._log.gaps
        if self._log.operations:
            gaps[Gap.ONLY_MARKED] = _MARKED
            gaps[Gap.NO_ORDER] = "the lines do not show synchronization"
        if unreadable:
            gaps[Gap.DAMAGED] = f"{unreadable} lines that are cut or miss their other half"
        if not self.ended_whole and self._log.operations:
            gaps[Gap.CUT_SHORT] = "the last line has no end"
