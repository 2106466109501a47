"""A damaged recording gives a trace, with what is missing said, and never an accident."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import pytest

from greta.recording import LiveKind, RecordingError, open_recording
from greta.trace.reading import trace_of
from greta.trace.trace import Gap
from tests.recording.sample import DAMAGES
from tests.recording.writer import KERNARG, Payload
from tests.trace.reading.shown import Shown
from tests.trace.reading.written import Written

DEVICE, HOST, STREAM, EVENT = 0x7000_0000, 0x5500_0000, 0x900, 0xA00
GRID: dict[str, Any] = {
    "gridDimX": 2,
    "gridDimY": 1,
    "gridDimZ": 1,
    "blockDimX": 64,
    "blockDimY": 1,
    "blockDimZ": 1,
}


def something_of_everything(folder: Path) -> Written:
    written = Written(folder)
    written.writer.live_entry(LiveKind.DEVICE_MEMORY, DEVICE, bytes=4096, number=1, since=2005)
    arguments = [
        {"offset": 0, "bytes": 8, "kind": "global_buffer", "type": "float*"},
        {"offset": 8, "bytes": 4, "kind": "by_value", "type": "int"},
        {"offset": 16, "bytes": 16, "kind": "by_value"},
    ]
    written.writer.line(
        "kernel", id=1, module=1, function="0x1", name="k", kernarg_bytes=32, arguments=arguments
    )
    for thread in range(2):
        written.call("hipSetDevice", deviceId=0, thread=thread)
        written.call("hipMalloc", ptr=DEVICE + thread * 8192, size=4096, thread=thread)
        written.call("hipStreamCreate", stream=STREAM + thread, thread=thread)
        written.call("hipEventCreate", event=EVENT + thread, thread=thread)
        written.call("hipStreamBeginCapture", stream=STREAM + thread, thread=thread)
        values = Payload(KERNARG, 0, struct.pack("<QQQQ", DEVICE, 128, DEVICE + 64, 5))
        stream: dict[str, Any] = {"stream": STREAM + thread, "thread": thread}
        written.call("hipModuleLaunchKernel", **GRID, **stream, kernel=1, payloads=[values])
        written.call("hipMemcpyAsync", dst=HOST, src=DEVICE, sizeBytes=64, kind=2, **stream)
        written.call("hipStreamEndCapture", pGraph=0x40 + thread, **stream)
        written.call("hipGraphInstantiate", pGraphExec=0x50, graph=0x40 + thread, thread=thread)
        written.call("hipGraphLaunch", graphExec=0x50, **stream)
        written.call("hipEventRecord", event=EVENT + thread, **stream)
        parameters = struct.pack("<20Q", *range(20))
        written.call("hipMemcpy3DAsync", p=1, structs={"p": parameters}, **stream)
        written.call("hipFree", ptr=DEVICE + thread * 8192, thread=thread)
        written.call("hipDeviceSynchronize", thread=thread)
    return written


@pytest.mark.parametrize("seed", range(60))
def test_any_damage(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - damage, not secrets
    written = something_of_everything(tmp_path)
    folder = written.writer.write()
    for path in sorted(folder.iterdir()):
        if dice.random() < 0.5:
            content = bytearray(path.read_bytes())
            for _ in range(dice.randint(1, 3)):
                dice.choice(DAMAGES)(dice, content)
            path.write_bytes(content)
    try:
        processes = open_recording(tmp_path).processes
    except RecordingError:
        return
    for process in processes:
        trace = Shown(trace_of(process)).trace
        assert (Gap.DAMAGED in trace.gaps) == bool(process.problems)


def test_a_kernel_with_parameters_that_make_no_sense(tmp_path: Path) -> None:
    written = something_of_everything(tmp_path)
    for line in written.writer.lines:
        if line["t"] == "kernel":
            line["arguments"] = [
                {"offset": 1 << 40, "bytes": 8, "kind": "global_buffer"},
                {"offset": 4, "bytes": 1 << 60, "kind": "by_value"},
            ]
    trace = written.shown().trace
    assert Gap.UNKNOWN_KERNELS in trace.gaps
