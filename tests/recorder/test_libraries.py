"""Libraries that come and go, and libraries that stand before HIP's functions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from greta.hip import SimTree
from greta.recording import CallEvent, Process
from greta.symbols.sites import SiteResolver
from tests import children
from tests.recorder.conftest import PROGRAMS, Build, Record

CALLS = {"hipGetDeviceCount": 1, "hipMalloc": 1, "hipFree": 1}


def shared_library(path: Path, source: str, *options: str) -> Path:
    compiler = os.environ.get("CXX", "g++")
    made = ["-shared", "-fPIC", "-g", "-O1", "-std=c++17", *options, PROGRAMS / source, "-o", path]
    children.run([compiler, *made], check=True)
    return path


# --- plugins -------------------------------------------------------------------------------------


@pytest.fixture
def plugins(tmp_path: Path, sim_tree: SimTree) -> list[Path]:
    """Two that differ in the line of their call and in nothing that moves code."""
    include = f"-I{sim_tree.include}"
    return [
        shared_library(tmp_path / f"{line}.so", "plugin.cpp", f"-DLINE={line}", include)
        for line in (100, 200)
    ]


def plugin_calls(process: Process) -> list[CallEvent]:
    return [event for event in process.events() if event.call == "hipGetDevice"]


def test_a_plugin_at_the_place_of_an_unloaded_one_is_told_from_it(
    build: Build, record: Record, plugins: list[Path]
) -> None:
    (process,) = record([build("plugins"), *plugins, *plugins])
    calls = plugin_calls(process)
    assert len({call.site for call in calls}) < len(calls), "no plugin came to another's place"
    resolver = SiteResolver(process.tables.libraries)
    sites = [resolver.native(call.site, call.begin_ticks) for call in calls]
    assert [site.line for site in sites if site] == [100, 200, 100, 200]
    assert [Path(site.library) for site in sites if site] == [*plugins, *plugins]


# --- wrappers ------------------------------------------------------------------------------------


@pytest.fixture
def preload(tmp_path: Path, recorder: Path) -> str:
    return f"{recorder}:{shared_library(tmp_path / 'wrapper.so', 'wrapper.cpp', '-ldl')}"


def test_a_program_that_opens_hip_is_recorded_beside_a_wrapper(
    build: Build, record: Record, preload: str, sim_tree: SimTree
) -> None:
    (process,) = record([build("opens_hip")], LD_PRELOAD=preload)
    assert process.calls_by_name == CALLS
    library = Path(process.tables.process.hip_library)
    assert library.resolve() == (sim_tree.lib / "libamdhip64.so").resolve()


@pytest.mark.parametrize("opens", ["", "libamdhip64.so"], ids=["goes to the next", "opens HIP"])
def test_a_wrapper_is_called_for_a_linked_program(
    build: Build,
    record: Record,
    preload: str,
    sim_tree: SimTree,
    recorded_environment: dict[str, str],
    opens: str,
) -> None:
    variables = {"LD_PRELOAD": preload, **({"WRAPPER_OPENS": opens} if opens else {})}
    done = children.run([build("mallocs")], env={**recorded_environment, **variables})
    assert done.stdout.split() == ["wrapped", "wrapped"]
    (process,) = record([build("mallocs")], **variables)
    assert process.calls_by_name == {"hipMalloc": 2, "hipFree": 1}
    library = Path(process.tables.process.hip_library)
    assert library.resolve() == (sim_tree.lib / "libamdhip64.so").resolve()


# --- forks ---------------------------------------------------------------------------------------


def test_a_forked_child_says_which_library_it_uses(build: Build, record: Record) -> None:
    parent, child = record([build("forks")])
    assert parent.tables.process.hip_library
    assert child.tables.process.hip_library == parent.tables.process.hip_library
