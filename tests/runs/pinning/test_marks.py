"""Which operation is exposed once every operation is waited for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contract import generate
from contract.model import load
from greta.recording import effects_of, open_recording
from greta.runs.pinned_operation import MARK, Exposed, exposed_operation
from tests.recording.writer import ProcessWriter

MARK_ID, GRAPH_NODE_ID = 900, 901
FAULT = 700
_HOOK = re.compile(r"^\w[^\n]*\b(\w+)\([^)]*\)\s*\{(.*?)^\}", re.MULTILINE | re.DOTALL)


def process(run: Path, pid: int, started: int) -> ProcessWriter:
    writer = ProcessWriter(run / "recording" / f"{pid}.1", pid=pid, start=(0, 0, started))
    writer.line("call", id=MARK_ID, name=MARK, words=["number:size_t:in"])
    writer.line(
        "call",
        id=GRAPH_NODE_ID,
        name="hipGraphAddMemcpyNode",
        words=[],
    )
    return writer


def add_failing(writer: ProcessWriter, call: str | int) -> None:
    writer.lane().call(call, begin=10, end=20, result=FAULT)
    writer.write()


def add_failing_wait(writer: ProcessWriter) -> None:
    lane = writer.lane()
    lane.call("hipMemcpyAsync", begin=10, end=20)
    lane.call(MARK_ID, [1], begin=30, end=40, result=FAULT)
    writer.write()


def exposed_in(run: Path) -> Exposed | None:
    return exposed_operation(open_recording(run), died=False)


def test_the_calls_that_enqueue_are_those_that_the_recorder_waits_for() -> None:
    files = generate.outputs(load())
    hooks = [text for path, text in files.items() if path.name.startswith("hooks_")]
    bodies = [match.groups() for text in hooks for match in _HOOK.finditer(text)]
    waited_for = {name for name, body in bodies if "work_was_enqueued(" in body}
    assert len(waited_for) > 50
    assert waited_for == {name for name, _ in bodies if enqueues(name)}


def enqueues(call: str) -> bool:
    does = effects_of(call)
    return does is not None and does.enqueues


@pytest.mark.parametrize("call", ["hipDeviceSynchronize", GRAPH_NODE_ID])
def test_an_error_of_a_call_that_enqueues_nothing_exposes_nothing(
    tmp_path: Path, call: str | int
) -> None:
    add_failing(process(tmp_path, 10, 1000), call)
    assert exposed_in(tmp_path) is None


def test_an_operation_that_fails_itself_is_exposed(tmp_path: Path) -> None:
    add_failing(process(tmp_path, 10, 1000), "hipMemcpyAsync")
    exposed = exposed_in(tmp_path)
    assert exposed
    assert (exposed.event.call, exposed.number, exposed.error) == ("hipMemcpyAsync", 1, FAULT)


def test_a_process_that_exposes_nothing_does_not_hide_the_next(tmp_path: Path) -> None:
    add_failing(process(tmp_path, 10, 1000), "hipDeviceSynchronize")
    add_failing_wait(process(tmp_path, 20, 2000))
    exposed = exposed_in(tmp_path)
    assert exposed
    assert (exposed.process.pid, exposed.event.call) == (20, "hipMemcpyAsync")
