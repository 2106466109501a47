"""leakcheck and memory of graphs: it is the program's from the launch that allocates it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from greta.cli.main import main

ROOT = Path(__file__).parents[3]
PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from ctypes import byref, c_int, c_void_p
from tests.simdevice.library import MemLocation, hip_library
from tests.simdevice.structures import AllocationNode

hip = hip_library()
stream, graph, executable = c_void_p(), c_void_p(), c_void_p()


def call(name, *arguments):
    code = int(getattr(hip, name)(*arguments))
    assert code == 0, (name, code)



call("hipStreamCreate", byref(stream))
memory, node = c_void_p(), c_void_p()
by, *steps = sys.argv[1:]
if by == "node":
    params = AllocationNode(kind=1, location=MemLocation(1, 0), bytes=5000)
    call("hipGraphCreate", byref(graph), 0)
    call("hipGraphAddMemAllocNode", byref(node), graph, None, 0, byref(params))
    memory = c_void_p(params.dptr)
    if "free_node" in steps:
        last = c_void_p()
        call("hipGraphAddMemFreeNode", byref(last), graph, byref(node), 1, memory)
else:
    former = c_void_p()
    call("hipMallocAsync", byref(former), 5000, stream)
    call("hipFreeAsync", former, stream)
    call("hipStreamSynchronize", stream)
    call("hipStreamBeginCapture", stream, 0)
    call("hipMallocAsync", byref(memory), 5000, stream)
    if "free_node" in steps:
        call("hipFreeAsync", memory, stream)
    call("hipStreamEndCapture", stream, byref(graph))
call("hipGraphInstantiate", byref(executable), graph, None, None, 0)
for step in steps:
    if step == "launch":
        call("hipGraphLaunch", executable, stream)
    elif step == "free":
        call("hipFreeAsync", memory, stream)
    elif step == "destroy":
        call("hipStreamSynchronize", stream)
        call("hipGraphExecDestroy", executable)
        call("hipGraphDestroy", graph)
    elif step == "reset":
        call("hipDeviceReset")
call("hipDeviceSynchronize")
"""


@pytest.mark.parametrize("by", ["node", "capture"])
@pytest.mark.parametrize(
    ("steps", "leaks"),
    [
        ("", False),
        ("destroy", False),
        ("launch", True),
        ("launch destroy", True),
        ("launch free", False),
        ("launch destroy free", False),
        ("launch reset", False),
        ("free_node launch launch destroy", False),
    ],
)
def test_what_a_launch_allocates_is_to_be_freed(
    by: str, steps: str, leaks: bool, tmp_path: Path
) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(PROGRAM)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found), "--tools", "leakcheck"]
    code = main([*words, "--", sys.executable, str(program), by, *steps.split()])
    told = json.loads(found.read_text())
    assert (code, told["limits"], len(told["findings"])) == (int(leaks), [], int(leaks))
    maker = "hipGraphLaunch" if by == "node" else "hipMallocAsync"
    for one in told["findings"]:
        assert one["tool"] == "leakcheck"
        assert one["code"] == ("graph_leak" if by == "node" else "leak")
        assert one["text"].startswith("5000 bytes at 0x")
        assert maker in one["text"]


def test_memory_is_told_again_when_a_later_launch_brings_it_back(tmp_path: Path) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(PROGRAM)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found), "--tools", "leakcheck"]
    steps = "launch free launch free launch"
    main([*words, "--", sys.executable, str(program), "node", *steps.split()])
    (one,) = json.loads(found.read_text())["findings"]
    calls = [int(word.strip("(#)")) for word in one["text"].split() if word.startswith("(#")]
    assert calls == [one["call"]]
