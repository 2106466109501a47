"""Errors as PyTorch and llama.cpp print them."""

from __future__ import annotations

import pytest

from greta.trace.logs.lines import error_in
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
