"""A C++ library called from Python, templates, one helper that launches all: whose line is it?"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import greta
from greta.cli.main import main
from greta.hip import SimTree
from tests import children

HERE = Path(__file__).parent
SCRIPT = HERE / "torch_like.py"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Path:
    path = tmp_path_factory.mktemp("torch_like") / "libops.so"
    options = ["-std=c++17", "-O1", "-g", "-fPIC", "-shared", f"-I{sim_tree.include}"]
    linked = [f"-L{sim_tree.lib}", "-lamdhip64", "-lhiprtc"]
    compiler = os.environ.get("CXX", "g++")
    children.run([compiler, *options, HERE / "torch_like.cpp", "-o", path, *linked], check=True)
    return path


def line_of(mark: str) -> int:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    return next(number for number, text in enumerate(lines, 1) if text.endswith(mark))


def test_the_answer_names_the_users_line_the_cpp_frame_and_the_kernel(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = greta.run(
        [sys.executable, SCRIPT, library, "overrun"], device="sim", out=tmp_path / "run"
    )
    cause = run.verdict().cause
    assert cause
    assert cause.kernel == "void scale_kernel<float, 4>(float*, int, float)"
    assert (cause.where.file, cause.where.line, cause.where.function) == (
        *(str(SCRIPT), line_of("# FAULT")),
        "train",
    )
    functions = [(frame.function or "").split("(")[0] for frame in cause.stack or ()]
    functions = [name.removeprefix("Tensor.") for name in functions]  # from Python 3.11 on
    cpp = ["int ops::launch<float*, int, float>", "ops::Dispatcher<float>::scale", "tensor_scale"]
    assert functions == [*cpp, "scale", "train", "<module>"]
    # One confidence: of 64 launches only one was given numbers that lead out of the buffer.
    assert (cause.confidence, cause.launch_confidence, cause.turn) == (0.95, 0.95, None)
    assert cause.buffer
    assert cause.buffer.allocation
    assert cause.buffer.allocation.where.line == line_of("# MAKES")
    assert main(["analyze", str(tmp_path / "run")]) == 1
    shown = capsys.readouterr().out
    told = " ".join(shown.split())
    assert f"launched at torch_like.py:{line_of('# FAULT')} in train" in told
    assert "(ops::Dispatcher::scale)" in told
    assert told.count("scale_kernel<") == told.count("whole name") == 1


def test_its_twin_is_clean(library: Path, tmp_path: Path) -> None:
    run = greta.run([sys.executable, SCRIPT, library, "fine"], device="sim", out=tmp_path / "run")
    assert run.exit_code == 0
    assert run.verdict().cause is None


@pytest.mark.parametrize(
    ("how", "program", "code"),
    [("overrun", "parallel", 70), ("overrun", "swallowed", 70), ("fine", "parallel", 0)],
)
def test_a_parent_whose_worker_faulted(
    library: Path, tmp_path: Path, how: str, program: str, code: int
) -> None:
    words = ["--device", "sim", "--quiet", "--out", str(tmp_path / "run"), "--error-exitcode", "70"]
    script = [sys.executable, str(SCRIPT), str(library), how, program]
    done = children.run([sys.executable, "-m", "greta", "run", *words, "--", *script])
    assert done.returncode == code, done.stderr
    cause = greta.analyze(tmp_path / "run").cause
    if how == "fine":
        assert cause is None
    else:
        assert cause
        assert (cause.rank, cause.where.line) == (1, line_of("# FAULT"))
