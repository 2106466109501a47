"""Damaged model files on the way that `greta infer` takes: one clear sentence, or a model."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from greta.cli.infer_run import InferReport, InferRequest, prepare
from greta.errors import ExitCode, GretaError
from greta.hip import SimTree
from greta.model import find_model
from tests.conftest import Run
from tests.model.hostile import mutated
from tests.model.rewritten import write_other_tiny

MUTATIONS = int(os.environ.get("GRETA_TEST_MUTATIONS", "100"))
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


@pytest.fixture
def infer(run_greta: Run, sim_tree: SimTree) -> Run:
    """Runs a file, two tokens of it."""

    def run(path: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        asked = ["--device", "sim", "--model", str(path), "--prompt", "x", "--max-tokens", "2"]
        return run_greta("infer", *asked, *words, **variables)

    return run


@pytest.mark.parametrize("choice", [[], ["--greedy"]])
def test_weights_that_are_no_numbers(choice: list[str], infer: Run, tmp_path: Path) -> None:
    nan = np.full(256, np.nan, np.float32)
    path = write_other_tiny(tmp_path / "nan.gguf", tensors={"output_norm.weight": nan})
    done = infer(path, *choice)
    assert done.returncode == ExitCode.FAULT
    assert "STATUS=ERROR" in done.stderr
    assert "logits are not numbers" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_guard_rail_a_missing_tensor_is_still_missed(
    infer: Run, tmp_path: Path
) -> None:
    name = "blk.0.attn_q.weight"
    for tensor in (None, np.ones((256, 256), np.float64)):
        path = write_other_tiny(tmp_path / "lacks.gguf", tensors={name: tensor})
        done = infer(path, GRETA_DISABLE_GUARD_RAIL="1")
        assert done.returncode == ExitCode.BAD_USAGE
        assert f"  {name}: expected" in done.stderr
        assert "anyway" not in done.stderr
        assert "Traceback" not in done.stderr


def test_a_layer_count_that_is_a_lie_is_told_in_a_few_lines(infer: Run, tmp_path: Path) -> None:
    path = write_other_tiny(tmp_path / "layers.gguf", {"llama.block_count": 4000})
    done = infer(path, GRETA_DISABLE_GUARD_RAIL="1")
    assert done.returncode == ExitCode.BAD_USAGE
    assert len(done.stderr.splitlines()) < 30


ENDLESS = (
    "{% set n = namespace(a=[1], b=[1]) %}{% for i in range(60) %}"
    "{% set n.a = [n.a, n.a] %}{% set n.b = [n.b, n.b] %}{% endfor %}{{ n.a == n.b }}"
)


def test_a_template_that_would_never_end(infer: Run, tmp_path: Path) -> None:
    path = write_other_tiny(tmp_path / "endless.gguf", {"tokenizer.chat_template": ENDLESS})
    done = infer(path, "--chat")
    assert done.returncode == ExitCode.BAD_USAGE
    assert "tokenizer.chat_template: cannot be rendered: it took more than 2 s" in done.stderr


def test_ctrl_c_ends_a_template_and_its_process(
    environment: dict[str, str], sim_tree: SimTree, tmp_path: Path
) -> None:
    path = write_other_tiny(tmp_path / "endless.gguf", {"tokenizer.chat_template": ENDLESS})
    words = ["--device", "sim", "--model", str(path), "--chat", "--prompt", "x"]
    command = [sys.executable, "-m", "greta", "infer", *words]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as child:
        renderer = _busy_child_of(child.pid)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert said.splitlines()[1:] == [b"STATUS=ERROR"]  # behind which model it is
    assert not Path(f"/proc/{renderer}").exists()


def _busy_child_of(process: int) -> int:
    """Once it has been at work for longer than its start takes, and for less than it may."""
    children = Path(f"/proc/{process}/task/{process}/children")
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for child in children.read_text(encoding="ascii").split():
            with contextlib.suppress(OSError):
                ticks = Path(f"/proc/{child}/stat").read_text(encoding="ascii").split()[13]
                if int(ticks) / os.sysconf("SC_CLK_TCK") > 0.5:
                    return int(child)
        time.sleep(0.01)
    raise AssertionError("it has started no process")


def test_a_token_cannot_speak_to_a_terminal(
    environment: dict[str, str], sim_tree: SimTree, tmp_path: Path
) -> None:
    words = [f"\x1b[2J\x9b日{number}" for number in range(512)]
    changes = {"tokenizer.ggml.tokens": words, "tokenizer.ggml.token_type": [4] * 512}
    path = write_other_tiny(tmp_path / "escapes.gguf", changes)
    asked = ["--device", "sim", "--model", str(path), "--prompt", words[7], "--greedy"]
    command = [sys.executable, "-m", "greta", "infer", *asked, "--max-tokens", "3"]
    piped = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    shown = _on_a_terminal(command, environment)
    assert piped.decode().count("\x1b[2J\x9b日") == 3
    assert shown.count("\\x1b[2J\\x9b日") == 3
    assert "\x1b" not in shown


def _on_a_terminal(command: list[str], environment: dict[str, str]) -> str:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, env=environment, stdout=theirs, stderr=subprocess.DEVNULL
    ) as child:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
            while piece := os.read(ours, 4096):
                shown += piece
    os.close(ours)
    assert child.returncode == 0
    return shown.decode()


def test_the_command_refuses_a_file_that_is_cut_short(
    run_greta: Run, sim_tree: SimTree, tiny_bytes: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "short.gguf"
    path.write_bytes(tiny_bytes[: len(tiny_bytes) // 2])
    done = run_greta("infer", "--device", "sim", "--model", str(path), "--prompt", "x")
    assert done.returncode == 2
    assert "fetch it again" in done.stderr
    assert "Traceback" not in done.stderr
