"""Errors in the words of programs that nobody has seen: the twins differ in one word or two."""

from __future__ import annotations

import pytest

from greta.errors import UsageError
from greta.runs.gather import gather
from tests.trace.logs.judged import blamed, judged
from tests.trace.logs.reading import Logs

ILLEGAL = "an illegal memory access was encountered"
ADDRESS = "hipErrorIllegalAddress"
VALUE = "hipErrorInvalidValue"
LAUNCH = "hipErrorLaunchFailure"
CONFIGURATION = "hipErrorInvalidConfiguration"
MEMORY = "hipErrorOutOfMemory"
SYNC = "hipStreamSynchronize"

FAILED = [
    # By name, text or number, in whatever order.
    (f"700 {ADDRESS}: '{ILLEGAL}' in main.cpp at line 33", None, ADDRESS),
    ("hipErrchk: invalid argument ./lbm.cpp 402", None, VALUE),
    ("error: 'invalid argument'(1) at square.cpp:71", None, VALUE),
    ("FATAL {hipFree(ptr)} returned 1 (invalid argument) [pool.cpp:77]", "hipFree", VALUE),
    ("hipMemcpy returned error code 700", "hipMemcpy", ADDRESS),
    ("hipModuleLoadData rc=209", "hipModuleLoadData", "hipErrorNoBinaryForGpu"),
    ("hip runtime error 0x2bc in stream callback", None, ADDRESS),
    ("error (hipMalloc): out of memory", "hipMalloc", MEMORY),
    (f"ERR\thipMemcpyDtoH\t700\t{ILLEGAL}", "hipMemcpyDtoH", ADDRESS),
    (f"level=error op=hipEventSynchronize code=700 name={ADDRESS}", "hipEventSynchronize", ADDRESS),
    (
        "launch of kernel `fused_rmsnorm` failed: invalid configuration argument",
        None,
        CONFIGURATION,
    ),
    (f"main.cpp:88 {ADDRESS}", None, ADDRESS),
    (f"iter 50: {SYNC}: {ILLEGAL}", SYNC, ADDRESS),
    (ILLEGAL, None, ADDRESS),
    ("main: unspecified launch failure", None, LAUNCH),
    ("2026/05/04 10:11:12 main.go:61: hipMalloc(68719): hipErrorOutOfMemory", "hipMalloc", MEMORY),
    ("E rocm_driver.cc:1037] could not synchronize: HIP_ERROR_IllegalAddress", None, ADDRESS),
    (
        f"HIP_CHECK(hipMemcpyAsync(d, h, hipGetN(x), s)) failed: {ILLEGAL}",
        "hipMemcpyAsync",
        ADDRESS,
    ),
    ("ROCm: cudaMalloc failed: out of memory", "cudaMalloc", MEMORY),
    # A number behind a call, where words near it say that it is an error's.
    ("hipMemcpyDtoHAsync(): 719\n\nStopped: Tue", "hipMemcpyDtoHAsync", LAUNCH),
    (
        "hipMemcpyDtoHAsync(): 719\nno job left\nerror: device 1 is lost",
        "hipMemcpyDtoHAsync",
        LAUNCH,
    ),
    ("HIP backend failed\nhipMemcpyDtoHAsync(): 719", "hipMemcpyDtoHAsync", LAUNCH),
    ("[ERROR] hipFree(): 700\n[ERROR] hipMemcpy(): 700", "hipFree", ADDRESS),
    ("no node was added to the graph, error: hipError_t(9)", None, CONFIGURATION),
    (
        "Error: Illegal address in hipMemcpyDtoH(a, b, n) (dev.cpp:66)",
        "hipMemcpyDtoH",
        ADDRESS,
    ),
    ("Illegal address in HIP queue copy_from_device (shade)", None, ADDRESS),
    ("F a.h:174] Check failed: e == hipSuccess (700 vs. 0)", None, ADDRESS),
    (
        "RuntimeError: CUDA failed with error no ROCm-capable device is detected",
        None,
        "hipErrorNoDevice",
    ),
    ("from hip_queue.cpp:349: no memcpy was made (error code = HIP:1)", None, VALUE),
    # What is caught unhandled or as a signal is not handled, nor is what only a path says.
    ("hipFree() failed: invalid argument\nThe queue caught unhandled errors", "hipFree", VALUE),
    ("hipMalloc failed: out of memory\nn1: Caught signal 11", "hipMalloc", MEMORY),
    ("hipFree failed: invalid argument\n/opt/a-fallback/run[0x16]", "hipFree", VALUE),
    # The words of an error are not a sentence before its name.
    (
        "[hiperror](209) fail to call hipModuleLoadData(&m, b) no kernel image is available for "
        "execution on the device hipErrorNoBinaryForGpu",
        "hipModuleLoadData",
        "hipErrorNoBinaryForGpu",
    ),
    # What programs print where an exception of Elixir ends them, and a clause in the middle.
    (f"** (RuntimeError) could not allocate 8 bytes: {MEMORY}", None, MEMORY),
    (f"Error. When it was loading: hipMemcpy: {VALUE}", "hipMemcpy", VALUE),
    # In other languages.
    (f"Error de HIP en {SYNC}: {ILLEGAL} (kernel.cpp:31)", SYNC, ADDRESS),
    (f"Fehler: hipDeviceSynchronize() lieferte {ADDRESS}", "hipDeviceSynchronize", ADDRESS),
    (f"Ошибка HIP 700: {ILLEGAL} (main.cpp:31)", None, ADDRESS),
    (f"hipMemcpyが失敗しました: {VALUE}", "hipMemcpy", VALUE),
    (f"Falha em {SYNC}: {ADDRESS}", SYNC, ADDRESS),
    (f"错误\uff1ahipMemcpy 失败\uff0c错误码 700 ({ADDRESS})", "hipMemcpy", ADDRESS),
    (f"FEHLER: hipMalloc ({MEMORY}): kein Speicher mehr frei", "hipMalloc", MEMORY),
    (f"错误: hipMalloc 失败 ({MEMORY}) 没有足够的显存", "hipMalloc", MEMORY),
    # A name in quotation marks is nobody's words.
    (f'Err(HipError {{ call: "{SYNC}", message: "{ILLEGAL}" }})', SYNC, ADDRESS),
    # What an exception is printed with are not somebody else's words.
    (f"Exception: \"RuntimeError('HIP error: {ILLEGAL}')\"", None, ADDRESS),
    ("std::runtime_error: \"hipFree failed with 'invalid argument'\"", "hipFree", VALUE),
    ("hipStreamIsCapturing(s) failed: status=1", "hipStreamIsCapturing", VALUE),
    ("ERROR: hipDeviceGetAttribute returned 101", "hipDeviceGetAttribute", "hipErrorInvalidDevice"),
    # Over several lines.
    (f"HIP call failed: hipFree(ev)\n  reason: {ILLEGAL} (700)", "hipFree", ADDRESS),
    (f"HIP error: (hipFree(0)) failed with error:\n --> {ILLEGAL} [a.cpp]", "hipFree", ADDRESS),
    (f"0: hipMemcpyDtoH failed\n1: {ILLEGAL}", "hipMemcpyDtoH", ADDRESS),
    (
        "a.cc:8: FAILED:\n  REQUIRE( hipFree(a) == hipSuccess )\nwith expansion:\n  700 == 0",
        "hipFree",
        ADDRESS,
    ),
    (
        "2026-09-16T04:30:59.38Z a.cc:8: FAILED:\n"
        "2026-09-16T04:30:59.38Z   REQUIRE( hipFree(a) == hipSuccess )\n"
        "2026-09-16T04:30:59.38Z with expansion:\n2026-09-16T04:30:59.38Z   700 == 0",
        "hipFree",
        ADDRESS,
    ),
    (
        "a.cc:8: ERROR: REQUIRE( hipFree(a) == hipSuccess ) is NOT correct!\n"
        "  values: REQUIRE( 700 == 0 )",
        "hipFree",
        ADDRESS,
    ),
    (
        "[1,3]<stderr>: Value of: hipFree(a)\n[1,3]<stderr>:   Actual: 719",
        "hipFree",
        LAUNCH,
    ),
    (
        f"Expected equality of these values:\n  {SYNC}(s)\n    Which is: 719\n  hipSuccess",
        SYNC,
        LAUNCH,
    ),
    (f"Value of: {SYNC}(s)\n  Actual: 719\nExpected: hipSuccess", SYNC, LAUNCH),
]


@pytest.mark.parametrize(("text", "call", "error"), FAILED)
def test_an_error_is_read_in_any_words(logs: Logs, text: str, call: str | None, error: str) -> None:
    verdict = judged(logs, f"start\n{text}\n")
    assert (verdict["verdict"], verdict["cause"]) == ("REPRODUCED", None)
    assert (verdict["blamed"]["call"], verdict["blamed"]["error"]) == (call, error)


NOT_FAILED = [
    # Counted, expected, looked for, explained.
    f"errors: 0 ({ADDRESS}: 0, {MEMORY}: 0)",
    f"{ADDRESS} count: 0",
    f'hip_errors_total{{name="{MEMORY}"}} 3',
    f"enum test: {ADDRESS} -> '{ILLEGAL}'",
    f"REQUIRE( hipMalloc(nullptr, 4) == {VALUE} )",
    f"hipMemcpy(nullptr, d, 4) returned {VALUE} (expected)",
    f"tests/test_e.py::test_message[HIP error: {ILLEGAL}] PASSED",
    f"  \u2713 throws HIP error: {ILLEGAL} (1 ms)",
    "tests/test_big.py::test_64gb XFAIL (RuntimeError: HIP out of memory)",
    f"memcheck: no {ILLEGAL.removeprefix('an ')}",
    "hipGetDeviceCount returned 1",
    f"{ADDRESS} no se produjo en 50 errores",
    f"Fehler: kein {ADDRESS} aufgetreten",
    f"Falls {MEMORY} als Fehler auftritt, bitte warten",
    f"错误: 未发生 {ADDRESS}",
    f"エラー: {MEMORY} が発生した場合は待ってください",
    f"エラーは発生しませんでした ({ADDRESS})",
    # Listed: as settings, in a table, by the help of a program. "verringern" is no error.
    f"[--on-error {{{ADDRESS},{MEMORY}}}]",
    f"  --abort-on-fault   abort instead of returning {ADDRESS}",
    f"  -r, --retries N    tries again; fails with {ADDRESS} in the end",
    f"FATAL_ERRORS={ADDRESS},{LAUNCH}",
    f'fatal_error = "{LAUNCH}"',
    f"1\tgpu1\tfail\t{ADDRESS}",
    f" 719  {LAUNCH}    unspecified launch failure",
    f"{MEMORY}: Stapel verringern",
    # Values, not errors: of an attribute, of a state.
    "hipDeviceGetAttribute returned 304",
    "hipStreamIsCapturing(s): status=1",
    "hipOccupancyMaxPotentialBlockSize: code 700",
    *("hipGetDeviceCount(): 100", "hipDeviceGetAttribute(): 304", "hipMemcpy(): 512"),
    *("hipFree(): 201", "hipGraphLaunch(): 999", "called hipMemcpyAsync(): 304"),
    *("hipFree(): 201\n0 errors", "hipFree(): 201\nfailed: 0", "hipFree(): 700\nno test failed"),
    "Calls made per second\nhipMalloc(): 201\nhipMemcpy(): 700\nall tests passed",
    "HIP error counts\nhipMalloc(): 201\nhipMemcpy(): 700\nhipFree(): 3\nstopped",
    "hipPeekAtLastError(): 700\nstopped the clock",
    "hipMalloc(): 201" + "\nstep" * 5 + "\nstopped",
    "bandwidth: hipError_t(0)",
    "a.cc:8: ERROR: REQUIRE( count == 3 ) is NOT correct!\n  values: REQUIRE( 700 == 3 )",
    "a.cc:8: SUCCESS: REQUIRE( hipFree(a) == hipSuccess ) is correct!\n  values: REQUIRE( 0 == 0 )",
    *("F a.h:174] Check: e == hipSuccess (0 vs. 0)", "hip_queue: done (error code = HIP:0)"),
    "Illegal address in the request of hip-hop.example",
    f"hipGetErrorString(700) = {ILLEGAL}",
    # The program goes on without.
    "hipStreamQuery: hipErrorNotReady, polling",
    "[warn] hipMallocAsync: operation not supported; falling back to hipMalloc",
    "WARN hipMalloc: out of memory (40.0 GiB), trying 20 GiB",
    "WARN hipHostRegister: part or all of the requested memory range is already mapped",
    "[info] hipGetLastError cleared a previous error: invalid argument",
    "triton_mm_9 failed to run: HIP error: invalid argument. Ignoring this choice.",
    "I rocm_driver.cc:613] failed to allocate 14 GiB: HIP_ERROR_OutOfMemory",
    "ggml_cuda_init: failed to initialize ROCm: no ROCm-capable device is detected",
    "rocBLAS warning: hipBlasLT failed, falling back to tensile.",
    "gemm 81 failed: HIPBLAS_STATUS_NOT_SUPPORTED, skipping",
    "WARN: hipMemAdvise failed",
    "GPU0: hipDeviceEnablePeerAccess: hipErrorPeerAccessUnsupported, using staging",
    "hipMalloc failed: out of memory\nfreeing cached blocks and retrying",
    "hipMalloc failed: out of memory\ncaught it; using the fallback",
    "looking for calls such as hiprtcLinkComplete() failed",
    "rocBLAS error: the log level is 2",
    "internal error - please report this issue to the developers of the shop",
    "torch.OutOfMemoryError: HIP out of memory.\nretrying with half the batch",
    "hipHostRegister failed\nfalling back to pageable memory",
    "hipMalloc failed\n  out of memory, trying 20 GiB",
    "hipMemcpyAsync failed\nhipStreamSynchronize failed\nignoring it",
    # A compiler, a program's source, a table, a comment.
    f"a.cpp:9:1: error: '{ADDRESS}' was not declared in this scope",
    f'a.cpp:9:  return "{ILLEGAL}";',
    f"tests/t.cpp:12: EXPECT_EQ({ADDRESS}, run());",
    f'src/errors.c:12:  {{700, "{ADDRESS}"}},',
    f"INSERT INTO errors VALUES (700, '{ADDRESS}', '{ILLEGAL}');",  # noqa: S608 - a line of a log
    "make: *** [Makefile:4: hip_rope] Error 1",
    f'  {{ code = 700, name = "{ADDRESS}", text = "error" }},',
    f"// hipMemcpy failed: {ILLEGAL}",
    f"12\tHIP error: {ILLEGAL} in rope\topen",
    f"< RuntimeError: HIP error: {ILLEGAL}",
    # Somebody writes of it.
    f"The call that returns `{ADDRESS}` is rarely the one that made it.",
    f'El error original "hipMemcpy D2H failed: {ILLEGAL}',
    f"A: A kernel left its memory. See also: HIP error: {ILLEGAL}",
    f"a.py:10: UserWarning: HIP error: {ILLEGAL} can be raised here if shapes differ",
    f"It is checked. When {SYNC} returns {ADDRESS} the device is lost",
    f"Once hipMemcpy failed with {ADDRESS} nothing helps",
    f"** hipMemcpy failed: {VALUE} **".replace("** ", "**"),
    f"Si aparece HIP error: {ILLEGAL}, pruebe otra vez.",
    f"HIP error: {ILLEGAL}, and the team looked for it in the logs of a week. It was the cable.",
    # Not HIP's.
    "error: invalid argument",
    "open: file not found (hipster.txt)",
]


@pytest.mark.parametrize("text", NOT_FAILED)
def test_a_line_that_states_no_failure_is_none(logs: Logs, text: str) -> None:
    with pytest.raises(UsageError, match="no line is of a kind"):
        gather(logs.write(f"start\n{text}\nend\n"))


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("hipFFT error: HIPFFT_EXEC_FAILED at fft.cpp:120", "HIPFFT_EXEC_FAILED"),
        ("rocFFT error 1: rocfft_status_failure in fft.cpp:77", "rocfft_status_failure"),
        (
            "Expected rocsparse_status_success, received rocsparse_status_invalid_pointer",
            "rocsparse_status_invalid_pointer",
        ),
        ("plan: HIPFFT_INVALID_PLAN", "HIPFFT_INVALID_PLAN"),
        ("gather on ROCm: ncclUnhandledCudaError: a call failed", "ncclUnhandledCudaError"),
        ("gather on ROCm: ncclSystemError", "ncclSystemError"),
        ("RCCL call failed with ncclInvalidUsage at a.cpp:9", "ncclInvalidUsage"),
        (
            "n1: RCCL failure a.cpp:91 'unhandled cuda error (run with NCCL_DEBUG=INFO for more)'",
            "unhandled cuda error",
        ),
        (
            "n1: Test failure a.cu:5 'internal error - please report this issue to the NCCL "
            "developers'",
            "internal error",
        ),
        (
            "rocBLAS error: Could not initialize Tensile host: none",
            "Could not initialize Tensile host",
        ),
        (
            "rocBLAS error: Cannot read /l/TensileLibrary.dat: no file for GPU arch : gfx906",
            "Cannot read /l/TensileLibrary.dat",
        ),
        ("terminate called after throwing an instance of 'ihipException'", "ihipException"),
        ("terminate called after throwing an instance of 'sim::HipError'", "sim::HipError"),
        ("a.cu:9: ROCm error", "ROCm error"),
        (
            "ROCm error: CUBLAS_STATUS_INTERNAL_ERROR\n"
            "  current device: 0, in function mul at a.cu:9\n  hipblasGemmEx(h, n)",
            "CUBLAS_STATUS_INTERNAL_ERROR",
        ),
        (
            "ROCm error: the moon is full\n  current device: 0, in function mul at a.cu:9",
            "the moon is full",
        ),
        ("RuntimeError: miopenStatusUnknownError", "miopenStatusUnknownError"),
        ("hiprtcCompileProgram failed: HIPRTC_ERROR_COMPILATION", "HIPRTC_ERROR_COMPILATION"),
        (
            "AMDGPU error: Error in hsa_memory_allocate: HSA_STATUS_ERROR_OUT_OF_RESOURCES",
            "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
        ),
    ],
)
def test_a_status_of_a_library_is_told_by_its_name(logs: Logs, line: str, status: str) -> None:
    verdict = judged(logs, f"{line}\n")
    assert (verdict["reason_code"], verdict["blamed"]["error"]) == ("verdict_error_logged", status)


@pytest.mark.parametrize(
    "line",
    [
        *("rocrand_status_success", "HIPFFT_SUCCESS", "HSA_STATUS_SUCCESS"),
        *("HIPFFT_ROOT=/opt/rocm", "HIPFFT_LIBRARY: /opt/rocm/lib/libhipfft.so", "HIPFFT_C2R"),
        *("see ncclInternalError in the docs.", "ncclInvalidUsage is not used here"),
        *(
            "\n  ncclInvalidUsage = 5,",
            "\nncclSystemError: 2",
            "\n  ncclInternalError = 3, // failed",
        ),
        *("ncclSuccess", "unhandled cuda errors: 0", "ROCm errors"),
        "terminate called after throwing an instance of 'shop::Error'",
        *("rocblas_status_to_string", "rocblas_status_continue", "rocblas_status_size_unchanged"),
    ],
)
def test_other_names_of_a_library_are_no_failure(logs: Logs, line: str) -> None:
    with pytest.raises(UsageError):
        gather(logs.write(f"init: {line}\n"))


@pytest.mark.parametrize(
    ("before", "code"), [("", "ihipException"), (f"hipFree failed: {VALUE}\n", VALUE)]
)
def test_an_exception_is_told_where_no_error_is(logs: Logs, before: str, code: str) -> None:
    thrown = "terminate called after throwing an instance of 'ihipException'\n"
    assert judged(logs, before + thrown)["blamed"]["error"] == code


ASSERTED = "a.out: a.cpp:55: int main(): Assertion `hipFree(h) == hipSuccess' failed.\nAborted\n"


def test_a_compiler_call_can_fail_as_well(logs: Logs) -> None:
    verdict = judged(logs, "0: to code: hiprtcLinkComplete() failed. A variable may tell more.\n")
    assert blamed(verdict) == ("hiprtcLinkComplete", 1)


def test_a_call_that_failed_with_an_error_that_nobody_says(logs: Logs) -> None:
    verdict = judged(logs, ASSERTED)
    assert (verdict["verdict"], verdict["reason_code"]) == ("REPRODUCED", "verdict_failure_logged")
    assert (blamed(verdict), verdict["blamed"]["error"]) == (("hipFree", 1), None)


@pytest.mark.parametrize(
    "text",
    [
        ASSERTED.replace("hipSuccess", "hipErrorInvalidValue"),
        ASSERTED.replace("hipFree(h)", "n"),
        "if hipFree failed, the pool is empty\n",
        "hipFree failed 0 times: retrying is off\n",
    ],
)
def test_a_check_of_something_else_says_nothing_of_a_call(logs: Logs, text: str) -> None:
    with pytest.raises(UsageError):
        gather(logs.write(text))


def test_an_error_told_elsewhere_is_better_than_one_that_is_not(logs: Logs) -> None:
    steps = "step\n" * 9
    verdict = judged(logs, f"hipFree failed\n{steps}{SYNC}: {ILLEGAL}\n")
    assert blamed(verdict) == (SYNC, 11)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (f"hipMemcpyAsync failed\n{SYNC} failed\n", ("hipMemcpyAsync", 1)),
        (f"[rank0]: hipMemcpyAsync failed\n[rank1]: {SYNC} failed\n", ("hipMemcpyAsync", 1)),
        # The one whose error is told is the one below which it is told.
        (f"hipMemcpyAsync failed\n{SYNC} failed\n  reason: {ILLEGAL}\n", (SYNC, 2)),
    ],
)
def test_of_calls_that_failed_the_first_is_blamed(
    logs: Logs, text: str, call: tuple[str, int]
) -> None:
    assert blamed(judged(logs, text)) == call


@pytest.mark.parametrize(
    "below",
    [
        "step 3",
        "Fatal: aborting instead of continuing",
        "step\nstep\nstep\nstep\nstep\nfalling back to the CPU",
    ],
)
def test_a_failure_that_nobody_does_without_is_one(logs: Logs, below: str) -> None:
    verdict = judged(logs, f"hipHostRegister failed\n{below}\n")
    assert (verdict["reason_code"], blamed(verdict)) == (
        "verdict_failure_logged",
        ("hipHostRegister", 1),
    )


@pytest.mark.parametrize(
    "text",
    [
        "hipMalloc failed: out of memory\nexiting\nignoring pending requests\n",
        f"hipFree failed: {ILLEGAL}\nretrying\n",
        "hipMalloc failed: out of memory\nretrying\nhipMalloc failed: out of memory\n",
    ],
)
def test_a_program_does_not_do_without_what_it_ends_with(logs: Logs, text: str) -> None:
    assert judged(logs, text)["verdict"] == "REPRODUCED"


def test_another_rank_does_without_what_failed_for_itself(logs: Logs) -> None:
    failed, goes_on = "[rank{}]: hipHostRegister failed\n", "[rank0]: falling back\n"
    assert judged(logs, failed.format(1) + goes_on)["blamed"]["rank"] == 1
    with pytest.raises(UsageError):
        gather(logs.write(failed.format(0) + goes_on))


GOOGLE = "[ RUN      ] Copy.Null\nhipMemcpy failed: invalid argument\n{0} Copy.Null (0 ms)\n"
PYTEST = "===== {0} =====\n___ test_n ___\nhipMemcpy failed: invalid argument\n==== 1 x ====\n"


@pytest.mark.parametrize("text", [GOOGLE.format("[  FAILED  ]"), PYTEST.format("FAILURES")])
def test_what_a_test_printed_that_failed_is_a_failure(logs: Logs, text: str) -> None:
    assert judged(logs, text)["blamed"]["call"] == "hipMemcpy"


@pytest.mark.parametrize("text", [GOOGLE.format("[       OK ]"), PYTEST.format("PASSES")])
def test_what_a_test_printed_that_passed_is_none(logs: Logs, text: str) -> None:
    with pytest.raises(UsageError):
        gather(logs.write(text))


CTEST = (
    "    Start 1: null\n    Start 2: twice\n1: hipMemcpy failed: invalid argument\n"
    "2: {0}\n1/2 Test #1: null ......   Passed    0.11 sec\n"
    "2/2 Test #2: twice .....***Failed    0.12 sec\n"
)


def test_a_test_of_ctest_speaks_for_its_own_lines(logs: Logs) -> None:
    failed = judged(logs, CTEST.format("hipFree failed: invalid argument"))
    assert blamed(failed) == ("hipFree", 4)
    with pytest.raises(UsageError):
        gather(logs.write(CTEST.format("expected 3, got 4")))


GO = (
    "=== RUN   TestCopy\n=== RUN   TestCopy/null\n    a_test.go:9: hipMemcpy: invalid argument\n"
    "=== RUN   TestCopy/twice\n    a_test.go:9: {0}\n--- FAIL: TestCopy (0.01s)\n"
    "    --- PASS: TestCopy/null (0.00s)\n    --- FAIL: TestCopy/twice (0.01s)\nFAIL\n"
)


def test_a_test_of_go_speaks_for_its_own_lines(logs: Logs) -> None:
    failed = judged(logs, GO.format("hipFree: invalid argument"))
    assert blamed(failed) == ("hipFree", 5)
    with pytest.raises(UsageError):
        gather(logs.write(GO.format("3 bytes, not 4")))
    ended = GO.format("3 bytes, not 4").replace("PASS", "FAIL")
    assert blamed(judged(logs, ended)) == ("hipMemcpy", 3)
    behind = f"{GO.format('3 bytes')}hipHostFree failed: invalid argument\n"
    assert blamed(judged(logs, behind)) == ("hipHostFree", 10)


@pytest.mark.parametrize("kind", ["testFailed", "buildProblem"])
def test_what_teamcity_is_told_of_a_failure_is_no_quotation(logs: Logs, kind: str) -> None:
    told = "##teamcity[{0} name='a' {1}='HIP error: " + ILLEGAL + "']\n"
    assert judged(logs, told.format(kind, "message"))["blamed"]["error"] == ADDRESS
    with pytest.raises(UsageError):
        gather(logs.write(told.format("testStarted", "about")))


PANIC = "thread '{0}' panicked at src/lib.rs:4:9:\n{1} failed: hipErrorInvalidValue\n"
NOTE = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
RUST = (
    f"running 2 tests\n{PANIC.format('t::null', 'hipMemcpy')}{NOTE}"
    "{0}test t::null - should panic ... ok\ntest t::twice ... FAILED\n"
    "test result: FAILED. 1 passed; 1 failed\n"
)


def test_a_test_of_rust_speaks_for_its_own_panic(logs: Logs) -> None:
    with pytest.raises(UsageError):
        gather(logs.write(RUST.format("")))
    assert blamed(judged(logs, RUST.format(PANIC.format("t::twice", "hipFree")))) == ("hipFree", 6)
    ended = RUST.format("").replace("panic ... ok", "panic ... FAILED")
    assert blamed(judged(logs, ended)) == ("hipMemcpy", 3)
    beside = RUST.format("hipFree failed: hipErrorInvalidValue\n")
    assert blamed(judged(logs, beside)) == ("hipFree", 5)


def test_the_next_program_may_have_a_test_of_the_same_name(logs: Logs) -> None:
    first = f"{PANIC.format('t::null', 'hipMemcpy')}{NOTE}test result: FAILED. 0 passed; 1 failed\n"
    second = "running 1 test\ntest t::null ... ok\ntest result: ok. 1 passed; 0 failed\n"
    assert blamed(judged(logs, first + second)) == ("hipMemcpy", 2)


@pytest.mark.parametrize(
    "text",
    [
        # The name is there first where tests run one by one, and what is printed is shown.
        "test t::null - should panic ... {0}\nok\n{1}",
        "test_null (tests.Copy) ... {0}\nok\n{1}",
        "running 1 test\ntest t::null ... ok\n\nsuccesses:\n\n---- t::null stdout ----\n{0}\n\n"
        "successes:\n    t::null\n\ntest result: ok. 1 passed\n{1}",
        "Randomness seeded to: 7\n{0}\nAll tests passed (12 assertions in 3 test cases)\n{1}",
    ],
)
def test_what_is_printed_while_a_test_passes_is_no_failure(logs: Logs, text: str) -> None:
    failed = "hipMemcpy failed: hipErrorInvalidValue"
    with pytest.raises(UsageError):
        gather(logs.write(text.format(failed, "")))
    behind = judged(logs, text.format(failed, "hipFree failed: hipErrorInvalidValue\n"))
    assert behind["blamed"]["call"] == "hipFree"


@pytest.mark.parametrize(
    "text",
    [
        "test t::null ... {0}\nFAILED\nok\n",
        "test_null (tests.Copy) ... {0}\nERROR\ntest_two (tests.Copy) ... ok\n",
        "running 1 test\n\nfailures:\n\n---- t::null stdout ----\n{0}\n\nfailures:\n    t::null\n",
        "loading ... {0}\nok\n",
        "{0}\nRandomness seeded to: 7\nAll tests passed (12 assertions in 3 test cases)\n",
        "Randomness seeded to: 7\n{0}\ntest cases: 3 | 2 passed | 1 failed\n",
    ],
)
def test_what_is_printed_while_no_test_passes_is_a_failure(logs: Logs, text: str) -> None:
    failed = judged(logs, text.format("hipMemcpy failed: hipErrorInvalidValue"))
    assert failed["blamed"]["call"] == "hipMemcpy"


RANKS = (
    "[rank0]: [ RUN      ] Copy.Null\n[rank1]: [ RUN      ] Copy.Null\n"
    "[rank{0}]: {1}: invalid argument\n[rank0]: [       OK ] Copy.Null (0 ms)\n"
)


@pytest.mark.parametrize("words", ["hipMemcpy failed", "error in hipMemcpy"])
def test_a_test_that_passed_speaks_for_its_own_rank(logs: Logs, words: str) -> None:
    assert judged(logs, RANKS.format(1, words))["blamed"]["call"] == "hipMemcpy"
    with pytest.raises(UsageError):
        gather(logs.write(RANKS.format(0, words)))


CAPTURED = (
    "===== PASSES =====\n[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n"
    "hipMemcpy failed: invalid argument\n==== 1 passed ====\n"
)


def test_a_test_within_what_another_has_captured(logs: Logs) -> None:
    with pytest.raises(UsageError):
        gather(logs.write(CAPTURED))
    behind = judged(logs, f"{CAPTURED}hipFree failed: invalid argument\n")
    assert blamed(behind) == ("hipFree", 6)


FAULT = "Memory access fault by GPU node-7 (Agent handle: 0x1f4) on address 0x15270a800000. R"
TORCH = f"RuntimeError: HIP error: {ILLEGAL}"


@pytest.mark.parametrize(
    ("text", "rank", "pid"),
    [
        (f"0: up\n3: up\n3: {FAULT}\nsrun: error: n1: task 3: Aborted\n", 3, None),
        (f" 0: up\n12: up\n12: {TORCH}\n", 12, None),
        (f"(VllmWorker rank=1 pid=51) {TORCH}\n", 1, 51),
        (f"[default3]:{TORCH}\n", 3, None),
        (f"[2]PETSC ERROR: hip error 700 ({ADDRESS}) : {ILLEGAL}\n", 2, None),
        (f"ERROR on proc 1: HIP error: {ILLEGAL} (a.cpp:2)\n", 1, None),
        # Numbers of tests are not ranks, nor are those of lines.
        (f"test 1\n    Start 1: a\n1: up\n1: on\n2: up\n2: {TORCH}\n", None, None),
        (f"1: Test command: /b/a\n1: up\n2: up\n2: {TORCH}\n", None, None),
        (f"UpdateCTestConfiguration  from :/b\n1: up\n1: on\n2: {TORCH}\n", None, None),
        (f"1: up\n1: on\n2: {TORCH}\n", 2, None),
        (f"1: up\n2: up\n3: {FAULT}\n", None, None),
    ],
)
def test_the_task_that_a_launcher_names(
    logs: Logs, text: str, rank: int | None, pid: int | None
) -> None:
    found = judged(logs, text)["blamed"]
    assert (found.get("rank"), found.get("pid")) == (rank, pid)


ASSERTION = "a.hip:12: void f(int): Device-side assertion `n < 4' failed.\n"


@pytest.mark.parametrize("text", [ASSERTION, ":0: : Device-side assertion `of bounds' failed.\n"])
def test_an_assertion_that_failed_is_a_failure_by_itself(logs: Logs, text: str) -> None:
    verdict = judged(logs, text)
    assert (verdict["verdict"], verdict["cause"]) == ("REPRODUCED", None)
    assert verdict["blamed"]["error"].startswith("Device-side assertion `")
    queue = "Callback: Queue 0x15 aborting with error : HSA_STATUS_ERROR_EXCEPTION: code: 0x1016\n"
    error = judged(logs, text + queue)["blamed"]["error"]
    assert error.startswith("HSA_STATUS_ERROR_EXCEPTION")
    assert error.endswith("failed")


@pytest.mark.parametrize("prefix", ["", "[rank0]: ", "Nov 18 02:18:05 box app[9]: ", "app-1  | "])
def test_the_file_of_an_assertion_has_no_prefix_in_it(logs: Logs, prefix: str) -> None:
    (message,) = logs.one(prefix + ASSERTION).messages
    assert (message.where.file, message.where.line) == ("a.hip", 12)
    assert message.where.function == "void f(int)"


PAGE_FAULT = """\
amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:3 pasid:32770)
amdgpu 0000:03:00.0: amdgpu:  Process gnome-shell pid 2001 thread gnome-shel:cs0 pid 2022
"""


def test_a_report_that_names_a_process_is_told_with_it(logs: Logs) -> None:
    """It may be another program's fault."""
    assert judged(logs, PAGE_FAULT)["blamed"]["pid"] == 2001


@pytest.mark.parametrize(
    ("line", "fails"),
    [
        ('{"level":"error","fields":{"message":"Server error: HIP error: ILL"}}', True),
        ('{"level":50,"err":{"message":"hipFree failed: ILL"},"msg":"request failed"}', True),
        ('{"level":"fatal","msg":"sync","error":"hipFree: hipErrorIllegalAddress"}', True),
        ('{"log.level":"error","message":"no","error.message":"HIP error: ILL"}', True),
        ('{"SeverityText":"ERROR","Body":"hipFree failed: ILL"}', True),
        ('{"level":"debug","msg":"probe","error":"hipErrorInvalidDevice"}', False),
        ('{"level":"warn","msg":"no peers","error":"hipErrorPeerAccessUnsupported"}', False),
        ('{"severity":"INFO","message":"peer","error":"PEER"}', False),
        ('{"severity":"ERROR","message":"peer","error":"PEER"}', True),
        ('{"levelname":"WARNING","message":"peer","error":"PEER"}', False),
        ('{"levelname":"CRITICAL","message":"peer","error":"PEER"}', True),
        ('{"SeverityText":"Information","Body":"peer","error":"PEER"}', False),
        ('{"log":{"level":"notice"},"message":"peer","error":"PEER"}', False),
        ('{"log":{"level":"crit"},"message":"peer","error":"PEER"}', True),
        ('{"level":30,"msg":"using pageable memory instead","err":"PEER"}', False),
        ('{"level":40,"msg":"peer","err":"PEER"}', False),
        ('{"level":50,"msg":"using pageable memory","err":"PEER"}', True),
        ('{"level":50,"levelname":"INFO","msg":"peer","err":"PEER"}', False),
        ('{"level":3,"msg":"peer","err":"PEER"}', False),
        ('{"msg":"peer","error":"PEER"}', False),
        ('{"msg":"peer","error":"hipFree failed: PEER"}', True),
        ('{"id":7,"Body":"hipFree failed: ILL"}', False),
        ('{"event":"line","data":"[rank3]: hipFree failed: ILL\\n","pipe":"stderr"}', True),
        ('{"event":"line","data":"[rank3]: hipFree failed: ILL\\n","of":"a book"}', False),
        ('{"rules":{"message":"HIP error: ILL"}}', False),
    ],
)
def test_fields_of_loggers_that_write_json(logs: Logs, line: str, fails: bool) -> None:
    named = line.replace("PEER", "hipErrorPeerAccessAlreadyEnabled")
    path = logs.write(f"{named.replace('ILL', ILLEGAL)}\n")
    if fails:
        assert gather(path)
    else:
        with pytest.raises(UsageError):
            gather(path)
