"""Text that is not UTF-8, treated as llama.cpp treats it.

Inside greta such text is a str in which Python's `surrogateescape` keeps each bad byte, as in
sys.argv; that str cannot be given to the tokenizers package.
"""

from __future__ import annotations

from collections.abc import Iterator

_REPLACEMENT = 0xFFFD
_LENGTHS = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4)  # by the first byte's high half


def as_text(text: str | bytes) -> str:
    """Any input as a str that keeps its bytes."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "surrogateescape")
    if is_sound(text):
        return text
    return as_bytes(text).decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    """The bytes of a str, also of one with lone surrogates, as from JSON."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def is_sound(text: str) -> bool:
    """Whether a str is UTF-8 as it stands."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def code_points(data: bytes) -> Iterator[int]:
    """Code points, U+FFFD for each byte that begins none.

    Overlong forms and encoded surrogates count as what they encode: llama.cpp lets them pass.
    """
    at = 0
    while at < len(data):
        length = _LENGTHS[data[at] >> 4]
        tail = data[at + 1 : at + length]
        point = _decoded(data[at], tail, length)
        at += length if point is not None else 1
        yield _REPLACEMENT if point is None else point


def _decoded(first: int, tail: bytes, length: int) -> int | None:
    if first < 0x80:
        return first
    whole = len(tail) == length - 1 and all(byte & 0xC0 == 0x80 for byte in tail)
    if length == 1 or first >= 0xF8 or not whole:
        return None
    point = first & (0x7F >> length)
    for byte in tail:
        point = point << 6 | byte & 0x3F
    return point if point <= 0x10FFFF else None


def characters(data: bytes) -> Iterator[bytes]:
    """Bytes cut by the length that each first byte announces, right or wrong."""
    at = 0
    while at < len(data):
        length = _LENGTHS[data[at] >> 4]
        yield data[at : at + length]
        at += length
