"""The weights on the device: copied once, in the file's own encoding.

They go straight from the file's map. Each piece of the map is given back to the system once it has
been copied, so that the host never holds the file a second time.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path

import numpy as np

from greta.engine.workspace import allocating, in_groups
from greta.hip import Buffer
from greta.model import Layer, Model, Tensor, TensorType
from greta.model.weights import turn_divisors

_PIECE = 8 << 20
_FLOATS = frozenset([TensorType.F32, TensorType.F16, TensorType.BF16])
_K_TYPES = frozenset([TensorType.Q4_K, TensorType.Q5_K, TensorType.Q6_K])


class Form(Enum):
    """In which form activations are multiplied with weights; see kernels/README.md."""

    FLOATS = "floats"
    Q8 = "q8"
    Q8_K = "q8_k"


@dataclass(frozen=True, eq=False)
class DeviceTensor:
    """A tensor of the file on the device: rows of blocks, [rows, cols]."""

    name: str
    type: TensorType
    rows: int
    cols: int
    buffer: Buffer

    @property
    def form(self) -> Form:
        """Products with it take activations in this form."""
        if self.type in _FLOATS:
            return Form.FLOATS
        return Form.Q8_K if self.type in _K_TYPES else Form.Q8

    @property
    def kernel_suffix(self) -> str:
        """The type as the names of kernels spell it."""
        return self.type.name.lower()


DeviceLayer = Layer[DeviceTensor]


@dataclass(frozen=True)
class DeviceWeights:
    """All weights of a model."""

    embedding: DeviceTensor  # [vocabulary, hidden]
    layers: list[DeviceLayer]
    output_norm: DeviceTensor  # [hidden]
    output: DeviceTensor  # [vocabulary, hidden]; the embedding itself if they are tied
    turn_divisors: Buffer  # float32 [rope / 2]: by what the turn of each pair is divided

    @property
    def types(self) -> frozenset[str]:
        """The kinds of kernels that it takes, by their suffix."""
        tensors = [self.embedding, self.output, *(t for la in self.layers for t in matrices(la))]
        return frozenset(tensor.kernel_suffix for tensor in tensors)


def matrices(layer: DeviceLayer) -> Iterator[DeviceTensor]:
    """The tensors of a block that are matrices."""
    for field in fields(Layer):
        if not field.name.endswith("norm"):
            yield getattr(layer, field.name)


def weight_bytes(model: Model) -> int:
    """The device memory that a model's weights take."""
    return sum(tensor.nbytes for tensor in _needed(model))


def load_weights(model: Model) -> DeviceWeights:
    """Copies the weights to the current device."""
    give_back_code_pages()
    embedding = _loaded(model.embedding)
    tied = model.config.tied_embeddings
    return DeviceWeights(
        embedding=embedding,
        layers=[_loaded_layer(model.layer(i)) for i in range(model.config.layers)],
        output_norm=_loaded(model.output_norm),
        output=embedding if tied else _loaded(model.output),
        turn_divisors=Buffer.from_array(turn_divisors(model)),
    )


def _needed(model: Model) -> Iterator[Tensor]:
    yield model.embedding
    yield model.output_norm
    if not model.config.tied_embeddings:
        yield model.output
    for number in range(model.config.layers):
        layer = model.layer(number)
        yield from (getattr(layer, field.name) for field in fields(Layer))


def _loaded_layer(layer: Layer[Tensor]) -> DeviceLayer:
    return Layer(**{f.name: _loaded(getattr(layer, f.name)) for f in fields(Layer)})


def _loaded(tensor: Tensor) -> DeviceTensor:
    # Kernels read a vector beside activations, in whole groups.
    is_vector = len(tensor.shape) == 1
    with allocating(tensor.name):
        buffer = Buffer(in_groups(tensor.cols) * 4 if is_vector else tensor.nbytes)
    source = tensor.raw.reshape(-1)  # a view: rows lie side by side in the file
    for start in range(0, tensor.nbytes, _PIECE):
        buffer.copy_from(source[start : start + _PIECE], offset=start)
        # All pages: reading some makes the system map as many as it likes around them. A later
        # reader gets them again.
        if (pages := _map_of(tensor)) is not None:
            pages.madvise(mmap.MADV_DONTNEED)
    return DeviceTensor(tensor.name, tensor.type, tensor.rows, tensor.cols, buffer)


def _map_of(tensor: Tensor) -> mmap.mmap | None:
    owner: object = tensor.raw
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if isinstance(owner, memoryview):
        owner = owner.obj
    return owner if isinstance(owner, mmap.mmap) else None


_MAPPINGS = Path("/proc/self/smaps")


def give_back_code_pages() -> None:
    """Gives back what lies unchanged in files, mostly code, before the weights need the room.

    Importing what reads a model and its prompt brings tens of megabytes of libraries into memory,
    most of which will hardly be used again; what is needed comes back in microseconds. Whatever
    fails, nothing is lost.
    """
    try:
        unchanged = list(_unchanged(_MAPPINGS.read_text(encoding="utf-8", errors="replace")))
        madvise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError):
        return
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for begin, end in unchanged:
        madvise(begin, end - begin, mmap.MADV_DONTNEED)


def _unchanged(mappings: str) -> Iterator[tuple[int, int]]:
    """Pages of files that cannot be written to and never were.

    The loader writes to pages and protects them afterwards; those count as anonymous.
    """
    span: tuple[int, int] | None = None
    for line in mappings.splitlines():
        name, _, rest = line.partition(" ")
        if not name.endswith(":"):
            facts = rest.split(maxsplit=4)
            is_read_only_file = len(facts) == 5 and "w" not in facts[0] and facts[4][0] == "/"
            begin, _, end = name.partition("-")
            span = (int(begin, 16), int(end, 16)) if is_read_only_file else None
        elif name == "Anonymous:" and span is not None and rest.split()[0] == "0":
            yield span
