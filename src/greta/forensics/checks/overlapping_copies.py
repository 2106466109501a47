"""Two writes overlap, one at least a transfer, and nothing orders them.

What it does:
    Puts all work of streams and all waits of the host in HIP's order and looks, byte range by
    byte range, for two writes to the same memory that do not wait for each other, one of them a
    copy or a fill. Rectangles are compared row by row. docs/order.md has the rules.

Evidence:
    Streams, events, waits, copies, kernels' arguments; what the host touches with --watch-host.

Known problems:
    A copy after which a kernel may write the same memory is missing_sync: the kernel is taken to
    use what the copy brings.
    Rectangles of more than some thousand rows are not compared, and make the ruling INCONCLUSIVE.
    Without --watch-host, what the host writes is not seen; the ruling then says for how many
    copies to pinned memory it matters.

Example:
    hipMemcpyAsync(d, h1, n, hipMemcpyHostToDevice, a);
    hipMemsetAsync(d, 0, n, b);
"""

from __future__ import annotations

from typing import Final

from greta.forensics.evidence import Evidence
from greta.forensics.order import conflicts
from greta.forensics.races import race_codes, rule
from greta.forensics.verdict import Ruling

HYPOTHESIS: Final = "overlapping_copies"
CODES: Final[dict[str, tuple[str, ...]]] = race_codes(
    HYPOTHESIS,
    "host_writes_over_write",
    "transfer_writes_over_write",
    "kernel_writes_over_write",
)


def examine(evidence: Evidence) -> Ruling:
    """Rule on this hypothesis."""
    compared = conflicts(evidence.trace)
    return rule(
        evidence, HYPOTHESIS, compared.transfer_writes, unwatched=compared.host_destinations
    )
