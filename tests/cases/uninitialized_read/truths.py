"""Bytes that are used although nothing wrote them."""

from dataclasses import replace

from tests.cases.truth import (
    IN_PLACE,
    KERNEL_REACH,
    UNWRITTEN,
    UNWRITTEN_READ,
    Case,
    Doubt,
    Step,
)

ID = "uninitialized_read"


def fresh(
    program: str, cause: Step, buffer: Step, variant: str = "fresh", by_kernel: bool = False
) -> Case:
    """`cause` reads what nobody wrote; no call fails. Of kernels only footprints show it."""
    return Case(
        ID,
        program,
        arguments=(variant,),
        label=f"{variant}, footprints" if by_kernel else variant,
        fires=True,
        cause=cause,
        buffer=buffer,
        footprints=True if by_kernel else None,
    )


def written(program: str) -> Case:
    """The same with something in it."""
    return Case(ID, program, label="right", footprints=True)


def not_seen(program: str, variant: str) -> Case:
    """A kernel's reads without footprints."""
    return Case(
        ID,
        program,
        arguments=(variant,),
        label=f"{variant}, no footprints",
        faulty=variant != "right",
        outcome="INCONCLUSIVE",
        limits=((ID, KERNEL_REACH),),
        footprints=False,
    )


MEMCPY, FIRST = Step("hipMemcpy"), Step("hipMalloc")

CASES = [
    fresh("fresh_download.cpp", MEMCPY, FIRST),
    written("fresh_download.cpp"),
    Case(
        ID,
        "half_filled.py",
        arguments=("whole",),
        label="whole",
        faulty=True,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(UNWRITTEN, (Step("hipMemcpy", 2),)),),
    ),
    written("half_filled.py"),
    fresh("pool_block.cpp", Step("hipMemcpyAsync", 2), Step("hipMallocAsync", 2)),
    written("pool_block.cpp"),
    fresh("copied_on.cpp", MEMCPY, FIRST),
    written("copied_on.cpp"),
    # Of bytes that a launch reads and writes the device does not note which came first.
    replace(
        not_seen("sum_of_fresh.cpp", "fresh"),
        label="fresh, footprints",
        limits=((ID, IN_PLACE),),
        footprints=True,
    ),
    written("sum_of_fresh.cpp"),
    fresh("half_a_table.cpp", Step("gather"), FIRST, by_kernel=True),
    written("half_a_table.cpp"),
    Case(
        ID,
        "padded_rows.cpp",
        arguments=("padded",),
        label="padded, footprints",
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(UNWRITTEN_READ, (Step("sum_padded"),)),),
        footprints=True,
    ),
    written("padded_rows.cpp"),
    fresh("other_half.cpp", Step("hipMemcpy", 2), FIRST),
    written("other_half.cpp"),
    not_seen("sum_of_fresh.cpp", "fresh"),
    not_seen("sum_of_fresh.cpp", "right"),
    fresh("norm_without_weights.py", Step("rmsnorm"), Step("hipMalloc", 2), by_kernel=True),
    written("norm_without_weights.py"),
    not_seen("norm_without_weights.py", "fresh"),
]
