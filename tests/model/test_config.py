"""The configuration is what the metadata says, and nothing greta cannot run gets through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from greta.model import Model, ModelConfig, ModelError, TensorType, open_model
from greta.model.tiny import TINY, write_tiny
from tests.model.variants import variant

VARIANTS = {
    "tied": TINY,
    "untied": replace(TINY, tied_embeddings=False),
    "stated head dimension": replace(
        TINY, head_dim=32, head_dim_is_stated=True, rope=replace(TINY.rope, dimensions=32)
    ),
    "part of a head turns": replace(TINY, rope=replace(TINY.rope, dimensions=32)),
    "linear scaling": replace(TINY, rope=replace(TINY.rope, scaling="linear", factor=4.0)),
    "scaling of Llama 3": replace(TINY, rope=replace(TINY.rope, scaling="llama3", base=500000.0)),
    "one key head": replace(TINY, kv_heads=1),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_what_was_written_is_read(name: str, tmp_path: Path) -> None:
    config: ModelConfig = VARIANTS[name]
    write_tiny(tmp_path / "m.gguf", TensorType.Q8_0, config)
    assert open_model(tmp_path / "m.gguf").config == config


def test_layers_have_their_tensors(tiny: Model) -> None:
    layer = tiny.layer(1)
    assert layer.attn_k.name == "blk.1.attn_k.weight"
    assert layer.attn_k.shape == (128, 256)
    assert (layer.attn_k.rows, layer.attn_k.cols, layer.attn_k.raw.shape) == (128, 256, (128, 272))
    assert layer.ffn_down.shape == (256, 768)
    assert (layer.attn_norm.rows, layer.attn_norm.shape) == (1, (256,))
    assert tiny.output is tiny.embedding
    assert tiny.parameters == 1705216
    with pytest.raises(ModelError, match=r"blk\.2\.attn_norm\.weight: is missing"):
        tiny.layer(2)


def test_defaults_of_old_files(tiny: Model) -> None:
    gone = ["llama.attention.head_count_kv", "llama.rope.freq_base", "llama.rope.dimension_count"]
    config = variant(tiny, without=gone).config
    assert (config.kv_heads, config.rope.base, config.rope.dimensions) == (4, 10000.0, 64)


def test_the_old_key_of_linear_scaling(tiny: Model) -> None:
    rope = variant(tiny, {"llama.rope.scale_linear": 2.0}).config.rope
    assert (rope.scaling, rope.factor) == ("linear", 2.0)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "qwen2": ({"general.architecture": "qwen2"}, 'is "qwen2", and greta runs "llama"'),
    "experts": ({"llama.expert_count": 8}, "expert_count: is 8"),
    "yarn": (
        {"llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": 4.0},
        'scaling.type: is "yarn"',
    ),
    "other value heads": ({"llama.attention.value_length": 32}, "value_length: is not"),
    "no layers": ({"llama.block_count": 0}, "block_count: is 0, and must be from 1"),
    "layers for ever": ({"llama.block_count": 1 << 31}, "block_count"),
    "heads per layer": (
        {"llama.attention.head_count": np.array([4, 4])},
        "head_count: must be one whole number",
    ),
    "a size in words": ({"llama.embedding_length": "256"}, "embedding_length: must be one whole"),
    "no epsilon": ({"llama.attention.layer_norm_rms_epsilon": 0.0}, "must be above zero"),
    "infinite base": ({"llama.rope.freq_base": float("inf")}, "freq_base"),
    "true as a size": ({"llama.embedding_length": True}, "embedding_length"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_greta_cannot_run_is_refused(name: str, tiny: Model) -> None:
    metadata, words = REFUSED[name]
    with pytest.raises(ModelError, match="^" + str(tiny.path)) as caught:
        variant(tiny, metadata)
    assert words in str(caught.value)


@pytest.mark.parametrize("key", ["general.architecture", "llama.context_length"])
def test_a_missing_key_is_named(key: str, tiny: Model) -> None:
    with pytest.raises(ModelError, match=f"{key}: is missing"):
        variant(tiny, without=[key])


@pytest.mark.slow
def test_smollm2(smollm2: Model) -> None:
    c = smollm2.config
    assert (c.hidden_size, c.feed_forward_size, c.layers) == (576, 1536, 30)
    assert (c.heads, c.kv_heads, c.head_dim) == (9, 3, 64)
    assert (c.vocabulary_size, c.context_length, c.rope.base) == (49152, 8192, 100000.0)
    assert c.tied_embeddings
    assert smollm2.parameters == 134515008
