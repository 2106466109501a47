"""Recordings to export, and short ways to look at what came out."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from greta.recording import Recording, open_recording
from greta.reports.export import write
from tests.recording.writer import CALLS, IDS, LaneWriter, ProcessWriter

# Calls that the recordings of tests/recording do not need.
MORE_CALLS = {
    "hipMemcpy": [
        *("dst:void*:in", "src:const void*:in", "sizeBytes:size_t:in", "kind:hipMemcpyKind:in"),
    ],
    "hipMemsetAsync": [
        *("dst:void*:in", "value:int:in", "sizeBytes:size_t:in", "stream:hipStream_t:in"),
    ],
    "hipMemsetD32Async": [
        *("dst:void*:in", "value:int:in", "count:size_t:in", "stream:hipStream_t:in"),
    ],
    "hipStreamCreateWithFlags": ["stream:hipStream_t:out", "flags:unsigned int:in"],
    "hipStreamSynchronize": ["stream:hipStream_t:in"],
    "hipStreamSynchronize_spt": ["stream:hipStream_t:in"],
    "hipStreamQuery": ["stream:hipStream_t:in"],
    "hipStreamWaitEvent": ["stream:hipStream_t:in", "event:hipEvent_t:in", "flags:unsigned int:in"],
    "hipStreamBeginCapture": ["stream:hipStream_t:in", "mode:hipStreamCaptureMode:in"],
    "hipStreamEndCapture": ["stream:hipStream_t:in", "pGraph:hipGraph_t:out"],
    "hipGraphLaunch": ["graphExec:hipGraphExec_t:in", "stream:hipStream_t:in"],
    "hipEventRecord": ["event:hipEvent_t:in", "stream:hipStream_t:in"],
    "hipEventSynchronize": ["event:hipEvent_t:in"],
    "hipLaunchKernelExC": ["config:const hipLaunchConfig_t*:in:struct", "fPtr:const void*:in"],
    "hipExtModuleLaunchKernel": [
        "f:hipFunction_t:in",
        *(f"globalWorkSize{axis}:uint32_t:in" for axis in "XYZ"),
        *(f"localWorkSize{axis}:uint32_t:in" for axis in "XYZ"),
        *("sharedMemBytes:size_t:in", "hStream:hipStream_t:in", "startEvent:hipEvent_t:in"),
        *("stopEvent:hipEvent_t:in", "flags:uint32_t:in"),
    ],
    "hipGetLastError": [],
    "roctxRangePushA": ["message:const char*:in:text"],
    "roctxRangePop": [],
    "roctxRangeStartA": ["message:const char*:in:text", "id:uint64_t:out"],
    "roctxRangeStop": ["id:uint64_t:in"],
    "roctxMarkA": ["message:const char*:in:text"],
}
MORE_IDS = {name: number for number, name in enumerate(MORE_CALLS, start=1000)}

H2D, D2H, D2D = 1, 2, 3


@dataclass
class Program:
    """A program, written down call by call: each begins and ends where the clock stands."""

    folder: Path
    writer: ProcessWriter = field(init=False)
    now: int = 1000  # the process starts here
    lanes: dict[int, LaneWriter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.writer = ProcessWriter(self.folder / "recording" / "4711.1")
        for name, words in MORE_CALLS.items():
            self.writer.line("call", id=MORE_IDS[name], name=name, words=words)

    def call(self, name: str, *words: int, thread: int = 100, takes: int = 10, **more: Any) -> int:
        """A call that has returned; gives the time at which it did."""
        more.setdefault("begin", self.now)
        more.setdefault("end", more["begin"] + takes)
        self.now = max(self.now, more["end"] or 0, more["begin"])
        id_ = IDS.get(name) or MORE_IDS.get(name, 0)
        self.lane(thread).call(id_, words, **more)
        return int(more["end"] or 0)

    def lane(self, thread: int) -> LaneWriter:
        if thread not in self.lanes:
            self.lanes[thread] = self.writer.lane(thread)
        return self.lanes[thread]

    def text(self, id_: int, text: str) -> int:
        self.writer.line("text", id=id_, text=text)
        return id_

    def recorded(self) -> Recording:
        self.writer.write()
        return open_recording(self.folder)


def exported(recording: Recording, format_: str) -> bytes:
    file = io.BytesIO()
    write(recording, format_, file)
    return file.getvalue()


def objects(recording: Recording) -> list[dict[str, Any]]:
    """The lines of a jsonl export."""
    return list(parsed(exported(recording, "jsonl")))


def parsed(lines: bytes) -> Iterator[dict[str, Any]]:
    for line in lines.decode("utf-8").splitlines():
        yield json.loads(line, parse_constant=lambda name: 1 / 0)  # NaN is not JSON


__all__ = ["CALLS", "D2D", "D2H", "H2D", "Program", "exported", "objects", "parsed"]
