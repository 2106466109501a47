"""Programs that wait for what never comes, and are ended from outside."""

from tests.cases.truth import Case, Step

ID = "hang"
WAIT = Step("hipStreamSynchronize")


def forever(program: str, other: Step) -> Case:
    """`timeout` ended it; `other` is what the wait is for."""
    stem = program.rpartition(".")[0]
    return Case(
        ID,
        program,
        command=f"timeout -s TERM 1 {{{stem}}} forever",
        label="forever",
        fires=True,
        aborts=True,
        cause=WAIT,
        other=other,
    )


def ends(program: str, verdict: str = "", needs: str = "") -> Case:
    """The same, in time."""
    return Case(ID, program, label="right", verdict=verdict, footprints=True, needs=needs)


CASES = [
    forever("flag_never_raised.cpp", Step("wait_for")),
    # Nothing shows yet that both kernels use the flag atomically.
    ends("flag_never_raised.cpp", needs="footprints"),
    forever("callback_waits.cpp", Step("hipLaunchHostFunc")),
    ends("callback_waits.cpp"),
    forever("value_never_written.cpp", Step("hipStreamWaitValue32")),
    # That a stream waits for a word of memory is an order that the tables do not have.
    ends("value_never_written.cpp", verdict="INCONCLUSIVE"),
]
