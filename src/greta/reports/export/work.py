"""The work that a process put on streams, and from when on each piece is known to be complete.

At the HIP ABI one sees work being put on streams and the host waiting for it, and nothing in
between. So work is known to be complete when a call has returned that waits for it: see
greta.forensics.completion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from greta.forensics.completion import completion
from greta.forensics.copies import copies_in
from greta.recording import Process
from greta.trace.reading import trace_of
from greta.trace.trace import NONE, Kind, Seq, StreamKind

TITLES: Final = {
    Kind.COPY: "copy",
    Kind.FILL: "fill",
    Kind.PREFETCH: "prefetch",
    Kind.LAUNCH: "kernel",
    Kind.GRAPH_LAUNCH: "graph",
    Kind.HOST_FUNCTION: "host function",
}
"""What a piece of work is called, if it has no better name."""


@dataclass(frozen=True)
class Work:
    """One row for each piece of work, in the order of the calls."""

    seq: list[Seq]
    title: list[str]
    stream: list[int]
    """A place in `streams`."""
    known_by: list[Seq]
    """0: never."""
    known_ns: list[int]
    """When that call returned, since the process started."""
    streams: list[str]
    """Their names."""


def work_of(process: Process) -> Work:
    """All work of a process; not that of a call that was refused, or whose stream is not known."""
    trace = trace_of(process, kernels=False)
    operations = trace.operations
    chosen = np.isin(operations["kind"], list(TITLES)) & (operations["stream"] != NONE)
    rows = np.flatnonzero(chosen & ~(operations["captured"] | operations["failed"]))
    by = completion(trace).known_by[rows]
    known = by != NONE
    # Copies with the way they went.
    copies = copies_in(trace)
    ways = dict(zip(copies.operation.tolist(), copies.direction.tolist(), strict=True))
    titles = [TITLES[Kind(kind)] for kind in trace.operations["kind"][rows].tolist()]
    return Work(
        seq=operations["seq"][rows].tolist(),
        title=[
            f"{title} {ways[row]}" if title == TITLES[Kind.COPY] and row in ways else title
            for row, title in zip(rows.tolist(), titles, strict=True)
        ],
        stream=operations["stream"][rows].tolist(),
        known_by=np.where(known, operations["seq"][by], 0).tolist(),
        known_ns=np.where(known, operations["end"][by], 0).tolist(),
        streams=[_stream_name(stream, process) for stream in trace.streams],
    )


def _stream_name(stream: np.void, process: Process) -> str:
    """By device and handle; a handle that was used before has a number."""
    device, handle, generation = (int(stream[n]) for n in ("device", "handle", "generation"))
    where = "" if device == NONE else f", device {device}"
    if stream["kind"] == StreamKind.LEGACY:
        return f"default stream{where}"
    if stream["kind"] == StreamKind.PER_THREAD:
        thread = process.lanes[int(stream["thread"])].facts.thread_id
        return f"default stream of thread {thread}{where}"
    if stream["kind"] == StreamKind.UNKNOWN:
        return f"stream {handle:#x}"
    again = f" #{generation}" if generation > 1 else ""
    return f"stream {handle:#x}{again}{where}"
