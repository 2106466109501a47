"""From a recording to a trace: the calls of a process as tables of operations and accesses.

    trace = trace_of(open_recording("run").processes[0])

What each HIP call does is said in contract/hip_api.toml; `meanings` has it in the words of a trace,
and HIP's rules about when the host waits are in `waits`. All else is finding out whom a handle or
an address meant at that time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from greta.recording import (
    ANNOUNCEMENTS,
    PART_LAUNCHED,
    CallEvent,
    PayloadKind,
    Process,
    effects_of,
)
from greta.recording.columns import CHUNK_ROWS
from greta.symbols.kernel_parameters import better_known
from greta.symbols.stacks import STUB, CallStacks, StackFrame
from greta.trace.memory_history import MemoryHistory
from greta.trace.reading.build import TraceBuilder, gaps_of
from greta.trace.reading.calls import event_word
from greta.trace.reading.handles import stale_handles
from greta.trace.trace import NONE, Call, Seq, Trace, Where

__all__ = ["carving_library", "trace_of", "traces_of"]
CARVING: Final = ("libc10_hip.so", "libc10_cuda.so", "libggml-hip.so", "libggml-cuda.so")


def traces_of(process: Process, history: MemoryHistory | None = None) -> list[Trace]:
    """One for each HIP library that was called: none knows the memory and the work of another.

    `history`: what the allocator of the process said of its blocks.
    """
    process.tables.kernels.update(better_known(process))
    runtimes = process.runtimes
    if len(runtimes) < 2:
        return [trace_of(process, history=history)]
    first, *others = (trace_of(process.of_runtime(one), history=history) for one in runtimes)
    return [first, *(replace(other, dropped=0) for other in others)]  # lost calls count once


def trace_of(
    process: Process,
    *,
    kernels: bool = True,
    order: bool = True,
    history: MemoryHistory | None = None,
) -> Trace:
    """All that a recorded process did with its devices.

    Without `kernels` the memory that launches were given is left out, which takes most of the time;
    without `order`, calls that only order work or make memory, where there are no graphs.
    """
    builder = TraceBuilder(process, kernels=kernels, order=order, history=history)
    builder.build()
    streams, place = builder.streams.table()
    place = np.append(place, NONE)
    for table, name in (
        (builder.operations, "stream"),
        (builder.allocations.table, "free_stream"),
    ):
        for first in range(0, len(table), CHUNK_ROWS):
            column = table[name][first : first + CHUNK_ROWS]
            column[:] = place[column]
    launches, graphs = builder.access_builder, builder.graphs
    ending, ticks = process.ending, process.header.end_ticks
    return Trace(
        operations=builder.operations,
        accesses=builder.accesses.finished(),
        allocations=builder.allocations.table,
        streams=streams,
        calls=builder.calls.names,
        describe=Describer(process),
        blocks=builder.blocks.table,
        block_names=builder.blocks.names,
        carved_by=carving_library(entry.path for entry in process.tables.libraries),
        gaps=gaps_of(process, launches.unknown_kernels, graphs),
        kernels=builder.kernels.names,
        branched_graphs=tuple(graphs.branched.found) if graphs else (),
        graphs_left_off=graphs.branched.left_off if graphs else 0,
        event_graphs=tuple(graphs.with_events.found) if graphs else (),
        shared_records=tuple(sorted(builder.shared_records)),
        total_calls=_calls(process),
        dropped=process.dropped,
        pid=process.pid,
        rank=process.rank,
        reaches_pageable=process.reaches_pageable,
        different_launches=None
        if launches.has_left_out_launches
        else tuple(sorted(launches.different_launches.values())),
        signal=ending.code if ending.how == "signal" and not ending.survived else None,
        # The recorder notes the time at an end that it sees.
        ended=process.clock.ns_of(ticks) if ticks and not ending.survived else None,
        stale_handles=tuple(stale_handles(process, builder.operations["seq"])),
    )


def carving_library(paths: Iterable[str]) -> str | None:
    """The first whose allocator gives out parts of its allocations: PyTorch's, ggml's."""
    names = (path.rpartition("/")[2] for path in paths)
    return next((name for name in names if name.startswith(CARVING)), None)


def _calls(process: Process) -> int:
    """The program's own calls, without its announcements of blocks and without parts of calls."""
    counts, others = process.calls_by_id.items(), (*ANNOUNCEMENTS, PART_LAUNCHED)
    name = process.tables.call_name
    return sum(count for id_, count in counts if name(id_) not in others)


# --- one call as a person wants to see it, looked up when it is asked for -------------------------

Size = tuple[int, int, int]

_PUSH = "__hipPushCallConfiguration"
_NEAR = 64  # other threads may call in between


class Describer:
    """Describes the calls of one process; places are looked up once."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._stacks = CallStacks(process)

    def __call__(self, seq: Seq) -> Call:
        """The call with that number; IndexError if there is none."""
        event = self._process.event(seq)
        grid, block = grid_and_block(event)
        stack = tuple(map(_where, self._stacks.kept(event)))
        return Call(
            seq=seq,
            name=event.call,
            result=event.result,
            result_name=event.result_name,
            arguments=dict(event.arguments),
            where=self._named(event),
            stack=stack,
            kernel=event.kernel.name if event.kernel else None,
            kernel_arguments=_kernel_arguments(event),
            struct_words=tuple(_struct_words(event)),
            grid=grid,
            block=block,
            annotations=tuple(entry.text for entry in event.annotations),
            argument_bytes=_argument_bytes(event),
        )

    def _named(self, event: CallEvent) -> Where:
        frame = self._stacks.named(event)
        if frame and not frame.line and STUB in (frame.function or ""):
            frame = self._launch_site(event) or frame
        return _where(frame) if frame else Where()

    def _launch_site(self, launch: CallEvent) -> StackFrame | None:
        """Where kernel<<<...>>> stands: there the configuration is pushed that the stub takes."""
        for seq in range(launch.seq - 1, max(0, launch.seq - _NEAR), -1):
            before = self._process.event(seq)
            if before.lane == launch.lane and before.call == _PUSH:
                return self._stacks.named(before)
        return None


def _where(frame: StackFrame) -> Where:
    return Where(frame.file, frame.line, frame.function)


def _kernel_arguments(event: CallEvent) -> tuple[tuple[str, str, int | None], ...]:
    types = [parameter.type for parameter in event.kernel.arguments] if event.kernel else []
    types += [""] * (len(event.kernel_arguments) - len(types))
    return tuple(
        (argument.name, type_, argument.value if isinstance(argument.value, int) else None)
        for argument, type_ in zip(event.kernel_arguments, types, strict=False)
    )


def _struct_words(event: CallEvent) -> Iterator[tuple[int, int]]:
    for place, argument in enumerate(event.kernel_arguments):
        if not isinstance(argument.value, int):
            yield from ((place, word) for word in argument.pointers)


def _argument_bytes(event: CallEvent) -> tuple[int, int] | None:
    """None if the kernel is not known, or was given none of its arguments in a buffer."""
    given = next((one.total for one in event.payloads if one.kind is PayloadKind.KERNARG), None)
    if event.kernel is None or given is None:
        return None
    explicit = (one for one in event.kernel.arguments if not one.kind.startswith("hidden"))
    return given, max((one.offset + one.bytes for one in explicit), default=0)


def grid_and_block(event: CallEvent) -> tuple[Size, Size] | tuple[None, None]:
    """The grid of a launch in blocks, and its block in threads."""
    does = effects_of(event.call)
    launch = does.launch if does else None
    if launch is None:
        return None, None
    grid, block = (
        [event_word(event, name) for name in names] for names in (launch.grid, launch.block)
    )
    if None in grid or None in block:
        return None, None
    x, y, z = (size or 0 for size in grid)
    in_block = (block[0] or 0, block[1] or 0, block[2] or 0)
    if launch.grid_in_threads:
        x, y, z = (-(-all_ // max(one, 1)) for all_, one in zip((x, y, z), in_block, strict=True))
    return (x, y, z), in_block
