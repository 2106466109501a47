"""Results that are used before they are made: read after write, without order."""

from tests.cases.truth import Case, Step

SEEN = "--footprints"
"""Where arguments leave open which bytes are used, or whether."""


def race(program: str, cause: Step, other: Step, buffer: Step, *options: str) -> Case:
    """`cause` came too early for `other`; nobody noticed."""
    return Case(
        "missing_sync",
        program,
        options=options,
        fires=True,
        cause=cause,
        other=other,
        buffer=buffer,
    )


def ordered(program: str, *options: str, outcome: str = "REFUTED") -> Case:
    """The same, with the order that it needs."""
    verdict = "INCONCLUSIVE" if outcome == "INCONCLUSIVE" else ""
    return Case("missing_sync", program, options=options, outcome=outcome, verdict=verdict)


def twins(program: str, cause: Step, other: Step, *options: str) -> list[Case]:
    """The same program, without the order and with it; what is shared has no call of its own."""
    early = Case(
        "missing_sync",
        program,
        arguments=("early",),
        options=options,
        label="early",
        fires=True,
        cause=cause,
        other=other,
    )
    return [early, Case("missing_sync", program, options=options, exact=True)]


WATCH = "--watch-host"
TOUCH = Step("greta_host_touch")
"""An access of the host, as the recorder writes it down."""

CASES = [
    race("download_beside_kernel.py", Step("hipMemcpyAsync"), Step("set"), Step("hipMalloc")),
    ordered("download_after_event.py"),
    race("memcpy_beside_nonblocking.cpp", Step("hipMemcpy"), Step("set"), Step("hipMalloc")),
    ordered("memcpy_behind_blocking.cpp"),
    race("upload_beside_kernel.py", Step("matvec"), Step("hipMemcpyAsync", 2), Step("hipMalloc")),
    ordered("upload_before_kernel.py"),
    race("event_waited_first.py", Step("add"), Step("square"), Step("hipMalloc", 2)),
    ordered("event_recorded_first.py"),
    race("event_before_kernel.cpp", Step("hipMemcpyAsync"), Step("set"), Step("hipMalloc")),
    ordered("event_behind_kernel.cpp"),
    race("threads_handing_over.cpp", Step("hipMemcpyAsync"), Step("set"), Step("hipMalloc")),
    ordered("threads_handing_over_done.cpp"),
    race(
        "graph_and_download.py", Step("hipMemcpyAsync"), Step("hipGraphLaunch"), Step("hipMalloc")
    ),
    ordered("graph_then_download.py"),
    race("graph_branches_apart.py", Step("square"), Step("set"), Step("hipMalloc"), SEEN),
    ordered("graph_branches_joined.py"),
    race(
        "graph_nodes_apart.cpp",
        Step("hipGraphAddMemcpyNode1D"),
        Step("hipGraphAddKernelNode"),
        Step("hipMalloc"),
    ),
    ordered("graph_nodes_in_turn.cpp"),
    race("tokens_other_event.py", Step("hipMemcpyAsync"), Step("matvec"), Step("hipMalloc", 4)),
    ordered("tokens_own_event.py"),
    race(
        "chunks_crossed.cpp", Step("square", 6), Step("hipMemcpyAsync", 11), Step("hipMalloc"), SEEN
    ),
    ordered("chunks_in_streams.cpp"),
    race("device_copy_queued.py", Step("square"), Step("hipMemcpy", 2), Step("hipMalloc", 2)),
    ordered("device_copy_finished.py"),
    race("positions_in_place.py", Step("rope"), Step("hipMemcpyAsync"), Step("hipMalloc"), SEEN),
    ordered("positions_in_place_polled.py"),
    race("sums_side_by_side.py", Step("add"), Step("total", 2), Step("hipMalloc", 2), SEEN),
    # How far a kernel writes behind its pointer is not known at the ABI: two that are given
    # neighbouring places of one allocation can be neither accused nor acquitted.
    ordered("sums_in_one_arena.py", outcome="INCONCLUSIVE"),
    race("host_reads_at_once.py", TOUCH, Step("hipMemcpyAsync"), Step("hipHostMalloc"), WATCH),
    ordered("host_reads_after_wait.py", WATCH),
    race(
        "host_waits_for_older_event.cpp",
        TOUCH,
        Step("hipMemcpyAsync"),
        Step("hipHostMalloc"),
        WATCH,
    ),
    ordered("host_waits_for_event.cpp", WATCH),
    race("event_recorded_again.py", Step("hipMemcpyAsync"), Step("set"), Step("hipMalloc")),
    ordered("event_of_its_own.py"),
    race("stream_replaced.py", Step("hipMemcpyAsync"), Step("set"), Step("hipMalloc")),
    ordered("stream_replaced_when_done.py"),
    race(
        "wrong_device_waited_for.py",
        Step("hipMemcpyAsync"),
        Step("set"),
        Step("hipMalloc"),
        "--devices",
        "2",
    ),
    ordered("right_device_waited_for.py", "--devices", "2"),
    race("through_other_streams.py", Step("square"), Step("set"), Step("hipMalloc")),
    ordered("through_default_stream.py"),
    race("strides_beside_download.cpp", Step("hipMemcpyAsync"), Step("ramp"), Step("hipMalloc")),
    ordered("strides_before_download.cpp"),
    # Which rows a launch writes is told by its position: only the kernel knows what that means.
    ordered("cache_rows_of_two.py", outcome="INCONCLUSIVE"),
    ordered("chunks_of_one_grid.py"),
    *twins("variable_of_two.cpp", Step("get_row"), Step("put_row"), SEEN),
    *twins("mapped_twice.cpp", Step("square"), Step("set"), SEEN),
]
