"""The story of the seeds: a script that now and then runs a stale build, and what tells it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree

SOURCE = Path(__file__).with_name("engine_of_two_builds.cpp")
SCRIPT = """#!/bin/sh
# Every third run finds the build folder busy, and takes what was installed last year.
number=$(ls turns | wc -l)
touch turns/$number
if [ $((number % 3)) = 1 ]; then exec ./installed/engine; fi
./build/engine
"""


@pytest.fixture(scope="module")
def builds(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both builds."""
    made = tmp_path_factory.mktemp("builds")
    hip = (f"-I{sim_tree.include}", f"-L{sim_tree.lib}", "-lamdhip64", "-lhiprtc")
    for folder, define in (("build", []), ("installed", ["-DSTALE"])):
        (made / folder).mkdir()
        words = ["g++", "-std=c++17", "-O0", *define, str(SOURCE), "-D__HIP_PLATFORM_AMD__", *hip]
        subprocess.run([*words, "-o", str(made / folder / "engine")], check=True)
    return made


@pytest.fixture
def place(builds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with both builds and the script."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other audits have other locks
    monkeypatch.setenv("PYTHONPATH", str(Path(greta.__file__).parents[1]))
    shutil.copytree(builds, tmp_path, dirs_exist_ok=True)
    (tmp_path / "turns").mkdir()
    (tmp_path / "run.sh").write_text(SCRIPT)
    (tmp_path / "run.sh").chmod(0o755)
    return tmp_path


def test_the_case_names_the_stale_binary(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["audit", "--device", "sim", "--case", "rope", "--iters", "6", "--stress-iters", "0"]
    words += ["--expect-build", "build/engine", "--", "./run.sh"]
    monkeypatch.setattr(sys, "argv", ["greta", *words])
    assert main(words) == 1
    [path] = (place / "artifacts").glob("*/rope/summary.json")
    summary: dict[str, Any] = json.loads(path.read_text())

    # The fault is the kernel's, however the binary came to run.
    assert summary["statistics"]["failures"] == 4
    cause = summary["cause"]
    assert (cause["hypothesis"], cause["kernel"]) == ("upstream_kernel_fault", "rope")
    assert cause["buffer"]["bytes"] == 512 * 4
    assert summary["blamed"]["call"] == "hipMemcpy"
    steps = {one["code"]: one["data"] for one in summary["next_step_codes"]}
    assert steps["fix_other_build"]["path"] == f"{place}/installed/engine"
    assert steps["fix_other_build"]["expected"].startswith(f"{place}/build/engine ")

    # And the runs that fail ran another file than the one that is meant.
    for one in summary["iterations"]:
        verdict = json.loads((path.parent / one["run"] / "verdict.json").read_text())
        binary = next(one for one in verdict["hypotheses"] if one["id"] == "wrong_binary")
        expected = "CONFIRMED" if one["result"] == "FAIL" else "REFUTED"
        assert binary["verdict"] == expected, one["run"]

    capsys.readouterr()
    assert main(["case", "show", "rope"]) == 0
    shown = " ".join(capsys.readouterr().out.split())  # however it is wrapped
    assert "All 4 failures had binary = engine " in shown
    assert f"{place}/installed/engine".replace(" ", "") in shown.replace(" ", "")
    assert "none of the 8 passes did" in shown


def test_two_builds_are_evidence_even_where_nobody_said_which_was_meant(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["audit", "--device", "sim", "--case", "rope", "--iters", "6", "--stress-iters", "0"]
    words += ["--", "./run.sh"]
    monkeypatch.setattr(sys, "argv", ["greta", *words])
    assert main(words) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "CONFIRMED Wrong binary: Different binaries ran as one program" in said
    for folder, counts in (("installed", "runs: 4, failed: 4"), ("build", "runs: 8, failed: 0")):
        named = rf"/{folder}/engine[0-9a-f]{{16}}\({counts}\)".replace(" ", "")
        assert re.search(named, said.replace(" ", ""))
