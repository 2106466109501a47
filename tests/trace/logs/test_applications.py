"""Errors as PyTorch and llama.cpp print them."""

from __future__ import annotations

import pytest

from greta.errors import UsageError
from greta.trace.logs.errors import error_in
from tests.trace.logs.judged import judged, verdict_on
from tests.trace.logs.reading import Logs

LLAMA = """\
ggml_cuda_compute_forward: MUL_MAT failed
ROCm error: an illegal memory access was encountered
  current device: -1, in function ggml_backend_cuda_buffer_set_tensor at /src/ggml-cuda.cu:779
  hipMemcpyAsync((char *) tensor->data + offset, data, size, hipMemcpyHostToDevice, ((hipStream_t)2))
"""  # noqa: E501


@pytest.mark.parametrize(
    "line",
    [
        "torch.AcceleratorError: HIP error: an illegal memory access was encountered",
        "RuntimeError: HIP error: an illegal memory access was encountered",
        "torch.AcceleratorError: CUDA error: an illegal memory access was encountered",
    ],
)
def test_pytorch_names_no_call(logs: Logs, line: str) -> None:
    evidence = logs.one(f"Traceback (most recent call last):\n{line}\nHIP kernel errors might be\n")
    (message,) = evidence.messages
    assert (message.source, message.error, message.call) == ("pytorch", 700, None)
    assert message.line == 2
    assert len(evidence.trace.operations) == 0


@pytest.mark.parametrize(
    ("words", "error", "status"),
    [
        ("an illegal memory access was enco\nuntered", 700, ""),
        ("an illegal", None, "an illegal"),
        ("the shader engine is on fire", None, "the shader engine is on fire"),
    ],
)
def test_an_error_in_words_that_nobody_knows_is_one(
    logs: Logs, words: str, error: int | None, status: str
) -> None:
    evidence = logs.one(f"step 1\nRuntimeError: HIP error: {words}\nHIP kernel errors might be\n")
    (message,) = evidence.messages
    assert (message.error, message.status, message.line) == (error, status, 2)
    assert verdict_on([evidence])["verdict"] == "REPRODUCED"


def test_an_error_that_is_spoken_of_is_none(logs: Logs) -> None:
    with pytest.raises(UsageError):
        logs.read("step 1\nif you see RuntimeError: HIP error: the engine is on fire, try again\n")


def test_llama_cpp_names_the_call_that_returned_the_error(logs: Logs) -> None:
    evidence = logs.one(LLAMA)
    (message,) = evidence.messages
    assert (message.source, message.error, message.call) == ("llama.cpp", 700, "hipMemcpyAsync")
    assert "current device: -1" in message.text
    call = evidence.trace.describe(4)
    assert (call.name, call.result) == ("hipMemcpyAsync", 700)


def test_an_error_with_lines_missing_is_still_an_error(logs: Logs) -> None:
    (message,) = logs.one("\n".join(LLAMA.splitlines()[:2])).messages
    assert (message.error, message.call) == (700, None)


def test_errors_are_known_by_name_and_by_text() -> None:
    assert error_in("it says: an illegal memory access was encountered") == 700
    assert error_in("failed with hipErrorOutOfMemory (2)") == 2
    assert error_in("all is well") is None


TRACEBACK = """\
[rank1]: Traceback (most recent call last):
[rank0]: Traceback (most recent call last):
[rank0]:   File "/home/me/serve.py", line 12, in <module>
[rank1]:   File "/home/me/other.py", line 99, in elsewhere
[rank0]:   File "/home/me/model.py", line 79, in forward
[rank0]:     x = self.attention(x)
[rank0]:   File "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py", line 5, in run
[rank0]: RuntimeError: HIP error: an illegal memory access was encountered
"""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (TRACEBACK, ("/home/me/model.py", 79, "forward")),
        # Of installed packages alone, the innermost that is not PyTorch's.
        (
            TRACEBACK.replace("/home/me/", "/usr/lib/python3/dist-packages/vllm/"),
            ("/usr/lib/python3/dist-packages/vllm/model.py", 79, "forward"),
        ),
        # The frames of an exception that was handled are not those of the next one.
        (
            TRACEBACK.replace(
                "[rank0]: Runt", "[rank0]: Traceback (most recent call last):\n[rank0]: Runt"
            ),
            (None, None, None),
        ),
        (LLAMA, ("/src/ggml-cuda.cu", 779, "ggml_backend_cuda_buffer_set_tensor")),
        (
            "\n".join(LLAMA.splitlines()[:3]),
            ("/src/ggml-cuda.cu", 779, "ggml_backend_cuda_buffer_set_tensor"),
        ),
    ],
)
def test_where_the_program_found_the_error_is_what_it_printed(
    logs: Logs, text: str, place: tuple[str | None, int | None, str | None]
) -> None:
    where = judged(logs, text)["blamed"]["where"]
    assert (where["file"], where["line"], where["function"]) == place


def test_an_address_is_told_where_nothing_else_is_known(logs: Logs) -> None:
    fault = "Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f3c12a00000. "
    verdict = judged(logs, f"{fault}Reason: Unknown.\n")
    assert verdict["around"]["address"] == "0x7f3c12a00000"
    assert verdict["blamed"]["error"] == "memory access fault"
    assert verdict["cause"] is None
