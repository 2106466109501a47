"""The committed files are the ones the contract gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract import generate, model


def test_generated_files_are_fresh() -> None:
    assert generate.stale(generate.outputs(model.load())) == []


def test_a_changed_contract_names_the_stale_file() -> None:
    files = generate.outputs(model.load())
    path = generate.GENERATED / "hip.map"
    files[path] += "# one more line\n"
    assert generate.stale(files) == [path]


def test_a_file_of_a_chapter_that_is_gone_is_stale() -> None:
    files = generate.outputs(model.load())
    path = generate.GENERATED / "stubs_event.cpp"
    del files[path]
    assert generate.stale(files) == [path]


@pytest.mark.parametrize("path", sorted(generate.outputs(model.load())), ids=str)
def test_first_line_says_who_wrote_the_file(path: Path) -> None:
    first = generate.outputs(model.load())[path].splitlines()[0]
    assert "contract/generate.py" in first
