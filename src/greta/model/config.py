"""What the metadata of a Llama file says about the model's dimensions.

RoPE pairing. llama.cpp's converter permutes the rows of the Q and K weights of the llama
architecture, so that the rotation acts on neighbours: the kernels must rotate the pairs
(2i, 2i + 1) of a head, which llama.cpp calls NORM, and not (i, i + head_dim / 2) as Hugging Face's
code does with the unpermuted weights. Pair i at position p turns by

    angle(p, i) = p * scale * base ** (-2i / dimensions) / factors[i]

with scale 1 / factor for linear scaling, and factors from the tensor rope_freqs.weight, into which
the converter has worked Llama 3's scaling; both are 1 otherwise. Components of a head from
`dimensions` on do not turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Generic, Literal, TypeVar

from greta.errors import ModelError
from greta.model.header import Metadata
from greta.model.tensors import Tensor

RopeScaling = Literal["none", "linear", "llama3"]

_MOST = 1 << 24


@dataclass(frozen=True)
class Rope:
    """How positions turn queries and keys; the pairs are neighbours, (2i, 2i + 1)."""

    base: float
    dimensions: int
    scaling: RopeScaling
    factor: float  # of linear scaling: positions are divided by it

    @property
    def ratio(self) -> float:
        """The turn of a pair by that of the one before."""
        return float(self.base ** (-2 / self.dimensions))


@dataclass(frozen=True)
class ModelConfig:
    """The dimensions of a Llama model.

    `hidden_size` is the width of the residual stream, `feed_forward_size` the width between the
    two halves of the MLP: 4096 and 14336 in Llama 3 8B.
    """

    architecture: str
    hidden_size: int
    feed_forward_size: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    head_dim_is_stated: bool  # in the file; otherwise it is hidden_size / heads
    vocabulary_size: int  # of the weights; the tokenizer has its own
    context_length: int
    rms_eps: float
    rope: Rope
    tied_embeddings: bool

    @property
    def query_size(self) -> int:
        """The width of all query heads side by side."""
        return self.heads * self.head_dim

    @property
    def kv_size(self) -> int:
        """The width of all key heads side by side, and of all value heads."""
        return self.kv_heads * self.head_dim


def read_config(metadata: Metadata, shapes: dict[str, tuple[int, ...]]) -> ModelConfig:
    """The dimensions, or ModelError if this is no Llama model that greta can run."""
    architecture = metadata.text("general.architecture")
    if architecture != "llama":
        raise metadata.wrong(
            "general.architecture", f'is "{architecture}", and greta runs "llama" models'
        )
    # Models that call themselves llama and would give wrong text if run as one.
    if experts := metadata.whole("llama.expert_count", 0, least=0, most=_MOST):
        raise metadata.wrong("llama.expert_count", f"is {experts}; greta runs models without")
    heads = _size(metadata, "attention.head_count")
    hidden = _size(metadata, "embedding_length")
    head_dim = _head_dim(metadata, hidden, heads)
    return ModelConfig(
        architecture=architecture,
        hidden_size=hidden,
        feed_forward_size=_size(metadata, "feed_forward_length"),
        layers=_size(metadata, "block_count", most=4096),
        heads=heads,
        kv_heads=_size(metadata, "attention.head_count_kv", heads),
        head_dim=head_dim,
        head_dim_is_stated="llama.attention.key_length" in metadata,
        vocabulary_size=_vocabulary_size(metadata, shapes),
        context_length=_size(metadata, "context_length", most=1 << 30),
        rms_eps=metadata.number("llama.attention.layer_norm_rms_epsilon"),
        rope=_rope(metadata, shapes, head_dim),
        tied_embeddings="output.weight" not in shapes,
    )


def _size(metadata: Metadata, key: str, default: int | None = None, most: int = _MOST) -> int:
    return metadata.whole(f"llama.{key}", default, least=1, most=most)


def _head_dim(metadata: Metadata, hidden: int, heads: int) -> int:
    key, value = "attention.key_length", "attention.value_length"
    head_dim = _size(metadata, key, max(hidden // heads, 1))
    if _size(metadata, value, head_dim) != head_dim:
        raise metadata.wrong(f"llama.{value}", f"is not llama.{key}, {head_dim}")
    return head_dim


def _vocabulary_size(metadata: Metadata, shapes: dict[str, tuple[int, ...]]) -> int:
    embedding = shapes.get("token_embd.weight", ())
    if len(embedding) == 2:
        return embedding[0]
    stated = metadata.whole("llama.vocab_size", 0, least=0, most=_MOST)
    if not stated:
        raise ModelError(f"{metadata.file}: token_embd.weight: is missing")
    return stated


def _rope(metadata: Metadata, shapes: dict[str, tuple[int, ...]], head_dim: int) -> Rope:
    key = "llama.rope.scaling.type"
    kind = metadata.text(key, "linear")
    older = metadata.number("llama.rope.scale_linear", 1.0)  # the key of files before 2024
    factor = metadata.number("llama.rope.scaling.factor", older)
    if kind == "none":
        factor = 1.0
    if kind != "linear" and factor != 1.0:
        raise metadata.wrong(key, f'is "{kind}"; greta knows none, linear and that of Llama 3')
    scaling: RopeScaling = "none" if factor == 1.0 else "linear"
    if "rope_freqs.weight" in shapes:
        scaling = "llama3"
    base = metadata.number("llama.rope.freq_base", 10000.0)
    return Rope(base, _size(metadata, "rope.dimension_count", head_dim), scaling, factor)


Shape = tuple[int, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Layer(Generic[T]):
    """One block. A weight of shape (rows, cols) maps a vector of cols to one of rows."""

    attn_norm: T  # (hidden,)
    attn_q: T  # (heads * head_dim, hidden)
    attn_k: T  # (kv_heads * head_dim, hidden)
    attn_v: T  # (kv_heads * head_dim, hidden)
    attn_output: T  # (hidden, heads * head_dim)
    ffn_norm: T  # (hidden,)
    ffn_gate: T  # (feed_forward, hidden)
    ffn_up: T  # (feed_forward, hidden)
    ffn_down: T  # (hidden, feed_forward)


def layer_of(tensors: Mapping[str, Tensor], number: int, file: str) -> Layer[Tensor]:
    """The tensors of a block."""
    names = {field.name: f"blk.{number}.{field.name}.weight" for field in fields(Layer)}
    missing = [name for name in names.values() if name not in tensors]
    if missing:
        raise ModelError(f"{file}: {missing[0]}: is missing")
    return Layer(**{field: tensors[name] for field, name in names.items()})


def expected_shapes(config: ModelConfig) -> Iterator[tuple[str, Shape]]:
    """Every tensor such a model must have, with its shape."""
    embedding = (config.vocabulary_size, config.hidden_size)
    yield "token_embd.weight", embedding
    yield "output_norm.weight", (config.hidden_size,)
    if not config.tied_embeddings:
        yield "output.weight", embedding
    if config.rope.scaling == "llama3":
        yield "rope_freqs.weight", (config.rope.dimensions // 2,)
    layer = layer_shapes(config)
    for number in range(config.layers):
        yield from ((f"blk.{number}.{name}.weight", shape) for name, shape in layer.items())


def layer_shapes(config: ModelConfig) -> dict[str, Shape]:
    """The shapes of the tensors of one block, by their short names."""
    hidden, wide = config.hidden_size, config.feed_forward_size
    return {
        "attn_norm": (hidden,),
        "attn_q": (config.query_size, hidden),
        "attn_k": (config.kv_size, hidden),
        "attn_v": (config.kv_size, hidden),
        "attn_output": (hidden, config.query_size),
        "ffn_norm": (hidden,),
        "ffn_gate": (wide, hidden),
        "ffn_up": (wide, hidden),
        "ffn_down": (hidden, wide),
    }
