"""What a record holds beyond its words."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from greta.recording import CallEvent, PayloadKind, Process
from tests.recorder.conftest import Build, Record


@pytest.fixture
def process(build: Build, record: Record, code_object: Path) -> Process:
    (process,) = record([build("everything"), code_object])
    return process


def calls(process: Process, name: str) -> list[CallEvent]:
    return [event for event in process.events() if event.call == name]


def ranges(event: CallEvent) -> tuple[str, ...]:
    return tuple(entry.text for entry in event.annotations)


def test_annotations_name_the_calls_inside_them(process: Process) -> None:
    fills = calls(process, "hipMemsetAsync")
    assert [ranges(fill) for fill in fills] == [("layer 3", "attention"), ("layer 3",), ()]
    (mark,) = calls(process, "roctxMarkA")
    assert mark.arguments["message"] == "half-way"
    assert ranges(mark) == ("layer 3",)


@pytest.mark.parametrize("way", [0, 1], ids=["kernelParams", "extra"])
def test_arguments_of_a_launch(process: Process, way: int) -> None:
    launch = calls(process, "hipModuleLaunchKernel")[way]
    device = calls(process, "hipMalloc")[0].arguments["ptr"]
    pair, small, large = launch.kernel_arguments
    assert pair.value == struct.pack("<Qq", device, 16)
    assert device in pair.pointers
    assert small.value == ord("a")
    assert large.value == struct.unpack("<Q", struct.pack("<d", 0.5))[0]


def test_a_struct_passed_by_address(process: Process) -> None:
    (copy,) = calls(process, "hipMemcpyParam2D")
    (payload,) = (p for p in copy.payloads if p.kind is PayloadKind.STRUCT)
    assert len(payload.data) == 128
    assert struct.unpack("<QQ", payload.data[-16:]) == (32, 4)  # WidthInBytes, Height


def test_nodes_of_a_graph(process: Process) -> None:
    (empty,) = calls(process, "hipGraphAddEmptyNode")
    (kernel,) = calls(process, "hipGraphAddKernelNode")
    (dependencies,) = (p for p in kernel.payloads if p.kind is PayloadKind.ARRAY)
    assert struct.unpack("<Q", dependencies.data) == (empty.arguments["pGraphNode"],)
    assert kernel.kernel is not None
    assert kernel.kernel.name == "fill"
    assert kernel.kernel_arguments[1].value == ord("a")
    (launch,) = calls(process, "hipGraphLaunch")
    (instantiate,) = calls(process, "hipGraphInstantiate")
    assert launch.arguments["graphExec"] == instantiate.arguments["pGraphExec"]


def test_functions_found_by_name_are_recorded(process: Process) -> None:
    assert len(calls(process, "hipStreamSynchronize")) == 2


def test_call_sites_lie_in_the_program(process: Process, build: Build) -> None:
    (malloc,) = calls(process, "hipMalloc")
    homes = [e.path for e in process.tables.libraries if e.begin <= malloc.site < e.end]
    assert homes == [str(build("everything"))]
