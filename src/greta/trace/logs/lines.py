"""The lines of a log, whatever is in them.

Memory is bounded by the longest line that is kept, time by the length of the file: what is longer
is cut, and says so. Colours, carriage returns and bytes that are no UTF-8 do not matter below.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from greta.errors import OutsideError
from greta.outside import open_outside

LONGEST: Final = 16 << 10
_CHUNK: Final = 1 << 20
# Real escapes, and two ways in which pagers and mail write them. No repetition is nested.
_ESCAPES: Final = re.compile(r"(?:\x1b|\^\[|ESC)\[[0-9;?]{0,32}[A-Za-z]")


class LogLine(NamedTuple):
    """One line; `cut` if its end is missing, so that its last word may be half a word."""

    number: int
    offset: int
    """Where it begins in the file."""
    text: str
    cut: bool


_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
"""By what Windows' tools put at the beginning of a file."""
_WRAPPED: Final = '{"log":'
"""How a line of Docker's json-file logs begins."""


def first_bytes(path: Path) -> bytes:
    """By which it can be told what a file is; of UTF-16 nothing, which is text. Raises OSError."""
    with open_outside(path) as file:
        start = file.read(LONGEST)
    return b"" if start[:2] in _WIDE else start


def read_lines(path: Path) -> Iterator[LogLine]:
    """All lines of a file; raises OSError, and OutsideError of what is no regular file."""
    with open_outside(path) as file:
        wide = _WIDE.get(file.read(2))
        file.seek(2 if wide else 0)
        found = _wide_lines(file, wide) if wide else _raw_lines(file)
        for number, (offset, raw, cut) in enumerate(found, start=1):
            yield LogLine(number, offset, clean(raw), cut)


def line_at(path: Path, offset: int) -> str:
    """The line that begins there; empty if the file is gone."""
    try:
        with open_outside(path) as file:
            wide = _WIDE.get(file.read(2))
            file.seek(offset)
            if wide:
                text = file.read(2 * LONGEST).decode(wide, "replace")
                return clean(text.partition("\n")[0].encode())
            return clean(file.readline(LONGEST))
    except (OSError, OutsideError):
        return ""


def clean(raw: bytes) -> str:
    """As text, without colours and without the end of the line."""
    text = raw.decode("utf-8", "replace").rstrip("\r\n")
    text = _unwrapped(text) if text.startswith(_WRAPPED) else text
    # What a progress bar has overwritten is not what it ended with.
    text = text.rpartition("\r")[2] if "\r" in text else text
    return _ESCAPES.sub("", text) if "[" in text else text


def _unwrapped(text: str) -> str:
    """What the program wrote, out of Docker's JSON."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    inner = found.get("log") if isinstance(found, dict) else None
    return inner.rstrip("\r\n").replace("\n", " ") if isinstance(inner, str) else text


def _wide_lines(file: BinaryIO, encoding: str) -> Iterator[tuple[int, bytes, bool]]:
    """The same of UTF-16; the rest of a long line counts as a line that is cut."""
    offset = len(codecs.BOM_UTF16_LE)
    text = io.TextIOWrapper(file, encoding, "replace", newline="\n")
    try:
        while line := text.readline(LONGEST):
            yield offset, line.encode("utf-8", "replace"), not line.endswith("\n")
            offset += len(line.encode(encoding, "replace"))
    finally:
        text.detach()  # the file is its opener's to close


def _raw_lines(file: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Offset, the first LONGEST bytes, whether more is missing."""
    offset, begin, kept, skipping = 0, 0, b"", False
    while chunk := file.read(_CHUNK):
        at = 0
        while (end := chunk.find(b"\n", at)) >= 0:
            if skipping:
                yield begin, kept, True
            else:
                whole = kept + chunk[at : min(end, at + LONGEST + 1)]
                yield begin, whole[:LONGEST], len(whole) > LONGEST
            at, kept, skipping = end + 1, b"", False
            begin = offset + at
        if not skipping:
            kept += chunk[at : at + LONGEST + 1]
            skipping = len(kept) > LONGEST
            kept = kept[:LONGEST]
        offset += len(chunk)
    if kept:
        yield begin, kept, True
