"""Damaged model files on the way that `greta infer` takes: one clear sentence, or a model."""

from __future__ import annotations

import os
import random
import resource
from pathlib import Path

import pytest

from greta.cli.infer_report import InferReport
from greta.cli.infer_run import InferRequest, prepare
from greta.errors import ExitCode, GretaError
from greta.hip import SimTree
from greta.model import find_model
from tests.conftest import Run
from tests.model.hostile import mutated

MUTATIONS = int(os.environ.get("GRETA_TEST_MUTATIONS", "300"))
AT_ONCE = 2500
MOST_GROWTH = 256 << 10  # KiB


@pytest.fixture(scope="module")
def tiny_bytes() -> bytes:
    return find_model("tiny").read_bytes()


def outcome(path: Path, chat: bool) -> GretaError | None:
    """What stands between the file and the device."""
    request = InferRequest(
        model=str(path),
        prompts=[b"Hello <|im_end|> 123"],
        chat=chat,
        device="sim",
        sampling=None,
        max_tokens=4,
        default_max_tokens=4,
        context=None,
        traces=(),
        trace_file=Path(os.devnull),
    )
    try:
        prepare(request, InferReport(None))
    except GretaError as error:
        return error
    return None


@pytest.mark.parametrize("first", range(0, MUTATIONS, AT_ONCE))
def test_mutations_end_in_a_sentence_or_a_model(
    tiny_bytes: bytes, tmp_path: Path, first: int
) -> None:
    chance = random.Random(first)  # noqa: S311
    path = tmp_path / "hostile.gguf"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused, tried = 0, min(AT_ONCE, MUTATIONS - first)
    for number in range(tried):
        path.unlink(missing_ok=True)  # a file that is mapped must not change
        path.write_bytes(mutated(tiny_bytes, chance))
        error = outcome(path, chat=number % 2 == 1)
        if error is not None:
            refused += 1
            assert error.exit_code == ExitCode.BAD_USAGE, error
            assert str(path) in str(error)
    assert refused > tried // 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_GROWTH


def test_the_unchanged_file_passes(tiny_bytes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sound.gguf"
    path.write_bytes(tiny_bytes)
    assert outcome(path, chat=False) is outcome(path, chat=True) is None


def test_the_command_refuses_a_file_that_is_cut_short(
    run_greta: Run, sim_tree: SimTree, tiny_bytes: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "short.gguf"
    path.write_bytes(tiny_bytes[: len(tiny_bytes) // 2])
    done = run_greta("infer", "--device", "sim", "--model", str(path), "--prompt", "x")
    assert done.returncode == 2
    assert "fetch it again" in done.stderr
    assert "Traceback" not in done.stderr
