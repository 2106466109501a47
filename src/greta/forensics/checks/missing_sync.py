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
    Whether a kernel writes through a pointer that is not const is not known; it is taken to.
    How far it reaches is an estimate: only its first element is sure, unless the estimate is most
    of the allocation.
    A kernel that waits for another one by polling memory and a host that polls pinned memory are
    not seen.
    The branches of a graph are compared only if all dependencies of its nodes were recorded: not
    after hipGraphRemoveDependencies or a capture into a graph that exists. Of graphs that change
    all the time the first states are compared. What is left out is said.
    Without --watch-host, what the host reads is not seen; the ruling then says for how many copies,
    and is open if the host never waited for one at all. What it does with memory that kernels
    write is not seen in any case; the ruling says for how many launches.

Example:
    kernel<<<grid, block, 0, a>>>(x); hipMemcpyAsync(h, x, n, hipMemcpyDeviceToHost, b);
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from greta.forensics.case import Case
from greta.forensics.completion import copies_never_waited_for, launches_that_write_host_memory
from greta.forensics.races import race_codes, rule
from greta.forensics.verdict import Outcome, Ruling
from greta.forensics.wording import RULING_FIELDS

HYPOTHESIS: Final = "missing_sync"
CODES: Final[dict[str, tuple[str, ...]]] = {
    **race_codes(
        HYPOTHESIS,
        "host_uses_unfinished",
        "transfer_uses_unfinished",
        "kernel_uses_unfinished",
        "used_before_allocated",
    ),
    "missing_sync_refuted_mapped": (*RULING_FIELDS, "unwatched", "mapped"),
}


def examine(case: Case) -> Ruling:
    """Rule on this hypothesis."""
    compared = case.conflicts
    unwatched = compared.host_destinations
    ruling = rule(
        case,
        HYPOTHESIS,
        compared.reads + compared.may_writes,
        unwatched=unwatched,
        doubts=_never_waited_for(case),
    )
    mapped = len(launches_that_write_host_memory(case.trace))
    if ruling.outcome is not Outcome.REFUTED or not mapped:
        return ruling
    data = {**ruling.data, "unwatched": unwatched, "mapped": mapped}
    return replace(ruling, code="missing_sync_refuted_mapped", data=data)


def _never_waited_for(case: Case) -> tuple[str, ...]:
    """A result that no wait precedes was used too early, if it was used; nobody watched."""
    watched = case.evidence.run.watch_host
    unwaited = not watched and len(copies_never_waited_for(case.completion)) > 0
    return ("never_waited_for",) if unwaited else ()
