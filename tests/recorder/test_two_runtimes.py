"""Two HIP libraries in one process: each call goes where it would have gone, and is recorded so."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from greta.hip import SimTree
from greta.recording import Process
from tests import children
from tests.recorder.conftest import PROGRAMS, Record

COMPILER = os.environ.get("CXX", "g++")


class Stage(NamedTuple):
    """Two copies of the library, a plugin linked with each, and programs that open them."""

    words: dict[str, str]
    alone: Path
    linked: Path


def copy_of(library: Path, name: str) -> Path:
    """With a SONAME of its own: the loader takes two of one name for one library."""
    library.parent.mkdir()
    renamed = Path(name).read_bytes().replace(b"libamdhip64.so.7\0", _soname(library) + b"\0")
    library.write_bytes(renamed)
    return library


def _soname(library: Path) -> bytes:
    return library.name.encode()


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree) -> Stage:
    folder = tmp_path_factory.mktemp("two")
    real = str(sim_tree.lib / "libamdhip64.so")
    a = copy_of(folder / "a" / "libamdhip64.so.8", real)
    b = copy_of(folder / "b" / "libamdhip64.so.9", real)
    common = ["-std=c++17", "-O1", f"-I{sim_tree.include}"]
    words = {"A": str(a), "B": str(b)}
    for name, library in (("PA", a), ("PB", b)):
        words[name] = str(folder / f"{name}.so")
        source = PROGRAMS / "runtime_plugin.cpp"
        made = ["-shared", "-fPIC", source, "-o", words[name], library]
        path = f"-Wl,-rpath,{library.parent}"
        children.run([COMPILER, *common, *made, path], check=True)
    alone, linked = folder / "alone", folder / "linked"
    program = [COMPILER, *common, PROGRAMS / "two_runtimes.cpp", "-o"]
    children.run([*program, alone, "-ldl"], check=True)
    path = f"-Wl,-rpath,{a.parent}"
    children.run([*program, linked, "-DLINKED", a, path, "-ldl"], check=True)
    return Stage(words, alone, linked)


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
}
DEEP = {
    "two deep plugins": ("alone", "deep:PA deep:PB again"),
    "linked, then a deep plugin": ("linked", "linked deep:PB again"),
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


def recorded_by_library(process: Process, call: str) -> Counter[str]:
    libraries = process.tables.process.hip_libraries
    return Counter(libraries[e.runtime] for e in process.events() if e.call == call)


@pytest.mark.parametrize(("program", "steps"), ORDERS.values())
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
    assert recorded_by_library(process, "hipGetErrorName") == expected
    assert set(process.tables.process.hip_libraries) == {stage.words["A"], stage.words["B"]}


@pytest.mark.parametrize(("program", "steps"), DEEP.values())
def test_a_library_whose_calls_are_not_seen_is_named(
    stage: Stage, record: Record, program: str, steps: str
) -> None:
    (process,) = record(command(stage, program, f"{steps} handle:A"))
    assert set(process.tables.process.hip_libraries) == {stage.words["A"], stage.words["B"]}


def test_what_lives_is_of_the_library_that_made_it(stage: Stage, record: Record) -> None:
    (process,) = record(command(stage, "alone", "plugin:PA plugin:PB"))
    libraries = process.tables.process.hip_libraries
    lives = [libraries[entry.runtime] for entry in process.live.entries]
    assert lives == [stage.words["A"], stage.words["B"]]


def test_one_library_is_one(stage: Stage, record: Record) -> None:
    (process,) = record(command(stage, "linked", "linked plugin:PA handle:A default again"))
    assert process.tables.process.hip_libraries == (stage.words["A"],)
