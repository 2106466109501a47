"""That every call was recorded is itself a claim: children that the recorder could not follow."""

from tests.cases.truth import Case

FOLDER = "who_was_recorded"
LIBRARIES = "LD_LIBRARY_PATH=$LD_LIBRARY_PATH ROCM_PATH=$ROCM_PATH"


def unseen(label: str, command: str, faulty: bool = True, after: str = "") -> Case:
    """A process that may have used HIP is not in the recording."""
    return Case(
        "",
        "faulty.cpp" if faulty else "good.cpp",
        label=label,
        folder=FOLDER,
        command=command,
        after=after,
        faulty=faulty,
        verdict="INCONCLUSIVE",
        gaps=("unseen",),
        anyone=True,
    )


def seen(label: str, command: str, after: str = "") -> Case:
    """Everything that used HIP is there."""
    return Case("", "good.cpp", label=label, folder=FOLDER, command=command, after=after)


CASES = [
    unseen("cleared environment", f"{{good}}; env -i {LIBRARIES} {{faulty}} 2>/dev/null; true"),
    unseen("cleared environment, good", f"{{good}}; env -i {LIBRARIES} {{good}}", faulty=False),
    # What cannot have used HIP is not missed.
    seen("cleared environment, no HIP", "{good}; env -i /bin/true"),
    unseen("no preload", "{good}; LD_PRELOAD= {faulty} 2>/dev/null; true"),
    seen("two processes", "{good}; {good}"),
    unseen("process lost", "{good}; {faulty} 2>/dev/null; true", after="lose_process"),
    unseen("good process lost", "{good}; {good}", faulty=False, after="lose_process"),
    Case(
        "upstream_kernel_fault",
        "faulty.cpp",
        label="good, then faulty",
        folder=FOLDER,
        command="{good}; {faulty}; true",
        fires=True,
        anyone=True,
    ),
    seen("a child of a child", "sh -c 'sh -c {good}'"),
]
