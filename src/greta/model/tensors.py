"""A tensor of the file: its bytes as they lie there, and what they mean."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from greta.model.header import TensorEntry
from greta.model.tensor_types import TensorType

Bytes = npt.NDArray[np.uint8]


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
