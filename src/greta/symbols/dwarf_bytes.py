"""Reading DWARF sections within bounds: no file can make it read past an end, or forever."""

from __future__ import annotations

import time


class DwarfError(Exception):
    """The information makes no sense, or is of a kind that is not known."""


class Deadline:
    """A moment by which work on one file has to be done."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Raise TimeoutError if it has passed."""
        if time.monotonic() > self._end:
            raise TimeoutError


class DwarfBytes:
    """A place in bytes; reading past the end is an error."""

    def __init__(self, content: bytes, at: int, end: int | None = None) -> None:
        self.content, self.at, self.end = content, at, len(content) if end is None else end

    def unsigned(self, width: int) -> int:
        """A number of so many bytes."""
        return int.from_bytes(self.take(width), "little")

    def take(self, width: int) -> bytes:
        """The next bytes."""
        if not 0 <= width <= self.end - self.at:
            raise DwarfError("cut short")
        self.at += width
        return self.content[self.at - width : self.at]

    def length(self) -> tuple[int, int]:
        """The length at the beginning of a unit, and the width of offsets that it stands for."""
        length = self.unsigned(4)
        return (self.unsigned(8), 8) if length == 0xFFFFFFFF else (length, 4)

    def uleb(self) -> int:
        """A number of seven bits a byte."""
        value = shift = 0
        while shift < 70:
            byte = self.unsigned(1)
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise DwarfError("a number is too long")

    def sleb(self) -> int:
        """The same with a sign."""
        begin = self.at
        value = self.uleb()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def text(self) -> bytes:
        """What comes before a zero byte."""
        end = self.content.find(b"\0", self.at, self.end)
        if end < 0:
            raise DwarfError("cut short")
        begin, self.at = self.at, end + 1
        return self.content[begin:end]
