"""Parquet, read back with pyarrow."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import pytest

from tests.recording.writer import CUT, KERNARG, Payload
from tests.reports.export.made import D2H, H2D, Program, exported

parquet = pytest.importorskip("pyarrow.parquet")


def table(program: Program) -> Any:
    return parquet.read_table(io.BytesIO(exported(program.recorded(), "parquet")))


def row(program: Program) -> dict[str, Any]:
    (found,) = table(program).to_pylist()
    return dict(found)


def test_a_copy(program: Program) -> None:
    program.call("hipMemcpyAsync", 0x7000, 0x8000, 64, H2D, 0x5000, takes=30)
    found = row(program)
    expected = {
        "seq": 1,
        "process": 4711,
        "thread": 100,
        "call": "hipMemcpyAsync",
        "result": 0,
        "result_name": "hipSuccess",
        "begin_ns": 0,
        "end_ns": 30,
        "finished": True,
        "dst": 0x7000,
        "src": 0x8000,
        "bytes": 64,
        "kind": 1,
        "stream": 0x5000,
        "site": 0x401000,
        "grid_x": None,
        **dict.fromkeys(("kernel", "kernel_signature", "kernel_symbol")),
        "words": [0x7000, 0x8000, 64, 1, 0x5000, 0, 0, 0, 0, 0],
    }
    assert {name: found[name] for name in expected} == expected


def test_what_is_not_all_kept_says_so(program: Program) -> None:
    program.call("hipGraphAddEmptyNode", 1, 2, 3, 500, flags=CUT)
    program.call("hipGraphAddEmptyNode", 1, 2, 3, 2)
    assert table(program)["cut"].to_pylist() == [True, False]


def test_calls_are_a_dictionary(program: Program) -> None:
    program.call("hipDeviceSynchronize")
    assert str(table(program).schema.field("call").type).startswith("dictionary")


def test_what_a_call_had_yet_to_fill_is_missing(program: Program) -> None:
    program.call("hipMalloc", 0, 64, end=None)
    found = row(program)
    assert [found[name] for name in ("ptr", "result", "result_name", "end_ns")] == [None] * 4
    assert found["bytes"] == 64


def test_a_launch(program: Program) -> None:
    program.writer.line("kernel", id=5, name="rope", function="0xf")
    data = Payload(KERNARG, 0, struct.pack("<Q", 7))
    program.call(
        "hipModuleLaunchKernel", 0xF, 20, 2, 1, 256, 1, 1, 48, 9, kernel=5, payloads=[data]
    )
    found = row(program)
    assert found["kernel"] == "rope"
    assert found["stream"] == 9
    assert json.loads(found["kernel_arguments"])[0]["value"] == "0x7"


def test_sizes_are_bytes(program: Program) -> None:
    program.call("hipMemsetD32Async", 1, 0, 100, 0)
    program.call("hipMallocPitch", 0x7000, 512, 500, 3)
    program.call("hipMemcpy", 1, 2, 77, D2H)
    program.call("hipExtModuleLaunchKernel", 0xF, 640, 1, 1, 64, 1, 1, 0, 0, 0)
    found = table(program).to_pylist()
    assert [one["bytes"] for one in found] == [400, 1536, 77, None]
    assert (found[3]["grid_x"], found[3]["block_x"]) == (10, 64)


def test_annotations_and_scripts(program: Program) -> None:
    program.writer.line("annotation", id=1, text="step\udc80", parent=0)
    frame = {"file": "run.py", "function": "main", "first_line": 10, "instruction": 0}
    program.writer.line("script", id=1, python="3.10", frames=[{**frame, "line_table": "0a00"}])
    program.call("hipDeviceSynchronize", annotation=1, script=1)
    program.call("hipDeviceSynchronize")
    first, second = table(program).to_pylist()
    assert first["annotation"] == ["step\\udc80"]
    assert (first["script_file"], first["script_line"]) == ("run.py", 10)
    assert (second["annotation"], second["script_file"]) == (None, None)


def test_many_batches_with_different_names(program: Program) -> None:
    for _ in range(70_000):
        program.call("hipDeviceSynchronize")
    program.call("hipFree", 1, result=1)
    found = table(program)
    assert found.num_rows == 70_001
    assert found["seq"].to_pylist() == list(range(1, 70_002))
    assert found["result_name"][-1].as_py() == "hipErrorInvalidValue"
