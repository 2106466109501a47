"""From a recording to a trace: the calls of a process as tables of operations and accesses.

    trace = trace_of(open_recording("run").processes[0])

What each HIP call does is said in contract/hip_api.toml; `meanings` has it in the words of a trace,
and HIP's rules about when the host waits are in `waits`. All else is finding out whom a handle or
an address meant at that time.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from greta.recording import Process
from greta.trace.reading.accesses import AccessBuilder
from greta.trace.reading.build import TraceBuilder, gaps_of
from greta.trace.reading.description import Describer
from greta.trace.trace import NONE, Seq, Trace

__all__ = ["trace_of", "traces_of"]


def traces_of(process: Process) -> list[Trace]:
    """One for each HIP library that was called: none knows the memory and the work of another."""
    runtimes = process.runtimes
    if len(runtimes) < 2:
        return [trace_of(process)]
    first, *others = (trace_of(process.of_runtime(runtime)) for runtime in runtimes)
    return [first, *(replace(other, dropped=0) for other in others)]  # lost calls count once


def trace_of(process: Process, *, kernels: bool = True) -> Trace:
    """All that a recorded process did with its devices.

    Without `kernels` the memory that launches were given is left out, which takes most of the time.
    """
    builder = TraceBuilder(process, kernels=kernels)
    builder.build()
    streams, place = builder.streams.table()
    for table, name in (
        (builder.operations, "stream"),
        (builder.allocations.table, "free_stream"),
    ):
        known = table[name] != NONE
        table[name][known] = place[table[name][known]] if len(place) else np.empty(0, np.int64)
    return Trace(
        operations=builder.operations,
        accesses=builder.accesses.finished(),
        allocations=builder.allocations.table,
        streams=streams,
        calls=builder.calls.names,
        describe=Describer(process),
        gaps=gaps_of(process, builder.access_builder.unknown_kernels, builder.graphs.unknown),
        kernels=builder.kernels.names,
        branched_graphs=tuple(builder.graphs.branched.found),
        graphs_left_off=builder.graphs.branched.left_off,
        total_calls=sum(process.calls_by_id.values()),
        dropped=process.dropped,
        pid=process.pid,
        different_launches=_different_launches(builder.access_builder),
        signal=_signal(process),
    )


def _different_launches(builder: AccessBuilder) -> tuple[Seq, ...] | None:
    if builder.has_left_out_launches:
        return None
    return tuple(sorted(builder.different_launches.values()))


def _signal(process: Process) -> int | None:
    ending = process.ending
    return ending.code if ending.how == "signal" and not ending.survived else None
