"""Where to draw slices that overlap.

Slices on one track must lie within each other. Those that do not go to another track, which a
viewer shows as a further row. And viewers give up at some depth: a program that puts ten thousand
kernels on a stream before it waits would make as many levels. So only so many are drawn in full at
a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

DRAWN_IN_FULL = 32
NEVER = 1 << 63

Time = int


@dataclass(frozen=True)
class Place:
    """The row of a slice, and where to end it."""

    row: int
    end: Time
    shortened: bool


@dataclass
class Rows:
    """The rows of one stream. Slices are placed in the order they begin."""

    _open: list[list[Time]] = field(default_factory=list)  # of each row, ends, the outermost first

    def place(self, begin: Time, end: Time, short_end: Time) -> Place:
        """A place for a slice; where there is none, for its first part up to `short_end`."""
        for ends in self._open:
            while ends and ends[-1] <= begin:
                ends.pop()
        if sum(map(len, self._open)) >= DRAWN_IN_FULL:
            first = self._open[0]
            end = max(begin, min([short_end, *first[-1:]]))
            first.append(end)
            return Place(0, end, shortened=True)
        fits = (row for row, ends in enumerate(self._open) if not ends or end <= ends[-1])
        row = next(fits, len(self._open))
        if row == len(self._open):
            self._open.append([])
        self._open[row].append(end)
        return Place(row, end, shortened=False)


@dataclass
class Calls:
    """The calls of one thread, which lie within each other or after each other.

    Calls do overlap in part where clocks are damaged; they are then drawn so that they do not.
    """

    _latest: Time = 0
    _open: list[Time] = field(default_factory=list)

    def place(self, begin: Time, end: Time) -> tuple[Time, Time]:
        """Where to begin and to end the next call."""
        self._latest = begin = max(begin, self._latest)
        while self._open and self._open[-1] <= begin:
            self._open.pop()
        end = min([max(begin, end), *self._open[-1:]])
        self._open.append(end)
        return begin, end
