"""Without the engine's packages everything else works, and the engine says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = """
import sys
for package in ("gguf", "pyarrow", "ray", "rocm", "scipy", "tokenizers"):
    sys.modules[package] = None
from greta.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def greta(*words: str | Path, inside: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, *map(str, words)]
    return subprocess.run(command, cwd=inside, capture_output=True, text=True, check=False)


def test_a_run_is_recorded_judged_reported_and_exported(root: Path, tmp_path: Path) -> None:
    program = ["run", "--device", "sim", "--out", "run", "--"]
    example = root / "examples" / "rope_overrun.py"
    assert greta(*program, sys.executable, example, inside=tmp_path).returncode == 1
    told = greta("analyze", "run", inside=tmp_path)
    assert (told.returncode, told.stderr) == (1, "")
    assert "caused by" in told.stdout
    for words in (["report", "run", "-o", "r.html"], ["export", "run", "--format", "perfetto"]):
        assert greta(*words, inside=tmp_path).stderr.count("Traceback") == 0
    assert greta("doctor", inside=tmp_path).returncode == 0


@pytest.mark.parametrize("words", [["infer", "--model", "tiny", "--prompt", "a"], ["drill"]])
def test_the_engine_says_what_to_install(words: list[str], tmp_path: Path) -> None:
    ended = greta(*words, inside=tmp_path)
    assert ended.returncode == 2
    assert "pip install 'gretacore[engine]'" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
