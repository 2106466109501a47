"""What follows from the contract is written when the project is built."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from contract import generate, model

FILES = generate.outputs(model.load())
MAP = generate.DEVICE / "hip.map"
IMPORTED = {"Enum"}


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


def test_the_stub_of_the_python_tables_names_what_they_hold(root: Path) -> None:
    tables: dict[str, object] = {}
    exec(FILES[generate.PACKAGE / "recording/_contract.py"], tables)  # noqa: S102  # our own
    stub = (root / "src/greta/recording/_contract.pyi").read_text(encoding="utf-8")
    named = {line.split(":")[0] for line in stub.splitlines() if ": Final" in line}
    named |= {line.split(" as ")[1] for line in stub.splitlines() if " as " in line}
    own = {name for name, value in tables.items() if inspect.isclass(value)} - IMPORTED
    assert named == own | {name for name in tables if name.isupper() and name[0] != "_"}
