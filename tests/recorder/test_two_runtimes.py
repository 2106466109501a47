"""Two HIP libraries in one process: each call goes where it would have gone, and is recorded so."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from greta.hip import SimTree
from greta.recording import Process
from greta.trace.reading import trace_of, traces_of
from greta.trace.trace import Gap
from tests import children
from tests.recorder.conftest import PROGRAMS, Record

COMPILER = os.environ.get("CXX", "g++")
RPATH, RUNPATH = "-Wl,--disable-new-dtags", "-Wl,--enable-new-dtags"
NAMED = (("8", "A"), ("9", "B"))  # as long as the real one: 7


class Stage(NamedTuple):
    """Copies of the library, a plugin linked with each, and programs that open them."""

    words: dict[str, str]
    alone: Path
    linked: Path
    by_rpath: Path
    by_runpath: Path


def copy_of(library: Path, name: str) -> Path:
    """With a SONAME of its own: the loader takes two of one name for one library."""
    library.parent.mkdir()
    soname = library.name.encode()
    library.write_bytes(Path(name).read_bytes().replace(b"libamdhip64.so.7\0", soname + b"\0"))
    return library


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Stage:
    folder = tmp_path_factory.mktemp("two")
    real = str(sim_tree.lib / "libamdhip64.so")
    libraries = {name: folder / name.lower() / f"libamdhip64.so.{at}" for at, name in NAMED}
    for library in libraries.values():
        copy_of(library, real)
    a, b = libraries["A"], libraries["B"]
    words = {name: str(library) for name, library in libraries.items()}
    words["bare"] = a.name
    words |= {f"S{n}": str(sim_tree.lib / f"libamdhip64.so.{n}") for n in (5, 6, 7)}
    common = ["-std=c++17", "-O2", f"-I{sim_tree.include}"]
    # All slots filled at once and protected after that, or each at its first call.
    plugins = (("PA", a, ("now", "relro"), RPATH), ("PB", b, ("lazy", "norelro"), RUNPATH))
    for name, library, keywords, kind in plugins:
        words[name] = str(folder / f"{name}.so")
        source = PROGRAMS / "runtime_plugin.cpp"
        made = ["-shared", "-fPIC", source, "-o", words[name], library]
        options = [f"-Wl,-z,{keyword}" for keyword in keywords]
        path = [f"-Wl,-rpath,{library.parent}", kind]
        children.run([COMPILER, *common, *made, *options, *path], check=True)
    programs = {name: folder / name for name in ("alone", "linked", "by_rpath", "by_runpath")}
    program = [COMPILER, *common, PROGRAMS / "two_runtimes.cpp", "-rdynamic", "-ldl", "-o"]
    children.run([*program, programs["alone"]], check=True)
    path = [f"-Wl,-rpath,{a.parent}"]
    children.run([*program, programs["linked"], "-DLINKED", a, *path], check=True)
    children.run([*program, programs["by_rpath"], *path, RPATH], check=True)
    children.run([*program, programs["by_runpath"], *path, RUNPATH], check=True)
    return Stage(words, **programs)


ORDERS = {
    "opened, then a plugin": ("alone", "handle:A plugin:PB again"),
    "a plugin, then opened": ("alone", "plugin:PB handle:A again"),
    "two plugins": ("alone", "plugin:PA plugin:PB again"),
    "two plugins, the other order": ("alone", "plugin:PB plugin:PA again"),
    "two handles": ("alone", "handle:A handle:B again"),
    "opened for all, then a plugin": ("alone", "global:A plugin:PB default again"),
    "a plugin, then opened for all": ("alone", "plugin:PB global:A default again"),
    "nothing for the program": ("alone", "default handle:A default plugin:PB again"),
    "linked, then opened": ("linked", "linked default handle:B linked again"),
    "opened, then linked": ("linked", "handle:B default linked again"),
    "linked, then opened for all": ("linked", "linked global:B default again"),
    "linked, then a plugin": ("linked", "linked plugin:PB handle:B again"),
    "a lazy plugin": ("alone", "handle:A lazy:PB again"),
    "a lazy plugin, then opened for all": ("alone", "lazy:PB global:A again"),
    "lazy, of a program that is linked": ("linked", "lazy:PB linked again"),
    "unloaded, and loaded again": ("alone", "handle:A plugin:PB close plugin:PB again"),
    "never asked for": ("alone", "handle:A silent:PB again"),
    "never asked for, of a program that is linked": ("linked", "handle:B silent:PB again"),
    "unloaded, then the other": ("alone", "plugin:PB close plugin:PA plugin:PB again"),
    "found by the program's RPATH": ("by_rpath", "handle:bare plugin:PB again"),
    "found by the program's RUNPATH": ("by_runpath", "handle:bare plugin:PB again"),
}
DEEP = {
    "two deep plugins": ("alone", "deep:PA deep:PB again"),
    "linked, then a deep plugin": ("linked", "linked deep:PB again"),
    "two deep, lazy plugins": ("alone", "handle:A lazydeep:PB again"),
    "linked, then a deep, lazy plugin": ("linked", "linked lazydeep:PB again"),
}


def command(stage: Stage, program: str, steps: str) -> list[object]:
    given = []
    for step in steps.split():
        what, _, file = step.partition(":")
        given.append(f"{what}:{stage.words[file]}" if file else what)
    return [getattr(stage, program), *given]


def answers(run: list[object], environment: dict[str, str]) -> list[str]:
    done = children.run(run, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def plain(recorded_environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in recorded_environment.items() if name != "LD_PRELOAD"}


@pytest.mark.parametrize(("program", "steps"), [*ORDERS.values(), *DEEP.values()])
def test_each_call_reaches_the_library_it_would_have_reached(
    stage: Stage, recorded_environment: dict[str, str], program: str, steps: str
) -> None:
    run = command(stage, program, steps)
    unrecorded = answers(run, plain(recorded_environment))
    assert any(stage.words["A"] in line or stage.words["B"] in line for line in unrecorded)
    assert answers(run, recorded_environment) == unrecorded


def recorded_by_library(process: Process) -> Counter[str]:
    """How often each was asked for a name; the program prints a line for every time."""
    libraries = [*process.tables.process.hip_libraries, *["another"] * 4]
    asked = [e for e in process.events() if e.call in ("hipGetErrorName", "hipGetErrorString")]
    return Counter(libraries[event.runtime] for event in asked)


@pytest.mark.parametrize(("program", "steps"), [*ORDERS.values(), *DEEP.values()])
def test_each_library_has_its_calls_in_the_recording(
    stage: Stage,
    record: Record,
    recorded_environment: dict[str, str],
    program: str,
    steps: str,
) -> None:
    run = command(stage, program, steps)
    said = answers(run, plain(recorded_environment))
    expected = Counter(line.split(" ", 1)[1] for line in said)
    del expected["nobody"]
    (process,) = record(run)
    assert recorded_by_library(process) == expected
    assert set(process.tables.process.hip_libraries) == {stage.words["A"], stage.words["B"]}
    is_sure = "deep:" not in steps or "lazydeep:" in steps
    assert (not process.tables.process.bypassed_by) == is_sure


@pytest.mark.parametrize("steps", ["deep:PB", "deep:PB again", "handle:B deep:PB"])
def test_code_that_may_have_called_past_the_recorder_is_named(
    stage: Stage, record: Record, steps: str
) -> None:
    (process,) = record(command(stage, "alone", steps))
    assert process.tables.process.bypassed_by == (stage.words["PB"],)
    assert Gap.BYPASSED in trace_of(process).gaps


@pytest.mark.parametrize("steps", ["plugin:PB", "lazy:PB again", "handle:B plugin:PB again"])
def test_code_that_cannot_have_is_not(stage: Stage, record: Record, steps: str) -> None:
    (process,) = record(command(stage, "alone", steps))
    assert process.tables.process.bypassed_by == ()
    assert Gap.BYPASSED not in trace_of(process).gaps


def test_a_call_that_came_before_its_code_was_known_is_doubtful(
    stage: Stage, record: Record
) -> None:
    (process,) = record(command(stage, "alone", "handle:A load:PA silent:PB"))
    assert set(process.tables.process.bypassed_by) == {stage.words["PA"], stage.words["PB"]}


def small_libraries(folder: Path, names: str) -> list[str]:
    """HIP libraries with few functions, of which a process can have any number."""
    libraries = [folder / name / "libamdhip64.so" for name in names]
    for library in libraries:
        library.parent.mkdir()
        source = PROGRAMS / "same_address.c"
        children.run([COMPILER, "-xc", "-shared", "-fPIC", source, "-o", library], check=True)
    return [str(library) for library in libraries]


def test_a_fifth_library_gets_its_calls_and_is_named(
    tmp_path: Path, stage: Stage, record: Record, recorded_environment: dict[str, str]
) -> None:
    libraries = small_libraries(tmp_path, "abcde")
    run = [stage.alone, *(f"handle:{library}" for library in libraries), "again"]
    assert answers(run, recorded_environment) == answers(run, plain(recorded_environment))
    (process,) = record(run)
    assert list(process.tables.process.hip_libraries) == libraries[:4]
    assert recorded_by_library(process) == Counter(dict.fromkeys(libraries[:4], 2))
    assert process.tables.process.bypassed_by == (libraries[4],)


def test_one_library_under_its_many_names_is_one(stage: Stage, record: Record) -> None:
    (process,) = record(command(stage, "alone", "handle:S5 handle:S6 global:S7 default again"))
    (library,) = process.tables.process.hip_libraries
    assert Path(library).name == "libamdhip64.so"
    assert recorded_by_library(process) == Counter({library: 8})


def test_beside_many_names_of_one_another_is_another(stage: Stage, record: Record) -> None:
    (process,) = record(command(stage, "alone", "handle:S5 plugin:PA handle:S6 again"))
    first, second = process.tables.process.hip_libraries
    assert (Path(first).name, second) == ("libamdhip64.so", stage.words["A"])
    assert recorded_by_library(process) == Counter({first: 4, second: 10})


def test_equal_handles_of_two_libraries_are_two(tmp_path: Path, record: Record) -> None:
    """Both give out the same address; one of them takes it back."""
    libraries = small_libraries(tmp_path, "ab")
    program = tmp_path / "collides"
    children.run([COMPILER, PROGRAMS / "collides.cpp", "-o", program, "-ldl"], check=True)
    (process,) = record([program, *libraries])
    (left,) = process.live.entries
    assert process.tables.process.hip_libraries[left.runtime] == libraries[1]
    first, second = (trace.allocations for trace in traces_of(process))
    assert first["address"].tolist() == second["address"].tolist()
    assert (first["freed_by"] > 0).tolist() == [True]
    assert (second["freed_by"] > 0).tolist() == [False]


def test_what_lives_is_of_the_library_that_made_it(stage: Stage, record: Record) -> None:
    (process,) = record(command(stage, "alone", "plugin:PA plugin:PB"))
    libraries = process.tables.process.hip_libraries
    lives = [libraries[entry.runtime] for entry in process.live.entries]
    assert lives == [stage.words["A"], stage.words["B"]]


def test_one_library_is_one(stage: Stage, record: Record) -> None:
    (process,) = record(command(stage, "linked", "linked plugin:PA handle:A default again"))
    assert process.tables.process.hip_libraries == (stage.words["A"],)
