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


def index(variant: str, cause: Step, buffer: Step) -> list[Case]:
    """What nobody wrote leads a launch astray: with footprints that is seen, without it is open."""
    seen = replace(
        fresh("index_of_nothing.cpp", cause, buffer, variant, by_kernel=True),
        fails=True,
        also=("upstream_kernel_fault",),
        confidence=(0.5, 0.6),
    )
    guessed = Case(
        "upstream_kernel_fault",
        "index_of_nothing.cpp",
        arguments=(variant,),
        label=f"{variant}, no footprints",
        folder=ID,
        fires=True,
        fails=True,
        cause=Step("fill_through_table") if variant == "pointer" else Step("embed"),
        confidence=(0.5, 0.6),
        footprints=False,
    )
    # Only where each access is checked is the address of a pointer that leads nowhere known.
    options = ("--strict",) if variant == "pointer" else ()
    return [replace(one, options=options) for one in (seen, guessed)]


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
    *index("fresh", Step("embed"), FIRST),
    *index("computed", Step("next_id"), FIRST),
    *index("pointer", Step("fill_through_table"), Step("hipMalloc", 5)),
    # A wrong index that was written; what else is fresh does not reach the launch.
    *(
        Case(
            "upstream_kernel_fault",
            "index_of_nothing.cpp",
            arguments=("wrong",),
            label=f"wrong, {'' if footprints else 'no '}footprints",
            folder=ID,
            fires=True,
            fails=True,
            cause=Step("embed"),
            also=(ID,),
            confidence=(0.85, 1.0),
            footprints=footprints,
        )
        for footprints in (True, False)
    ),
    written("index_of_nothing.cpp"),
]
