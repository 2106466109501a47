"""`greta infer`: what it prints, what it refuses, how it ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.engine import SITES
from greta.hip import SimTree
from greta.model import TensorType, TokenId, Tokenizer
from greta.model.tiny import TINY, write_tiny
from tests.conftest import Run
from tests.model.rewritten import write_other_tiny

TINY_WORDS = ["infer", "--device", "sim", "--model", "tiny"]

Infer = Callable[..., tuple[int, str, str]]


@pytest.fixture
def infer(sim_tree: SimTree, capsys: pytest.CaptureFixture[str]) -> Infer:
    """Runs the command in this process: code, stdout and stderr."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main([*TINY_WORDS, *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_text_on_stdout_and_statistics_on_stderr(infer: Infer) -> None:
    code, text, statistics = infer("--prompt", "Hello", "--greedy", "--max-tokens", "6")
    assert code == 0
    assert text.endswith("\n")
    assert "Prompt tokens: 1\n" in statistics
    assert "Generated tokens: 6\n" in statistics
    for line in ("Total time", "Time to first token"):
        assert re.search(rf"^  {line}: \d+\.\d{{3}} ms$", statistics, re.MULTILINE)
    assert re.search(r"^  Tokens/second: \d+\.\d+$", statistics, re.MULTILINE)
    assert statistics.endswith("\nSTATUS=OK\n")


def test_a_prompt_from_a_file_is_the_same_prompt(infer: Infer, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Hello", encoding="utf-8")
    options = ["--greedy", "--max-tokens", "6"]
    _, by_option, _ = infer("--prompt", "Hello", *options)
    _, by_file, _ = infer("--prompt-file", str(tmp_path / "prompt.txt"), *options)
    assert by_option == by_file


def test_a_prompt_from_stdin(run_greta: Run, environment: dict[str, str]) -> None:
    words = [*TINY_WORDS, "--greedy", "--max-tokens", "6"]
    command = [sys.executable, "-m", "greta", *words, "--prompt-file", "-"]
    done = subprocess.run(command, input=b"Hello", capture_output=True, env=environment, check=True)
    assert done.stdout.decode() == run_greta(*words, "--prompt", "Hello").stdout


def test_a_seed_repeats(infer: Infer) -> None:
    options = ["--prompt", "Hello", "--max-tokens", "8", "--temperature", "2", "--seed"]
    texts = [infer(*options, seed)[1] for seed in ("1", "1", "2")]
    assert texts[0] == texts[1] != texts[2]


def test_a_batch_prints_its_texts_in_order(infer: Infer) -> None:
    single = infer("--prompt", "Hello", "--greedy", "--max-tokens", "4")[1]
    _, copies, _ = infer("--prompt", "Hello", "--batch-size", "3", "--greedy", "--max-tokens", "4")
    assert copies == "".join(f"[{i}] {single}" for i in range(3))
    _, two, _ = infer("--prompt", "Hello", "--prompt", "Go", "--greedy", "--max-tokens", "4")
    assert two.startswith(f"[0] {single}[1] ")


def test_prompts_are_encoded_in_the_order_given(
    infer: Infer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And each once: the first text of a process is not encoded by the same model as the others."""
    prompts, encoded = ["b", "a", "d", "c", "f", "a", "e"], []
    encode = Tokenizer.encode

    def watched(tokenizer: Tokenizer, text: bytes) -> list[TokenId]:
        encoded.append(text.decode())
        return encode(tokenizer, text)

    monkeypatch.setattr(Tokenizer, "encode", watched)
    infer(*(word for prompt in prompts for word in ("--prompt", prompt)), "--max-tokens", "1")
    assert encoded == ["b", "a", "d", "c", "f", "e"]


def test_json_says_it_all(infer: Infer, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    words = ("--prompt", "Hello", "--greedy", "--max-tokens", "6", "--json", str(file))
    _, text, said = infer(*words)
    result = json.loads(file.read_text(encoding="utf-8"))
    assert result["model_facts"] == {
        "title": "Greta Tiny",
        "architecture": "llama",
        "layers": 2,
        "width": 256,
        "heads": 4,
        "kv_heads": 2,
        "feed_forward": 768,
        "vocabulary": 512,
        "parameters": 1705216,
        "quantization": "Q8_0",
    }
    assert "greta: model Greta Tiny (llama, 1.705M parameters, Q8_0): 2 layers, width 256" in said
    assert (result["schema"], result["status"], result["device"]) == (1, "OK", "sim")
    assert result["texts"] == [text.removesuffix("\n")]
    assert len(result["tokens"][0]) == result["statistics"]["generated_tokens"] == 6
    assert result["finish"] == ["length"]


def test_an_error_is_in_the_json_too(infer: Infer, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    code, _, _ = infer("--prompt", "Hello", "--max-tokens", "600", "--json", str(file))
    result = json.loads(file.read_text(encoding="utf-8"))
    assert (code, result["status"], result["statistics"]) == (2, "ERROR", None)
    assert "context" in result["error"]


def test_chat_asks_by_the_models_template(infer: Infer) -> None:
    plain = infer("--prompt", "Hello", "--greedy", "--max-tokens", "2")[2]
    chat = infer("--prompt", "Hello", "--chat", "--greedy", "--max-tokens", "2")[2]
    tokens = [int(re.findall(r"Prompt tokens: (\d+)", text)[0]) for text in (plain, chat)]
    assert tokens[1] > tokens[0]


def test_a_device_that_is_not_there(run_greta: Run) -> None:
    if Path("/dev/kfd").exists():
        pytest.skip("this machine may have a GPU")
    done = run_greta("infer", "--model", "tiny", "--prompt", "x", "--device", "hip")
    assert done.returncode == 2
    assert "device 'hip' cannot be used: there is no GPU driver" in done.stderr
    assert "STATUS=ERROR" in done.stderr


def test_a_device_that_does_not_exist(infer: Infer) -> None:
    code, _, said = infer("--prompt", "x", "--device", "cuda")
    assert code == 2
    assert "invalid choice: 'cuda'" in said


def test_ctrl_c_ends_it_in_the_middle(environment: dict[str, str], tmp_path: Path) -> None:
    # Traces make it slow enough to be caught between two tokens.
    sites = [word for site in SITES for word in ("--trace", site)]
    words = [*TINY_WORDS, "--prompt", "Hello", "--greedy", "--max-tokens", "500", *sites]
    child = subprocess.Popen(
        [sys.executable, "-m", "greta", *words, "--trace-file", str(tmp_path / "trace")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    with child:
        assert child.stdout is not None
        child.stdout.read(1)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert said.decode().endswith("STATUS=ERROR\n")
    assert b"Traceback" not in said


def test_traces_go_to_the_file(infer: Infer, tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    words = ["--prompt", "Hello", "--greedy", "--max-tokens", "3"]
    code, *_ = infer(*words, "--trace", "logits", "--trace", "kv:0:1", "--trace-file", str(file))
    sites = [json.loads(line)["site"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert code == 0
    assert sites == ["logits", "kv", "kv", "logits", "logits"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "give either --prompt or --prompt-file"),
        (["--prompt", "x", "--prompt-file", "y"], "give either --prompt or --prompt-file"),
        (["--prompt-file", "/no/such"], "--prompt-file: cannot read '/no/such': No such file"),
        (["--prompt", ""], "the prompt has no tokens"),
        (["--prompt", "x", "--max-tokens", "0"], "--max-tokens: must be a number, 1 or more"),
        (["--prompt", "x", "--greedy", "--top-k", "3"], "drop it, or drop --top-k"),
        (["--prompt", "x", "--temperature", "0"], "ask for greedy"),
        (["--prompt", "x", "--top-p", "2"], "top-p must be above 0"),
        (["--prompt", "x", "--prompt", "y", "--batch-size", "2"], "copies of one prompt"),
        (["--prompt", "x", "--trace", "all"], "no site 'all'"),
        (["--prompt", "x", "--trace-file", "f"], "say what with --trace"),
        (["--prompt", "x", "--trace", "kv", "--trace-file", "/no/such/f"], "cannot write"),
        (["--prompt", "x", "--max-tokens", "512"], "context length: expected at most 512"),
        (["--prompt", "x", "--context", "1000"], "context length: expected at most 512"),
        (["--prompt", "x", "--context", "8", "--max-tokens", "9"], "has room for 8"),
        (["--prompt", "Hello " * 600], "the context ends at 512"),
        (["--prompt", "x", "--model", "/no/such.gguf"], "there is no such model"),
    ],
)
def test_what_is_refused(words: list[str], sentence: str, infer: Infer) -> None:
    code, _, said = infer(*words)
    assert code == 2
    assert sentence in said
    assert "STATUS=OK" not in said
    assert "Traceback" not in said


def test_a_file_for_json_is_tried_before_anything_is_generated(infer: Infer) -> None:
    code, text, said = infer("--prompt", "x", "--json", "/no/such/f", "--max-tokens", "1")
    assert code == 2
    assert text == ""
    assert said.count("--json: cannot write '/no/such/f': No such file") == 1


@pytest.mark.parametrize("trace", ["attention:99", "logits:*:900"])
def test_a_trace_that_found_nothing_says_so(trace: str, infer: Infer, tmp_path: Path) -> None:
    words = ["--prompt", "Hello", "--greedy", "--max-tokens", "3", "--trace", "kv:0:1"]
    code, _, said = infer(*words, "--trace", trace, "--trace-file", str(tmp_path / "trace"))
    assert code == 0
    assert said.count("found nothing") == 1
    assert f"--trace {trace}" in said
    assert "layers 0 to 1, and the run had the steps 0 to 2" in said


STREAMS = {
    "stdin is closed": ("--prompt-file - <&-", 2, "--prompt-file: stdin is closed"),
    "stdout is closed": ("--prompt x >&-", 2, "stdout cannot be written: it is closed"),
    "stdout is full": ("--prompt x >/dev/full", 2, "stdout cannot be written: No space left"),
    "the trace is full": (
        *("--prompt x --trace logits --trace-file /dev/full", 2),
        "the trace cannot be written: No space left",
    ),
}


@pytest.mark.parametrize("name", STREAMS)
def test_streams_that_cannot_be_used(name: str, environment: dict[str, str]) -> None:
    words, code, sentence = STREAMS[name]
    line = f"{sys.executable} -m greta {' '.join(TINY_WORDS)} --max-tokens 2 {words}"
    done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, check=False)
    assert done.returncode == code
    assert f"greta: {sentence}" in done.stderr.decode()
    assert b"STATUS=ERROR" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_nobody_needs_stderr(environment: dict[str, str]) -> None:
    line = f"{sys.executable} -m greta {' '.join(TINY_WORDS)} --prompt x --max-tokens 2 2>&-"
    done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout


def test_letters_that_stdout_does_not_know(
    run_greta: Run, sim_tree: SimTree, tmp_path: Path
) -> None:
    words = [f"日{number}" for number in range(512)]
    changes = {"tokenizer.ggml.tokens": words, "tokenizer.ggml.token_type": [4] * 512}
    path = write_other_tiny(tmp_path / "letters.gguf", changes)
    asked = ["--device", "sim", "--prompt", words[7], "--greedy", "--max-tokens", "2"]
    done = run_greta("infer", "--model", str(path), *asked, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.count("\\u65e5") == 2


def test_without_a_limit_it_ends_with_the_context(infer: Infer) -> None:
    code, _, said = infer("--prompt", "x", "--context", "20", "--greedy")
    assert code == 0
    assert "Generated tokens: 19\n" in said


def test_a_name_that_does_not_fit_is_a_warning(infer: Infer, tmp_path: Path) -> None:
    path = tmp_path / "Llama-70B.gguf"
    write_tiny(path, TensorType.F32, replace(TINY, layers=1))
    words = ["--model", str(path), "--prompt", "x", "--greedy", "--max-tokens", "2"]
    code, _, said = infer(*words)
    assert code == 0
    assert "[GUARD_RAIL] WARNING: file name: expected a model as" in said
    assert "DISABLED" not in said


def test_a_model_with_the_wrong_shapes_is_refused_before_anything_is_allocated(
    run_greta: Run, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.gguf"
    path.write_bytes(_with_feed_forward(768 - 32, tmp_path))
    words = ["--device", "sim", "--prompt", "x", "--greedy", "--max-tokens", "2"]
    done = run_greta("infer", "--model", str(path), *words)
    assert done.returncode == 2
    assert "ffn_up.weight: expected shape (736, 256), found (768, 256)" in done.stderr
    loud = run_greta("infer", "--model", str(path), *words, GRETA_DISABLE_GUARD_RAIL="1")
    assert "Guard rail DISABLED via GRETA_DISABLE_GUARD_RAIL" in loud.stderr
    assert "Continuing with potentially incompatible model" in loud.stderr


def _with_feed_forward(size: int, folder: Path) -> bytes:
    """The tiny model with another feed-forward size in its metadata than in its weights."""
    write_tiny(folder / "right.gguf", TensorType.F32)
    data = (folder / "right.gguf").read_bytes()
    key = b"llama.feed_forward_length"
    at = data.index(key) + len(key) + 4
    return data[:at] + size.to_bytes(4, "little") + data[at + 4 :]


def test_smollm2_knows_the_capital_of_france(run_greta: Run) -> None:
    words = ["--prompt", "The capital of France is", "--greedy", "--max-tokens", "8"]
    done = run_greta("infer", "--model", "smollm2", "--device", "sim", *words)
    if "could not be fetched" in done.stderr:
        pytest.skip(done.stderr)
    assert done.stdout.startswith(" Paris.")
    assert done.stderr.endswith("STATUS=OK\n")
