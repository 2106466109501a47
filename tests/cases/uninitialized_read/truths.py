"""Bytes that are used although nothing wrote them."""

from dataclasses import replace
from typing import Any

from tests.cases.truth import (
    DROPPED,
    IN_PLACE,
    KERNEL_REACH,
    UNWRITTEN,
    UNWRITTEN_READ,
    UNWRITTEN_RESULT,
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
    if variant != "pointer":
        return [seen, guessed]
    # Where each access is checked, and where only the page is told.
    strict = [replace(one, label=f"{one.label}, strict") for one in (seen, guessed)]
    return [seen, guessed, *(replace(one, options=("--strict",)) for one in strict)]


def loaded(
    program: str, load: Step, arguments: tuple[str, ...], reach: str, *, fault: bool, **more: Any
) -> list[Case]:
    """A load is a doubt; `greta pin` decides it: used, in part, or dropped."""
    open_ = Case(
        ID,
        program,
        arguments=arguments,
        label=", ".join(arguments),
        footprints=True,
        faulty=fault,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(UNWRITTEN_READ, (load,)),),
    )
    pinned = replace(open_, label=f"{open_.label}, pinned", after="pin")
    if reach == "part":
        return [open_, replace(pinned, doubts=(Doubt(UNWRITTEN_RESULT, (load,)),))]
    if reach == "none":
        limits = ((ID, DROPPED),)
        return [open_, replace(pinned, verdict="", doubts=(), limits=limits)]
    found = replace(pinned, fires=True, verdict="", doubts=(), cause=load, **more)
    return [open_, found]


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
    *loaded("sum_of_fresh.cpp", Step("add"), ("fresh",), "used", fault=True, buffer=FIRST),
    written("sum_of_fresh.cpp"),
    # What an atomic update found there the device does not note.
    replace(
        not_seen("counts_of_fresh.cpp", "fresh"),
        label="fresh, footprints",
        limits=((ID, IN_PLACE),),
        footprints=True,
    ),
    written("counts_of_fresh.cpp"),
    *loaded("half_a_table.cpp", Step("gather"), ("fresh",), "part", fault=True),
    written("half_a_table.cpp"),
    *loaded("padded_rows.cpp", Step("sum_padded"), ("padded",), "none", fault=False),
    written("padded_rows.cpp"),
    fresh("other_half.cpp", Step("hipMemcpy", 2), FIRST),
    written("other_half.cpp"),
    not_seen("sum_of_fresh.cpp", "fresh"),
    not_seen("sum_of_fresh.cpp", "right"),
    *loaded(
        "norm_without_weights.py",
        Step("rmsnorm"),
        ("fresh",),
        "used",
        fault=True,
        buffer=Step("hipMalloc", 2),
    ),
    *(
        case
        for scenario, kernel in (
            ("empty_cache", "sum_filled"),
            ("prefetch", "square_ahead"),
            ("warm_up", "square"),
            ("padded_tile", "square"),
        )
        for case in (
            *loaded("loaded.cpp", Step(kernel), (scenario, "used"), "used", fault=True),
            *loaded(
                "loaded.cpp",
                Step(kernel),
                (scenario, "dropped"),
                "part" if scenario == "padded_tile" else "none",
                fault=False,
            ),
        )
    ),
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
