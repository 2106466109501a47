"""What a run ran with: the facts of run.json that could separate failing runs from passing ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from greta.folder_files import read_run_file
from greta.outside import NotJsonError

_IGNORED_VARIABLES: Final = frozenset(
    {"GRETA_RECORD", "GRETA_OFFERED", "LD_PRELOAD", "PWD", "OLDPWD", "SHLVL", "_"}
)
_LONGEST: Final = 200

_OUR_CHILDREN: Final = frozenset(
    {"greta.engine.workload", "greta.lab.drills", "greta.workload", "greta.drills"}
)
"""Modules that an audit runs; the last two are their names in older audits."""


def run_facts(path: Path) -> dict[str, Any]:
    """What run.json says. Empty if there is none, or none that can be read."""
    try:
        return read_run_file(path.parent)
    except (OSError, NotJsonError):
        return {}


def run_factors(path: Path) -> dict[str, str]:
    """By name. Empty if there is no run.json."""
    facts = run_facts(path)
    found = {**_programs(facts), **_libraries(facts), **_models(facts), **_variables(facts)}
    return {name: value[:_LONGEST] for name, value in found.items() if value}


def _programs(facts: dict[str, Any]) -> dict[str, str]:
    """The script if there is one, and each executable that made HIP calls."""
    found = {}
    for part in ("program", "script"):
        file = _part(facts, part)
        if file.get("sha256"):
            found[part] = f"{Path(str(file.get('path'))).name} {file['sha256'][:16]}"
        if commit := _part(file, "git").get("commit"):
            found[f"{part}_commit"] = str(commit)
    binaries = sorted(
        f"{Path(str(one.get('path'))).name} {str(one.get('sha256') or one.get('build_id'))[:16]}"
        for one in facts.get("executables") or []
        if isinstance(one, dict)
    )
    arguments = [str(word) for word in (facts.get("command") or [])[1:]]
    # Descriptors of the pipes to a workload differ from run to run and mean nothing.
    if arguments and not _OUR_CHILDREN.intersection(arguments):
        found["arguments"] = " ".join(arguments)
    if binaries:
        found["binary"] = ", ".join(binaries)
    elif "program" in found and "script" not in found:
        found["binary"] = found["program"]
    return found


def _libraries(facts: dict[str, Any]) -> dict[str, str]:
    found = {}
    programs = [facts.get("program"), *(facts.get("executables") or [])]
    own = {one.get("real_path") for one in programs if isinstance(one, dict)}
    for one in facts.get("libraries") or []:
        if isinstance(one, dict) and one.get("build_id") and one.get("path") not in own:
            name = Path(str(one.get("path"))).name
            found[f"library {name}"] = str(one["build_id"])
    return found


def _models(facts: dict[str, Any]) -> dict[str, str]:
    models = [one for one in facts.get("models") or [] if isinstance(one, dict)]
    names = (str(one.get("hash") or one.get("path")) for one in models)
    joined = ", ".join(sorted(names))
    return {"model": joined} if joined else {}


def _variables(facts: dict[str, Any]) -> dict[str, str]:
    environment = facts.get("environment") or {}
    device = facts.get("device") or {}
    found = {
        f"variable {name}": str(value)
        for name, value in environment.items()
        if name not in _IGNORED_VARIABLES
    }
    if device.get("kind"):
        found["device"] = str(device["kind"])
    return found


def _part(facts: dict[str, Any], name: str) -> dict[str, Any]:
    part = facts.get(name)
    return part if isinstance(part, dict) else {}
