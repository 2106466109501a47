"""Ranges around the work: phase, step, layer, tensor."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from greta.engine.annotations import NoRanges, RoctxRanges, find_annotations
from greta.hip import SimTree
from greta.model import find_model
from greta.recording import open_recording
from tests.conftest import Run


def test_ranges_nest_and_close_on_errors() -> None:
    seen: list[str] = []
    annotations = RoctxRanges(lambda text: seen.append(text.decode()), lambda: seen.append("pop"))
    with annotations.range("decode"):
        annotations.opening("layer=1")()
        annotations.close()
    with pytest.raises(KeyError), annotations.range("step=1"):
        raise KeyError
    assert seen == ["decode", "layer=1", "pop", "pop", "step=1", "pop"]


@pytest.mark.parametrize(
    ("environment", "are_there"),
    [
        ({}, False),
        ({"GRETA_ANNOTATE": "1"}, True),
        ({"GRETA_ANNOTATE": "0", "LD_PRELOAD": "/x/libgreta_recorder.so"}, False),
        ({"LD_PRELOAD": "/other.so:/x/libgreta_recorder.so"}, True),
        ({"LD_PRELOAD": "/other.so"}, False),
    ],
)
def test_they_are_there_if_somebody_listens(
    environment: dict[str, str], are_there: bool, sim_tree: SimTree
) -> None:
    found = find_annotations({**environment, "ROCM_PATH": str(sim_tree.root)})
    assert isinstance(found, NoRanges) != are_there


def test_a_recording_shows_them_around_every_call_and_which_model(
    run_greta: Run, tmp_path: Path, environment: dict[str, str]
) -> None:
    words = ["infer", "--model", "tiny", "--prompt", "Hello there", "--greedy", "--max-tokens", "4"]
    run = ["run", "--device", "sim", "--out", str(tmp_path / "run"), "--"]
    done = run_greta(*run, sys.executable, "-m", "greta", *words)
    assert done.returncode == 0, done.stderr
    ranges = {
        (event.call, tuple(annotation.text for annotation in event.annotations))
        for process in open_recording(tmp_path / "run").processes
        for event in process.events()
    }
    launch = "hipModuleLaunchKernel"
    assert (launch, ("prefill", "layer=1", "tensor=attn_qkv")) in ranges
    assert (launch, ("decode", "step=1", "layer=0", "tensor=attention")) in ranges  # captured
    assert ("hipGraphLaunch", ("decode", "step=3")) in ranges
    assert ("hipMemcpyAsync", ("decode", "step=3")) in ranges
    (model,) = json.loads((tmp_path / "run" / "run.json").read_text())["models"]
    assert model["path"] == str(find_model("tiny", environment=environment).resolve())
    assert model["bytes"] == Path(model["path"]).stat().st_size


def test_a_note_has_no_call_inside_it() -> None:
    seen: list[str] = []
    annotations = RoctxRanges(lambda text: seen.append(text.decode()), lambda: seen.append("pop"))
    annotations.note("model=/m.gguf")
    assert seen == ["model=/m.gguf", "pop"]
