"""Programs that wait for what never comes, and are ended from outside."""

from dataclasses import replace

from tests.cases.truth import POLLED, Case, Doubt, Step

ID = "hang"
WAIT = Step("hipStreamSynchronize")


def forever(program: str, other: Step, how: str = "", cause: Step = WAIT) -> Case:
    """`timeout`, a timer or a thread of its own ended it; `other` is what the wait is for."""
    stem = program.rpartition(".")[0]
    ended = "timeout -s TERM 3 " if stem == "value_never_written" else ""
    return Case(
        ID,
        program,
        command=f"{ended}{{{stem}}} {how} forever",
        label=", ".join(filter(None, (how, "forever"))),
        fires=True,
        aborts=True,
        cause=cause,
        other=other,
        confidence=(0.9, 0.9) if stem == "value_never_written" else (0.5, 0.84),
    )


def ends(program: str, how: str = "", verdict: str = "") -> Case:
    """The same, in time."""
    words = (how,) if how else ()
    label = ", ".join((*words, "right"))
    return Case(
        ID, program, arguments=words, label=label, verdict=verdict, footprints=True, anyone=True
    )


SPIN = Step("wait_for")

CASES = [
    forever("flag_never_raised.cpp", SPIN),
    # The kernel that was waited for may have waited for the other one: nothing shows it.
    replace(ends("flag_never_raised.cpp", verdict="INCONCLUSIVE"), doubts=(Doubt(POLLED),)),
    forever("callback_waits.cpp", Step("hipLaunchHostFunc")),
    ends("callback_waits.cpp"),
    forever("value_never_written.cpp", Step("hipStreamWaitValue32")),
    ends("value_never_written.cpp"),
    forever("behind_a_spin.cpp", SPIN, "event", Step("hipEventSynchronize")),
    ends("behind_a_spin.cpp", "event"),
    forever("behind_a_spin.cpp", SPIN, "device", Step("hipDeviceSynchronize")),
    ends("behind_a_spin.cpp", "device"),
    forever("behind_a_spin.cpp", SPIN, "copy", Step("hipMemcpy", 3)),
    ends("behind_a_spin.cpp", "copy"),
    forever("watchdog.cpp", SPIN),
    ends("watchdog.cpp"),
    ends("long_wait.cpp"),
    # It waits whenever it is ended; that is no hang, and the run is not over.
    Case(
        ID,
        "server.cpp",
        command="{server}",
        label="asked to end",
        outcome="INCONCLUSIVE",
        verdict="INCONCLUSIVE",
        anyone=True,
    ),
]
