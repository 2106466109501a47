"""What was noticed and could not be decided: the run is INCONCLUSIVE, never NOT_REPRODUCED."""

from tests.cases.truth import CALLBACK, OVERLAP, POLLED, UNWAITED, Case, Doubt, Step

SYNC = "missing_sync"
COPY, SET, SEEN = Step("hipMemcpyAsync"), Step("set", 2), Step("seen")
TOUCH = Step("greta_host_touch")
"""An access of the host, as the recorder writes it down."""


def behind(hypothesis: str, program: str, code: str, *arguments: str, faulty: bool = False) -> Case:
    """The host touched what a copy used, and something behind the copy may have told it to."""
    return Case(
        hypothesis,
        program,
        arguments=arguments,
        options=("--watch-host",),
        label=", ".join((*arguments, "watched")),
        folder="doubts",
        faulty=faulty,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(code, (TOUCH, COPY)),),
    )


def handed_over(taker: str, giver: str, how: str = "") -> Case:
    """One kernel waits for the other, by a flag in memory."""
    return Case(
        SYNC,
        "handed_over.cpp",
        arguments=(how,),
        label=how or "right",
        folder="doubts",
        footprints=True,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(POLLED, (Step(taker), Step(giver))),),
    )


def waits(hypothesis: str, program: str, *arguments: str) -> Case:
    return Case(
        hypothesis,
        program,
        arguments=("right", *arguments),
        options=("--watch-host",),
        label=", ".join(("right", *arguments, "watched")),
        folder="doubts",
    )


CASES = [
    # Behind the kernel, a host function may have told; before it, it cannot have.
    Case(
        SYNC,
        "callback_tells.cpp",
        label="right",
        folder="doubts",
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(CALLBACK, (COPY, SET)),),
    ),
    Case(
        SYNC,
        "callback_tells.cpp",
        arguments=("before",),
        label="before",
        folder="doubts",
        fires=True,
        cause=COPY,
        other=SET,
        buffer=Step("hipMalloc"),
    ),
    Case(
        SYNC,
        "never_waited_for.cpp",
        arguments=("unwaited",),
        label="unwaited",
        folder="doubts",
        faulty=True,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(UNWAITED, (COPY,)),),
    ),
    Case(SYNC, "never_waited_for.cpp", label="right", folder="doubts"),
    # Another thread waits; it waits for the wrong one of two.
    Case(
        SYNC,
        "one_flag_for_two.py",
        arguments=("other",),
        label="other",
        folder="doubts",
        fires=True,
        cause=COPY,
        other=Step("set", 2),
        buffer=Step("hipMalloc", 2),
    ),
    Case(SYNC, "one_flag_for_two.py", label="right", folder="doubts"),
    # The only pointer of a kernel is not const: it may still only look, and trap, print or count.
    *(
        Case(
            SYNC,
            "checked_beside_download.py",
            arguments=(what,),
            label=what,
            folder="doubts",
            verdict="INCONCLUSIVE",
            outcome="INCONCLUSIVE",
            doubts=(Doubt(OVERLAP, (COPY, SEEN)),),
        )
        for what in ("look", "print", "count", "nothing")
    ),
    *(
        Case(
            SYNC,
            "checked_beside_download.py",
            arguments=(what,),
            options=("--footprints",),
            label=f"{what}, noted",
            folder="doubts",
        )
        for what in ("look", "print", "count", "nothing")
    ),
    Case(
        SYNC,
        "checked_beside_download.py",
        arguments=("scale",),
        options=("--footprints",),
        label="scale, noted",
        folder="doubts",
        fires=True,
        cause=COPY,
        other=SEEN,
        buffer=Step("hipMalloc"),
    ),
    # That one kernel waits for the other, in a word that both use, nothing shows.
    handed_over("take_over", "hand_over"),
    handed_over("take_over_by_load", "hand_over_by_store", "stored"),
    handed_over("take_over_volatile", "hand_over_volatile", "volatile"),
    Case(
        SYNC,
        "handed_over.cpp",
        arguments=("at_once",),
        label="at_once",
        folder="doubts",
        footprints=True,
        fires=True,
        cause=Step("square"),
        other=Step("hand_over"),
        buffer=Step("hipMalloc"),
    ),
    behind(SYNC, "behind_the_copy.cpp", CALLBACK, "early", faulty=True),
    behind(SYNC, "behind_the_copy.cpp", CALLBACK, "told"),
    waits(SYNC, "behind_the_copy.cpp"),
    behind(SYNC, "behind_the_copy.cpp", POLLED, "early", "by a kernel", faulty=True),
    behind(SYNC, "behind_the_copy.cpp", POLLED, "told", "by a kernel"),
    waits(SYNC, "behind_the_copy.cpp", "by a kernel"),
    behind("staging_reuse", "behind_the_upload.cpp", CALLBACK, "early", faulty=True),
    waits("staging_reuse", "behind_the_upload.cpp"),
]
