"""A recording with something of everything that a summary counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.recording.writer import LaneWriter, ProcessWriter

DEVICE, PINNED, PAGEABLE = 0x7000_0000_0000, 0x6000_0000_0000, 0x5000_0000_0000

# Calls that the common writer does not have.
MORE_CALLS = {
    200: ("hipMemcpy2D", ["dst", "dpitch", "src", "spitch", "width", "height", "kind"]),
    201: ("hipMemcpyDtoH", ["dst", "src", "sizeBytes"]),
    202: ("hipMemcpy3D", ["p"]),
    203: ("hipGraphLaunch", ["graphExec", "stream"]),
    204: ("hipGetLastError", []),
    205: ("hipStreamQuery", ["stream"]),
    206: ("hipRuntimeGetVersion", ["runtimeVersion"]),
    207: ("hipLaunchHostFunc", ["stream", "fn", "userData"]),
    209: ("roctxRangePushA", ["message"]),
    208: ("hipMemcpyPeer", ["dst", "dstDeviceId", "src", "srcDeviceId", "sizeBytes"]),
}


class Calls:
    """Calls of one thread, one after the other."""

    def __init__(self, lane: LaneWriter, ticks: int = 1000) -> None:
        self._lane = lane
        self._ticks = ticks

    def __call__(self, name: str | int, *words: int, **more: Any) -> None:
        self._ticks += 20
        self._lane.call(name, words, begin=self._ticks, end=self._ticks + 10, **more)

    def unfinished(self, name: str) -> None:
        self._ticks += 20
        self._lane.call(name, begin=self._ticks)


def new_process(folder: Path, pid: int = 4711) -> ProcessWriter:
    process = ProcessWriter(folder / f"{pid}.0", pid=pid)
    for number, (name, words) in MORE_CALLS.items():
        process.line("call", id=number, name=name, words=[f"{word}:size_t:in" for word in words])
    for number, name in enumerate(["rope", "saxpy"], start=1):
        process.line("kernel", id=number, module=1, function="0x1", name=name, kernarg_bytes=0)
    process.line(
        "process",
        pid=pid,
        executable="/bin/true",
        arguments=["true", "-x"],
        folder="/tmp",
        recorder="0.1.0",
        hip_library="/opt/rocm/lib/libamdhip64.so.7",
    )
    place = {"begin": "0x1000", "end": "0x2000", "base": "0x1000"}
    process.line("library", path="/lib/libx.so", build_id="ab12", **place)
    process.line("library", path="/lib/liby.so", **place)
    return process


def fill(process: ProcessWriter) -> ProcessWriter:
    """Copies each way, launches, errors that are and errors that are not."""
    call = Calls(process.lane(100))
    call("hipMalloc", DEVICE, 4096)
    call("hipHostMalloc", PINNED, 4096, 0)
    call("hipMemcpyAsync", DEVICE, PAGEABLE, 1000, 1, 0)
    call("hipMemcpyAsync_spt", DEVICE, PAGEABLE, 24, 1, 0)
    call("hipMemcpyAsync", PAGEABLE, DEVICE, 9999, 2, 0, result=700)
    call(200, PAGEABLE, 64, DEVICE, 64, 32, 10, 2)
    call(201, PAGEABLE, DEVICE, 80)
    call("hipMemcpyAsync", DEVICE, DEVICE + 64, 5, 3, 0)
    call(208, DEVICE, 1, DEVICE, 0, 6)
    call("hipMemcpyAsync", DEVICE + 8, PINNED, 300, 4, 0)
    call("hipMemcpyAsync", PAGEABLE, DEVICE + 4095, 1, 4, 0)
    call(202, 0)
    for kernel in (1, 2, 2, 0):
        call("hipModuleLaunchKernel", kernel=kernel)
    call(203, 0, 0)
    call(207, 0, 0, 0)
    call(204, result=700)
    call(205, 0, result=600)
    call(206, 60_300_000)
    call("hipFree", 1, result=1)
    call("hipMemcpyAsync", PAGEABLE, DEVICE, 9999, 2, 0, result=700)
    Calls(process.lane(101), 9000).unfinished("hipDeviceSynchronize")
    process.live_entry(1, DEVICE, bytes=4096, number=1, since=1030)
    return process
