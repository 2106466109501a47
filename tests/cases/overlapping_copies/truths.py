"""Two writes to one place, one of them a transfer, without order."""

from tests.cases.truth import Case, Step


def meets_itself(program: str, cause: Step) -> Case:
    """A copy whose source and destination overlap; nobody noticed."""
    buffer = Step("hipMalloc")
    return Case("overlapping_copies", program, fires=True, cause=cause, buffer=buffer)


def race(program: str, cause: Step, other: Step, buffer: Step, *options: str) -> Case:
    """`cause` came too early for `other`; nobody noticed."""
    return Case(
        "overlapping_copies",
        program,
        options=options,
        fires=True,
        cause=cause,
        other=other,
        buffer=buffer,
    )


def ordered(program: str, *options: str) -> Case:
    """The same, with the order that it needs."""
    return Case("overlapping_copies", program, options=options)


WATCH = "--watch-host"
TOUCH = Step("greta_host_touch")
"""An access of the host, as the recorder writes it down."""

CASES = [
    race("parts_overlap.py", Step("hipMemcpyAsync", 2), Step("hipMemcpyAsync"), Step("hipMalloc")),
    ordered("parts_meet.py"),
    race(
        "clear_beside_upload.py", Step("hipMemcpyAsync"), Step("hipMemsetAsync"), Step("hipMalloc")
    ),
    ordered("clear_before_upload.py"),
    race(
        "one_landing.cpp", Step("hipMemcpyAsync", 2), Step("hipMemcpyAsync"), Step("hipHostMalloc")
    ),
    ordered("two_landings.cpp"),
    race("output_cleared_beside.py", Step("hipMemsetAsync"), Step("set"), Step("hipMalloc")),
    ordered("output_cleared_behind.py"),
    race(
        "columns_overlap.cpp",
        Step("hipMemcpy2DAsync", 2),
        Step("hipMemcpy2DAsync"),
        Step("hipMalloc"),
    ),
    ordered("columns_interleave.cpp"),
    race(
        "cache_same_slot.py",
        Step("hipMemcpyAsync", 6),
        Step("hipMemcpyAsync", 5),
        Step("hipMalloc", 3),
    ),
    ordered("cache_next_slot.py"),
    race(
        "threads_fill_table.cpp",
        Step("hipMemcpyAsync", 3),
        Step("hipMemcpyAsync", 2),
        Step("hipMalloc"),
    ),
    ordered("threads_fill_rows.cpp"),
    race("graph_and_upload.py", Step("hipMemcpyAsync"), Step("hipGraphLaunch"), Step("hipMalloc")),
    ordered("graph_before_upload.py"),
    race("host_clears_landing.py", TOUCH, Step("hipMemcpyAsync"), Step("hipHostMalloc"), WATCH),
    ordered("host_clears_landing_first.py", WATCH),
    meets_itself("window_shifted_in_place.cpp", Step("hipMemcpyAsync")),
    meets_itself("columns_shifted_in_place.cpp", Step("hipMemcpy2DAsync")),
    ordered("window_shifted_in_pieces.cpp"),
]
