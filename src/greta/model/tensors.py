"""A tensor of the file: its bytes as they lie there, and what they mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Blocks:
    """How a type packs elements: so many of them in so many bytes."""

    elements: int
    bytes: int


class TensorType(IntEnum):
    """What a tensor's bytes mean, by the number in the file; and how many make a block of it."""

    blocks: Blocks

    def __new__(cls, number: int, elements: int = 1, size: int = 1) -> TensorType:
        """Its value is the number."""
        kind = int.__new__(cls, number)
        kind._value_ = number
        kind.blocks = Blocks(elements, size)
        return kind

    F32 = 0, 1, 4
    F16 = 1, 1, 2
    Q4_0 = 2, 32, 18
    Q4_1 = 3, 32, 20
    Q5_0 = 6, 32, 22
    Q5_1 = 7, 32, 24
    Q8_0 = 8, 32, 34
    Q8_1 = 9, 32, 40
    Q2_K = 10, 256, 84
    Q3_K = 11, 256, 110
    Q4_K = 12, 256, 144
    Q5_K = 13, 256, 176
    Q6_K = 14, 256, 210
    Q8_K = 15, 256, 292
    IQ2_XXS = 16, 256, 66
    IQ2_XS = 17, 256, 74
    IQ3_XXS = 18, 256, 98
    IQ1_S = 19, 256, 50
    IQ4_NL = 20, 32, 18
    IQ3_S = 21, 256, 110
    IQ2_S = 22, 256, 82
    IQ4_XS = 23, 256, 136
    I8 = 24, 1, 1
    I16 = 25, 1, 2
    I32 = 26, 1, 4
    I64 = 27, 1, 8
    F64 = 28, 1, 8
    IQ1_M = 29, 256, 56
    BF16 = 30, 1, 2
    TQ1_0 = 34, 256, 54
    TQ2_0 = 35, 256, 66
    MXFP4 = 39, 32, 17
    NVFP4 = 40, 64, 36
    Q1_0 = 41, 128, 18


_T = TensorType

# The types that weights may have.
WEIGHT_TYPES = (
    *(_T.F32, _T.F16, _T.BF16, _T.Q8_0, _T.Q4_0, _T.Q4_1, _T.Q5_0, _T.Q5_1),
    *(_T.Q4_K, _T.Q5_K, _T.Q6_K),
)


Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class TensorEntry:
    """What the header says of a tensor; checked to lie within the file."""

    name: str
    type: TensorType
    shape: tuple[int, ...]  # slowest dimension first, as NumPy has it
    offset: int  # from the beginning of the file
    bytes: int


@dataclass(frozen=True, eq=False)
class Tensor:
    """Rows of blocks, in the file's own encoding; `raw` is a read-only view of the map."""

    name: str
    type: TensorType
    shape: tuple[int, ...]  # (cols,), (rows, cols) or more, slowest first
    offset: int  # from the beginning of the file
    raw: Bytes  # [rows, row_bytes]

    @property
    def rows(self) -> int:
        """Rows; 1 for a vector."""
        return math.prod(self.shape[:-1])

    @property
    def cols(self) -> int:
        """Elements of a row."""
        return self.shape[-1]

    @property
    def nbytes(self) -> int:
        """Bytes of the whole tensor in the file."""
        return self.raw.nbytes


def tensor_of(entry: TensorEntry, data: Bytes) -> Tensor:
    """The tensor that an entry of the header describes, as a view of the mapped file."""
    rows = math.prod(entry.shape[:-1])
    raw = data[entry.offset : entry.offset + entry.bytes].reshape(rows, -1)
    return Tensor(entry.name, entry.type, entry.shape, entry.offset, raw)
