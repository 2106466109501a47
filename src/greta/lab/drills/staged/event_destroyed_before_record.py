"""An event is recorded after it was destroyed.

What is staged:
    An event for one request is created and destroyed, and then recorded behind the prefill.

Why it happens:
    A cache of events gives one back to HIP that a request still holds.

What must be found:
    stale_handle: the record. HIP refuses it. There is no buffer.
"""

from __future__ import annotations

from greta.engine.forward import BlockScheduler
from greta.hip import Event
from greta.hip._bindings import call
from greta.lab.drills.seams import after_prefill, destroy_behind
from greta.lab.drills.stage import Stage

SPANISH = "Un evento se graba después de haber sido destruido."
HYPOTHESIS = "stale_handle"
TRUTH = {"call": "hipEventRecord"}


def stage(stage: Stage) -> None:
    def commit(scheduler: BlockScheduler) -> None:
        event = Event(timing=False)
        gone = destroy_behind(event, "hipEventDestroy")
        stage.report("hipEventRecord")
        call("hipEventRecord", gone, scheduler._stream.native)

    after_prefill(stage, commit)
