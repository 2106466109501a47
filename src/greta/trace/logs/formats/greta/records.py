"""GRETA's tagged lines as records: one line each, or a block of several."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from greta.trace.logs.errors import UNKNOWN_ERROR, error_in
from greta.trace.logs.lines import LogLine, address, count
from greta.trace.logs.logged import LoggedAccess, LoggedAllocation, LoggedOperation
from greta.trace.trace import Kind, Memory, Mode, Role, Space

_TAG: Final = re.compile(r"\[(D2H[ _A-Z]{1,20}|GRETA_TRACE_D2H|ROPE_DIAG|GUARD_RAIL[_A-Z]{0,20})\]")
_WORD: Final = re.compile(r"\b([A-Za-z_]\w{0,40})=([!-~]{1,256})")

Fields = dict[str, str]


class Segment(NamedTuple):
    """From a tag to the next one, or to the end of the line."""

    tag: str
    text: str
    line: LogLine
    cut: bool


def segments(line: LogLine) -> Iterator[Segment]:
    """The tagged pieces of a line, from left to right."""
    tags = list(_TAG.finditer(line.text))
    for found, following in itertools.zip_longest(tags, tags[1:]):
        end = following.start() if following else len(line.text)
        text = line.text[found.end() : end]
        # A piece that another writer broke into ends without its blank or its end of line.
        cut = line.cut if following is None else not text.endswith(" ")
        yield Segment(found[1], text.strip(), line, cut)


def fields(segment: Segment) -> Fields:
    """Words "name=value". The last one of a cut line is left out: half a number is a number too."""
    found = list(_WORD.finditer(segment.text))
    if segment.cut and found and found[-1].end() == len(segment.text):
        found.pop()
    return {word[1]: word[2] for word in found}


class AuditStart(NamedTuple):
    """GCORE_D2H_AUDIT, before the copy."""

    line: LogLine
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

    line: LogLine
    op_id: str
    ns: int
    stream: int
    result: str
    tensor: str


class CheckLine(NamedTuple):
    """GRETA_D2H_DEBUG; its numbers are read when the whole file has said what base they have."""

    line: LogLine
    fields: Fields


class BoundsLine(NamedTuple):
    """The wrapper refused the copy."""

    line: LogLine
    fields: Fields


class CopyOutcome(NamedTuple):
    """How the last checked copy ended; `error` is 0 for success."""

    line: LogLine
    tensor: str | None
    error: int
    text: str
    call: str = "hipMemcpyAsync"
    """The one that returned it: the copy, or a synchronization around it."""


class TracedRange(NamedTuple):
    """Early builds: a transfer with the allocation that it is in."""

    line: LogLine
    tensor: str
    step: int
    layer: int
    origin: int
    alloc: int
    offset: int
    bytes: int


class TraceBefore(NamedTuple):
    """GRETA_TRACE_MEMCPY, before the copy."""

    line: LogLine
    tensor: str
    source: int
    bytes: int
    stream: int


class TraceAfter(NamedTuple):
    """And after it."""

    line: LogLine
    tensor: str
    target: int
    bytes: int


class TraceFatal(NamedTuple):
    """Or when it failed."""

    line: LogLine
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
    | CheckLine
    | BoundsLine
    | CopyOutcome
    | TracedRange
    | TraceBefore
    | TraceAfter
    | TraceFatal
)


def read_start(segment: Segment) -> AuditStart | None:
    """None if a number that matters is missing or no number."""
    words = fields(segment)
    source, target = address(words.get("dev_ptr", "")), address(words.get("host_ptr", ""))
    size = count(words.get("bytes", ""))
    if source is None or target is None or size is None or size < 0:
        return None
    return AuditStart(
        segment.line,
        words.get("op_id", ""),
        _ns(words.get("ts", "")),
        address(words.get("stream", "")) or 0,
        source,
        target,
        size,
        words.get("tensor", "?"),
        _index(words.get("step", "")),
        _index(words.get("layer", "")),
    )


def read_end(segment: Segment) -> AuditEnd | None:
    """None if it does not say what came out."""
    words = fields(segment)
    if not words.get("result", "").startswith("hip"):
        return None
    return AuditEnd(
        segment.line,
        words.get("op_id", ""),
        _ns(words.get("ts", "")),
        address(words.get("stream", "")) or 0,
        words["result"],
        words.get("tensor", "?"),
    )


def _ns(text: str) -> int:
    seconds, _, fraction = text.partition(".")
    if not (seconds.isdecimal() and len(seconds) <= 12 and len(fraction) <= 9):
        return 0
    digits = fraction.ljust(9, "0")
    return int(seconds) * 10**9 + (int(digits) if digits.isdecimal() else 0)


def _index(text: str) -> int:
    value = count(text)
    return -1 if value is None else value


_SYNC: Final = "hipStreamSynchronize"
_FAILED: Final = re.compile(
    r"(?:(async copy)|stream sync) failed(?: before| after)?(?: ([^:]{1,200}))?: (.*)",
    re.IGNORECASE,
)
"""The copy, or the synchronization around it; the tensor, where it is named; the error."""


def read_outcome(segment: Segment) -> CopyOutcome | None:
    """None for the line that only says which tensor it is."""
    if segment.text.startswith("async copy succeeded"):
        return CopyOutcome(segment.line, None, 0, segment.text)
    found = _FAILED.match(segment.text)
    if found is None:
        return None
    error, call = error_in(found[3]) or UNKNOWN_ERROR, "hipMemcpyAsync" if found[1] else _SYNC
    return CopyOutcome(segment.line, found[2], error, segment.text, call)


def read_traced_range(segment: Segment) -> TracedRange | None:
    """None if a number that matters is missing or no number."""
    words = fields(segment)
    origin = address(words.get("src_ptr", ""))
    sizes = [
        count(words.get(f"{name}_bytes") or words.get(name, ""))
        for name in ("alloc", "offset", "size")
    ]
    known = [size for size in sizes if size is not None and size >= 0]
    if origin is None or len(known) < len(sizes):
        return None
    step, layer = (count(words.get(name, "")) for name in ("step", "layer"))
    return TracedRange(
        segment.line,
        words.get("tensor", "?"),
        -1 if step is None else step,
        -1 if layer is None else layer,
        origin,
        *known,
    )


# A logger's prefix may stand before it, a tag or another field may not.
_BELOW: Final = re.compile(
    r"(?:[^=]{0,200}(?:\bpid=\d{1,9}[^=]{0,200})?[\s:|\]])?(?:(src_ptr|dst_ptr|bytes|stream)=(\S{1,40})|hipError=(.{1,400}))\s*"
)
_BLOCK_FIELDS: Final = {
    "before": ("src_ptr", "bytes", "stream"),
    "after": ("dst_ptr", "bytes"),
    "FAILED": ("src_ptr", "dst_ptr", "bytes", "hipError"),
}
_FAR: Final = 40
"""Lines of others that may come between."""


class TraceBlock:
    def __init__(self, segment: Segment) -> None:
        self.line = segment.line
        self.tensor, _, self.phase = segment.text.rpartition(":")
        self._values: dict[str, str] = {}

    @property
    def known(self) -> bool:
        return self.phase in _BLOCK_FIELDS and bool(self.tensor)

    @property
    def whole(self) -> bool:
        return all(name in self._values for name in _BLOCK_FIELDS[self.phase])

    def take(self, line: LogLine) -> bool:
        found = _BELOW.fullmatch(line.text) if "[D2H" not in line.text else None
        if found is None:
            return False
        name, value = (found[1], found[2]) if found[1] else ("hipError", found[3])
        if name not in _BLOCK_FIELDS[self.phase] or name in self._values:
            return False
        if not line.cut or name == "hipError":
            self._values[name] = value.strip()
        return True

    def too_far(self, line: LogLine) -> bool:
        return line.number > self.line.number + _FAR

    def record(self) -> Record | None:
        """What it says; None if it is not whole or has words for numbers."""
        if self.phase == "FAILED":
            return self._fatal()
        if not self.whole:
            return None
        size = count(self._values["bytes"])
        source = address(self._values.get("src_ptr", "0"))
        target = address(self._values.get("dst_ptr", "0"))
        if size is None or size < 0 or source is None or target is None:
            return None
        if self.phase == "before":
            stream = address(self._values["stream"]) or 0
            return TraceBefore(self.line, self.tensor, source, size, stream)
        return TraceAfter(self.line, self.tensor, target, size)

    def _fatal(self) -> TraceFatal:
        """A failure is told by its first line: what is missing below does not undo it."""
        source, target = self._address("src_ptr"), self._address("dst_ptr")
        size, text = count(self._values.get("bytes", "")), self._values.get("hipError", "")
        known = size if size is not None and size >= 0 else None
        error = error_in(text) or UNKNOWN_ERROR
        return TraceFatal(self.line, self.tensor, source, target, known, error, text)

    def _address(self, name: str) -> int | None:
        return address(self._values[name]) if name in self._values else None


_INTEGERS: Final = ("seq_len", "num_heads", "head_dim")
_POSITION_BYTES: Final = 4


def read_rope(segment: Segment) -> LoggedOperation | None:
    """A launch; None if the pointers or the shape are not readable."""
    words = fields(segment)
    x, positions = address(words.get("x_ptr", "")), address(words.get("pos_ptr", ""))
    shape = [count(words.get(name, "")) for name in _INTEGERS]
    if x is None or positions is None or None in shape:
        return None
    seq, heads, dim = (value or 0 for value in shape)
    valid = words.get("valid") == "true"
    return LoggedOperation(
        line=segment.line.number,
        offset=segment.line.offset,
        name="hipLaunchKernel",
        kind=Kind.LAUNCH,
        kernel=segment.text.partition(" x_ptr=")[0].strip()[:200] or "RoPE",
        arguments=_rope_arguments(words, x, positions),
        accesses=_rope_accesses(x, positions, abs(seq * heads * dim), abs(seq)),
        shown=_shown(x, positions) if valid else (),
        labels=(f"valid={words.get('valid', '?')}",),
    )


def _rope_arguments(
    words: Fields, x: int, positions: int
) -> tuple[tuple[str, str, int | None], ...]:
    whole = tuple((name, "int", count(words.get(name, ""))) for name in _INTEGERS)
    return (("x_ptr", "void*", x), *whole, ("pos_ptr", "const void*", positions))


def _rope_accesses(x: int, positions: int, elements: int, seq: int) -> tuple[LoggedAccess, ...]:
    # The line does not say how wide an element is: one byte each is the least it accesses.
    return (
        LoggedAccess(x, elements, Mode.MAY_WRITE, Role.ARGUMENT, Space.DEVICE, 0, True),
        LoggedAccess(
            positions, seq * _POSITION_BYTES, Mode.READ, Role.ARGUMENT, Space.DEVICE, 4, True
        ),
    )


def _shown(*addresses: int) -> tuple[LoggedAllocation, ...]:
    """The program found them valid; how much memory there is, it does not say."""
    return tuple(
        LoggedAllocation(one, 1, Memory.DEVICE, known_bytes=False) for one in addresses if one
    )
