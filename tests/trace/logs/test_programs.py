"""Errors of HIP in the words of whatever program met them, and who printed them."""

from __future__ import annotations

import json

import pytest

from greta.errors import UsageError
from greta.runs.gather import gather
from tests.trace.logs.judged import blamed, judged
from tests.trace.logs.reading import Logs

ILLEGAL = "an illegal memory access was encountered"
TORCH = f"torch.AcceleratorError: HIP error: {ILLEGAL}"
FRAMES = (
    'Traceback (most recent call last):\n  File "/home/me/solve.py", line 7, in main\n    f()\n'
)


SOLVE = ("/home/me/solve.py", 7)
NOWHERE = (None, None)
SYNC = "hipStreamSynchronize"


@pytest.mark.parametrize(
    ("text", "call", "place"),
    [
        (f"HIP error: '{ILLEGAL}'(700) at main.cpp:87", None, ("main.cpp", 87)),
        (f"error: '{ILLEGAL}'(700) from {SYNC}(s) at a/b.cpp:42", SYNC, ("a/b.cpp", 42)),
        (f"HIP Error: hipErrorIllegalAddress (700) at x.hip:4 in {SYNC}(s)", SYNC, ("x.hip", 4)),
        (f"x.cpp:42: {SYNC}(s, n) failed with error 700 ({ILLEGAL})", SYNC, ("x.cpp", 42)),
        (
            f"  what():  {SYNC}(s) error( hipErrorIllegalAddress): {ILLEGAL} /k/i.cpp:144",
            SYNC,
            ("/k/i.cpp", 144),
        ),
        (f"GPUassert: {ILLEGAL} solver.cu 35", None, ("solver.cu", 35)),
        (f"Abort::0::HIP error 700 in file /d.cpp line 633: {ILLEGAL} !!!", None, ("/d.cpp", 633)),
        (f"n1:44:45 [3] NCCL WARN HIP failure '{ILLEGAL}'", None, NOWHERE),
        ("failed to synchronize: hipError_t(700): hipErrorIllegalAddress", None, NOWHERE),
        ("ERROR: HIPError(code hipErrorIllegalAddress, an error)", None, NOWHERE),
        (f"{FRAMES}cupy.CUDARuntimeError: hipErrorIllegalAddress: {ILLEGAL}", None, SOLVE),
        (f"{FRAMES}RuntimeError: Triton Error [HIP]:  Code: 700, Messsage: {ILLEGAL}", None, SOLVE),
    ],
)
def test_the_error_the_call_and_the_place_are_read(
    logs: Logs, text: str, call: str | None, place: tuple[str | None, int | None]
) -> None:
    verdict = judged(logs, f"start\n{text}\n")
    assert (verdict["verdict"], verdict["cause"]) == ("REPRODUCED", None)
    assert (verdict["blamed"]["call"], verdict["blamed"]["error"]) == (
        call,
        "hipErrorIllegalAddress",
    )
    where = verdict["blamed"].get("where") or {}
    assert (where.get("file"), where.get("line")) == place


@pytest.mark.parametrize(
    "text",
    [
        "HIP error: 'no error'(0) at main.cpp:87\nhipDeviceSynchronize() returned hipSuccess",
        "hipStreamQuery(s) error hipErrorNotReady",
        "error: invalid argument: --layers",
        "Error: file not found: gpu.txt",
        "hipErrorInvalidValue = 1",
        f"no fault here: {ILLEGAL} was not seen",
    ],
)
def test_what_is_no_failure_of_hip_is_none(logs: Logs, text: str) -> None:
    with pytest.raises(UsageError, match="no line is of a kind"):
        gather(logs.write(f"{text}\n"))


LIBRARY = f"{FRAMES}RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `f(h)`\n"


def test_an_error_of_a_library_is_a_failure_and_no_fault_of_the_device(logs: Logs) -> None:
    verdict = judged(logs, LIBRARY)
    assert (verdict["verdict"], verdict["reason_code"]) == ("REPRODUCED", "verdict_error_logged")
    assert verdict["blamed"]["error"] == "HIPBLAS_STATUS_ALLOC_FAILED"
    assert "HIPBLAS_STATUS_ALLOC_FAILED" in verdict["reason"]


LLAMA = (
    f"ROCm error: {ILLEGAL}",
    "  current device: 0, in function ggml_backend_cuda_synchronize at /s/ggml-cuda.cu:2935",
    "  hipStreamSynchronize(cuda_ctx->stream())",
)


@pytest.mark.parametrize(
    "prefix",
    [
        *("", "0.12.345.678 E ", "Nov 18 02:18:05 box ollama[9001]: ", "ollama-1  | "),
        *("[1,3]<stderr>: ", "nid005 out: ", "E0904 09:30:05.065742 3243 x.cc:2809] "),
        *("2026-08-22 02:25:32,123 - root - ERROR - ", "2026-08-22 02:25 | ERROR | a.b:f:1 - "),
    ],
)
def test_llama_cpp_behind_a_logger(logs: Logs, prefix: str) -> None:
    verdict = judged(logs, "".join(f"{prefix}{line}\n" for line in LLAMA))
    assert blamed(verdict) == ("hipStreamSynchronize", 3)


def test_a_call_below_another_programs_error_is_not_llama_cpps(logs: Logs) -> None:
    verdict = judged(logs, f"{LLAMA[0]}\nhipDeviceReset() ok\n")
    assert blamed(verdict) == (None, 1)


@pytest.mark.parametrize(
    ("text", "pid", "rank"),
    [
        (f"[rank5]: {TORCH}\n[rank0]: {TORCH}\n", None, 5),
        (f"(VllmWorker TP2 pid=41) ERROR 11-18 [m.py:5] {TORCH}\n", 41, 2),
        (f"(Worker_TP1_EP1 pid=41) {TORCH}\n(Worker_TP0_EP0 pid=40) {TORCH}\n", 41, 1),
        (f"[2026-11-18 02:09:18 TP3] {TORCH}\n", None, 3),
        (f"[1,3]<stderr>:{TORCH}\n", None, 3),
        (f"{TORCH}\n", None, None),
    ],
)
def test_who_failed_first(logs: Logs, text: str, pid: int | None, rank: int | None) -> None:
    found = judged(logs, text)["blamed"]
    assert (found.get("pid"), found.get("rank")) == (pid, rank)


FAULT = "Memory access fault by GPU node-5 (Agent handle: 0x2b) on address 0x7e41c2a00000. "


def test_a_fault_of_nobody_is_not_given_to_one_of_several(logs: Logs) -> None:
    text = f"(W pid=41) {TORCH}\n(W pid=40) {TORCH}\n{FAULT}Reason: Unknown.\n"
    pids = [one.trace.pid for one in logs.read(text)]
    assert sorted(pids) == [0, 40, 41]
    named = logs.read(
        f"(RayWorker pid=41, ip=10.0.0.1) {FAULT}Reason: Unknown.\n(R pid=40) {TORCH}\n"
    )
    assert {one.trace.pid: len(one.faults) for one in named} == {41: 1, 40: 0}


WATCHDOG = (
    "[rank2]:[E1118 02:11:09.114512 ProcessGroupNCCL.cpp:616] [Rank 2] Watchdog caught collective "
    "operation timeout: WorkNCCL(SeqNum=881, OpType=ALLREDUCE, NumelIn=4194304, Timeout(ms)=600000)"
    " ran for 600031 milliseconds before timing out.\n"
)


@pytest.mark.parametrize("text", [WATCHDOG, WATCHDOG.replace("REDUCE, Num", "REDUCE, Num   \n")])
def test_a_collective_that_did_not_end_is_told_as_a_wait(logs: Logs, text: str) -> None:
    verdict = judged(logs, text)
    assert (verdict["verdict"], verdict["reason_code"]) == ("REPRODUCED", "verdict_wait_logged")
    assert verdict["blamed"]["error"] == "timeout"
    assert "ALLREDUCE" in verdict["reason"]
    assert "600 seconds" in verdict["reason"]


def test_who_failed_is_before_who_waited_for_it(logs: Logs) -> None:
    verdict = judged(logs, f"{WATCHDOG}[rank5]: {TORCH}\n")
    assert (verdict["blamed"]["rank"], verdict["blamed"]["error"]) == (5, "hipErrorIllegalAddress")


@pytest.mark.parametrize(
    "line",
    [
        {"log": f"{TORCH}\n", "stream": "stderr"},
        {"level": "error", "msg": TORCH},
        {"level": "error", "event": "failed", "exception": f"{FRAMES}{TORCH}\nHIP kernel errors"},
        {"MESSAGE": TORCH, "_PID": "881"},
        {"severity": "ERROR", "textPayload": TORCH},
    ],
)
def test_the_message_of_a_logger_that_writes_json(logs: Logs, line: dict[str, str]) -> None:
    text = json.dumps({"level": "info", "msg": "start"}) + "\n" + json.dumps(line) + "\n"
    verdict = judged(logs, text)
    assert (verdict["verdict"], blamed(verdict)) == ("REPRODUCED", (None, 2))
    if "exception" in line:
        assert verdict["blamed"]["where"]["line"] == 7


@pytest.mark.parametrize("key", ["call", "op", "api", "function"])
def test_the_field_that_names_the_call_is_read(logs: Logs, key: str) -> None:
    line = {"level": "error", "msg": "no token", key: "hipMemcpyAsync", "err": TORCH[24:]}
    assert blamed(judged(logs, json.dumps(line) + "\n")) == ("hipMemcpyAsync", 1)
    line[key] = "decode"
    assert blamed(judged(logs, json.dumps(line) + "\n")) == (None, 1)
    with pytest.raises(UsageError, match="no line is of a kind"):
        gather(logs.write(json.dumps({**line, key: "hipMemcpyAsync", "err": ""}) + "\n"))


@pytest.mark.parametrize(
    "line", [{"known_errors": [TORCH]}, {"fatal": TORCH}, {"rules": {"msg": TORCH}}]
)
def test_other_json_is_nobodys_word(logs: Logs, line: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="no line is of a kind"):
        gather(logs.write(json.dumps(line) + "\n"))
