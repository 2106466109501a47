"""Memory that is used after it was freed, or freed while it is in use."""

from dataclasses import replace

from tests.cases.truth import Case, Step


def freed(
    program: str, cause: Step, other: Step, buffer: Step, fails: bool, blamed: Step | None = None
) -> Case:
    """`other` is the call that freed, or the use that was still in flight."""
    return Case(
        "use_after_free",
        program,
        fires=True,
        cause=cause,
        other=other,
        buffer=buffer,
        fails=fails,
        blamed=blamed,
    )


def refused(program: str, cause: Step, other: Step, buffer: Step) -> Case:
    """HIP did not know the address any more."""
    return freed(program, cause, other, buffer, fails=True, blamed=cause)


def faulted(program: str, cause: Step, other: Step, buffer: Step) -> Case:
    """The device found out."""
    return freed(program, cause, other, buffer, fails=True)


def in_flight(program: str, cause: Step, other: Step, buffer: Step) -> Case:
    """Freed too early; nobody noticed."""
    return freed(program, cause, other, buffer, fails=False)


def lives(program: str, outcome: str = "REFUTED") -> Case:
    """The same, freed when it is no longer used."""
    return Case("use_after_free", program, outcome=outcome)


CASES = [
    refused("result_then_free.py", Step("hipMemcpy"), Step("hipFree"), Step("hipMalloc")),
    lives("result_before_free.py"),
    faulted("weights_unloaded_first.py", Step("matvec"), Step("hipFree"), Step("hipMalloc")),
    # The launch that faults reports it itself.
    replace(
        faulted("weights_unloaded_first.py", Step("matvec"), Step("hipFree"), Step("hipMalloc")),
        label="blocking",
        variables={"HIP_LAUNCH_BLOCKING": "1"},
        blamed=Step("matvec"),
    ),
    lives("weights_unloaded_last.py"),
    in_flight("pool_two_streams.py", Step("hipFreeAsync"), Step("square"), Step("hipMallocAsync")),
    lives("pool_two_streams_joined.py"),
    faulted(
        "pinned_given_back.cpp",
        Step("hipMemcpyAsync", 3),
        Step("hipHostFree"),
        Step("hipHostMalloc"),
    ),
    lives("pinned_kept.cpp"),
    refused("worker_frees.cpp", Step("hipMemcpyAsync"), Step("hipFree"), Step("hipMalloc")),
    lives("worker_frees_last.cpp"),
    faulted("view_of_old_rows.cpp", Step("scale_view"), Step("hipFree"), Step("hipMalloc", 2)),
    lives("view_of_rows.cpp"),
    faulted(
        "graph_outlives_input.py", Step("hipGraphLaunch", 2), Step("hipFree"), Step("hipMalloc")
    ),
    lives("graph_with_input.py"),
    faulted("cache_grown_old.py", Step("kv_append", 9), Step("hipFree"), Step("hipMalloc", 2)),
    lives("cache_grown.py"),
    in_flight(
        "pool_block_freed_by_host.py", Step("hipFree"), Step("square"), Step("hipMallocAsync")
    ),
    lives("pool_block_freed_by_stream.py"),
    refused(
        "clear_after_free.py", Step("hipMemsetAsync", 2), Step("hipFree"), Step("hipMalloc", 2)
    ),
    lives("free_waits_for_kernel.py"),
    refused("freed_twice.cpp", Step("hipFree", 2), Step("hipFree"), Step("hipMalloc")),
    lives("freed_once.cpp"),
    lives("graph_allocates_for_itself.cpp"),
    lives("graph_told_new_input.cpp"),
    # Which of the nodes a handle is nobody sees: what they use is not known any more.
    lives("graph_of_two_told_new_input.cpp", outcome="INCONCLUSIVE"),
    # Whether a kernel uses a word of a struct, only the kernel knows.
    lives("view_with_old_address.cpp", outcome="INCONCLUSIVE"),
]
