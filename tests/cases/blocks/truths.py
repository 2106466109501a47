"""Blocks inside allocations: where the program announces them, they are buffers like any other.

What is not announced is not known, and nobody is accused for it.
"""

from dataclasses import replace

from tests.cases.truth import ENDED_BLOCK, SEVERAL_BLOCKS, Case, Doubt, Step

SIZE, FREED, OUTSIDE = "byte_size_mismatch", "use_after_free", "upstream_kernel_fault"


def wrong(
    hypothesis: str,
    program: str,
    variant: str,
    cause: Step,
    nth: int,
    name: str,
    other: Step | None = None,
    footprints: bool | None = None,
    also: tuple[str, ...] = (),
) -> Case:
    """`nth`: which announced block it is about, and its name."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=f"{variant}, footprints" if footprints else variant,
        folder="blocks",
        fires=True,
        cause=cause,
        other=other,
        buffer=Step("greta_block_created", nth),
        buffer_name=name,
        footprints=footprints,
        also=also,
    )


def right(
    hypothesis: str, program: str, variant: str = "right", footprints: bool | None = None
) -> Case:
    """Nothing is noticed."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=f"{variant}, footprints" if footprints else variant,
        folder="blocks",
        footprints=footprints,
    )


def open_(
    hypothesis: str,
    program: str,
    variant: str,
    doubt: Doubt,
    footprints: bool | None = None,
    faulty: bool = False,
) -> Case:
    """It may be meant; it is named."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=variant,
        folder="blocks",
        faulty=faulty,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(doubt,),
        footprints=footprints,
    )


def with_snapshot(case: Case) -> Case:
    """What the allocator wrote down itself, in place of announcements."""
    return replace(case, beside=True, buffer=None)


ALLOCATOR, COPY = "caching_allocator.py", Step("hipMemcpy")
UPLOAD = Step("hipMemcpy", 2)
SET, APPEND, LATE = Step("set"), Step("kv_append"), Step("square", 2)
END = Step("greta_block_destroyed")

CASES = [
    wrong(SIZE, "uploads.cpp", "too long", UPLOAD, 1, "tokens"),
    wrong(SIZE, "uploads.cpp", "from the middle", UPLOAD, 1, "tokens"),
    right(SIZE, "uploads.cpp"),
    right(SIZE, "uploads.cpp", "all of it"),
    open_(SIZE, "uploads.cpp", "two tensors", Doubt(SEVERAL_BLOCKS, (UPLOAD,))),
    open_(SIZE, "uploads.cpp", "beyond them", Doubt(SEVERAL_BLOCKS, (UPLOAD,))),
    wrong(OUTSIDE, "kernels.cpp", "too many", SET, 2, "keys", footprints=True),
    wrong(OUTSIDE, "kernels.cpp", "slot beyond", APPEND, 2, "keys", footprints=True),
    right(OUTSIDE, "kernels.cpp", footprints=True),
    right(OUTSIDE, "kernels.cpp", "pages", footprints=True),
    open_(OUTSIDE, "kernels.cpp", "both", Doubt(SEVERAL_BLOCKS, (SET,)), footprints=True),
    open_(
        *(OUTSIDE, "kernels.cpp", "slot after", Doubt(SEVERAL_BLOCKS, (APPEND,))),
        footprints=True,
        faulty=True,
    ),
    right(OUTSIDE, "kernels.cpp", "whole arena", footprints=True),
    wrong(FREED, "lifetimes.cpp", "kernel late", LATE, 1, "hidden", END),
    wrong(FREED, "lifetimes.cpp", "kernel late", LATE, 1, "hidden", END, footprints=True),
    wrong(FREED, "lifetimes.cpp", "download late", Step("hipMemcpy", 2), 1, "hidden", END),
    right(FREED, "lifetimes.cpp"),
    right(FREED, "lifetimes.cpp", "again"),
    right(FREED, "lifetimes.cpp", "graph", footprints=True),
    open_(FREED, "lifetimes.cpp", "unannounced", Doubt(ENDED_BLOCK, (Step("square", 3),))),
    wrong(
        *("missing_sync", "streams.cpp", "early", Step("hipMemcpyAsync"), 1, "first half", SET),
        footprints=True,
    ),
    right("missing_sync", "streams.cpp", "in turn"),
    right("missing_sync", "streams.cpp", "apart"),
    wrong(OUTSIDE, "views.cpp", "past", SET, 3, "k", footprints=True),
    right(OUTSIDE, "views.cpp", footprints=True),
    replace(
        wrong("missing_sync", "ring.cpp", "early", Step("square"), 1, "slot", SET, footprints=True),
        also=("staging_reuse",),
    ),
    right("missing_sync", "ring.cpp"),
    wrong(OUTSIDE, "padded.cpp", "past", Step("set", 2), 2, "row", footprints=True),
    right(OUTSIDE, "padded.cpp", footprints=True),
    right(SIZE, "bump.cpp", footprints=True),
    right(SIZE, "partly.cpp", footprints=True),
    wrong(FREED, "grown.cpp", "old", Step("kv_append", 9), 2, "cache", END, footprints=True),
    right(FREED, "grown.cpp", footprints=True),
    wrong(SIZE, "arena.py", "copy", Step("hipMemcpy"), 2, "hidden"),
    wrong(OUTSIDE, "arena.py", "kernel", Step("scale"), 2, "hidden", footprints=True),
    wrong(FREED, "arena.py", "lifetime", Step("hipMemcpy", 2), 2, "hidden", END),
    right(SIZE, "arena.py", footprints=True),
    *map(
        with_snapshot,
        (
            wrong(SIZE, ALLOCATOR, "too long", COPY, 0, "model.py:11 (forward)"),
            wrong(FREED, ALLOCATOR, "late", Step("scale"), 0, "model.py:11 (forward)"),
            right(SIZE, ALLOCATOR),
            right(FREED, ALLOCATOR, "again"),
            open_(SIZE, ALLOCATOR, "without times", Doubt(SEVERAL_BLOCKS, (COPY,)), faulty=True),
        ),
    ),
]
