"""What an operation in flight still reads is overwritten: write after read, without order.

What it does:
    Puts all work of streams and all waits of the host in HIP's order and looks, byte range by
    byte range, for a copy, a fill, a kernel or an access by the host that writes what another
    operation reads, where nothing makes it wait for that operation. docs/order.md has the rules.

Evidence:
    Streams, events, waits, copies, kernels' arguments; what the host accesses with --watch-host.

Known problems:
    Which bytes a kernel uses is often a guess. Then the pair is a doubt, and nobody is convicted.
    What the host does itself is a limit (greta.forensics.limits), but for what --watch-host sees.

Example:
    hipMemcpyAsync(d, pinned, n, hipMemcpyHostToDevice, a);
    hipMemcpyAsync(pinned, e, n, hipMemcpyDeviceToHost, b);
"""

from __future__ import annotations

from typing import Final

from greta.forensics.case import Case
from greta.forensics.races import race_codes, rule
from greta.forensics.verdict import Ruling

HYPOTHESIS: Final = "staging_reuse"
CODES: Final[dict[str, tuple[str, ...]]] = race_codes(
    HYPOTHESIS,
    "host_overwrites_in_use",
    "transfer_overwrites_in_use",
    "kernel_overwrites_in_use",
)


def examine(case: Case) -> Ruling:
    compared = case.conflicts
    return rule(case, HYPOTHESIS, compared.transfer_reads)
