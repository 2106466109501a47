"""A result is used that its producer may not have finished: read after write, without order.

What it does:
    Puts all work of streams and all waits of the host in HIP's order and looks, byte range by
    byte range, for a copy, a kernel or an access by the host that uses what another operation
    writes, where nothing makes it wait for that operation. Two kernels that both may write the
    same memory belong here as well, and so does memory of hipMallocAsync that another stream uses
    without waiting for the allocation. docs/order.md has the rules.

Evidence:
    Streams, events, waits, copies, kernels' arguments; what the host accesses with --watch-host.

Known problems:
    Which bytes a kernel uses is often a guess. Then the pair is a doubt, and nobody is convicted.
    That a kernel waits for another one by polling memory is a doubt, if one of the two updates a
    word there atomically, or stores it so or as volatile; a flag that is a plain one is not known.
    The branches of a graph are compared only if all dependencies of its nodes were recorded: not
    after hipGraphRemoveDependencies or a capture into a graph that exists. Of graphs that change
    all the time the first states are compared. What is left out is said.
    Threads of one launch are the matter of the simulated device, where it was told to look for
    their races (`greta check --tools racecheck`). What it tells is a doubt: some polling is meant.
    What the host does itself is a limit (greta.forensics.limits), but for what --watch-host sees.

Example:
    kernel<<<grid, block, 0, a>>>(x); hipMemcpyAsync(h, x, n, hipMemcpyDeviceToHost, b);
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from greta.forensics.case import Case
from greta.forensics.failures import wait_that_reported_a_fault
from greta.forensics.kernel_races import BARRIER_FIELDS, RACE_FIELDS, doubt_of
from greta.forensics.order import copies_never_waited_for
from greta.forensics.races import race_codes, rule
from greta.forensics.verdict import Doubt, Ruling
from greta.forensics.wording import KEPT, operation_words
from greta.trace.trace import NONE

HYPOTHESIS: Final = "missing_sync"
CODES: Final[dict[str, tuple[str, ...]]] = {
    **race_codes(
        HYPOTHESIS,
        "host_uses_unfinished",
        "transfer_uses_unfinished",
        "kernel_uses_unfinished",
        "used_before_allocated",
    ),
    "doubt_kernel_race": RACE_FIELDS,
    "doubt_missed_barrier": BARRIER_FIELDS,
}
_MOST_UNWAITED: Final = 8


def examine(case: Case) -> Ruling:
    compared = case.conflicts
    unwaited = () if case.evidence.run.watch_host else tuple(_unwaited(case))
    within = (doubt_of(one, HYPOTHESIS) for one in case.evidence.races[:KEPT])
    examined = compared.reads + compared.may_writes + len(case.evidence.races)
    return rule(case, HYPOTHESIS, examined, (*unwaited, *within))


def _unwaited(case: Case) -> Iterator[Doubt]:
    """A result that no wait precedes was used too early, if it was used; nobody watched."""
    trace = case.trace
    for row in copies_never_waited_for(case.completion)[:_MOST_UNWAITED].tolist():
        seq = int(trace.operations["seq"][row])
        words = operation_words(trace, row) | {"seq": seq}
        wait = wait_that_reported_a_fault(trace, row)
        if wait == NONE:
            yield Doubt("unwaited_copy", (seq,), HYPOTHESIS, words)
        else:
            other = int(trace.operations["seq"][wait])
            words |= {"other": other, "other_call": operation_words(trace, wait)["call"]}
            yield Doubt("unproven_copy", (seq, other), HYPOTHESIS, words)
