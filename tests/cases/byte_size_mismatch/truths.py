"""Transfers that run past the end of an allocation. Each is refused, so it is blamed as well."""

from tests.cases.truth import Case, Step


def past_end(program: str, cause: Step, buffer: Step) -> Case:
    """The refused call is at once what is blamed and what is at fault."""
    return Case(
        "byte_size_mismatch",
        program,
        fires=True,
        fails=True,
        cause=cause,
        blamed=cause,
        buffer=buffer,
    )


def fits(program: str) -> Case:
    """The same, within its allocations."""
    return Case("byte_size_mismatch", program)


CASES = [
    past_end("logits_of_halves.py", Step("hipMemcpy", 3), Step("hipMalloc", 3)),
    fits("logits_of_floats.py"),
    past_end("pinned_page.py", Step("hipMemcpyAsync"), Step("hipHostMalloc")),
    fits("pinned_pages.py"),
    past_end("upload_from_row.py", Step("hipMemcpy", 2), Step("hipMalloc")),
    fits("upload_rest_of_rows.py"),
    past_end("clear_words.cpp", Step("hipMemsetD32Async", 4), Step("hipMalloc")),
    fits("clear_bytes.cpp"),
    past_end("image_rows.cpp", Step("hipMemcpy2D"), Step("hipMalloc")),
    fits("image_last_row.cpp"),
    past_end("cache_nine_tokens.py", Step("hipMemcpyAsync", 10), Step("hipMalloc")),
    fits("cache_eight_tokens.py"),
    past_end("pool_thousand.py", Step("hipMemcpyAsync"), Step("hipMallocAsync", 2)),
    fits("pool_padded.py"),
    past_end("registered_elements.cpp", Step("hipMemcpyAsync"), Step("hipHostRegister")),
    fits("registered_bytes.cpp"),
]
