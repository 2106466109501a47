"""Sources that are overwritten while they are read: write after read, without order."""

from tests.cases.truth import OVERLAP, Case, Doubt, Step


def race(program: str, cause: Step, other: Step, buffer: Step, *options: str) -> Case:
    """`cause` came too early for `other`; nobody noticed."""
    return Case(
        "staging_reuse",
        program,
        options=options,
        fires=True,
        cause=cause,
        other=other,
        buffer=buffer,
    )


def ordered(program: str, *options: str) -> Case:
    """The same, with the order that it needs."""
    return Case("staging_reuse", program, options=options)


WATCH = "--watch-host"
TOUCH = Step("greta_host_touch")
"""An access of the host, as the recorder writes it down."""

CASES = [
    race(
        "one_staging_buffer.py",
        Step("hipMemcpyAsync", 2),
        Step("hipMemcpyAsync"),
        Step("hipHostMalloc"),
    ),
    ordered("one_staging_buffer_in_turn.py"),
    race("next_batch_early.py", Step("hipMemcpyAsync", 2), Step("square"), Step("hipMalloc")),
    ordered("next_batch_waits.py"),
    # The kernel is given the start of two buffers' worth: which half it writes, it knows itself.
    race(
        "logits_overwritten.py",
        Step("matvec", 2),
        Step("hipMemcpyAsync"),
        Step("hipMalloc", 3),
        "--footprints",
    ),
    Case(
        "staging_reuse",
        "logits_overwritten.py",
        label="guessed",
        faulty=True,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(OVERLAP, (Step("matvec", 2), Step("hipMemcpyAsync"))),),
    ),
    ordered("logits_in_two_buffers.py"),
    race(
        "refill_by_host_copy.cpp",
        Step("hipMemcpy", 2),
        Step("hipMemcpyAsync"),
        Step("hipHostMalloc"),
    ),
    ordered("refill_by_host_copy_after_wait.cpp"),
    race(
        "cleared_while_copied.cpp",
        Step("hipMemsetAsync"),
        Step("hipMemcpyAsync"),
        Step("hipMalloc"),
    ),
    ordered("cleared_after_copy.cpp"),
    race(
        "graph_input_replaced.py",
        Step("hipMemcpyAsync", 2),
        Step("hipGraphLaunch"),
        Step("hipMalloc"),
    ),
    ordered("graph_input_replaced_after.py"),
    race(
        "half_overwritten.py", Step("hipMemcpyAsync", 2), Step("hipMemcpyAsync"), Step("hipMalloc")
    ),
    ordered("half_beside_half.py"),
    race(
        "ring_of_two.cpp",
        Step("hipMemcpyAsync", 5),
        Step("hipMemcpyAsync", 2),
        Step("hipHostRegister"),
    ),
    ordered("ring_of_three.cpp"),
    race(
        "managed_input_replaced.cpp",
        Step("hipMemcpyAsync"),
        Step("square"),
        Step("hipMallocManaged"),
    ),
    ordered("managed_input_kept.cpp"),
    race("host_refills_at_once.cpp", TOUCH, Step("hipMemcpyAsync"), Step("hipHostMalloc"), WATCH),
    ordered("host_refills_after_wait.cpp", WATCH),
    race(
        "prompts_overtake.cpp",
        Step("hipMemcpyAsync", 2),
        Step("hipMemcpyAsync"),
        Step("hipMalloc"),
    ),
    ordered("prompts_in_turn.cpp"),
]
