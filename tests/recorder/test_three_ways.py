"""The same calls give the same recording, however the program reached the library."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from greta.recording import CallEvent, LiveKind, Process
from tests.recorder.conftest import PROGRAMS, Build, Record

CALLS = [
    *("hipSetDevice", "hipModuleLoadData", "hipModuleGetFunction", "hipStreamCreateWithFlags"),
    *("hipEventCreateWithFlags", "hipMalloc", "hipHostMalloc", "hipMemsetAsync", "hipMemcpyAsync"),
    *("hipModuleLaunchKernel", "hipEventRecord", "hipMemcpyAsync", "hipEventSynchronize"),
    *("hipStreamSynchronize", "hipFree", "hipHostFree", "hipFree", "hipEventDestroy"),
    *("hipStreamDestroy", "hipModuleUnload"),
]
BYTES = 1024


@pytest.fixture(params=["linked", "bindings", "ctypes"])
def process(
    request: pytest.FixtureRequest, build: Build, record: Record, code_object: Path
) -> Process:
    """The workload, recorded one of the three ways."""
    ways: dict[str, list[object]] = {
        "linked": [build("workload")],
        "bindings": [sys.executable, PROGRAMS / "workload_bindings.py"],
        "ctypes": [sys.executable, PROGRAMS / "workload_ctypes.py"],
    }
    processes = record([*ways[request.param], code_object])
    assert len(processes) == 1
    return processes[0]


def test_the_calls_and_their_results(process: Process) -> None:
    events = list(process.events())
    assert [event.call for event in events] == CALLS
    failed = [(event.seq, event.result_name) for event in events if event.result != 0]
    assert failed == [(15, "hipErrorInvalidValue")]
    assert all(event.finished for event in events)
    assert process.ending.how == "exit"
    assert process.ending.code == 0
    assert process.complete
    assert process.problems == []


def test_their_arguments(process: Process) -> None:
    by_call = {event.call: event for event in process.events()}
    device = by_call["hipMalloc"].arguments["ptr"]
    host = by_call["hipHostMalloc"].arguments["ptr"]
    stream = by_call["hipStreamCreateWithFlags"].arguments["stream"]
    assert by_call["hipModuleGetFunction"].arguments["kname"] == "scale"
    assert by_call["hipMemsetAsync"].arguments == {
        "dst": device,
        "value": 0,
        "sizeBytes": BYTES,
        "stream": stream,
    }
    copies = [event.arguments for event in process.events() if event.call == "hipMemcpyAsync"]
    assert copies == [
        {"dst": device, "src": host, "sizeBytes": BYTES, "kind": 1, "stream": stream},
        {"dst": host, "src": device, "sizeBytes": BYTES, "kind": 2, "stream": stream},
    ]


def test_the_launch(process: Process) -> None:
    launch = _only(process, "hipModuleLaunchKernel")
    device = _only(process, "hipMalloc").arguments["ptr"]
    assert launch.kernel is not None
    assert launch.kernel.name == "scale"
    shape = [launch.arguments[f"{what}Dim{axis}"] for what in ("grid", "block") for axis in "XYZ"]
    assert shape == [4, 1, 1, 64, 1, 1]
    pointer, count, factor = launch.kernel_arguments
    assert (pointer.name, pointer.value, pointer.kind) == ("values", device, "global_buffer")
    assert (count.name, count.value) == ("n", 256)
    assert factor.name == "factor"
    assert factor.value == 0x40200000  # the bits of 2.5


def test_what_lived_and_how_long(process: Process) -> None:
    lives = [(a.kind, a.bytes, a.made_by, a.ended_by) for a in process.allocations()]
    assert lives == [
        (LiveKind.DEVICE_MEMORY, BYTES, 6, 17),
        (LiveKind.HOST_MEMORY, BYTES, 7, 16),
    ]
    assert not process.live.entries
    assert process.live.peak_device_bytes == BYTES


def _only(process: Process, call: str) -> CallEvent:
    (event,) = (event for event in process.events() if event.call == call)
    return event
