"""What a recording does not show, with a word on how much."""

from __future__ import annotations

from typing import Final

from greta.recording import Process
from greta.trace.trace import Gap

# Streams wait by these for something that is no event: numbers in memory, other APIs, processes.
ORDER_BY_OTHER_MEANS: Final = frozenset(
    (
        *("hipStreamWaitValue32", "hipStreamWaitValue64", "hipStreamBatchMemOp"),
        *("hipStreamWriteValue32", "hipStreamWriteValue64", "hipGraphAddEventRecordNode"),
        *("hipWaitExternalSemaphoresAsync", "hipGraphAddExternalSemaphoresWaitNode"),
        *("hipGraphAddBatchMemOpNode", "hipIpcOpenEventHandle", "hipGraphAddEventWaitNode"),
        *("hipStreamUpdateCaptureDependencies",),
    )
)
# Work whose memory is in lists or arrays that a recording does not keep.
MEMORY_NOT_KEPT: Final = frozenset(
    (
        *("hipMemcpyBatchAsync", "hipMemcpy3DBatchAsync", "hipMemcpy3DPeer"),
        *("hipMemcpy3DPeerAsync", "hipMemcpyAtoA", "hipMemcpy2DArrayToArray"),
        *("hipGraphAddNode", "hipGraphNodeSetParams", "hipGraphExecNodeSetParams"),
        *("hipMemcpyAtoD", "hipMemcpyDtoA", "hipMemcpyAtoH", "hipMemcpyHtoA"),
        *("hipMemcpyAtoHAsync", "hipMemcpyHtoAAsync", "hipMemcpyToArray", "hipMemcpyFromArray"),
        *("hipMemcpy2DToArray", "hipMemcpy2DToArrayAsync", "hipMemcpy2DFromArray"),
        *("hipMemcpy2DFromArrayAsync",),
    )
)
# Launches whose kernels and arguments are in such lists.
KERNELS_NOT_KEPT: Final = frozenset(
    (
        *("hipModuleLaunchCooperativeKernelMultiDevice", "hipLaunchCooperativeKernelMultiDevice"),
        *("hipExtLaunchMultiKernelMultiDevice", "hipLaunchByPtr"),
    )
)


def gaps_of(process: Process, unknown_kernels: int, unknown_graphs: int) -> dict[Gap, str]:
    """All reasons why the trace is not all that happened."""
    gaps = _of_the_recording(process)
    counts = {name.removesuffix("_spt"): 0 for name in process.calls_by_name}
    for name, count in process.calls_by_name.items():
        counts[name.removesuffix("_spt")] += count
    unknown_kernels += _how_many(counts, KERNELS_NOT_KEPT)
    if unknown_kernels or unknown_graphs:
        texts = [f"{unknown_kernels} launches"] if unknown_kernels else []
        texts += [f"{unknown_graphs} graph launches or changed nodes"] if unknown_graphs else []
        gaps[Gap.UNKNOWN_KERNELS] = ", ".join(texts)
    if other := _how_many(counts, ORDER_BY_OTHER_MEANS):
        gaps[Gap.NO_ORDER] = f"{other} calls that order work by other means than events"
    if lists := _how_many(counts, MEMORY_NOT_KEPT):
        gaps[Gap.NO_ADDRESSES] = f"{lists} copies of arrays or of lists that are not kept"
    return gaps


def _how_many(counts: dict[str, int], names: frozenset[str]) -> int:
    return sum(count for name, count in counts.items() if name in names)


def _of_the_recording(process: Process) -> dict[Gap, str]:
    gaps: dict[Gap, str] = {}
    if not len(process):
        gaps[Gap.NO_RECORDING] = "no calls"
    if process.ending.how == "open":
        gaps[Gap.CUT_SHORT] = "it was killed, or is still running"
    elif process.ending.survived:
        gaps[Gap.CUT_SHORT] = f"it went on after signal {process.ending.code}"
    if process.overwritten:
        gaps[Gap.OVERWRITTEN] = f"{process.overwritten} records"
    if process.header.dropped or process.header.gave_up:
        dropped = process.header.dropped
        gaps[Gap.DROPPED] = f"{dropped} calls" if dropped else "the recorder gave up"
    if len(libraries := process.tables.process.hip_libraries) > 1:
        gaps[Gap.TWO_RUNTIMES] = ", ".join(libraries)
    if process.problems:
        more = f", and {len(process.problems) - 1} more" if len(process.problems) > 1 else ""
        gaps[Gap.DAMAGED] = process.problems[0] + more
    return gaps
