"""What the source cannot show. A ruling that depends on it is INCONCLUSIVE and names the limit; a
run in which nothing was noticed stays NOT_REPRODUCED. The faulty program and its twin look alike.
"""

from tests.cases.truth import (
    GRAPH_COPIES,
    HOST_ACCESSES,
    KERNEL_REACH,
    MANAGED,
    PAGEABLE_SIZES,
    REGISTERED,
    THREAD_TIMING,
    UNWATCHED,
    ZERO_COPY,
    Case,
    Step,
)

WATCH = ("--watch-host",)
TOUCH = Step("greta_host_touch")
"""An access of the host, as the recorder writes it down."""


def unseen(
    hypothesis: str,
    program: str,
    wrong: str,
    limit: str,
    options: tuple[str, ...] = (),
    footprints: bool | None = None,
) -> list[Case]:
    """Both variants, of which the same must be said."""
    suffix = ", watched" if options else ""
    return [
        Case(
            hypothesis,
            program,
            arguments=(variant,),
            options=options,
            label=f"{variant}{suffix}",
            folder="limits",
            faulty=variant == wrong,
            outcome="INCONCLUSIVE",
            limits=((hypothesis, limit),),
            footprints=footprints,
        )
        for variant in (wrong, "right")
    ]


def watched(hypothesis: str, program: str, other: Step, buffer: Step) -> list[Case]:
    """Under --watch-host there is no such limit."""
    return [
        Case(
            hypothesis,
            program,
            arguments=("early",),
            options=WATCH,
            label="early, watched",
            folder="limits",
            fires=True,
            cause=TOUCH,
            other=other,
            buffer=buffer,
        ),
        Case(hypothesis, program, options=WATCH, label="right, watched", folder="limits"),
    ]


SYNC, STAGING, OUTSIDE = "missing_sync", "staging_reuse", "upstream_kernel_fault"
COPY, PINNED = Step("hipMemcpyAsync"), Step("hipHostMalloc")

CASES = [
    *unseen(SYNC, "pinned_result.cpp", "early", HOST_ACCESSES),
    *watched(SYNC, "pinned_result.cpp", COPY, PINNED),
    *unseen(STAGING, "pinned_source.cpp", "early", HOST_ACCESSES),
    *watched(STAGING, "pinned_source.cpp", COPY, PINNED),
    # Where nothing is out of sight, there is no limit: this is refuted.
    Case(
        SYNC,
        "pageable_only.cpp",
        folder="limits",
        exact=True,
        outcomes={"use_after_free": "REFUTED", "bad_pointer": "REFUTED"},
    ),
    *unseen(SYNC, "graph_result.cpp", "early", HOST_ACCESSES),
    *unseen(SYNC, "graph_result.cpp", "early", GRAPH_COPIES, WATCH),
    *unseen(SYNC, "box_result.cpp", "early", UNWATCHED, WATCH),
    *unseen(SYNC, "managed.cpp", "early", MANAGED),
    *unseen(SYNC, "zero_copy.cpp", "early", ZERO_COPY),
    *unseen("use_after_free", "registered_vector.cpp", "grown", REGISTERED),
    *unseen(SYNC, "two_threads.cpp", "by time", THREAD_TIMING),
    *unseen("byte_size_mismatch", "heap_too_small.cpp", "small", PAGEABLE_SIZES),
    # No blocks are known in an arena: what a kernel reaches inside it is out of sight.
    *unseen(OUTSIDE, "blocks_of_arena.cpp", "past", KERNEL_REACH, footprints=False),
]
