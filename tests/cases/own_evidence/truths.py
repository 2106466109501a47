"""What the simulated device says itself: what it noticed, and what it does not support."""

from dataclasses import replace

from tests.cases.truth import SIMULATOR, Case, Step

OUTSIDE, UNWRITTEN = "upstream_kernel_fault", "uninitialized_read"


def past(program: str, cause: Step) -> Case:
    """Noticed when the buffer is freed; no call fails."""
    return Case(
        OUTSIDE,
        program,
        arguments=("past",),
        label="past",
        folder="own_evidence",
        fires=True,
        cause=cause,
        buffer=Step("hipMalloc"),
    )


def inside(program: str) -> Case:
    """To the last byte."""
    return Case(OUTSIDE, program, label="right", folder="own_evidence")


def lacking(program: str) -> Case:
    """The program is right, and cannot run here: the simulator's limit, and nobody's fault."""
    return Case(
        "",
        program,
        arguments=("needed",),
        label="needed",
        folder="own_evidence",
        faulty=False,
        verdict="INCONCLUSIVE",
        anyone=True,
    )


def ignored(footprints: bool) -> list[Case]:
    """The program goes on; but for what it did before, that is nobody's fault either."""
    label = "with footprints" if footprints else "plain"
    right = Case(
        UNWRITTEN,
        "code_ignored.cpp",
        label=label,
        folder="own_evidence",
        faulty=False,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        limits=((OUTSIDE, SIMULATOR), ("stale_handle", SIMULATOR)),
        fails=True,
        anyone=True,
        footprints=footprints,
    )
    wrong = replace(
        right,
        arguments=("wrong",),
        label=f"wrong, {label}",
        faulty=True,
        verdict="",
        fires=True,
        cause=Step("hipMemcpy"),
        buffer=Step("hipMalloc"),
        outcome="REFUTED",
        anyone=False,
    )
    return [right, wrong]


CASES = [
    past("written_past_end.cpp", Step("set")),
    inside("written_past_end.cpp"),
    past("one_of_two_writes.py", Step("write_at")),
    inside("one_of_two_writes.py"),
    lacking("call_not_supported.cpp"),
    Case("", "call_not_supported.cpp", label="right", folder="own_evidence", fails=True),
    lacking("code_of_a_gpu.cpp"),
    Case("", "code_of_a_gpu.cpp", label="right", folder="own_evidence"),
    *ignored(footprints=False),
    *ignored(footprints=True),
]
