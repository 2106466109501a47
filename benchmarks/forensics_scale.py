"""A large recording to a verdict: time, peak memory, and how they grow.

Writes recordings of a program that works like an inference server: a few threads, each with two
streams, that copy in, launch kernels, copy out and wait; now and then a buffer is made and freed.
Each measurement is a process of its own.

    python benchmarks/forensics_scale.py [EVENTS ...]
"""

from __future__ import annotations

import json
import math
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from greta.recording import PayloadKind, open_recording
from greta.recording import _format as f

EVENTS = (1_000_000, 10_000_000)
LANES = 4
ROUND = 200  # calls of a thread from one buffer to the next
TICKS = 50  # from one call to the next
ROUNDS_AT_ONCE = 256

STREAM, EVENT = "hipStream_t", "hipEvent_t"
CALLS = {
    "hipMalloc": ["ptr:void*:out", "size:size_t:in"],
    "hipFree": ["ptr:void*:in"],
    "hipHostMalloc": ["ptr:void*:out", "size:size_t:in", "flags:unsigned int:in"],
    "hipStreamCreate": [f"stream:{STREAM}:out"],
    "hipEventCreate": [f"event:{EVENT}:out"],
    "hipGetLastError": [],
    "hipMemcpyAsync": [
        *("dst:void*:in", "src:const void*:in", "sizeBytes:size_t:in"),
        *("kind:hipMemcpyKind:in", f"stream:{STREAM}:in"),
    ],
    "hipMemsetAsync": [
        "dst:void*:in",
        "value:int:in",
        "sizeBytes:size_t:in",
        f"stream:{STREAM}:in",
    ],
    "hipModuleLaunchKernel": [
        "f:hipFunction_t:in",
        *(f"{size}Dim{axis}:unsigned int:in" for size in ("grid", "block") for axis in "XYZ"),
        *("sharedMemBytes:unsigned int:in", f"stream:{STREAM}:in"),
    ],
    "hipEventRecord": [f"event:{EVENT}:in", f"stream:{STREAM}:in"],
    "hipStreamWaitEvent": [f"stream:{STREAM}:in", f"event:{EVENT}:in", "flags:unsigned int:in"],
    "hipStreamSynchronize": [f"stream:{STREAM}:in"],
}
IDS = {name: number for number, name in enumerate(CALLS, start=1)}
KERNEL = {
    "t": "kernel",
    "id": 1,
    "module": 1,
    "function": "0x10",
    "name": "add",
    "kernarg_bytes": 32,
    "arguments": [
        {"offset": 0, "bytes": 8, "kind": "global_buffer", "type": "const float*"},
        {"offset": 8, "bytes": 8, "kind": "global_buffer", "type": "const float*"},
        {"offset": 16, "bytes": 8, "kind": "global_buffer", "type": "float*"},
        {"offset": 24, "bytes": 4, "kind": "by_value", "type": "int"},
    ],
}
BUFFER = 1 << 20
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


class LaneTemplate:
    """The slots of calls, one after the other, to be repeated."""

    def __init__(self, lane: int) -> None:
        self.base = (lane + 1) << 36
        self.host = 0x7000_0000_0000 + self.base
        self.streams = (self.base + 0x100, self.base + 0x200)
        self.event = self.base + 0x300
        self.slots: list[np.ndarray] = []
        self.calls = 0

    def add(self, name: str, *words: int, kernarg: bytes = b"") -> None:
        record = np.zeros(1, f.RECORD)
        record["call"], record["flags"] = IDS[name], f.RecordFlags.FINISHED
        record["words"][0, : len(words)] = words
        record["begin"] = self.calls * TICKS
        record["end"] = record["begin"] + TICKS // 2
        self.calls += 1
        self.slots.append(record)
        if kernarg:
            record["more"], record["kernel"] = 1, 1
            more = np.zeros(1, f.MORE)
            more["call"], more["kind"] = f.CALL_MORE, PayloadKind.KERNARG
            more["used"] = more["total"] = len(kernarg)
            more["bytes"][0, : len(kernarg)] = np.frombuffer(kernarg, np.uint8)
            self.slots.append(more.view(f.RECORD))

    def buffer(self, number: int) -> int:
        return self.base + (number + 1) * 2 * BUFFER

    def add_start(self) -> None:
        for stream in self.streams:
            self.add("hipStreamCreate", stream)
        self.add("hipEventCreate", self.event)
        self.add("hipHostMalloc", self.host, BUFFER, 0)
        for number in range(16):
            self.add("hipMalloc", self.buffer(number), BUFFER)

    def add_round(self) -> None:
        """Copy in, eight kernels, copy out, wait: ten times, with a buffer of its own."""
        one, two = self.streams
        own = self.buffer(20)
        self.add("hipMalloc", own, BUFFER)
        for step in range((ROUND - 2) // 18):
            first = self.buffer(step % 14)
            self.add("hipMemcpyAsync", first, self.host, 4096, HOST_TO_DEVICE, one)
            self.add("hipMemsetAsync", own, 0, 4096, one)
            for kernel in range(5):
                values = (first, self.buffer((step + kernel) % 14), own, 1024)
                size = (16, 1, 1, 64, 1, 1, 0)
                kernarg = struct.pack("<QQQi", *values)
                self.add("hipModuleLaunchKernel", 0x10, *size, one, kernarg=kernarg)
                self.add("hipGetLastError")
            self.add("hipEventRecord", self.event, one)
            self.add("hipStreamWaitEvent", two, self.event, 0)
            self.add("hipMemcpyAsync", self.host, own, 4096, DEVICE_TO_HOST, two)
            self.add("hipEventRecord", self.event, two)
            self.add("hipStreamWaitEvent", one, self.event, 0)
            self.add("hipStreamSynchronize", two)
        self.add("hipFree", own)


def write_recording(folder: Path, events: int) -> None:
    folder.mkdir()
    header = struct.pack(
        "<8sIIIIQQQQQQIiQQI",
        *(b"GRETAHD1", 1, 0, 4711, 1, 0),
        *(0, 0, 0, 0, 0, f.End.EXIT, 0, 1 << 60, 0, LANES),
    )
    (folder / "header").write_bytes(header.ljust(f.PAGE_BYTES, b"\0"))
    (folder / "live").write_bytes(
        struct.pack("<8sIIQQQ", b"GRETALV1", 1, 64, 0, 0, 0).ljust(f.PAGE_BYTES, b"\0")
    )
    calls = [{"t": "call", "id": IDS[name], "name": name, "words": CALLS[name]} for name in CALLS]
    lines = (json.dumps(line) + "\n" for line in [*calls, KERNEL])
    (folder / "tables.jsonl").write_text("".join(lines))
    for lane in range(LANES):
        write_lane(folder, lane, events // LANES)


def write_lane(folder: Path, lane: int, events: int) -> None:
    start, body = LaneTemplate(lane), LaneTemplate(lane)
    start.add_start()
    body.add_round()
    rounds = max(1, (events - start.calls) // body.calls)
    one_round = np.concatenate(body.slots)
    written = len(start.slots) + rounds * len(one_round)
    page = struct.pack(
        *("<8sIIIIQQQ16s", b"GRETALN1", 1, lane, 100 + lane, 0, 0, written, 0, b"thread")
    )
    with (folder / f"lane.{lane}").open("wb") as file:
        file.write(page.ljust(f.PAGE_BYTES, b"\0"))
        shift_times(np.concatenate(start.slots), 1 + lane).tofile(file)
        for first in range(0, rounds, ROUNDS_AT_ONCE):
            count = min(ROUNDS_AT_ONCE, rounds - first)
            times = (start.calls + (first + np.arange(count)) * body.calls) * TICKS + 1 + lane
            many = shift_times(np.tile(one_round, count), np.repeat(times, len(one_round)))
            many.tofile(file)


def shift_times(slots: np.ndarray, by: int | np.ndarray) -> np.ndarray:
    is_call = slots["call"] != f.CALL_MORE
    for name in ("begin", "end"):
        slots[name][is_call] += np.broadcast_to(np.uint64(by), slots.shape)[is_call]
    return slots


def measure_here(folder: Path) -> None:
    from greta.forensics.analysis import analyze
    from greta.trace.evidence import Evidence
    from greta.trace.reading import trace_of

    started, cpu = perf_counter(), process_time()
    (process,) = open_recording(folder).processes
    opened = perf_counter()
    trace = trace_of(process)
    traced = perf_counter()
    report = analyze([Evidence(trace)])
    judged, cpu = perf_counter(), process_time() - cpu
    assert not trace.gaps
    # Not ru_maxrss: it counts what the parent used before it started this process.
    (peak,) = re.findall(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    results = {
        "calls": len(process),
        "operations": len(trace.operations),
        "accesses": len(trace.accesses),
        "verdict": report.word.value,
        "open": opened - started,
        "trace": traced - opened,
        "judge": judged - traced,
        "all": judged - started,
        "cpu": cpu,
        "peak": int(peak) / (1 << 20),
    }
    print(json.dumps(results))


def measure(events: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="greta-benchmark-") as temporary:
        folder = Path(temporary) / "4711.1"
        write_recording(folder, events)
        command = [sys.executable, __file__, "--measure", str(folder)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(output))


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure_here(Path(sys.argv[2]))
        return
    sizes = [int(word) for word in sys.argv[1:]] or EVENTS
    results = [measure(events) for events in sizes]
    for result in results:
        print(
            f"{result['calls']:,} calls to the verdict {result['verdict']}: {result['all']:.2f} s "
            f"({result['cpu']:.2f} s of CPU), peak {result['peak']:.2f} GiB; opened in "
            f"{result['open']:.2f} s, {result['operations']:,} operations with "
            f"{result['accesses']:,} accesses in {result['trace']:.2f} s, judged in "
            f"{result['judge']:.2f} s"
        )
    if len(results) > 1:
        first, last = results[0], results[-1]
        growth = math.log(last["all"] / first["all"]) / math.log(last["calls"] / first["calls"])
        print(f"time grows with the power {growth:.2f} of the calls")


if __name__ == "__main__":
    main()
