"""[D2H_AUDIT_START] op_id=0 ts=1738956000.123456 stream=0x7f12 dev_ptr=... bytes=4096 tensor=...

[D2H_AUDIT_END] op_id=0 ts=1738956000.123789 stream=0x7f1234000000 result=hipSuccess tensor=logits
"""

from __future__ import annotations

from greta.trace.logs.formats.greta.records import AuditEnd, AuditStart
from greta.trace.logs.formats.greta.segments import Segment, fields
from greta.trace.logs.numbers import address, count


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
