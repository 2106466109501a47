"""How sure is the kernel, and how sure is which launch of it: two numbers."""

from tests.cases.truth import Case, Step


def one_of(program: str, kernel: str, buffer: Step | None, *more: str, after: str = "") -> Case:
    """The kernel is as good as certain, the launch one of many equal ones: the first faulted."""
    words = ("wrong", *more, *((after,) if after else ()))
    return Case(
        "upstream_kernel_fault",
        program,
        arguments=("wrong", *more),
        label=", ".join(words),
        folder="equal_launches",
        fires=True,
        fails=True,
        cause=Step(kernel),
        buffer=buffer,
        confidence=(0.85, 1.0),
        one_of_equal=True,
        after=after,
        anyone=True,
    )


def good(program: str, *more: str) -> Case:
    """The same with ids that are there."""
    return Case(
        "upstream_kernel_fault",
        program,
        arguments=("right", *more),
        label=", ".join(("right", *more)),
        folder="equal_launches",
    )


CASES = [
    one_of("many_equal.cpp", "gather", Step("hipMalloc")),
    good("many_equal.cpp"),
    one_of("many_equal.cpp", "gather", Step("hipMalloc"), "mixed"),
    good("many_equal.cpp", "mixed"),
    # Nobody names the kernel here, and no address is known; there is only one.
    one_of("many_equal.cpp", "gather", None, after="empty_stderr"),
    one_of("layers.py", "embed", Step("hipMalloc")),
    good("layers.py"),
]
