"""What the address of a fault says: it is looked up everywhere."""

from dataclasses import replace

from tests.cases.truth import DANGLING, KERNEL_REACH, LED_BY_MEMORY, Case, Doubt, Step


def faults(
    hypothesis: str,
    program: str,
    variant: str,
    cause: Step,
    buffer: Step | None,
    other: Step | None = None,
) -> Case:
    """The device found out."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=variant,
        folder="address",
        fires=True,
        fails=True,
        cause=cause,
        other=other,
        buffer=buffer,
    )


def good(hypothesis: str, program: str) -> Case:
    """The same where the address is right."""
    return Case(hypothesis, program, label="right", folder="address")


UAF, OUTSIDE, POINTER = "use_after_free", "upstream_kernel_fault", "bad_pointer"
FREE, FIRST = Step("hipFree"), Step("hipMalloc")
SHIFTED, SCRATCH, EMBED = Step("shifted"), Step("with_scratch"), Step("embed")

CASES = [
    faults(
        UAF, "freed_in_table.cpp", "freed", Step("read_through_table"), Step("hipMalloc", 3), FREE
    ),
    good(UAF, "freed_in_table.cpp"),
    faults(UAF, "freed_in_global.cpp", "freed", Step("read_through_global", 2), FIRST, FREE),
    good(UAF, "freed_in_global.cpp"),
    faults(UAF, "freed_in_graph.cpp", "freed", Step("hipGraphLaunch", 2), FIRST, FREE),
    good(UAF, "freed_in_graph.cpp"),
    faults(OUTSIDE, "below.cpp", "below", SHIFTED, FIRST),
    good(OUTSIDE, "below.cpp"),
    # Which thread went how far below, only the device that checks each access tells.
    replace(faults(OUTSIDE, "pad_token.cpp", "minus_one", EMBED, FIRST), options=("--strict",)),
    replace(good(OUTSIDE, "pad_token.cpp"), options=("--strict",)),
    faults(OUTSIDE, "wrapped.cpp", "wraps", Step("take_row"), FIRST),
    good(OUTSIDE, "wrapped.cpp"),
    faults(POINTER, "misaligned.cpp", "odd", Step("copy_vectors"), FIRST),
    good(POINTER, "misaligned.cpp"),
    faults(OUTSIDE, "dangling_beside.cpp", "small", SCRATCH, FIRST),
    # Whether a kernel uses an argument, only its footprint shows.
    Case(
        UAF,
        "dangling_beside.cpp",
        label="right, no footprints",
        folder="address",
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(DANGLING, (SCRATCH,)),),
        footprints=False,
    ),
    Case(
        UAF,
        "dangling_beside.cpp",
        label="right, footprints",
        folder="address",
        footprints=True,
    ),
    faults(OUTSIDE, "past_in_table.cpp", "past", Step("fill_through_table"), Step("hipMalloc", 2)),
    good(OUTSIDE, "past_in_table.cpp"),
    faults(POINTER, "host_of_transfer.cpp", "host", Step("square"), None),
    good(POINTER, "host_of_transfer.cpp"),
    # Nothing faults where memory of somebody else is reached: only footprints show it.
    Case(
        OUTSIDE,
        "live_beside.cpp",
        arguments=("far",),
        label="far, footprints",
        folder="address",
        fires=True,
        cause=SHIFTED,
        footprints=True,
    ),
    Case(OUTSIDE, "live_beside.cpp", label="right, footprints", folder="address", footprints=True),
    Case(
        OUTSIDE,
        "row_of_other.cpp",
        arguments=("far",),
        label="far",
        folder="address",
        fires=True,
        cause=Step("gather"),
        footprints=True,
        confidence=(0.5, 0.84),
    ),
    Case(OUTSIDE, "row_of_other.cpp", label="right", folder="address", footprints=True),
    # A pointer that lies in memory leads there as it should.
    *(
        Case(
            OUTSIDE,
            program,
            label="right, footprints",
            folder="address",
            outcome="INCONCLUSIVE",
            limits=((OUTSIDE, LED_BY_MEMORY),),
            footprints=True,
        )
        for program in ("past_in_table.cpp", "freed_in_global.cpp")
    ),
    *(
        Case(
            OUTSIDE,
            "live_beside.cpp",
            arguments=(variant,),
            label=f"{variant}, no footprints",
            folder="address",
            faulty=variant == "far",
            outcome="INCONCLUSIVE",
            limits=((OUTSIDE, KERNEL_REACH),),
            footprints=False,
        )
        for variant in ("far", "right")
    ),
]
