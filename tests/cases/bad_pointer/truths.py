"""Addresses that are none, or not what the call needs."""

from tests.cases.truth import Case, Step


def wrong(
    program: str,
    cause: Step,
    fails: bool = True,
    buffer: Step | None = None,
    blamed: Step | None = None,
    options: tuple[str, ...] = (),
) -> Case:
    """Some have no buffer: that is what is wrong with them."""
    return Case(
        "bad_pointer",
        program,
        fires=True,
        cause=cause,
        fails=fails,
        buffer=buffer,
        blamed=blamed,
        options=options,
    )


def right(program: str, fails: bool = False, options: tuple[str, ...] = ()) -> Case:
    """The same with an address that is right; a failure that is coped with is no fault."""
    return Case("bad_pointer", program, fails=fails, options=options)


TWO_DEVICES = ("--devices", "2")


CASES = [
    wrong("weights_not_loaded.py", Step("add")),
    right("weights_optional.py"),
    wrong("swapped_sides.cpp", Step("hipMemcpy"), fails=False),
    right("sides.cpp"),
    wrong("row_after_last.py", Step("hipMemcpy")),
    right("row_that_is_last.py"),
    wrong("host_vector_to_kernel.cpp", Step("square")),
    right("pinned_vector_to_kernel.cpp"),
    wrong("direction_mixed_up.py", Step("hipMemcpyAsync"), fails=False),
    right("direction_by_default.py"),
    wrong("words_between_words.py", Step("hipMemsetD32Async"), buffer=Step("hipMalloc")),
    right("words_from_second.py"),
    wrong("table_of_pointers.cpp", Step("hipMemcpyAsync", 7)),
    right("table_of_pointers_filled.cpp"),
    wrong("view_not_filled.cpp", Step("scale_view")),
    right("view_filled.cpp"),
    wrong("odd_float_pointer.py", Step("square"), fails=False, buffer=Step("hipMalloc")),
    right("even_float_pointer.py"),
    wrong("nothing_to_somewhere.py", Step("hipMemcpy")),
    right("nothing_to_copy.py"),
    wrong("allocation_refused.py", Step("square"), blamed=Step("hipMemcpy")),
    right("allocation_refused_smaller.py", fails=True),
    wrong(
        "weights_of_other_device.py",
        Step("square"),
        buffer=Step("hipMalloc"),
        options=TWO_DEVICES,
    ),
    right("weights_of_peer.py", options=TWO_DEVICES),
]
