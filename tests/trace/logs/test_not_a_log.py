"""Files that quote an error are no logs; logs that look odd are."""

from __future__ import annotations

import gzip

import pytest

from greta.errors import UsageError
from greta.runs.gather import gather
from tests.trace.logs.judged import blamed, judged, outcome
from tests.trace.logs.reading import Logs

ILLEGAL = "an illegal memory access was encountered"
ERROR = f"Generation error: hipMemcpy D2H failed: {ILLEGAL}\n"
FAULT = (
    "Memory access fault by GPU node-2 (Agent handle: 0x52e220) on address 0x7f0000001000. "
    "Reason: Unknown.\n"
)
MARKDOWN = f"# What we saw\n\nThe engine printed:\n\n```\n{ERROR}```\n\n| run | result |\n"
LETTER = (
    "Yesterday the engine stopped in the middle of an answer.\nThe terminal showed this line:\n\n"
    f"{ERROR}\nIt is not known what the reason of it was.\n"
)
CPP = (
    '#include <cstdio>\n\nint main() {\n  fputs("[D2H FATAL] x:FAILED", stderr);\n'
    f'  throw std::runtime_error("RoPE Q launch failed: {ILLEGAL}");\n}}\n'
    "// [D2H FATAL] x:FAILED\n"
)
PYTHON = (
    '"""Stages a fault."""\n\nimport torch\n\n\ndef fail():\n'
    f'    # RuntimeError: HIP error: {ILLEGAL}\n    raise ValueError("no")\n'
)

CHAT = f"ana: hi, did you see this?\nana: {FAULT}luis: yes, I had it\nluis: what was the fix?\n"
QUESTION = f"I have a kernel that adds vectors. When I run it I get:\n\n{FAULT}\nWhat can I do?\n"
RST = (
    "mytool\n======\n\nErrors\n------\n\nIf you see::\n\n"
    f"    RuntimeError: HIP error: {ILLEGAL}\n\nthen update ROCm.\n"
)
TEX = f"\\section{{Errors}}\nIt prints\n\\begin{{verbatim}}\n{FAULT}\\end{{verbatim}}\n"
PAGE = f"<!DOCTYPE html>\n<html><body><pre>\n{FAULT}</pre></body></html>\n"
SLACK = f"ana  10:01 AM\nseen this?\n{FAULT}luis  10:02 AM\nyes, update ROCm\n"
CHAT_WITH_TIMES = f"[10:01] ana: my run died\n[10:02] ana: {FAULT}[10:03] luis: which card?\n"
IRC = f"10:01 <ana> hi\n10:02 <ana> {FAULT}10:03 <luis> again\n"
GO = f'package hip\n\nimport "errors"\n\nvar E = errors.New(x)\n{ERROR}func f() {{\n}}\n'
TICKET = f"Summary: crash in rope\nReporter: ana\nDescription:\nActual result: {ERROR}"
GIT = f"commit 8d9f64be\nAuthor: Ana <a@b.c>\nDate:   Tue\n\n    Fix the copy\n\n    {ERROR}"
WIKI = f"== Faults ==\nThe runtime prints\n\n {FAULT}\nThen the process is ended.\n"
TELEGRAM = f"Ana, [05.05.2026 10:00]\nhola\n{FAULT}\nLuis, [05.05.2026 10:02]\nfue el cable\n"
QUESTIONS = f"QUESTIONS\n\nQ: My run ends with\n\n    {ERROR}\nA: Wait.\nQ: For what?\nA: For it.\n"
REPORTS = [
    f"{title}\n\n{before}\n\n{ERROR}\n{behind}\n"
    for title, before, behind in [
        (
            "Informe",
            "El motor se detuvo en una respuesta. La consola mostraba:",
            "No se sabe cuál fue la causa. Se repetirá la prueba.",
        ),
        (
            "Bericht",
            "Am Freitag ist die Anwendung abgestürzt. Auf der Konsole stand:",
            "Die Ursache ist noch nicht bekannt. Wir versuchen es noch einmal.",
        ),
        (
            "Отчёт",
            "Он остановился в пятницу. Терминал показал такую строку:",
            "Причина пока неизвестна. Мы повторим проверку.",
        ),
        (
            "障害報告",
            "金曜日、サーバーが停止しました。端末には、次の行がありました\uff1a",
            "原因はまだ、分かっていません。月曜日に再度、試験を行います。",
        ),
    ]
]
LONG = (
    "# Guide\n\nThe first part is on the runs.\nThe next is on what was seen of it.\n\n"
    + (
        "    step 1 loss 0.2\n" * 20
        + f"{FAULT}\nThis is what the runtime prints.\nIt is not the end of the story.\n\n"
    )
    * 2
)
FENCED = f"On AMD it is said as\n```\n{ERROR}```\ninstead of that\nThe test is to know it.\n"
NOTES = f"## Monday\n\nRan it 20 times:\n\n    {ERROR}\nNext: another card\n"
TAP = f"# Subtest: copy\n    not ok 1 - HIP error: {ILLEGAL}\n"
YAML = "      ---\n      duration_ms: 1\n      ...\n"
PATCH = f"diff --git a/run.log b/run.log\n--- a/run.log\n+++ b/run.log\n@@ -1 +1 @@\n+{FAULT}"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (MARKDOWN, "is a document"),
        (LETTER, "is a document"),
        (CPP, "is source code|no line is of a kind"),
        (PYTHON, "is source code|no line is of a kind"),
        (CHAT, "is a document"),
        (QUESTION, "is a document"),
        (RST, "is a document"),
        (TEX, "no line is of a kind|is a document"),
        (PATCH, "is a patch"),
        (FENCED, "is a document"),
        (f"I have a card and all I am getting from it is:\n\n{FAULT}Aborted\n", "is a document"),
        (PAGE, "is a document"),
        (NOTES, "is a document"),
        (
            f"# Bug\n\nWhat we saw:\n\n    not ok 1 - HIP error: {ILLEGAL}\n",
            "is a document",
        ),
        (
            f"# Faults\n\nIf your job prints\n\n    {FAULT}\nrun it under `rocgdb`, with n=1\n",
            "is a document",
        ),
        (
            f"LOOKS(1)      Commands      LOOKS(1)\n\nNAME\n      looks - finds\n\n    {FAULT}",
            "is a document",
        ),
        (b"", "is empty"),
        (b" \n\n\t\n", "is empty"),
        (SLACK, "is a document"),
        (CHAT_WITH_TIMES, "is a document"),
        (IRC, "is a document"),
        (GO, "is source code"),
        (
            f"import re\n\ndef told(x):\n    return x\n\nEXPECTED = '''\n{FAULT}'''\n",
            "is source code",
        ),
        (f"#!/bin/sh\nexport A=1\necho start\ncat <<EOF\n{FAULT}EOF\n", "is source code"),
        (TICKET, "is a document"),
        (GIT, "is a document"),
        (WIKI, "is a document"),
        (TELEGRAM, "is a document"),
        (QUESTIONS, "is a document"),
        *((one, "is a document") for one in REPORTS),
        (f"FROM rocm\n# {ERROR}RUN make\n", "no line is of a kind"),
        (LONG, "is a document"),
        (b"\x7fELF\x02\x01\x01" + bytes(57) + b"\n" + ERROR.encode(), "ELF"),
        (gzip.compress(ERROR.encode(), mtime=0), "gunzip"),
        (bytes(range(1, 9)) * 40 + b"\n" + ERROR.encode(), "no text"),
        (f"The run ended with the line {ERROR}", "no line is of a kind"),
        (f'The ticket says "{FAULT.strip()}" and no more\n', "no line is of a kind"),
        (f"`{FAULT.strip()}` did NOT occur in 50 runs\n", "no line is of a kind"),
        (f"{FAULT.strip()} It did not occur again.\n", "no line is of a kind"),
        (f"RuntimeError: HIP error: {ILLEGAL}: no fue reproducido\n", "no line is of a kind"),
        (f"hipMemcpy D2H failed: {ILLEGAL}, dijo el programa\n", "no line is of a kind"),
        (f'- Error original: "hipMemcpy D2H failed: {ILLEGAL}"\n', "no line is of a kind"),
        ("- El wrapper [D2H_SAFE_WRAPPER] NO se ejecut\u00f3\n", "no line is of a kind"),
        ("2. [D2H TRACE] is what the wrapper prints\n", "no line is of a kind"),
        (f"**Crash**: `hipMemcpy D2H failed: {ILLEGAL}`\n", "no line is of a kind"),
        ("hipMemcpy(dst, src, bytes, hipMemcpyDeviceToHost) == hipSuccess;\n", "no line is of"),
    ],
)
def test_what_only_quotes_an_error_is_refused_in_one_sentence(
    logs: Logs, data: str | bytes, why: str
) -> None:
    path = logs.write(data)
    with pytest.raises(UsageError, match=why) as refusal:
        gather(path)
    assert "\n" not in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert refusal.value.exit_code == 2


ANSWER = "The cat is an animal that sleeps most of the day.\n" * 20
CODE = "```cpp\nint main() {\n  return 0;\n}\n```\n" * 5
TRACEBACK = "Traceback (most recent call last):\n" + "".join(
    f'  File "/app/m{n}.py", line {n}, in forward\n    return self.inner(x)\n' for n in range(9)
)


@pytest.mark.parametrize(
    "text",
    [
        ERROR,
        f"Generating...\nGenerated: {ANSWER}{ERROR}",
        f"Loading weights from: m.gguf\n{CODE}{ERROR}",
        f"{TRACEBACK}torch.AcceleratorError: HIP error: {ILLEGAL}\n"
        "HIP kernel errors might be reported at some other API call, so this may be incorrect.\n",
        '{"level":"error","msg":"RuntimeError: HIP error: ' + ILLEGAL + '"}\n',
        FAULT,
        # Benchmarks print tables, debuggers begin with sentences, workers have names.
        f"| model | t/s |\n| --- | --- |\n| 8B | 31 |\n{FAULT}",
        "GNU gdb (rocm) 15\nThis is free software: you are free to change it.\n"
        f"There is no warranty, to the extent permitted by law.\nFor help, type help.\n{FAULT}",
        f"[10:01] worker1: step 3\n[10:01] worker2: step 3\n[10:02] worker1: {FAULT}",
        TAP,
        f"TAP version 13\n{TAP}{YAML}    1..1\nnot ok 1 - copy\n1..1\n# tests 1\n# fail 1\n",
        f"# nGpus 8\n    8  2  float\n{FAULT}",
        f"copy(1)       of        set(1)\n{FAULT}",
        f"# nGpus 8\n    {FAULT}run it again with -n 1\n",
        f"=== RUN   TestA\n--- PASS: TestA (0.1s)\n=== RUN   TestB\n{FAULT}FAIL\n",
        f"{'-' * 63}\nAn error occurred during the execution of it.\n{'-' * 63}\n{FAULT}",
        # What was asked and answered, and then the fault, with nobody to write of it.
        f"> What is the capital of France?\nParis. I like it, and you may too.\n{FAULT}Aborted\n",
        # A fault in the middle of the code that a model writes.
        f"The code for it is:\n```cpp\nint main() {{\n{FAULT}The server is started again.\n",
        f"You: code\nBot: here\n```cpp\nint main() {{\n  hipFree(a);\n{FAULT}Aborted\n",
        f"./a.out 128\n> I have a question:\nYes, tell me of it.\n{FAULT}",
        # Sentences of a program, and nothing that introduces the error.
        f"Die Anwendung startet.\nDas Modell ist nun geladen.\nDer Dienst ist bereit.\n{ERROR}",
        f"El modelo se ha cargado.\nEl servidor espera en el 80.\n{ERROR}El servidor se para.\n",
        f"正在加载模型。\n加载完成\uff0c用时 7 秒。\n开始推理。\n{FAULT}程序退出\n",
        f"$ ./a.out 128\nrunning\n{FAULT}Aborted (core dumped)\n$ echo $?\n134\n",
        f"+ ./a.out 128\n+ tee run.log\n{FAULT}",
        ("start\r\n" + FAULT).encode("utf-16-le"),
        ("start\n" + FAULT).encode("utf-16-be"),
        b"\xef\xbb\xbf" + FAULT.encode(),
        f"Feb 06 10:00:00 gpu1 python3[55]: {FAULT}",
    ],
)
def test_a_log_with_text_or_code_in_it_is_a_log(logs: Logs, text: str | bytes) -> None:
    assert judged(logs, text)["verdict"] == "REPRODUCED"


CUDA = f"CUDA error: {ILLEGAL}\n"


@pytest.mark.parametrize(
    ("text", "is_hips"),
    [
        (f"{CUDA}  current device: 7, in function f at g.cu:2461\n  cudaFree(p)\n", False),
        (f"cudaDeviceSynchronize() error( cudaErrorIllegalAddress): {ILLEGAL} a.cpp:1\n", False),
        (f"Could not synchronize: CUDA_ERROR_ILLEGAL_ADDRESS: {ILLEGAL}.\n", False),
        (f"RuntimeError: {CUDA}For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n", False),
        (f"Abort::0::CUDA error 700 in file a.cpp line 6: {ILLEGAL} !!!\nSIGABRT\n", False),
        (f"CPU: AMD EPYC 7313, GPU: NVIDIA A100\n{CUDA}", False),
        (f"RuntimeError: Triton Error [CUDA]: {ILLEGAL}\n", False),
        (f"RuntimeError: Triton Error [HIP]: {ILLEGAL}\n", True),
        ("cudaMalloc failed: out of memory\n", False),
        (f"Name: CUDA_ERROR_ILLEGAL_ADDRESS\nError: {ILLEGAL}\n", False),
        (f"Name: hipErrorIllegalAddress\nError: {ILLEGAL}\n", True),
        # Builds for AMD keep CUDA's words.
        (CUDA, True),
        (f"RuntimeError: {CUDA}", True),
        (f"RuntimeError: {CUDA}Search for `hipErrorIllegalAddress' in docs.nvidia.com\n", True),
        (f"device: gfx90a\ncudaDeviceSynchronize() failed: {ILLEGAL}\n", True),
        (f"GPU: AMD Instinct\n{CUDA}  libc10_cuda.so\n", True),
        ("RuntimeError: NCCL Error 1\na.h:2 NCCL WARN Cuda failure 1 'invalid argument'\n", True),
        ("all_reduce: ncclUnhandledCudaError: a call failed\n", True),
        ("all_reduce: ncclUnhandledCudaError: a call failed\nGPU: NVIDIA A100\n", False),
        ("/src/rccl/a.cc:237 NCCL WARN Cuda failure 'invalid argument'\n", True),
    ],
)
def test_errors_of_cuda_are_none_of_hip(logs: Logs, text: str, is_hips: bool) -> None:
    if is_hips:
        assert judged(logs, text)["verdict"] == "REPRODUCED"
    else:
        with pytest.raises(UsageError, match="reports CUDA errors and mentions nothing of HIP"):
            gather(logs.write(text))


def test_documents_in_a_folder_of_logs_are_passed_over(logs: Logs) -> None:
    logs.write(MARKDOWN, "README.md")
    logs.write(f"\n\n{ERROR}", "run.log")
    (evidence,) = gather(logs.folder)
    assert evidence.trace.operations["seq"].tolist() == [3]


def test_a_line_of_utf_16_is_shown(logs: Logs) -> None:
    (evidence,) = logs.read(("STATUS=OK\r\n" + ERROR).encode("utf-16"))
    assert evidence.trace.describe(2).arguments["line"] == ERROR.strip()


RUN = (
    "Loading weights from: m.gguf\nWeights loaded and config updated (vocab size: 128256)\n"
    "Generating...\nGenerated: four\n  Tokens/second: 6.5\nSTATUS=OK\n"
)


def test_a_whole_run_is_not_nothing(logs: Logs) -> None:
    verdict = judged(logs, RUN)
    assert verdict["reason_code"] == "verdict_calls_not_shown"
    assert verdict["verdict"] == "INCONCLUSIVE"
    assert [one["code"] for one in verdict["next_step_codes"]] == ["step_record_run"]


REFUSAL = "[GUARD_RAIL_ERROR] hidden: expected 11008, found 14336\n[GUARD_RAIL_FATAL] stop\n"


def test_a_refusal_of_the_guard_rail_is_no_fault(logs: Logs) -> None:
    verdict = judged(logs, REFUSAL)
    assert (verdict["verdict"], verdict["reason_code"]) == ("INCONCLUSIVE", "verdict_guard_rail")
    assert (verdict["blamed"], verdict["cause"]) == (None, None)
    assert outcome(verdict, "model_mismatch") == "NOT_EXERCISED"


def test_a_program_that_went_on_after_it_and_failed_is_one(logs: Logs) -> None:
    verdict = judged(logs, REFUSAL + ERROR)
    assert (verdict["verdict"], blamed(verdict)) == ("REPRODUCED", ("hipMemcpy", 3))
    assert outcome(verdict, "model_mismatch") == "CONFIRMED"


@pytest.mark.parametrize(
    ("named", "contradictory"),
    [
        ("Model: Llama-2-7B (6.73815B params)\n", True),
        ("Model: Llama-3-8B (8.03B params)\n", False),
        ("Model: greta-v1 (8.03B params)\n", False),
        ("Model config: layers=32, dim=4096, heads=32, hidden=14336, vocab=32000\n", True),
        ("Model config: layers=32, dim=4096, heads=32, hidden=14336, vocab=128256\n", False),
    ],
)
def test_lines_about_the_model_that_contradict_each_other_leave_it_open(
    logs: Logs, named: str, contradictory: bool
) -> None:
    verdict = judged(logs, named + RUN)
    ruling = next(one for one in verdict["hypotheses"] if one["id"] == "model_mismatch")
    assert ruling["verdict"] == "INCONCLUSIVE"
    assert ("printed_model" in ruling["missing"]) is contradictory


LACKING = "greta-sim: hipMemcpyPeerAsync is not supported by the simulated device\n"
NOT_SUPPORTED = "Generation error: hipMemcpyPeerAsync failed: operation not supported\n"


def test_what_the_simulated_device_lacks_is_its_limit(logs: Logs) -> None:
    verdict = judged(logs, LACKING + NOT_SUPPORTED)
    assert verdict["verdict"] == "INCONCLUSIVE"
    assert verdict["reason_code"] == "verdict_simulator_limit"
    assert [one["code"] for one in verdict["next_step_codes"]] == ["step_real_device"]
    assert not [one for one in verdict["hypotheses"] if one["verdict"] in ("CONFIRMED", "REFUTED")]


def test_other_failures_after_it_and_what_a_gpu_lacks_are_failures(logs: Logs) -> None:
    assert judged(logs, NOT_SUPPORTED)["verdict"] == "REPRODUCED"
    assert judged(logs, LACKING + ERROR)["verdict"] == "REPRODUCED"
