"""Sizes that the kernels were not made for: refused, or at least kept within their buffers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from greta.engine import SUPPORT, Capacity, Engine, EngineError
from greta.engine.engine import MAX_BATCH
from greta.hip import SimTree, memory_info
from greta.model import ModelConfig, TensorType, check, open_model
from greta.model.tiny import TINY, write_tiny
from tests.conftest import Run
from tests.engine.conftest import OpenModel


def sized(
    hidden: int, wide: int, head_dim: int = 32, *, heads: int = 4, turned: int | None = None
) -> ModelConfig:
    """Small, with heads that do not depend on the hidden size."""
    return replace(
        TINY,
        hidden_size=hidden,
        feed_forward_size=wide,
        heads=heads,
        head_dim=head_dim,
        head_dim_is_stated=True,
        rope=replace(TINY.rope, dimensions=turned or head_dim),
    )


# What is asked of a model, and the field that is found wrong.
UNABLE = {
    "feed-forward 80": (sized(128, 80), "feed-forward size"),
    "feed-forward 77": (sized(128, 77), "feed-forward size"),
    "feed-forward 112": (sized(128, 112), "feed-forward size"),
    "hidden 130": (sized(130, 96), "hidden size"),
    "hidden 136": (sized(136, 96), "hidden size"),
    "head 48": (sized(128, 96, 48), "head dimension"),
    "head 100": (sized(128, 96, 100), "head dimension"),
    "head 288": (sized(128, 96, 288), "head dimension"),
    "turn 36 of 32": (sized(128, 96, turned=36), "rope dimensions"),
    "5 heads for 2": (sized(128, 96, heads=5), "heads"),
    "1 head for 2": (sized(128, 96, heads=1), "heads"),
}
FLOATS = [TensorType.F32, TensorType.F16, TensorType.BF16]


def written(folder: Path, config: ModelConfig, kind: TensorType = TensorType.F32) -> Path:
    write_tiny(folder / "m.gguf", kind, config)
    return folder / "m.gguf"


@pytest.mark.parametrize("name", UNABLE)
@pytest.mark.parametrize("kind", FLOATS)
def test_what_the_kernels_cannot_do_is_refused(name: str, kind: TensorType, tmp_path: Path) -> None:
    config, field = UNABLE[name]
    (found,) = check(open_model(written(tmp_path, config, kind)), SUPPORT)
    assert found.field == field
    assert found.fatal


@pytest.mark.parametrize("hidden", [32, 96, 160])
@pytest.mark.parametrize("wide", [32, 96, 160])
def test_sizes_in_whole_groups_pass(hidden: int, wide: int, tmp_path: Path) -> None:
    assert check(open_model(written(tmp_path, sized(hidden, wide))), SUPPORT) == []


def infer(run_script: Run, path: Path, **variables: str) -> tuple[int, str]:
    words = f"infer --device sim --model {path} --prompt Hello --greedy --max-tokens 3"
    program = f"from greta.cli.main import main\nraise SystemExit(main({words.split()!r}))"
    done = run_script(program, **variables)
    return done.returncode, done.stderr


def test_it_is_told_before_anything_is_allocated(run_script: Run, tmp_path: Path) -> None:
    # A device too small for the model would say so, if it were asked.
    status, told = infer(run_script, written(tmp_path, sized(130, 77)), GRETA_SIM_VRAM="64K")
    assert status == 2
    assert "hidden size: expected a multiple of 32, by the kernels, found 130" in told
    assert "feed-forward size: expected a multiple of 32, by the kernels, found 77" in told
    assert "memory" not in told


@pytest.mark.parametrize("placement", ["strict", "paged"])
@pytest.mark.parametrize("name", UNABLE)
def test_without_the_guard_rail_nothing_is_written_beyond_a_buffer(
    name: str, placement: str, run_script: Run, tmp_path: Path
) -> None:
    """Strict placement faults at the first byte outside, in the kernels that hipRTC compiled."""
    path = written(tmp_path, UNABLE[name][0])
    variables = {"GRETA_DISABLE_GUARD_RAIL": "1", "GRETA_SIM_PLACEMENT": placement}
    status, told = infer(run_script, path, **variables)
    assert status == 0, told
    assert f"WARNING: {UNABLE[name][1]}: expected" in told


def test_a_batch_whose_indices_would_not_fit(tiny: OpenModel, sim_tree: SimTree) -> None:
    free = memory_info().free
    with pytest.raises(EngineError, match=f"at most {MAX_BATCH}"):
        Engine(tiny("q8_0"), Capacity(batch=MAX_BATCH + 1, context=1))
    assert memory_info().free == free
