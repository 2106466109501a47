"""Runs and analyses the programs, in worker processes that have `greta` loaded once for many."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from greta.cli.main import main
from greta.hip import SimTree, find_sim_tree
from greta.model.tiny import TINY, write_tiny
from tests.cases.tampering import TAMPERINGS
from tests.cases.truth import Case
from tests.cases.wrong_binary.scenarios import SCENARIOS, Workshop

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODELS = {
    "tiny": TINY,
    "odd_heads": replace(TINY, heads=3, head_dim_is_stated=True),
    "long_rotation": replace(TINY, rope=replace(TINY.rope, dimensions=96)),
}
FOOTPRINTS: dict[bool | None, tuple[str, ...]] = {None: (), True: ("--footprints",), False: ()}
"""Options of `greta run` for runs with, and without."""
NOT_AS_WRITTEN = 99
"""The exit code of a program that did not do what is said of it."""


@dataclass(frozen=True)
class Run:
    """A run, and what was said of it."""

    folder: Path
    """Or the log."""
    verdict: dict[str, Any]
    """Empty if the evidence was refused."""
    exit_code: int
    """Of `greta analyze`."""


@dataclass(frozen=True)
class Plan:
    """How a program is run."""

    command: list[str]
    options: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    expected: tuple[str, ...] = ()
    """What `greta analyze` is told."""


def write_models(folder: Path) -> None:
    """The models that command lines name."""
    for name, config in MODELS.items():
        write_tiny(folder / f"{name}.gguf", config=config)


def be_quiet() -> None:
    """What the programs print is in their runs."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def record(case: Case, folder: Path) -> Run:
    """`greta run` and `greta analyze` on the program of a case; `folder` is the session's."""
    run, expected = recorded(case, folder)
    return analyzed(run, *expected, into=_place(case, folder))


def recorded(case: Case, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The run's folder, or the log; and what is expected of the program."""
    if case.program.endswith(".log"):
        return HERE / case.place / case.program, ()
    place = _place(case, folder)
    plan = _plan(case, folder, place)
    out = place / "run"
    words = ["run", "--quiet", "--device", "sim", "--out", str(out), *plan.options]
    with _environment(plan.variables):
        main([*words, "--", *plan.command])
    told = json.loads((out / "run.json").read_text())["exit"]
    assert told["code"] != NOT_AS_WRITTEN, f"{case.name} did not do what is written of it"
    if case.after:
        TAMPERINGS[case.after](out)
    return out, plan.expected


def analyzed(run: Path, *options: str, into: Path | None = None) -> Run:
    """What `greta analyze` says of a run or a log."""
    said = (into or run.parent) / f"{run.name}.verdict.json"
    code = main(["analyze", str(run), *options, "--json", str(said)])
    return Run(run, json.loads(said.read_text()) if said.exists() else {}, code)


def _place(case: Case, folder: Path) -> Path:
    name = f"{Path(case.program).name}-{case.label}".replace(" ", "_")
    place = folder / case.place / name
    place.mkdir(parents=True, exist_ok=True)
    return place


def _plan(case: Case, folder: Path, place: Path) -> Plan:
    if case.hypothesis == "wrong_binary":
        meant = SCENARIOS[case.label](Workshop(place / "repository", find_sim_tree()))
        return Plan([str(meant.program)], (), meant.variables, meant.expected)
    models = {name: str(folder / f"{name}.gguf") for name in MODELS}
    arguments = [word.format(**models) for word in case.arguments]
    options = (*case.options, *FOOTPRINTS[case.footprints])
    beside = (str(place / "beside"),) if case.beside else ()
    return Plan([*_start(case, folder), *arguments, *beside], options, case.variables, beside)


def _start(case: Case, folder: Path) -> list[str]:
    if case.command:
        sources = (HERE / case.place).glob("*.cpp")
        programs = {
            source.stem: str(_compiled(source, folder))
            for source in sources
            if f"{{{source.stem}}}" in case.command
        }
        return ["sh", "-c", case.command.format(**programs)]
    source = HERE / case.place / case.program
    if source.suffix == ".py":
        return [sys.executable, str(source)]
    return [str(_compiled(source, folder))]


def _compiled(source: Path, folder: Path) -> Path:
    """Once for all cases with that program, whichever of the workers comes first."""
    program, tree = folder / "programs" / source.parent.name / source.stem, find_sim_tree()
    if program.exists():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    ours = program.with_name(f"{program.name}.{os.getpid()}")
    libraries = [f"-L{tree.lib}", "-lamdhip64", "-lhiprtc"]
    words = [*_compiler(folder, tree), str(source), "-o", str(ours), *libraries]
    subprocess.run(words, check=True)
    ours.rename(program)
    return program


def compile_header(folder: Path) -> None:
    """Most of the time to compile these programs goes into what their header includes."""
    made = folder / "header" / "gpu.h.gch"
    made.parent.mkdir()
    words = [*_compiler(folder, find_sim_tree()), "-x", "c++-header", str(HERE / "gpu.h")]
    subprocess.run([*words, "-o", str(made)], check=True)


def _compiler(folder: Path, tree: SimTree) -> list[str]:
    compiler = os.environ.get("CXX") or shutil.which("g++") or "c++"
    kernels = f'-DKERNELS_FILE="{HERE / "kernels.hip"}"'
    places = [f"-I{folder / 'header'}", f"-I{tree.include}", f"-I{HERE}"]
    quick = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
    return [compiler, "-std=c++17", "-g1", "-O0", "-pthread", *quick, *places, kernels]


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables, PYTHONPATH=str(ROOT))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
