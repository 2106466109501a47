"""How many bytes the recorded copies moved each way."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from greta.recording import CallEntry
from greta.runs.sides import Sides

# hipMemcpyKind. Of a hipMemcpyDefault the addresses decide.
_KINDS = {0: "H2H", 1: "H2D", 2: "D2H", 3: "D2D", 1024: "D2D"}
_UNDECIDED = "default"
_NAMED_DIRECTION = re.compile(r"hipMemcpy(?:(?P<source>[HDA])to(?P<target>[HDA])|Peer)")
_SIZE_WORDS = (("sizeBytes",), ("count",), ("ByteCount",), ("width", "height"))


Words = npt.NDArray[np.uint64]


@dataclass
class Copies:
    """Copies that succeeded, by direction: H2D, D2H, D2D, H2H, and "default" if it is not known."""

    count: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    unsized: int = 0
    """Copies whose sizes are in structs: of three dimensions, of arrays, in batches."""

    def add(self, entry: CallEntry, words: Words, sides: Sides) -> None:
        """Counts calls of `entry`; `words` are their arguments, a row each."""
        names = [word.name for word in entry.words]
        sizes = next((words for words in _SIZE_WORDS if set(words) <= set(names)), None)
        direction = _direction(entry.name)
        if sizes is None or ("kind" not in names and direction is None):
            self.unsized += len(words)
            return
        by_name = {name: words[:, at] for at, name in enumerate(names[: words.shape[1]])}
        moved = np.prod([by_name[name] for name in sizes], axis=0, dtype=np.uint64)
        if direction is not None:
            self._add(direction, moved)
        else:
            self._add_by_kind(by_name, moved, sides)

    def _add_by_kind(self, words: dict[str, Words], moved: Words, sides: Sides) -> None:
        for kind in np.unique(words["kind"]).tolist():
            chosen = words["kind"] == kind
            if kind in _KINDS:
                self._add(_KINDS[kind], moved[chosen])
                continue
            ends = [sides.of(words[end][chosen]) for end in ("src", "dst") if end in words]
            directions = np.char.add(np.char.add(ends[0], "2"), ends[1]) if len(ends) == 2 else None
            self._add_apart(directions, moved[chosen])

    def _add_apart(self, directions: npt.NDArray[np.str_] | None, moved: Words) -> None:
        if directions is None:
            self._add(_UNDECIDED, moved)
            return
        for direction in np.unique(directions).tolist():
            name = _UNDECIDED if "?" in direction else direction
            self._add(name, moved[directions == direction])

    def _add(self, direction: str, moved: Words) -> None:
        if not len(moved):
            return
        self.count[direction] += len(moved)
        self.bytes[direction] += int(moved.sum())


def is_copy(name: str) -> bool:
    """The call moves bytes; those that put a copy into a graph do not."""
    return name.startswith("hipMemcpy")


def _direction(name: str) -> str | None:
    found = _NAMED_DIRECTION.match(name)
    if not found:
        return None
    # An array is memory of the device.
    ends = ["H" if found[end] == "H" else "D" for end in ("source", "target")]
    return "2".join(ends)
