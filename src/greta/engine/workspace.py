"""What a run needs on the device besides weights, and whether all of it fits.

Activations are float32 [rows, width], written and read again by every layer. Rows are the tokens
that are worked on together: a tile of one prompt in prefill, one per sequence in decode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from greta.errors import DeviceMemoryError
from greta.hip import Buffer, HipError, memory_info
from greta.model import ModelConfig

_OUT_OF_MEMORY = "hipErrorOutOfMemory"
_ADVICE = "use a smaller --context or --batch-size, or a smaller model"


def require_room(needs: Mapping[str, int]) -> None:
    """Raises DeviceMemoryError if the device has not that many bytes free."""
    total, free = sum(needs.values()), memory_info().free
    if total > free:
        parts = ", ".join(f"{what} {size_text(size)}" for what, size in needs.items())
        raise DeviceMemoryError(
            f"the device has {size_text(free)} free and {size_text(total)} are needed "
            f"({parts}); {_ADVICE}"
        )


@contextmanager
def allocating(what: str) -> Iterator[None]:
    """Turns the device's refusal inside the block into a sentence that says what to do."""
    try:
        yield
    except HipError as error:
        if error.name != _OUT_OF_MEMORY:
            raise
        raise DeviceMemoryError(
            f"the device ran out of memory for {what}, with {size_text(memory_info().free)} free; "
            f"{_ADVICE}"
        ) from error


def size_text(count: int) -> str:
    """Bytes for people to read.

    >>> size_text(3 << 29)
    '1.5 GiB'
    """
    size = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"


# Tokens of a prompt that are worked on together. The kernels give a token the same bits for any
# number of them, so it matters to speed only.
TILE = 64

_FLOAT, _INT, _HALF = 4, 4, 2
GROUP = 32  # elements that kernels read and write together


@dataclass(frozen=True)
class Capacity:
    """How much is worked on: `batch` sequences with room for `context` tokens each."""

    batch: int
    context: int

    @property
    def rows(self) -> int:
        """The most tokens that are worked on together."""
        return max(self.batch, min(TILE, self.context))


@dataclass(frozen=True)
class Quantized:
    """Quantized activations: x ~ d * q in groups of 32, s = d * sum(q). For q8 or for q8_k.

    One allocation, for the `rows` it was made for:

        int8    q [rows, cols]
        float32 d [rows, cols / 32]
        float32 s [rows, cols / 32]
    """

    q: Buffer
    d: Buffer
    s: Buffer

    @classmethod
    def allocate(cls, rows: int, cols: int) -> Quantized:
        """Room for `rows` tokens."""
        numbers = rows * in_groups(cols)
        groups = numbers // GROUP * _FLOAT
        whole = Buffer(quantized_bytes(rows, cols))
        return cls(
            whole.view(0, numbers),
            whole.view(numbers, groups),
            whole.view(numbers + groups, groups),
        )


@dataclass(frozen=True)
class Forms:
    """Activations in each form that a product may want: floats [rows, cols], q8 and q8_k."""

    floats: Buffer
    q8: Quantized
    q8_k: Quantized

    @classmethod
    def allocate(cls, rows: int, cols: int) -> Forms:
        """Room for `rows` tokens."""
        floats = Buffer(rows * in_groups(cols) * _FLOAT)
        return cls(floats, Quantized.allocate(rows, cols), Quantized.allocate(rows, cols))


def quantized_bytes(rows: int, cols: int) -> int:
    """The bytes of quantized activations."""
    numbers = rows * in_groups(cols)
    return numbers + 2 * numbers // GROUP * _FLOAT


def in_groups(width: int) -> int:
    """The width in whole groups, which is what kernels write.

    The guard rail lets no other widths pass. Where it is switched off, this is the room in which
    kernels may write nonsense.
    """
    return -(-width // GROUP) * GROUP


class KvCache:
    """Keys and values of all tokens so far: float16 [layer, sequence, kv_head, position, head_dim].

    Each layer's part is a view, and so is each sequence's part of it.
    """

    def __init__(self, config: ModelConfig, capacity: Capacity) -> None:
        nbytes = kv_bytes(config, capacity) // 2
        with allocating(f"the keys and values of {capacity.batch} x {capacity.context} tokens"):
            # A head of the last position is written in whole groups, too.
            room = nbytes + (in_groups(config.head_dim) - config.head_dim) * _HALF
            self.keys, self.values = Buffer(room), Buffer(room)
        self._sequence = config.kv_size * capacity.context * _HALF
        self._layer = self._sequence * capacity.batch
        self.shape = (config.kv_heads, capacity.context, config.head_dim)  # of a sequence

    def layer(self, layer: int, sequence: int = 0) -> tuple[Buffer, Buffer]:
        """Keys and values of a layer, from a sequence on."""
        start = layer * self._layer + sequence * self._sequence
        length = self._layer - sequence * self._sequence
        return self.keys.view(start, length), self.values.view(start, length)

    def sequence(self, layer: int, sequence: int) -> tuple[Buffer, Buffer]:
        """Keys and values of one sequence in a layer: [kv_head, position, head_dim]."""
        start = layer * self._layer + sequence * self._sequence
        return self.keys.view(start, self._sequence), self.values.view(start, self._sequence)


class Workspace:
    """The buffers of a run, allocated once."""

    def __init__(self, config: ModelConfig, capacity: Capacity) -> None:
        self.capacity = capacity
        self.cache = KvCache(config, capacity)
        with allocating("activations"):
            self._allocate(config, capacity.rows, capacity.batch)

    def _allocate(self, config: ModelConfig, rows: int, batch: int) -> None:
        def floats(count: int, width: int) -> Buffer:
            return Buffer(count * in_groups(width) * _FLOAT)

        hidden, wide = config.hidden_size, config.feed_forward_size
        query = config.heads * in_groups(config.head_dim)
        kv = config.kv_heads * in_groups(config.head_dim)
        self.hidden = floats(rows, hidden)  # the residual stream
        self.normed = Forms.allocate(rows, hidden)
        self.q = floats(rows, query)
        self.k = floats(rows, kv)
        self.v = floats(rows, kv)
        self.mixed = Forms.allocate(rows, query)  # attention's output
        self.gate = floats(rows, wide)
        self.up = floats(rows, wide)
        self.wide = Forms.allocate(rows, wide)  # silu(gate) * up
        self.part = floats(rows, hidden)  # what a block adds to the residual stream, if traced
        self.logits = floats(batch, config.vocabulary_size)
        self.tokens = Buffer(batch * _INT)  # each sequence's current token
        self.positions = Buffer(batch * _INT)  # and the position it will take
        self.prompt = Buffer(rows * _INT)  # tokens of the tile in prefill
        self.prompt_position = Buffer(_INT)  # the position of its first


def kv_bytes(config: ModelConfig, capacity: Capacity) -> int:
    """The bytes of the KV cache."""
    tokens = capacity.batch * capacity.context
    return 2 * config.layers * tokens * config.kv_size * _HALF


def activation_bytes(config: ModelConfig, capacity: Capacity) -> int:
    """The bytes of everything else in a workspace, about."""
    c = config
    floats = 3 * c.hidden_size + 2 * c.query_size + 2 * c.kv_size + 3 * c.feed_forward_size
    widths = (c.hidden_size, c.query_size, c.feed_forward_size)
    quantized = 2 * sum(quantized_bytes(capacity.rows, width) for width in widths)
    logits = capacity.batch * c.vocabulary_size * _FLOAT
    return capacity.rows * floats * _FLOAT + quantized + logits
