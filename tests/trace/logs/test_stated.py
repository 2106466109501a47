"""A line that states an error, and its twin that only speaks of one."""

from __future__ import annotations

import pytest

from greta.trace.logs.lines import clean
from greta.trace.logs.stated import is_stated, without_quotations
from tests.trace.logs.judged import judged
from tests.trace.logs.reading import Logs

ILLEGAL = "an illegal memory access was encountered"
TORCH = f"RuntimeError: HIP error: {ILLEGAL}"
FAULT = (
    "Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f3c12a00000. "
    "Reason: Unknown."
)
OOM = "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2 GiB of the memory that is"

STATED = [
    TORCH,
    f"ERROR:root:{TORCH}",
    f"[rank3]: {TORCH}",
    f"2026-11-18 02:00:01.123 | ERROR | __main__:main:42 - generation failed: HIP error: {ILLEGAL}",
    f"The following error occurred while executing the model: HIP error: {ILLEGAL}",
    f"!!! Exception during processing !!! HIP error: {ILLEGAL}",
    f"{TORCH} at /src/rope.cpp:12",
    f"{TORCH} while launching rope_q",
    f"HIP failure '{ILLEGAL}'",
    f'An error encountered: "{ILLEGAL}" at main.hip:52',
    f'time=1 level=ERROR msg="runner ended" error="ROCm error: {ILLEGAL}"',
    FAULT,
    f"step 17 loss 0.42{FAULT}",
    # A runtime does not wait for the end of what a model writes.
    f"The capital of France is a city in the north of the{FAULT}",
    f"{OOM} there",
    "Memory access fault by GPU node-1 (Agent handle: 0x55d0",
    "hipMemcpy failed: hipErrorInvalidValue",
    # After a fault of the device nothing goes on, whatever the program says.
    f"hipMemcpy failed: {ILLEGAL}, retrying",
]
SPOKEN_OF = [
    f"expecting: {TORCH}",
    f"hipMemcpy returned hipErrorInvalidValue as expected, error {ILLEGAL}",
    f"[watcher] looking for pattern: HIP error: {ILLEGAL}",
    f"build 12: fixes HIP error: {ILLEGAL} in rope",
    f"{TORCH} is what PyTorch prints when a kernel goes wrong.",
    f"{TORCH} -> not reproduced in 200 iterations",
    f"with odd heads HIP error: {ILLEGAL} is gone",
    f"Q: and HIP error: {ILLEGAL}?",
    f"2. HIP error: {ILLEGAL}",
    f"- [ ] HIP error: {ILLEGAL} in test_rope",
    f"> {FAULT}",
    f"**HIP error: {ILLEGAL}**",
    f"2,0.1,HIP error: {ILLEGAL}",
    f"El error HIP error: {ILLEGAL} se produjo ayer.",
    f"The run of the day ended with HIP error: {ILLEGAL}",
    f"OK: no {FAULT}",
    f"caught {OOM} missing, retrying",
    "hipMalloc failed: out of memory, retrying with half the batch",
    "hipHostRegister failed with hipErrorNotSupported, falling back to pageable memory",
    "hipMemPrefetchAsync failed: hipErrorInvalidValue, retrying without it",
]


@pytest.mark.parametrize("line", STATED)
def test_stated(line: str) -> None:
    assert is_stated(without_quotations(line))


@pytest.mark.parametrize("line", SPOKEN_OF)
def test_spoken_of(line: str) -> None:
    assert not is_stated(without_quotations(line))


@pytest.mark.parametrize("quoted", [f'"{TORCH}"', f"`{TORCH}`", f"'{TORCH}'", f"«{TORCH}»"])
def test_what_stands_in_quotation_marks_is_somebody_elses(quoted: str) -> None:
    assert TORCH not in without_quotations(f"it printed {quoted} once")


def test_the_bare_text_of_an_error_may_stand_in_them() -> None:
    for text in (f'"{ILLEGAL}"', f"'{ILLEGAL}'", '"hipErrorNoBinaryForGpu: Unable to find code"'):
        assert text in without_quotations(f"error {text} here")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"step 1\n{OOM}\n", "REPRODUCED"),
        (
            f"Loading weights from: m.gguf\n{OOM} so, retrying\nGenerated tokens: 5\n",
            "INCONCLUSIVE",
        ),
        # Nothing can be done on a device that has faulted, whoever catches the error.
        (f"Loading weights from: m.gguf\ncaught {TORCH}, retrying\n", "REPRODUCED"),
    ],
)
def test_a_program_can_go_on_without_memory_and_not_after_a_fault(
    logs: Logs, text: str, verdict: str
) -> None:
    assert judged(logs, text)["verdict"] == verdict


def test_a_check_that_passed_is_no_failure(logs: Logs) -> None:
    peers = "[INFO] peers: hipErrorPeerAccessAlreadyEnabled; check passed"
    verdict = judged(logs, f"Loading weights from: m.gguf\n{peers}\nGenerated tokens: 5\n")
    assert verdict["verdict"] == "INCONCLUSIVE"
    assert verdict["blamed"] is None


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (r'time=1 level=INFO src=a.go:1 msg="a:\n\tb \"c\"" n=2', 'a:\n\tb "c" n=2'),
        ('msg="HIP error: x"', None),  # of no logger
        ('time=1 level=INFO said="x"', None),
    ],
)
def test_a_message_is_what_a_logger_was_given(line: str, text: str | None) -> None:
    stamp = "time=1 level=INFO "
    told = "\n".join(stamp + one for one in text.split("\n")) if text else line
    assert clean(line.encode()) == told


@pytest.mark.parametrize(
    ("call", "blamed"), [("hipFree(p)", "hipFree"), ("a call that has no name", None)]
)
def test_lines_of_one_error_may_each_be_a_message(logs: Logs, call: str, blamed: str) -> None:
    lines = (f"ROCm error: {ILLEGAL}", "  current device: 0, in function f at g.cu:1", f"  {call}")
    text = "".join(f'time=1 level=INFO source=a.go:1 msg="{one}"\n' for one in lines)
    verdict = judged(logs, text)
    assert (verdict["verdict"], verdict["blamed"]["call"]) == ("REPRODUCED", blamed)


def test_a_data_set_is_no_logger() -> None:
    assert clean(b'{"ts": 1, "event": "HIP error: x"}') == "HIP error: x"
    assert clean(b'{"id": 7, "text": "HIP error: x"}') == '{"id": 7, "text": "HIP error: x"}'
