"""Two traces side by side: the first tensor whose numbers part."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gguf import GGUFReader

from greta.cli.main import main
from greta.errors import OutsideError
from greta.lab.trace_difference import TraceDifference, trace_difference
from greta.model.tensors import TensorType
from greta.model.tiny import TINY, write_tiny

Record = dict[str, Any]


def record(tensor: str, step: int = 0, **fields: Any) -> Record:
    numbers = {"min": -1.0, "max": 1.0, "mean": 0.0, "nan": 0, "inf": 0, "hash": "a"}
    return {"site": "mlp", "tensor": tensor, "layer": 2, "phase": "decode", "step": step} | (
        numbers | fields
    )


def compared(folder: Path, a: list[Record], b: list[Record], **options: Any) -> TraceDifference:
    paths = folder / "a.jsonl", folder / "b.jsonl"
    for path, records in zip(paths, (a, b), strict=True):
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return trace_difference(*paths, **options)


def test_the_first_tensor_beyond_the_tolerance_is_named(tmp_path: Path) -> None:
    a = [record("one"), record("two"), record("three")]
    b = [record("one", max=1.0005, hash="b"), record("two", max=1.1, hash="b"), record("three")]
    found = compared(tmp_path, a, b)
    assert (found.compared, found.identical, found.changed) == (3, 1, 1)
    assert found.first is not None
    assert (found.first.a.name, found.first.field) == ("mlp.two", "max")
    assert found.first_byte is not None
    assert found.first_byte.a.tensor == "one"
    strict = compared(tmp_path, a, b, tolerance=1e-4)
    assert strict.first is not None
    assert strict.first.a.tensor == "one"


def test_what_is_not_finite_is_told_apart(tmp_path: Path) -> None:
    a = [record("one"), record("two")]
    b = [record("one", mean=0.5, hash="b"), record("two", nan=3, hash="c")]
    found = compared(tmp_path, a, b)
    assert found.first is not None
    assert found.first.a.tensor == "one"
    assert found.first_not_finite is not None
    assert (found.first_not_finite.a.tensor, found.first_not_finite.b.nan) == ("two", 3)


def test_tensors_of_one_trace_alone_are_counted(tmp_path: Path) -> None:
    found = compared(tmp_path, [record("one"), record("two")], [record("one"), record("one", 5)])
    assert (found.compared, found.only_a, found.only_b, found.first) == (1, 1, 1, None)


def test_other_engines_spell_fields_otherwise(tmp_path: Path) -> None:
    ours = [record("logits", 3)]
    fields = ("site", "phase", "min", "max", "mean", "hash")
    theirs = {name: ours[0][name] for name in fields}
    theirs |= {"name": "logits", "layer_id": 2, "token": 3, "nan_count": 1}
    found = compared(tmp_path, ours, [theirs])
    assert found.first is not None
    assert found.first.field == "nan"


@pytest.mark.parametrize(
    "text", ["", "{", "[1]\n", "{}\n", '{"tensor": 5}\n', '{"tensor": "x", "min": "low"}\n']
)
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(OutsideError, match=r"a\.jsonl"):
        trace_difference(tmp_path / "a.jsonl", tmp_path / "a.jsonl")


def test_layer_and_step_of_a_weight_with_another_scale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output projection of layer 3 is half as large again; all else is the same."""
    for name in ("good", "bad"):
        write_tiny(tmp_path / f"{name}.gguf", TensorType.F32, replace(TINY, layers=4))
    reader = GGUFReader(tmp_path / "bad.gguf", "r+")
    weight = next(t for t in reader.tensors if t.name == "blk.3.attn_output.weight")
    weight.data[:] *= 1.5
    del weight, reader  # writes it
    for name in ("good", "bad"):
        options = ["--prompt", "x", "--greedy", "--max-tokens", "2"]
        sites = [
            word for site in ("attention", "wo", "mlp", "logits") for word in ("--trace", site)
        ]
        file = ["--trace-file", str(tmp_path / f"{name}.jsonl")]
        assert (
            main(["infer", "--model", str(tmp_path / f"{name}.gguf"), *options, *sites, *file]) == 0
        )
    capsys.readouterr()
    traces = [str(tmp_path / f"{name}.jsonl") for name in ("good", "bad")]
    assert main(["diff", *traces]) == 0
    said = capsys.readouterr().out
    assert "wo.output, layer 3, prefill step 0: " in said
    assert main(["diff", traces[0], traces[0]]) == 0
    assert "same bytes" in capsys.readouterr().out
