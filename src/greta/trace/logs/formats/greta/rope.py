"""[ROPE_DIAG] RoPE Q prefill x_ptr=0x79eed0800000 seq_len=13 num_heads=32 ... valid=true

One line before each launch of the RoPE kernels.
"""

from __future__ import annotations

from typing import Final

from greta.trace.logs.formats.greta.segments import Fields, Segment, fields
from greta.trace.logs.logged import Logged, Made, Touch
from greta.trace.logs.numbers import address, count
from greta.trace.trace import Kind, Memory, Mode, Role, Space

_INTEGERS: Final = ("seq_len", "num_heads", "head_dim")
_POSITION_BYTES: Final = 4


def read_rope(segment: Segment) -> Logged | None:
    """A launch; None if the pointers or the shape are not readable."""
    words = fields(segment)
    x, positions = address(words.get("x_ptr", "")), address(words.get("pos_ptr", ""))
    shape = [count(words.get(name, "")) for name in _INTEGERS]
    if x is None or positions is None or None in shape:
        return None
    seq, heads, dim = (value or 0 for value in shape)
    valid = words.get("valid") == "true"
    return Logged(
        line=segment.line.number,
        offset=segment.line.offset,
        name="hipLaunchKernel",
        kind=Kind.LAUNCH,
        kernel=segment.text.partition(" x_ptr=")[0].strip()[:200] or "RoPE",
        arguments=_arguments(words, x, positions),
        touches=_touches(x, positions, abs(seq * heads * dim), abs(seq)),
        shown=_shown(x, positions) if valid else (),
        labels=(f"valid={words.get('valid', '?')}",),
    )


def _arguments(words: Fields, x: int, positions: int) -> tuple[tuple[str, str, int | None], ...]:
    whole = tuple((name, "int", count(words.get(name, ""))) for name in _INTEGERS)
    return (("x_ptr", "void*", x), *whole, ("pos_ptr", "const void*", positions))


def _touches(x: int, positions: int, elements: int, seq: int) -> tuple[Touch, ...]:
    # The line does not say how wide an element is: one byte each is what it touches at least.
    return (
        Touch(x, elements, Mode.MAY_WRITE, Role.ARGUMENT, Space.DEVICE, 0, True),
        Touch(positions, seq * _POSITION_BYTES, Mode.READ, Role.ARGUMENT, Space.DEVICE, 4, True),
    )


def _shown(*addresses: int) -> tuple[Made, ...]:
    """The program found them valid; how much memory there is, it does not say."""
    return tuple(Made(one, 1, Memory.DEVICE, known_bytes=False) for one in addresses if one)
