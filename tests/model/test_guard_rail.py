"""The guard rail: each mismatch is found, with what was expected, and a sound model has none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from greta.errors import ExitCode
from greta.model import (
    GuardRailError,
    Mismatch,
    Model,
    Support,
    Tensor,
    TensorType,
    check,
    enforce,
    open_model,
)
from greta.model.guard_rail import _fits, _sizes, listed
from greta.model.tiny import TINY, write_tiny
from tests.model.gguf_bytes import strings_in_a_file
from tests.model.variants import variant

ALL = Support()


def fields(mismatches: list[Mismatch]) -> list[str]:
    return [mismatch.field for mismatch in mismatches]


def reshaped(model: Model, name: str, shape: tuple[int, ...]) -> dict[str, Tensor]:
    return {name: replace(model.tensors[name], shape=shape)}


def test_a_sound_model_passes(tiny: Model) -> None:
    assert check(tiny, ALL, context_length=512) == []
    assert enforce(tiny, ALL, {}) == []


def test_the_feed_forward_size_is_not_the_hidden_size(tiny: Model) -> None:
    """The kernels were made for 768; the weights, of another model, are 1024 wide."""
    changed = variant(tiny, {"llama.feed_forward_length": 1024})
    found = check(changed, ALL)
    assert "hidden size" not in fields(found)
    assert fields(found)[:3] == [f"blk.0.ffn_{part}.weight" for part in ("gate", "up", "down")]
    assert (found[0].expected, found[0].found) == ("shape (1024, 256)", (768, 256))
    assert len(found) == 6


def test_the_hidden_size_is_not_the_feed_forward_size(tiny: Model) -> None:
    found = check(variant(tiny, {"llama.embedding_length": 768}), ALL)
    assert "token_embd.weight" in fields(found)
    assert "feed-forward size" not in fields(found)


@pytest.mark.parametrize("name", ["token_embd.weight", "output_norm.weight", "blk.1.attn_v.weight"])
def test_a_missing_tensor(name: str, tiny: Model) -> None:
    metadata = {"llama.vocab_size": 512}
    (found,) = check(variant(tiny, metadata, without=[name]), ALL)
    assert (found.field, found.found) == (name, "missing")


def test_a_tensor_of_another_shape(tiny: Model) -> None:
    name = "blk.0.attn_k.weight"
    (found,) = check(variant(tiny, tensors=reshaped(tiny, name, (256, 128))), ALL)
    assert (found.field, found.expected, found.found) == (name, "shape (128, 256)", (256, 128))


def test_a_tensor_that_would_be_left_out(tiny: Model) -> None:
    bias = replace(tiny.output_norm, name="blk.0.attn_q.bias")
    (found,) = check(variant(tiny, tensors={"blk.0.attn_q.bias": bias}), ALL)
    assert found.field == "blk.0.attn_q.bias"


def test_heads_that_do_not_divide(tiny: Model) -> None:
    assert "heads" in fields(check(variant(tiny, {"llama.attention.head_count_kv": 3}), ALL))
    odd = variant(tiny, {"llama.attention.head_count": 3})
    assert fields(check(odd, ALL))[0] == "hidden size"


def test_a_stated_head_dimension_frees_the_hidden_size(tmp_path: Path) -> None:
    rope = replace(TINY.rope, dimensions=32)
    config = replace(TINY, head_dim=32, head_dim_is_stated=True, rope=rope)
    write_tiny(tmp_path / "m.gguf", TensorType.Q8_0, config)
    model = open_model(tmp_path / "m.gguf")
    assert check(model, ALL) == []
    assert fields(check(model, Support(hidden_is_all_heads=True))) == ["hidden size"]


@pytest.mark.parametrize("dimensions", [63, 66, 128])
def test_rope_dimensions(dimensions: int, tiny: Model) -> None:
    changed = variant(tiny, {"llama.rope.dimension_count": dimensions})
    assert fields(check(changed, ALL)) == ["rope dimensions"]


def test_the_tokenizer_has_as_many_tokens_as_the_embedding_has_rows(tiny: Model) -> None:
    tokens = strings_in_a_file([b"x"] * 511)
    (found,) = check(variant(tiny, {"tokenizer.ggml.tokens": tokens}), ALL)
    assert (found.field, found.found) == ("tokens of the tokenizer", 511)
    assert "512" in str(found.expected)
    for stated in (511, np.array([512]), "512"):
        found_ = check(variant(tiny, {"llama.vocab_size": stated}), ALL)
        assert fields(found_) == ["llama.vocab_size"]


def test_the_context_that_is_asked_for(tiny: Model) -> None:
    assert fields(check(tiny, ALL, context_length=513)) == ["context length"]
    narrow = Support(max_context_length=100)
    assert check(tiny, narrow, context_length=100) == []
    assert fields(check(tiny, narrow, context_length=101)) == ["context length"]


@pytest.mark.parametrize(
    ("support", "field"),
    [
        (Support(head_dims=frozenset([128])), "head dimension"),
        (Support(max_hidden_size=255), "hidden size"),
        (Support(max_feed_forward_size=767), "feed-forward size"),
        (Support(max_vocabulary_size=511), "vocabulary size"),
        (Support(max_heads=3), "heads"),
        (Support(max_layers=1), "layers"),
    ],
)
def test_what_the_kernels_cannot_do(support: Support, field: str, tiny: Model) -> None:
    assert fields(check(tiny, support)) == [field]


def test_sizes_that_are_not_whole_groups(tiny: Model) -> None:
    assert check(tiny, Support(size_multiple=256)) == []
    (found,) = check(tiny, Support(size_multiple=96))  # 768 is one, 256 is none
    assert (found.field, found.found) == ("hidden size", 256)
    assert found.expected == "a multiple of 96, by the kernels"
    (found,) = check(tiny, Support(size_multiple=128, max_feed_forward_size=767))
    assert found.field == "feed-forward size"
    both = check(tiny, Support(size_multiple=512))
    assert fields(both) == ["hidden size", "feed-forward size"]


def test_types_the_kernels_do_not_know(tiny: Model) -> None:
    found = check(tiny, Support(types=frozenset(["F16"])))
    assert found[0].field == "token_embd.weight"
    assert (found[0].expected, found[0].found) == ("type F16", "Q8_0")
    found = check(tiny, Support(norm_types=frozenset(["F16"])))
    assert found[0].field == "output_norm.weight"


def test_a_file_that_was_cut_since_it_was_opened(tiny_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.gguf"
    copy.write_bytes(tiny_path.read_bytes())
    model = open_model(copy)
    with copy.open("r+b") as file:
        file.truncate(1000)
    assert fields(check(model, ALL))[0] == "file size"


def test_it_refuses_with_every_field(tiny: Model) -> None:
    support = Support(max_layers=1, max_hidden_size=128)
    with pytest.raises(GuardRailError) as caught:
        enforce(tiny, support, {})
    text = str(caught.value)
    assert "found 2 mismatches" in text
    assert "hidden size: expected at most 128, by the kernels, found 256" in text
    assert "layers: expected at most 1" in text
    assert "GRETA_DISABLE_GUARD_RAIL=1" in text
    assert caught.value.exit_code == ExitCode.BAD_USAGE


def test_a_long_list_is_cut(tiny: Model) -> None:
    changed = variant(tiny, {"llama.block_count": 1000})
    with pytest.raises(GuardRailError, match=r"(?s)8982 mismatches.*more of the kind") as caught:
        enforce(changed, ALL, {})
    assert len(str(caught.value)) < 5000


def test_switched_off_it_returns_what_it_found(tiny: Model) -> None:
    support = Support(max_layers=1)
    assert fields(enforce(tiny, support, {"GRETA_DISABLE_GUARD_RAIL": "1"})) == ["layers"]
    with pytest.raises(GuardRailError):
        enforce(tiny, support, {"GRETA_DISABLE_GUARD_RAIL": "0"})


def test_no_switch_makes_a_tensor_appear(tiny: Model) -> None:
    switched_off = {"GRETA_DISABLE_GUARD_RAIL": "1"}
    for changed in (
        variant(tiny, without=["blk.0.attn_q.weight"]),
        variant(tiny, tensors={"blk.0.attn_q.weight": _of_type(tiny, TensorType.F64)}),
    ):
        with pytest.raises(GuardRailError, match="no variable runs this model") as caught:
            enforce(changed, ALL, switched_off)
        assert "anyway" not in str(caught.value)


def _of_type(model: Model, kind: TensorType) -> Tensor:
    return replace(model.tensors["blk.0.attn_q.weight"], type=kind)


def test_the_list_of_warnings_is_cut_too(tiny: Model) -> None:
    mismatches = check(variant(tiny, {"llama.block_count": 1000}), ALL)
    assert len(mismatches) > 8000
    assert len(listed(mismatches)) < 30


@pytest.mark.parametrize(
    ("name", "warned"),
    [
        ("Llama-2-7B", 2),  # too small, and another vocabulary
        ("Greta 1.7M", 0),
        ("Greta 2M", 0),
        ("Greta 3M", 1),
        ("Tiny 1.7M step 50K 105B tokens", 0),
        ("8k Lc100K Mix1 Ep2 Q4_1", 0),
        ("Llama-3.2", 1),
    ],
)
def test_a_name_that_tells_another_size_is_a_warning(name: str, warned: int, tiny: Model) -> None:
    found = enforce(variant(tiny, {"general.name": name}), ALL, {})
    assert fields(found) == ["general.name"] * warned
    assert not any(mismatch.fatal for mismatch in found)


@pytest.mark.parametrize(
    ("name", "parameters", "fits"),
    [
        ("Llama-2-7B", 6738415616, True),
        ("Llama-2-7B", 8030261312, False),  # the file of the seeds
        ("Meta-Llama-3-8B", 8030261312, True),
        ("Llama 3.2 1B Instruct", 1235814400, True),
        ("Llama-3.2-3B", 3212749888, True),
        ("LLaMA-30b", 32528943616, True),
        ("Llama-3-70B", 70553706496, True),
        ("SmolLM2-135M-Instruct", 134515008, True),
        ("SmolLM2-135M-Instruct", 361821120, False),
    ],
)
def test_sizes_of_known_models(name: str, parameters: int, fits: bool) -> None:
    assert any(_fits(size, slack, parameters) for size, slack in _sizes(name)) == fits


@pytest.mark.slow
def test_smollm2_passes_without_a_warning(smollm2: Model) -> None:
    assert check(smollm2, ALL, context_length=8192) == []
