"""--watch-host: touches of host memory while a copy is in flight, and nothing else."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from greta.recording import CallEvent, Process
from greta.symbols.sites import SiteResolver, script_frames
from tests import children
from tests.conftest import Run
from tests.recorder.conftest import PROGRAMS, Build, Record

TOUCH = "greta_host_touch"
EARLY = "none"
WAITS = (
    *("stream", "event", "device", "query", "asking", "joined"),
    *("elapsed", "free", "host_free", "unregister"),
)
NO_WAITS = ("landed", "free_of_pool", "free_of_nothing")


def touches(process: Process) -> list[CallEvent]:
    return [event for event in process.events() if event.call == TOUCH]


@pytest.fixture
def watch(build: Build, record: Record, recorder: Path) -> Record:
    """Runs `touches` under the watch; gives its process."""

    def run(how: str, wait: str = EARLY, **variables: str) -> list[Process]:
        return record([build("touches"), how, wait], **watching(recorder), **variables)

    return run


def watching(recorder: Path) -> dict[str, str]:
    companion = recorder.with_name("libgreta_hostwatch.so")
    return {"LD_PRELOAD": f"{recorder}:{companion}", "GRETA_RECORD_WATCH_HOST": "1"}


def line_of(name: str, marker: str) -> int:
    lines = (PROGRAMS / name).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(marker))


def copy_of(process: Process, touch: CallEvent) -> CallEvent:
    """The copy that a touch names."""
    lane, begin = touch.arguments["copy_lane"], touch.arguments["copy_begin"]
    (copy,) = (e for e in process.events() if e.lane == lane and e.begin_ticks == begin)
    return copy


@pytest.mark.parametrize(
    ("how", "marker", "write"),
    [
        ("read", "// READ", 0),
        ("registered", "// READ", 0),
        ("write", "// WRITE", 1),
        ("source", "// SOURCE", 1),
        ("rows", "// ROW", 0),
        ("neighbour", "// NEIGHBOUR", 0),
        ("small_stack", "// SMALL", 0),
        ("blocked", "// BLOCKED", 0),
    ],
)
def test_a_touch_is_recorded_with_its_line_and_its_copy(
    watch: Record, how: str, marker: str, write: int
) -> None:
    (process,) = watch(how)
    (touch,) = touches(process)
    assert touch.arguments["write"] == write
    site = SiteResolver(process.tables.libraries).native(touch.site)
    assert site is not None
    assert site.line == line_of("touches.cpp", marker)
    copy = copy_of(process, touch)
    assert copy.call.startswith("hipMemcpy")
    assert copy.arguments["stream"] == touch.arguments["stream"]
    host = copy.arguments["src" if how == "source" else "dst"]
    assert host == touch.arguments["begin"]
    first, count = int(touch.first_words[2]), int(touch.first_words[3])
    assert first <= int(touch.first_words[0]) < first + count


def test_a_touch_inside_the_c_library_is_where_it_was_called(watch: Record) -> None:
    (process,) = watch("memcpy")
    resolver = SiteResolver(process.tables.libraries)
    sites = [resolver.native(touch.site) for touch in touches(process)]
    assert sites
    assert {site.line for site in sites if site} == {line_of("touches.cpp", "// MEMCPY")}


@pytest.mark.parametrize("wait", NO_WAITS)
def test_a_touch_counts_until_the_program_knows_that_the_copy_has_landed(
    watch: Record, wait: str
) -> None:
    (process,) = watch("read", wait)
    assert len(touches(process)) == 1


@pytest.mark.parametrize("wait", WAITS)
def test_after_a_wait_nothing_is_a_touch(watch: Record, wait: str) -> None:
    (process,) = watch("all", wait)
    assert touches(process) == []


def test_reading_a_source_is_no_touch(watch: Record) -> None:
    (process,) = watch("source_read")
    assert touches(process) == []


def test_a_buffer_read_from_end_to_end_is_few_touches(watch: Record) -> None:
    (process,) = watch("all")
    assert 1 <= len(touches(process)) <= 12


def test_another_thread_has_a_lane_of_its_own(watch: Record) -> None:
    (process,) = watch("thread")
    (touch,) = touches(process)
    assert touch.lane != copy_of(process, touch).lane


@pytest.mark.parametrize("how", ["file", "stdio"])
def test_memory_handed_to_the_kernel_is_touched_and_the_call_succeeds(
    watch: Record, how: str
) -> None:
    (process,) = watch(how)
    (touch,) = touches(process)
    assert touch.arguments["write"] == 0


@pytest.mark.parametrize("how", ["own_fault", "free", "fork"])
def test_the_program_goes_on_as_it_would(watch: Record, how: str) -> None:
    (process,) = watch(how)
    assert touches(process) == []


def test_without_the_watch_there_is_no_trace_of_it(build: Build, record: Record) -> None:
    (process,) = record([build("touches"), "read", EARLY])
    names = {entry.name for entry in process.tables.calls.values()}
    assert not any(name.startswith("greta_") for name in names)


@pytest.mark.parametrize(("when", "expected"), [("early", 1), ("wait", 0)])
def test_a_numpy_view(record: Record, recorder: Path, when: str, expected: int) -> None:
    program = PROGRAMS / "touches.py"
    (process,) = record([sys.executable, program, when], **watching(recorder))
    found = touches(process)
    assert len(found) == expected
    for touch in found:
        assert touch.script is not None
        assert script_frames(touch.script)[0].line == line_of("touches.py", "# EARLY")


def test_a_fault_of_the_program_still_ends_it(
    build: Build, recorded_environment: dict[str, str], recorder: Path
) -> None:
    environment = {**recorded_environment, **watching(recorder)}
    done = children.run([build("touches"), "crash", EARLY], env=environment)
    assert done.returncode == -11


def test_the_summary_of_a_run_says_where_it_was(
    build: Build, run_greta: Run, tmp_path: Path
) -> None:
    words = ["--device", "sim", "--watch-host", "--out", "r", "--", build("touches"), "read", EARLY]
    done = run_greta("run", *words, cwd=tmp_path)
    assert done.returncode == 0
    place = f"touches.cpp:{line_of('touches.cpp', '// READ')} (main)"
    assert f"touched   host memory of a copy in flight, read at {PROGRAMS}/{place}" in done.stderr
    assert json.loads((tmp_path / "r" / "run.json").read_text())["watch_host"] is True
