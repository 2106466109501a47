"""A tensor of the file: its bytes as they lie there, and what they mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt


class TensorType(IntEnum):
    """What a tensor's bytes mean, by the number in the file."""

    F32 = 0
    F16 = 1
    Q4_0 = 2
    Q4_1 = 3
    Q5_0 = 6
    Q5_1 = 7
    Q8_0 = 8
    Q8_1 = 9
    Q2_K = 10
    Q3_K = 11
    Q4_K = 12
    Q5_K = 13
    Q6_K = 14
    Q8_K = 15
    IQ2_XXS = 16
    IQ2_XS = 17
    IQ3_XXS = 18
    IQ1_S = 19
    IQ4_NL = 20
    IQ3_S = 21
    IQ2_S = 22
    IQ4_XS = 23
    I8 = 24
    I16 = 25
    I32 = 26
    I64 = 27
    F64 = 28
    IQ1_M = 29
    BF16 = 30
    TQ1_0 = 34
    TQ2_0 = 35
    MXFP4 = 39
    NVFP4 = 40
    Q1_0 = 41


@dataclass(frozen=True)
class Blocks:
    """How a type packs elements: so many of them in so many bytes."""

    elements: int
    bytes: int


_T = TensorType

BLOCKS: dict[TensorType, Blocks] = {
    _T.F32: Blocks(1, 4),
    _T.F16: Blocks(1, 2),
    _T.BF16: Blocks(1, 2),
    _T.F64: Blocks(1, 8),
    _T.I8: Blocks(1, 1),
    _T.I16: Blocks(1, 2),
    _T.I32: Blocks(1, 4),
    _T.I64: Blocks(1, 8),
    _T.Q4_0: Blocks(32, 18),
    _T.Q4_1: Blocks(32, 20),
    _T.Q5_0: Blocks(32, 22),
    _T.Q5_1: Blocks(32, 24),
    _T.Q8_0: Blocks(32, 34),
    _T.Q8_1: Blocks(32, 40),
    _T.Q2_K: Blocks(256, 84),
    _T.Q3_K: Blocks(256, 110),
    _T.Q4_K: Blocks(256, 144),
    _T.Q5_K: Blocks(256, 176),
    _T.Q6_K: Blocks(256, 210),
    _T.Q8_K: Blocks(256, 292),
    _T.IQ2_XXS: Blocks(256, 66),
    _T.IQ2_XS: Blocks(256, 74),
    _T.IQ3_XXS: Blocks(256, 98),
    _T.IQ1_S: Blocks(256, 50),
    _T.IQ4_NL: Blocks(32, 18),
    _T.IQ3_S: Blocks(256, 110),
    _T.IQ2_S: Blocks(256, 82),
    _T.IQ4_XS: Blocks(256, 136),
    _T.IQ1_M: Blocks(256, 56),
    _T.TQ1_0: Blocks(256, 54),
    _T.TQ2_0: Blocks(256, 66),
    _T.MXFP4: Blocks(32, 17),
    _T.NVFP4: Blocks(64, 36),
    _T.Q1_0: Blocks(128, 18),
}

# The types that weights may have.
WEIGHT_TYPES: dict[TensorType, Blocks] = {
    kind: BLOCKS[kind]
    for kind in (
        *(_T.F32, _T.F16, _T.BF16, _T.Q8_0, _T.Q4_0, _T.Q4_1, _T.Q5_0, _T.Q5_1),
        *(_T.Q4_K, _T.Q5_K, _T.Q6_K),
    )
}


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
