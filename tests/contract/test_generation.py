"""What follows from the contract is written when the project is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract import generate, model

FILES = generate.outputs(model.load())
MAP = generate.DEVICE / "hip.map"


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    assert sorted(generate.write(FILES, tmp_path)) == sorted(FILES)
    assert generate.write(FILES, tmp_path) == []
    assert generate.write({**FILES, MAP: FILES[MAP] + "# one more line\n"}, tmp_path) == [MAP]
    assert (tmp_path / MAP).read_text(encoding="utf-8").endswith("# one more line\n")


def test_a_file_of_a_chapter_that_is_gone_is_removed(tmp_path: Path) -> None:
    generate.write(FILES, tmp_path)
    assert generate.write({k: v for k, v in FILES.items() if k != MAP}, tmp_path) == [MAP]
    assert not (tmp_path / MAP).exists()


@pytest.mark.parametrize("path", sorted(FILES), ids=str)
def test_first_line_says_who_wrote_the_file(path: Path) -> None:
    assert "contract/generate.py" in FILES[path].splitlines()[0]


def test_nothing_generated_lies_in_the_source(root: Path) -> None:
    """A stale copy would be found before the fresh one."""
    names = {path.name for path in FILES}
    folders = (root / "native", root / "src")
    assert [p for f in folders for p in f.rglob("*") if p.name in names] == []
