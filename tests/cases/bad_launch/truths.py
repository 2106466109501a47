"""Launches whose grid, block, shared memory or arguments do not fit the kernel or the device."""

from tests.cases.truth import Case, Step

ID = "bad_launch"
LAUNCH = Step("hipModuleLaunchKernel")


def refused(program: str, variant: str, cause: Step = LAUNCH) -> Case:
    """HIP says no, at once."""
    return Case(
        ID,
        program,
        arguments=(variant,),
        label=variant,
        fires=True,
        fails=True,
        cause=cause,
        blamed=cause,
    )


def fits(program: str, variant: str = "right") -> Case:
    """The same as it should be."""
    return Case(ID, program, arguments=(variant,), label=variant)


CASES = [
    refused("launches.cpp", "no blocks"),
    refused("launches.cpp", "too many threads"),
    refused("launches.cpp", "too much shared memory"),
    fits("launches.cpp"),
    refused("arguments_short.cpp", "short"),
    fits("arguments_short.cpp"),
    refused("empty_batch.py", "launched", Step("hipModuleLaunchKernel", 2)),
    fits("empty_batch.py"),
    refused("square_block.cpp", "40 x 40"),
    fits("square_block.cpp", "32 x 32"),
    fits("as_large_as_can_be.cpp", "threads"),
    fits("as_large_as_can_be.cpp", "shared memory"),
    fits("as_large_as_can_be.cpp", "blocks"),
]
