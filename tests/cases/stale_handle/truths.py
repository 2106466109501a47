"""Handles that are used after their end."""

from tests.cases.truth import Case, Step

ID = "stale_handle"


def stale(program: str, cause: Step, other: Step) -> Case:
    """`other` is the call that ended it. Some releases refuse the call, some crash."""
    return Case(
        ID,
        program,
        arguments=("stale",),
        label="stale",
        fires=True,
        fails=True,
        cause=cause,
        other=other,
        blamed=cause,
    )


def alive(program: str) -> Case:
    """The same before its end."""
    return Case(ID, program, label="right")


CASES = [
    stale("stream.cpp", Step("hipMemsetAsync"), Step("hipStreamDestroy")),
    alive("stream.cpp"),
    stale("event.cpp", Step("hipEventRecord", 2), Step("hipEventDestroy")),
    alive("event.cpp"),
    stale("module.cpp", Step("hipModuleLaunchKernel", 2), Step("hipModuleUnload")),
    alive("module.cpp"),
    stale("graph.cpp", Step("hipGraphLaunch", 2), Step("hipGraphExecDestroy")),
    alive("graph.cpp"),
    stale("wait_for_old_event.py", Step("hipStreamWaitEvent"), Step("hipEventDestroy")),
    alive("wait_for_old_event.py"),
    stale("destroyed_twice.cpp", Step("hipEventDestroy", 2), Step("hipEventDestroy")),
    alive("destroyed_twice.cpp"),
]
