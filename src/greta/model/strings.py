"""Lists of strings in a GGUF file: where they lie, and their text when it is asked for.

A vocabulary has a hundred thousand of them. As Python strings they would take ten times their bytes
in the file, for as long as the model is open, and most are needed once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

LENGTH_BYTES = 8  # of the number that stands before each string
# They were text when the file was opened. Should someone write into it since, that is no crash.
_CHANGED = "replace"


class Strings:
    """Strings that lie one behind the other, each after its length; known to be UTF-8."""

    def __init__(self, data: memoryview, begins: array[int], end: int) -> None:
        """`begins` is where the text of each begins; `end` is where that of the last ends."""
        self._data = data
        self._begins = begins
        self._end = end

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, number: int) -> str:
        begin = self._begins[number]
        is_last = number in (-1, len(self) - 1)
        end = self._end if is_last else self._begins[number + 1] - LENGTH_BYTES
        return str(self._data[begin:end], "utf-8", _CHANGED)

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_list())

    def to_list(self) -> list[str]:
        """All of them, as Python strings."""
        joined = self._joined()
        if joined.count(0) != LENGTH_BYTES * len(self):  # some string has a NUL in it
            return [self[number] for number in range(len(self))]
        return joined.decode("utf-8", _CHANGED).split("\0" * LENGTH_BYTES)[1:]

    def first_that_is_not_text(self) -> int | None:
        """The number of a string that is not UTF-8."""
        try:
            self._joined().decode()
        except UnicodeDecodeError as error:
            at = error.start + self._start
            return int(np.searchsorted(self._places(), at, side="right")) - 1
        return None

    @property
    def _start(self) -> int:
        return self._begins[0] - LENGTH_BYTES if self._begins else 0

    def _places(self) -> npt.NDArray[np.uint64]:
        return np.frombuffer(self._begins, np.uint64)

    def _joined(self) -> bytes:
        """The bytes of all, with NULs in place of the lengths: no character crosses those."""
        if not self._begins:
            return b""
        whole = np.frombuffer(self._data[self._start : self._end], np.uint8).copy()
        lengths_at = self._places().astype(np.int64) - (self._start + LENGTH_BYTES)
        longest = int(np.diff(lengths_at, append=len(whole)).max())
        for byte in range((longest.bit_length() + 7) // 8):  # the others are 0 in any length
            whole[lengths_at + byte] = 0
        return bytes(whole)
