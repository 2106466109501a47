"""The host writes the next numbers into a pinned buffer that is still being uploaded.

What is staged:
    After the positions were queued for upload, the host writes to their pinned buffer without
    waiting for anything.

Why it happens:
    With pageable memory this is allowed, since the copy is made before the call returns. Somebody
    made the memory pinned to be faster.

What must be found:
    staging_reuse: the host's own write. Only --watch-host can see it.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.lab.drills.seams import after_prefill
from greta.lab.drills.stage import Stage

SPANISH = "El host escribe los números siguientes en un búfer fijado que todavía se está subiendo."
HYPOTHESIS = "staging_reuse"
TRUTH = {"call": "greta_host_touch"}
WATCH_HOST = True


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        pinned = scheduler._uploads[-1]
        stage.report("greta_host_touch", buffer=pinned)
        pinned.array[:] += 1

    after_prefill(stage, commit)
