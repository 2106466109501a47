"""The stack of a call: native frames as the C library's own unwinder finds them, never a guess."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from greta.hip import SimTree
from greta.recording import CallEvent, Process, open_recording
from greta.symbols.stacks import CallStacks
from tests import children
from tests.recorder.conftest import Record

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session", params=["-O0", "-O2"])
def stacks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree
) -> Path:
    program = tmp_path_factory.mktemp("stacks") / "stacks"
    options = ["-std=c++17", "-g", request.param, "-pthread", f"-I{sim_tree.include}"]
    files = [PROGRAMS / "stacks.cpp", "-o", program, f"-L{sim_tree.lib}", "-lamdhip64"]
    children.run([os.environ.get("CXX", "g++"), *options, *files], check=True)
    return program


Recorded = tuple[Process, list[CallEvent], list[list[int]]]


def run(program: Path, how: str, environment: Mapping[str, str], **variables: str) -> Recorded:
    """The process, its calls of hipMalloc, and what the program printed before each."""
    done = children.run([program, how], env={**environment, **variables})
    assert done.returncode == 0, (done.returncode, done.stderr)
    (process,) = open_recording(environment["GRETA_RECORD"]).processes
    events = [event for event in process.events() if event.call == "hipMalloc"]
    printed = [[int(word, 16) for word in line.split()] for line in done.stdout.splitlines()]
    return process, events, printed


@pytest.mark.parametrize("how", ["nested", "throws", "sorts", "thread", "fiber"])
def test_frames_are_those_that_the_c_library_finds(
    stacks: Path, how: str, recorded_environment: dict[str, str]
) -> None:
    _, events, printed = run(stacks, how, recorded_environment, GRETA_RECORD_STACKS="128")
    assert events
    for event, expected in zip(events, printed, strict=True):
        assert event.frames[0] == event.site
        # A fiber's stack ends where nobody has called; there the C library says what it likes.
        end = -1 if how == "fiber" else len(expected)
        assert list(event.frames[1:])[:end] == expected[: len(event.frames) - 1][:end]
        assert len(event.frames) >= len(expected) - 1


def test_names_of_functions_from_the_call_to_main(
    stacks: Path, recorded_environment: dict[str, str]
) -> None:
    process, (event,), _ = run(stacks, "nested", recorded_environment)
    names = [(frame.function or "").split("(")[0] for frame in CallStacks(process).frames(event)]
    inner = ["allocate", "plain", "plain", "with_alloca", "aligned"]
    assert names == [*inner, "Ops<std::vector<int, std::allocator<int> > >::run", "run", "main"]


def test_no_more_than_asked_for(stacks: Path, recorded_environment: dict[str, str]) -> None:
    process, (event,), _ = run(stacks, "deep", recorded_environment)
    assert len(event.frames) == 32
    assert process.tables.stacks[event.stack_id].cut
    _, (event,), printed = run_again(stacks, "deep", recorded_environment, "128")
    assert list(event.frames[1:]) == printed[0][:127]
    process, (event,), _ = run_again(stacks, "deep", recorded_environment, "0")
    assert (event.frames, process.tables.stacks) == ((event.site,), {})


def run_again(stacks: Path, how: str, environment: dict[str, str], frames: str) -> Recorded:
    folder = environment["GRETA_RECORD"] + frames
    return run(stacks, how, {**environment, "GRETA_RECORD": folder}, GRETA_RECORD_STACKS=frames)


def test_a_stack_that_comes_again_is_written_once(
    stacks: Path, recorded_environment: dict[str, str]
) -> None:
    process, events, _ = run(stacks, "loop", recorded_environment)
    assert len(events) == 1000
    assert len({event.stack_id for event in events}) == 1
    assert len(process.tables.stacks) == 1


@pytest.mark.parametrize(("how", "least"), [("handler", 3), ("nowhere", 2), ("broken", 1)])
def test_what_cannot_be_followed_ends_the_stack_and_nothing_else(
    stacks: Path, how: str, least: int, recorded_environment: dict[str, str]
) -> None:
    process, (event,), _ = run(stacks, how, recorded_environment)
    assert event.result == 0
    assert process.ending.code == 0
    frames = CallStacks(process).frames(event)
    assert least <= len(event.frames)
    names = {"handler": "plain", "nowhere": "allocate", "broken": "with_broken_rbp"}
    assert any(names[how] in (frame.function or "") for frame in frames)
    if how != "handler":
        assert "main" not in [frame.function for frame in frames]


CALLS_THAT_FAIL = """
import ctypes
hip = ctypes.CDLL("libamdhip64.so")
def outer():
    return inner()
def inner():
    return hip.hipGetDeviceProperties(None, 0), hip.hipGetDeviceCount(ctypes.byref(ctypes.c_int()))
outer()
"""


def test_a_call_that_fails_has_its_stack_and_one_that_does_not_has_its_line(
    record: Record,
) -> None:
    (process,) = record([sys.executable, "-c", CALLS_THAT_FAIL])
    failed, fine = (event for event in process.events() if "Device" in event.call)
    assert failed.result != 0
    assert fine.result == 0
    functions = [frame.function for frame in CallStacks(process).frames(failed)]
    assert functions == ["inner", "outer", "<module>"]
    assert len(failed.frames) > 1
    assert fine.frames == (fine.site,)
    assert fine.script is not None


def test_a_process_with_a_damaged_table_of_frames_runs_on(
    stacks: Path, tmp_path: Path, recorded_environment: dict[str, str]
) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(stacks.read_bytes())
    damaged.chmod(0o755)
    sections = subprocess.run(
        ["objdump", "-h", stacks], capture_output=True, text=True, check=True
    ).stdout
    sizes = {line.split()[1]: line.split() for line in sections.splitlines() if ".eh_frame" in line}
    _, _, size, _, _, offset, *_ = sizes[".eh_frame"]
    content = bytearray(damaged.read_bytes())
    for place in range(int(offset, 16), int(offset, 16) + int(size, 16), 7):
        content[place] ^= 0xA5
    damaged.write_bytes(content)
    plain = {k: v for k, v in recorded_environment.items() if k != "LD_PRELOAD"}
    assert children.run([damaged, "loop"], env=plain).returncode == 0
    _, events, _ = run(damaged, "loop", recorded_environment)
    assert len(events) == 1000
