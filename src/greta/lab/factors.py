"""What a run ran with: the facts of run.json that could separate failing runs from passing ones."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from greta.runs.run_json import read_run_if_whole
from greta.trace.run_facts import RunFacts

_IGNORED_VARIABLES: Final = frozenset(
    {"GRETA_RECORD", "GRETA_OFFERED", "LD_PRELOAD", "PWD", "OLDPWD", "SHLVL", "_"}
)
_LONGEST: Final = 200

_OUR_CHILDREN: Final = frozenset(
    {"greta.engine.workload", "greta.lab.drills", "greta.workload", "greta.drills"}
)
"""Modules that an audit runs; the last two are their names in older audits."""


def run_facts(path: Path) -> RunFacts:
    """What run.json says. Nothing if there is none, or none that can be read."""
    return read_run_if_whole(path.parent)


def run_factors(path: Path) -> dict[str, str]:
    """By name. Empty if there is no run.json."""
    facts = run_facts(path)
    found = {**_programs(facts), **_libraries(facts), **_models(facts), **_variables(facts)}
    return {name: value[:_LONGEST] for name, value in found.items() if value}


def _programs(facts: RunFacts) -> dict[str, str]:
    """The script if there is one, and each executable that made HIP calls."""
    found = {}
    for part, file in (("program", facts.program), ("script", facts.script)):
        if file and file.sha256:
            found[part] = f"{Path(file.path).name} {file.sha256[:16]}"
        if file and file.git and file.git.commit:
            found[f"{part}_commit"] = file.git.commit
    binaries = sorted(
        f"{Path(one.path).name} {str(one.sha256 or one.build_id)[:16]}" for one in facts.executables
    )
    arguments = facts.command[1:]
    # Descriptors of the pipes to a workload differ from run to run and mean nothing.
    if arguments and not _OUR_CHILDREN.intersection(arguments):
        found["arguments"] = " ".join(arguments)
    if binaries:
        found["binary"] = ", ".join(binaries)
    elif "program" in found and "script" not in found:
        found["binary"] = found["program"]
    return found


def _libraries(facts: RunFacts) -> dict[str, str]:
    own = {one.real_path for one in (facts.program, *facts.executables) if one}
    return {
        f"library {Path(one.path).name}": one.build_id
        for one in facts.libraries
        if one.build_id and one.path not in own
    }


def _models(facts: RunFacts) -> dict[str, str]:
    joined = ", ".join(sorted(one.hash or one.path for one in facts.models))
    return {"model": joined} if joined else {}


def _variables(facts: RunFacts) -> dict[str, str]:
    found = {
        f"variable {name}": value
        for name, value in facts.environment.items()
        if name not in _IGNORED_VARIABLES
    }
    if facts.device and facts.device.kind:
        found["device"] = facts.device.kind
    return found
