"""Arguments that many calls share under many names, as columns: dst, src, bytes, kind, stream ...

To add one, write how its words are called in _NAMES, or what type they have in _TYPES.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from greta.recording import CallEntry

Column = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint64]  # rows x 10

_RECORD_WORDS = 10
_NAMES: dict[str, tuple[str, ...]] = {
    "ptr": ("ptr", "dev_ptr", "dptr", "devPtr", "hostPtr"),
    "dst": ("dst", "dest", "dstDevice", "dstHost", "dstArray", "pitchedDevPtr.ptr"),
    "src": ("src", "srcDevice", "srcHost", "srcArray"),
    "grid_x": ("gridDimX", "numBlocks.x", "gridDim.x"),
    "grid_y": ("gridDimY", "numBlocks.y", "gridDim.y"),
    "grid_z": ("gridDimZ", "numBlocks.z", "gridDim.z"),
    "block_x": ("blockDimX", "dimBlocks.x", "blockDimX.x", "localWorkSizeX"),
    "block_y": ("blockDimY", "dimBlocks.y", "blockDimX.y", "localWorkSizeY"),
    "block_z": ("blockDimZ", "dimBlocks.z", "blockDimX.z", "localWorkSizeZ"),
    "shared_bytes": ("sharedMemBytes",),
}
_TYPES = {"kind": "hipMemcpyKind", "stream": "hipStream_t", "event": "hipEvent_t"}

COLUMNS = (*_NAMES, *_TYPES, "bytes")

# Only of these does a size mean bytes that are moved, filled or allocated.
_SIZED = re.compile(r"hip(?:Drv)?Mem(?:cpy|set)\w*|hip\w*Malloc\w*|hipHost(?:Alloc|Register)")
_FACTORS = (
    ("sizeBytes",),
    ("ByteCount",),
    ("size",),
    ("pitch", "height"),
    ("width", "height"),
    ("extent.width", "extent.height", "extent.depth"),
    ("count",),
)
_ELEMENT = re.compile(r"hipMemsetD(?:2D)?(8|16|32)(?:Async)?")


@dataclass(frozen=True)
class Source:
    """From which words of a call a column is made: their product, and a factor."""

    column: str
    words: tuple[int, ...]
    factor: int = 1
    divisor: int | None = None  # a word
    out: bool = False  # the call fills it, so that it is not there before the call has returned

    def values(self, words: Words) -> Column:
        """The column, for rows of this call."""
        product: Column = words[:, list(self.words)].prod(axis=1) * np.uint64(self.factor)
        if self.divisor is not None:
            product //= np.maximum(words[:, self.divisor], np.uint64(1))
        return product


def sources_of(entry: CallEntry) -> list[Source]:
    """The columns that a call fills."""
    words = entry.words[:_RECORD_WORDS]
    names = {word.name: at for at, word in enumerate(words)}
    types = {word.type: at for at, word in reversed(list(enumerate(words)))}
    found = [*_by_name(names), *_blocks_of_items(names), *_bytes(entry.name, names)]
    found += [Source(c, (types[type_],)) for c, type_ in _TYPES.items() if type_ in types]
    return [replace(one, out=any(words[at].out for at in one.words)) for one in found]


def _by_name(names: dict[str, int]) -> Iterator[Source]:
    for column, spellings in _NAMES.items():
        place = next((names[name] for name in spellings if name in names), None)
        if place is not None:
            yield Source(column, (place,))


def _blocks_of_items(names: dict[str, int]) -> Iterator[Source]:
    """Some launches say how many threads there are in all, and not how many blocks."""
    for axis in "XYZ":
        items, block = names.get(f"globalWorkSize{axis}"), names.get(f"localWorkSize{axis}")
        if items is not None and block is not None:
            yield Source(f"grid_{axis.lower()}", (items,), divisor=block)


def _bytes(call: str, names: dict[str, int]) -> Iterator[Source]:
    factors = next((words for words in _FACTORS if names.keys() >= set(words)), None)
    # A fill has both: the pitch is of the memory, the width of what is filled.
    if call.startswith("hipMemset") and "width" in names:
        factors = ("width", "height")
    if factors and _SIZED.fullmatch(call.removesuffix("_spt")):
        element = _ELEMENT.fullmatch(call)
        factor = int(element[1]) // 8 if element else 1
        yield Source("bytes", tuple(names[name] for name in factors), factor)
