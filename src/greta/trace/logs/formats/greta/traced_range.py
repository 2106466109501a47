"""[GRETA_TRACE_D2H] tensor=logits step=0 layer=-1 src_ptr=0x702f86e00000 alloc_bytes=131334144 ...

Early builds, one line before each transfer. `src_ptr` is the allocation, `offset_bytes` where in it
the transfer of `size_bytes` begins; sizes are decimal.
"""

from __future__ import annotations

from greta.trace.logs.formats.greta.records import TracedRange
from greta.trace.logs.formats.greta.segments import Segment, fields
from greta.trace.logs.numbers import address, count


def read_traced_range(segment: Segment) -> TracedRange | None:
    """None if a number that matters is missing or no number."""
    words = fields(segment)
    origin = address(words.get("src_ptr", ""))
    sizes = [count(words.get(f"{name}_bytes", "")) for name in ("alloc", "offset", "size")]
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
