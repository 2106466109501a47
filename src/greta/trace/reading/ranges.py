"""The shapes of memory that calls name: a run of bytes, a rectangle, a box.

A word is named as the call's entry names it; `p@48` is the 64-bit number at offset 48 of the struct
that word p points to, and `p@152:4` a 32-bit one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

WordName: TypeAlias = str
Numbers: TypeAlias = npt.NDArray[np.uint64]

# No range is longer; sums of two of these still fit 64 bits.
LONGEST = 1 << 62


class Words(Protocol):
    """The calls whose words are asked for."""

    def word(self, name: WordName) -> Numbers:
        """That word of each call."""
        ...


class Ranges(NamedTuple):
    """One for each call. `pitch` is 0 where the bytes are one run."""

    address: Numbers
    bytes: Numbers
    pitch: Numbers
    width: Numbers


@dataclass(frozen=True)
class Run:
    """`bytes` times `unit` bytes, or just `unit`, from an address or `offset` bytes behind it."""

    address: WordName
    bytes: WordName = ""
    unit: int = 1
    offset: WordName = ""

    @property
    def names(self) -> tuple[WordName, ...]:
        """The words it needs."""
        return tuple(filter(None, (self.address, self.bytes, self.offset)))

    def of(self, words: Words) -> Ranges:
        """The ranges of some calls."""
        address = words.word(self.address)
        one = np.ones(len(address), np.uint64)
        count = words.word(self.bytes) if self.bytes else one
        if self.offset:
            address = address + words.word(self.offset)
        none = np.zeros(len(address), np.uint64)
        return Ranges(address, product(count, one * np.uint64(self.unit)), none, none)


@dataclass(frozen=True)
class Rectangle:
    """`height` rows of `width` times `unit` bytes, `pitch` bytes from one to the next."""

    address: WordName
    pitch: WordName
    width: WordName
    height: WordName
    unit: WordName | int = 1

    @property
    def names(self) -> tuple[WordName, ...]:
        """The words it needs."""
        unit = (self.unit,) if isinstance(self.unit, str) else ()
        return (self.address, self.pitch, self.width, self.height, *unit)

    def of(self, words: Words) -> Ranges:
        """The ranges of some calls."""
        width, height = words.word(self.width), words.word(self.height)
        unit = words.word(self.unit) if isinstance(self.unit, str) else np.uint64(self.unit)
        width = product(width, np.broadcast_to(unit, width.shape))
        return _rows(words.word(self.address), words.word(self.pitch), width, height)


@dataclass(frozen=True)
class Box:
    """Part of a pitched block of memory: from x, y, z on, `width` by `height` by `depth`.

    The address is the first of some words that is not zero; none of them is where an array is used
    in place of memory.
    """

    address: tuple[WordName, ...]
    pitch: WordName
    slice_rows: WordName
    start: tuple[WordName, ...] = ()
    size: tuple[WordName, ...] = ()

    @property
    def names(self) -> tuple[WordName, ...]:
        """The words it needs."""
        rows = (self.slice_rows,) if self.slice_rows else ()
        return (*self.address, self.pitch, *rows, *self.start, *self.size)

    def of(self, words: Words) -> Ranges:
        """The ranges of some calls."""
        address = words.word(self.address[0])
        for name in self.address[1:]:
            address = np.where(address == 0, words.word(name), address)
        pitch = words.word(self.pitch)
        one = np.ones(len(address), np.uint64)
        slice_rows = words.word(self.slice_rows) if self.slice_rows else one
        width, height, depth = (*(words.word(name) for name in self.size), one)[:3]
        # From the first row to the last, over all slices.
        height = np.where(depth > 1, product(depth - np.uint64(1), slice_rows) + height, height)
        height = np.where(depth == 0, np.uint64(0), height)
        return _rows(self._moved(address, pitch, slice_rows, words), pitch, width, height)

    def _moved(
        self, address: Numbers, pitch: Numbers, slice_rows: Numbers, words: Words
    ) -> Numbers:
        for name, step in zip(self.start, (None, pitch, product(pitch, slice_rows)), strict=False):
            by = words.word(name)
            moved = address + (by if step is None else product(by, step))
            address = np.where(address == 0, address, moved)
        return address


Shape: TypeAlias = Run | Rectangle | Box


def _rows(address: Numbers, pitch: Numbers, width: Numbers, height: Numbers) -> Ranges:
    """Rows of a rectangle: from the first byte to the last."""
    one = np.uint64(1)
    some = (width > 0) & (height > 0)
    bytes_ = np.where(some, product(np.maximum(height, one) - one, pitch) + width, np.uint64(0))
    several = some & (height > 1) & (pitch > width)
    zero = np.uint64(0)
    return Ranges(address, bytes_, np.where(several, pitch, zero), np.where(several, width, zero))


def product(a: Numbers, b: Numbers) -> Numbers:
    """a times b; what does not fit is as long as anything can be."""
    fits = a.astype(np.float64) * b.astype(np.float64) < LONGEST
    result: Numbers = np.where(fits, a * b, np.uint64(LONGEST))
    return result
