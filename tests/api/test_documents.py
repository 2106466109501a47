"""docs/python.md and examples/notebook.py do what they show."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.hip import SimTree

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _place(sim_tree: SimTree, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(root / "examples" / "rope_overrun.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # other audits have other locks
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))


def test_the_examples_of_the_document_hold(root: Path, tmp_path: Path) -> None:
    blocks = BLOCK.findall((root / "docs" / "python.md").read_text())
    assert len(blocks) >= 7
    known: dict[str, Any] = {}
    for number, text in enumerate(blocks):
        exec(compile(text, f"docs/python.md, block {number + 1}", "exec"), known)  # noqa: S102 - ours
    known["test_rope_leaves_its_buffer"](tmp_path)
    assert (tmp_path / "report.html").is_file()
    assert (tmp_path / "calls.jsonl").read_text().count("\n") == known["run"].summary.calls


def test_every_name_that_is_offered_is_in_the_document(root: Path) -> None:
    text = (root / "docs" / "python.md").read_text()
    missing = [name for name in greta.__all__ if name not in text and not name.startswith("_")]
    assert missing == []


def test_the_notebook(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRETA_DEVICE", "sim")
    script = root / "examples" / "notebook.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, check=True
    )
    said = done.stdout
    assert "REPRODUCED upstream_kernel_fault" in said
    assert "caused by call" in said
    assert ", rope\n" in said
    assert "in the buffer positions, 64 bytes" in said
    assert "REPRODUCED: 6 of 6 runs failed" in said
    assert (tmp_path / "informe.md").read_text().startswith("#")
    assert "<html" in (tmp_path / "report.html").read_text()
    assert "import greta.\n" not in script.read_text()
    assert not re.search(r"from greta[.]|import greta[.]", script.read_text())
