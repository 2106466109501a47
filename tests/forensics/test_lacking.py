"""What the simulated device could not do, and the program ignored: what comes of that is no fault.

Each has a twin whose fault does not come of it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from greta.forensics.analysis import analyze
from greta.forensics.verdict import Outcome, Verdict
from greta.forensics.verdict_json import dump_verdict, load_verdict
from greta.reports.lang import Say
from greta.trace.evidence import Evidence, Leak, Message
from greta.trace.run_facts import DeviceFacts, ExitFacts, RunFacts
from greta.trace.trace import RECORDING, Kind
from greta.typed_json import JsonField
from tests.forensics.programs import FAILED, FAULTED, Pointer, Program, past

NO_CODE: dict[str, Any] = {"failed": True, "result": 209}
NOT_SUPPORTED: dict[str, Any] = {"failed": True, "result": 801}
INVALID_HANDLE: dict[str, Any] = {"failed": True, "result": 400}
SIMULATED = RunFacts(device=DeviceFacts(kind="sim"))
OTHER_GPU = Message(
    "amd_log",
    "cannot load the code object: it holds code for gfx90a; the simulated device is a gfx942",
)
LIMIT = "verdict_simulator_other_gpu"


def verdict_on(
    program: Program,
    *names: str,
    run: RunFacts = SIMULATED,
    has: tuple[str, ...] = ("hipModuleLoad",),
    leaks: tuple[Leak, ...] = (),
) -> Verdict:
    """The calls that failed and are of no kind have these names, in their order.

    `has`: calls that the simulated device does not say it lacks.
    """
    said = [Message("simulator", "", call=name) for name in names if name not in has]
    trace = program.build()
    operations = trace.operations.copy()
    others = (operations["kind"] == Kind.OTHER) & operations["failed"]
    for row, name in zip(others.nonzero()[0].tolist(), names, strict=False):
        operations["call"][row] = len(trace.calls) + names.index(name)
    trace = replace(trace, operations=operations, calls=(*trace.calls, *names), source=RECORDING)
    return analyze([Evidence(trace, messages=(OTHER_GPU, *said), run=run, leaks=leaks)])


def reason_of(verdict: Verdict) -> str:
    assert verdict.reason
    return verdict.reason.code


def refuted(verdict: Verdict) -> list[str]:
    return [one.hypothesis for one in verdict.rulings if one.outcome is Outcome.REFUTED]


def test_memory_that_a_kernel_did_not_write_for_it_is_no_fault() -> None:
    program = Program()
    x = program.allocate(64)
    lost = program.kernel("fill", x, **NO_CODE)
    program.d2h(x[:])
    verdict = verdict_on(program)
    assert (verdict.word, reason_of(verdict)) == ("INCONCLUSIVE", LIMIT)
    assert (verdict.confirmed, verdict.doubts, refuted(verdict)) == ((), (), [])
    assert verdict.blamed is not None
    assert verdict.blamed.seq == lost + 1


def test_memory_that_nothing_had_written_before_it_is() -> None:
    program = Program()
    x, y = program.allocate(64), program.allocate(64)
    program.d2h(x[:])
    program.kernel("fill", y, **NO_CODE)
    verdict = verdict_on(program)
    assert verdict.confirmed == ("uninitialized_read",)
    assert refuted(verdict) == []


def test_on_a_gpu_a_launch_that_finds_no_code_is_a_failure_like_any_other() -> None:
    program = Program()
    x = program.allocate(64)
    program.kernel("fill", x, **NO_CODE)
    program.d2h(x[:])
    run = RunFacts(device=DeviceFacts(kind="hip"))
    assert verdict_on(program, run=run).confirmed == ("uninitialized_read",)


@pytest.mark.parametrize("looks", [False, True])
def test_what_the_host_asks_before_it_looks_at_results_it_asks_in_any_case(looks: bool) -> None:
    program = Program()
    x, count = program.allocate(64), program.allocate(4)
    program.kernel("count", count, **NO_CODE)
    if looks:
        program.d2h(count[:])
    program.d2h(past(x, 64), **FAILED)
    verdict = verdict_on(program)
    if looks:  # the size may be what it read
        assert (verdict.word, reason_of(verdict)) == ("INCONCLUSIVE", LIMIT)
        return
    assert verdict.confirmed == ("byte_size_mismatch",)
    assert verdict.cause is not None
    assert verdict.cause.hypothesis == "byte_size_mismatch"


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_kernel_may_go_astray_by_what_another_left_out(is_lost: bool) -> None:
    program = Program()
    x, places = program.allocate(64), program.allocate(64)
    program.kernel("sort", places, **(NO_CODE if is_lost else {}))
    program.kernel("gather", Pointer(x[:], reach=4096), places)
    program.d2h(x[:], **FAULTED)
    verdict = verdict_on(program)
    assert verdict.word == ("INCONCLUSIVE" if is_lost else "REPRODUCED")
    assert bool(verdict.cause) is not is_lost


def test_a_kernel_that_went_astray_before_it_did_so_by_itself() -> None:
    program = Program()
    x, y = program.allocate(64), program.allocate(64)
    program.kernel("gather", Pointer(x[:], reach=4096))
    program.kernel("fill", y, **NO_CODE)
    program.d2h(x[:], **FAULTED)
    verdict = verdict_on(program)
    assert verdict.word == "REPRODUCED"


@pytest.mark.parametrize("falls_back", [False, True])
def test_of_code_that_could_not_be_loaded_nothing_runs(falls_back: bool) -> None:
    """The call itself is one that programs try; what it left is no module."""
    program = Program()
    x = program.allocate(64)
    refused = program.call(Kind.OTHER, **NO_CODE)
    if falls_back:
        program.kernel("fill", x)
    else:
        program.call(Kind.OTHER, **INVALID_HANDLE)
        program.kernel("", x, **INVALID_HANDLE)
    program.d2h(x[:])
    verdict = verdict_on(program, "hipModuleLoad", "hipModuleGetFunction")
    if falls_back:
        assert verdict.word == "NOT_REPRODUCED"
        assert verdict.lacks == ()
        return
    assert (verdict.word, reason_of(verdict)) == ("INCONCLUSIVE", LIMIT)
    assert verdict.blamed is not None
    assert verdict.blamed.seq == refused + 1


@pytest.mark.parametrize("overrun", [False, True])
def test_a_program_that_falls_back_answers_for_what_ran(overrun: bool) -> None:
    program = Program()
    x, y = program.allocate(64), program.allocate(64)
    program.call(Kind.OTHER, **NO_CODE)
    program.d2h(x[:])
    program.kernel("fill", Pointer(y[:], reach=4096))
    program.d2h(y[:], **(FAULTED if overrun else {}))
    verdict = verdict_on(program, "hipModuleLoad")
    if overrun:
        assert verdict.confirmed == ("upstream_kernel_fault",)
        return
    assert (verdict.word, reason_of(verdict)) == ("INCONCLUSIVE", LIMIT)


@pytest.mark.parametrize(
    ("call", "word"),
    [("hipImportExternalMemory", "INCONCLUSIVE"), ("hipCtxSetCacheConfig", "REPRODUCED")],
)
def test_what_comes_of_a_call_that_it_lacks_is_no_fault_unless_nothing_can(
    call: str, word: str
) -> None:
    program = Program()
    x = program.allocate(64)
    program.call(Kind.OTHER, **NOT_SUPPORTED)
    program.d2h(x[:])
    verdict = verdict_on(program, call)
    assert verdict.word == word
    if word == "INCONCLUSIVE":
        assert reason_of(verdict) == "verdict_simulator_ignored"


def test_a_program_that_does_without_a_call_may_be_right() -> None:
    program = Program()
    x = program.allocate(64)
    program.call(Kind.OTHER, **NOT_SUPPORTED)
    program.h2d(x[:])
    program.d2h(x[:])
    assert verdict_on(program, "hipImportExternalMemory").word == "NOT_REPRODUCED"


def test_a_launch_that_its_grid_got_refused_is_no_lack() -> None:
    program = Program()
    x = program.allocate(64)
    program.kernel("fill", x, failed=True, result=9)
    program.d2h(x[:])
    verdict = verdict_on(program)
    assert verdict.word == "REPRODUCED"
    assert verdict.lacks == ()


def test_the_lack_is_in_the_verdict_and_says_for_which_gpu_the_code_is() -> None:
    program = Program()
    x = program.allocate(64)
    program.kernel("fill", x, **NO_CODE)
    program.d2h(x[:])
    verdict = verdict_on(program)
    (lack,) = verdict.lacks
    assert (lack.call, lack.is_code) == ("LAUNCH", True)
    data = dump_verdict(verdict, Say("en").of)
    again = load_verdict(data, JsonField(Path("verdict.json")))
    assert again.lacks == verdict.lacks
    assert "kernels for gfx90a" in data["reason"]
    assert "--offload-arch=gfx942" in " ".join(data["next_steps"])


LEFT = (Leak("leak", 1, "hipMalloc", 0x1000, 64),)


def test_a_leak_is_told_where_the_program_went_on_without_a_call_and_came_to_its_end() -> None:
    program = Program()
    x = program.allocate(64)
    program.call(Kind.OTHER, **NOT_SUPPORTED)
    program.h2d(x[:])
    verdict = verdict_on(program, "hipGetTextureReference", leaks=LEFT)
    assert [one.code for one in verdict.doubts] == ["leak"]
    assert verdict.word == "INCONCLUSIVE"


def test_no_leak_is_told_of_a_program_whose_kernels_did_not_run() -> None:
    program = Program()
    program.kernel("fill", program.allocate(64), **NO_CODE)
    verdict = verdict_on(program, leaks=LEFT)
    assert (verdict.doubts, reason_of(verdict)) == ((), LIMIT)


@pytest.mark.parametrize("is_ours", [False, True])
def test_what_a_call_that_it_has_refuses_is_the_programs(is_ours: bool) -> None:
    program = Program()
    program.call(Kind.OTHER, **NOT_SUPPORTED)
    run = replace(SIMULATED, exit=ExitFacts(code=1))
    verdict = verdict_on(
        program, "hipGraphClone", run=run, has=() if is_ours else ("hipGraphClone",)
    )
    assert verdict.word == ("INCONCLUSIVE" if is_ours else "REPRODUCED")


@pytest.mark.parametrize(
    ("call", "convicted"), [("hipCtxEnablePeerAccess", False), ("hipDestroyTextureObject", True)]
)
def test_what_kernels_reach_may_come_of_a_call_that_gives_access(
    call: str, convicted: bool
) -> None:
    program = Program()
    x = program.allocate(64)
    program.call(Kind.OTHER, **NOT_SUPPORTED)
    program.kernel("gather", Pointer(x[:], reach=4096))
    program.d2h(x[:], **FAULTED)
    assert bool(verdict_on(program, call).cause) is convicted
