"""What to call a stream."""

from __future__ import annotations

from greta.recording import Process
from greta.reports.export.in_flight import Stream
from greta.reports.export.streams import PER_THREAD_STREAM


def stream_name(stream: Stream, process: Process) -> str:
    """By device and handle; a handle that was used before has a number."""
    where = "" if stream.device is None else f", device {stream.device}"
    if stream.is_default:
        return f"default stream{where}"
    if stream.handle == PER_THREAD_STREAM:
        threads = {lane.facts.number: lane.facts.thread_id for lane in process.lanes}
        return f"default stream of thread {threads.get(stream.thread or 0)}{where}"
    again = f" #{stream.generation}" if stream.generation > 1 else ""
    return f"stream {stream.handle:#x}{again}{where}"
