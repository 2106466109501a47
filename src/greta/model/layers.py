"""The tensors a Llama model is made of: their names, shapes and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from greta.model.config import ModelConfig
from greta.model.errors import ModelError
from greta.model.tensors import Tensor

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """One block. A weight of shape (rows, cols) maps a vector of cols to one of rows."""

    attn_norm: Tensor  # (hidden,)
    attn_q: Tensor  # (heads * head_dim, hidden)
    attn_k: Tensor  # (kv_heads * head_dim, hidden)
    attn_v: Tensor  # (kv_heads * head_dim, hidden)
    attn_output: Tensor  # (hidden, heads * head_dim)
    ffn_norm: Tensor  # (hidden,)
    ffn_gate: Tensor  # (feed_forward, hidden)
    ffn_up: Tensor  # (feed_forward, hidden)
    ffn_down: Tensor  # (hidden, feed_forward)


def layer_of(tensors: Mapping[str, Tensor], number: int, file: str) -> Layer:
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
