"""A key that changes the result and is not heeded is a reason to refuse."""

from __future__ import annotations

from typing import Any

import pytest

from greta.model import Model, Support, check, enforce
from greta.model.guard_rail import GuardRailError
from tests.model.variants import variant

CHANGES: dict[str, Any] = {
    "rope.scaling.attn_factor": 1.5,
    "attention.causal": False,
    "attention.scale": 0.3,
    "attention.max_alibi_bias": 8.0,
    "attention.clamp_kqv": 8.0,
    "attn_logit_softcapping": 50.0,
    "final_logit_softcapping": 30.0,
    "logit_scale": 0.0625,
    "embedding_scale": 12.0,
    "residual_scale": 0.22,
    "use_parallel_residual": True,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_key_that_changes_the_result_is_refused(name: str, tiny: Model) -> None:
    with pytest.raises(GuardRailError, match=f"llama.{name}: expected"):
        enforce(variant(tiny, {f"llama.{name}": CHANGES[name]}), Support(), {})


@pytest.mark.parametrize("value", [float("nan"), "much", [1]])
def test_a_value_that_is_none_is_refused(value: object, tiny: Model) -> None:
    found = check(variant(tiny, {"llama.logit_scale": value}), Support())
    assert [mismatch.field for mismatch in found] == ["llama.logit_scale"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rope.scaling.attn_factor", 1.0),
        ("attention.causal", True),
        ("logit_scale", 1.0),
        ("embedding_scale", 0.0),
        ("use_parallel_residual", False),
        ("attention.layer_norm_epsilon", 1e-5),
    ],
)
def test_a_key_that_changes_nothing_is_not(name: str, value: object, tiny: Model) -> None:
    assert check(variant(tiny, {f"llama.{name}": value}), Support()) == []


def test_a_sliding_window_counts_where_it_is_smaller_than_the_text(tiny: Model) -> None:
    model = variant(tiny, {"llama.attention.sliding_window": 100})
    assert check(model, Support(), 100) == []
    assert [m.field for m in check(model, Support(), 101)] == ["llama.attention.sliding_window"]


def test_another_program_may_heed_them_all(tiny: Model) -> None:
    model = variant(tiny, {"llama.attention.causal": False})
    assert check(model, Support(heeds_every_key=True)) == []
