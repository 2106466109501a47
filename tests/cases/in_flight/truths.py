"""Copies whose arguments are good, and whose host memory is gone before they have used it."""

from tests.cases.truth import Case, Step


def gone(program: str, *arguments: str, nth: int = 1, label: str = "early") -> Case:
    """The copy faults; HIP was told nothing about the memory's end."""
    return Case(
        "use_after_free",
        program,
        arguments=("early", *arguments),
        label=label,
        folder="in_flight",
        fires=True,
        fails=True,
        cause=Step("hipMemcpyAsync", nth),
        buffer=Step("hipHostRegister"),
    )


def kept(program: str, *arguments: str, label: str = "right") -> Case:
    """Until the copy is over."""
    return Case(
        "use_after_free",
        program,
        arguments=("right", *arguments),
        label=label,
        folder="in_flight",
    )


CASES = [
    gone("pages_unmapped.cpp"),
    kept("pages_unmapped.cpp"),
    # A kernel in flight beside it, all of whose arguments are good, is no better suspect.
    gone("pages_unmapped.cpp", "beside a kernel", label="early, beside a kernel"),
    kept("pages_unmapped.cpp", "beside a kernel", label="right, beside a kernel"),
    gone("heap_freed.cpp"),
    kept("heap_freed.cpp"),
    gone("stack_gone.cpp"),
    kept("stack_gone.cpp"),
    gone("file_unmapped.cpp", nth=2),
    kept("file_unmapped.cpp"),
]
