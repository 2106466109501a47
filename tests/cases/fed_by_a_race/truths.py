"""Faults whose cause is a race: the kernel that faulted was fed with stale or overwritten input."""

from dataclasses import replace

from tests.cases.truth import OVERLAP, Case, Doubt, Step


def fed(
    hypothesis: str,
    program: str,
    cause: Step,
    other: Step,
    buffer: Step,
    *more: str,
) -> Case:
    """`cause` came too early for `other`. Something else may still be wrong with the kernel."""
    return Case(
        hypothesis,
        program,
        arguments=("early", *more),
        label=", ".join(("early", *more)),
        folder="fed_by_a_race",
        fires=True,
        fails=True,
        cause=cause,
        other=other,
        buffer=buffer,
        also=("upstream_kernel_fault",),
        confidence=(0.5, 0.9),
    )


def ordered(hypothesis: str, program: str) -> Case:
    """The same with the order that it needs."""
    return Case(hypothesis, program, label="right", folder="fed_by_a_race")


UPLOAD = Step("hipMemcpyAsync")

CASES = [
    fed("missing_sync", "stale_ids.cpp", Step("embed"), UPLOAD, Step("hipMalloc", 3)),
    fed("missing_sync", "stale_ids.cpp", Step("embed"), UPLOAD, Step("hipMalloc", 3), "near"),
    ordered("missing_sync", "stale_ids.cpp"),
    fed(
        "staging_reuse",
        "staging_refilled.cpp",
        Step("hipMemcpy", 5),
        UPLOAD,
        Step("hipHostMalloc"),
    ),
    ordered("staging_reuse", "staging_refilled.cpp"),
    fed(
        "overlapping_copies",
        "ids_cleared_late.cpp",
        UPLOAD,
        Step("hipMemsetAsync"),
        Step("hipMalloc", 3),
    ),
    ordered("overlapping_copies", "ids_cleared_late.cpp"),
    # argmax never ran: that it writes the place is a guess, and the doubt is named.
    Case(
        "upstream_kernel_fault",
        "count_from_kernel.cpp",
        arguments=("early",),
        label="early",
        folder="fed_by_a_race",
        fires=True,
        fails=True,
        cause=Step("scatter"),
        doubts=(Doubt(OVERLAP, (Step("scatter"), Step("argmax"))),),
        confidence=(0.5, 0.6),
    ),
    ordered("missing_sync", "count_from_kernel.cpp"),
    # No pointer is const. Only a turn before shows that pick writes.
    *(
        Case(
            "upstream_kernel_fault",
            "token_picked.cpp",
            arguments=("early",),
            options=options,
            label=", ".join(("early", *options)),
            folder="fed_by_a_race",
            fires=True,
            fails=True,
            cause=Step("lookup"),
            doubts=(Doubt(OVERLAP, (Step("lookup"), Step("pick"))),),
            confidence=(0.3, 0.6),
            footprints=False,
        )
        for options in ((), ("--strict",))
    ),
    *(
        replace(
            fed(
                "missing_sync",
                "token_picked.cpp",
                Step("lookup"),
                Step("pick", 2),
                Step("hipMalloc"),
                "known",
            ),
            options=options,
            label=", ".join(("early", "known", *options)),
            confidence=(0.3, 0.6),
            footprints=False,
        )
        for options in ((), ("--strict",))
    ),
    ordered("missing_sync", "token_picked.cpp"),
    # Here it ran first, and its footprint shows what it wrote.
    replace(
        fed(
            "staging_reuse",
            "place_overwritten.cpp",
            Step("argmax"),
            Step("scatter"),
            Step("hipMalloc", 2),
        ),
        footprints=True,
    ),
    replace(ordered("staging_reuse", "place_overwritten.cpp"), footprints=True),
    # Wrong numbers that arrived in good order: the kernel's fault, or its input's. No race.
    Case(
        "upstream_kernel_fault",
        "wrong_ids.cpp",
        arguments=("wrong",),
        label="wrong",
        folder="fed_by_a_race",
        fires=True,
        fails=True,
        cause=Step("embed"),
        confidence=(0.5, 0.95),
    ),
    ordered("upstream_kernel_fault", "wrong_ids.cpp"),
]
