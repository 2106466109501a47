"""What a run or an audit ran with: enough to run it again and to tell it from others, no secret."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import greta
from greta.lab.programs import programs_of
from greta.lab.summary import (
    AuditOptions,
    EnvironmentFacts,
    FileHash,
    ProgramFacts,
    ProgramRuns,
    RanWith,
    RerunFacts,
)
from greta.runs.folder import read_run_if_whole
from greta.runs.masking import MASK, kept_environment, masked_words
from greta.trace.run_facts import DeviceFacts, HostFacts, RunFacts

_IGNORED_VARIABLES: Final = frozenset(
    {
        "GRETA_RECORD",
        "GRETA_RECORD_BUDGET",
        "GRETA_OFFERED",
        "LD_PRELOAD",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "_",
    }
)
_LONGEST: Final = 200

_OUR_CHILDREN: Final = frozenset(
    {"greta.engine.workload", "greta.lab.drills", "greta.workload", "greta.drills"}
)
"""Modules that an audit runs; the last two are their names in older audits."""


def run_factors(facts: RunFacts) -> dict[str, str]:
    """What could separate failing runs from passing ones, by name; none if nothing is known."""
    models = ", ".join(sorted(one.hash or one.path for one in facts.models))
    started = {one.real_path for one in (facts.program, *facts.executables) if one}
    libraries = {
        f"library {Path(one.path).name}": one.build_id
        for one in facts.libraries
        if one.build_id and one.path not in started
    }
    variables = {
        f"variable {name}": value
        for name, value in facts.environment.items()
        if name not in _IGNORED_VARIABLES
    }
    device = {"device": facts.device.kind} if facts.device and facts.device.kind else {}
    found = {**_programs(facts), **libraries, "model": models, **variables, **device}
    return {name: value[:_LONGEST] for name, value in found.items() if value}


def _programs(facts: RunFacts) -> dict[str, str]:
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


_SET_FOR_A_RUN: Final = ("GRETA_", "GCORE_", "ROCM_PATH", "HIP_PATH", "LD_")
"""By `greta run` or an audit, not by who typed it, as far as one can tell from the run."""
_NOT_MEANT: Final = ("PYTHON", "PATH", "LD_PRELOAD")
"""Kept of programs that run, but not part of what makes an audit what it is."""


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    kept = kept_environment(environment)
    return {name: text for name, text in kept.items() if not name.startswith(_NOT_MEANT)}


_OF_EVERY_RUN: Final = frozenset(
    {"GRETA_RECORD", "GRETA_RECORD_BUDGET", "GRETA_SIM_TREE", "GRETA_OFFERED", "GRETA_DEVICE"}
)


def asked_variables(run: RunFacts) -> dict[str, str]:
    """Without those by which every run is recorded, and led to the simulated device.

    Which device it was is known by other facts.
    """
    tree = run.environment.get("GRETA_SIM_TREE", "")
    return {
        name: value
        for name, value in run.environment.items()
        if name not in _OF_EVERY_RUN and not (tree and tree in value)
    }


def environment_facts(variables: Mapping[str, str], run: RunFacts) -> EnvironmentFacts:
    host = run.host or HostFacts()
    return EnvironmentFacts(
        host=host.name or platform.node(),
        kernel=host.kernel or platform.platform(),
        cpu=host.cpu,
        python=platform.python_version(),
        greta=greta.__version__,
        hip_runtime=run.versions.get("hip_runtime"),
        hip_library=run.device.library if run.device else None,
        commit=_commit(),
        variables=_variables(variables),
    )


def program_facts(run: RunFacts) -> ProgramFacts | None:
    file = run.script or run.program
    return ProgramFacts(file.path or None, file.sha256, file.build_id) if file else None


def run_ran_with(folder: Path) -> tuple[RanWith, tuple[ProgramRuns, ...]]:
    run = read_run_if_whole(folder)
    variables = {
        name: value
        for name, value in run.environment.items()
        if not name.startswith(_SET_FOR_A_RUN)
    }
    ran = RanWith(
        device=run.device,
        environment=environment_facts(variables, run),
        program=program_facts(run),
        rerun=RerunFacts(command=run.command),
    )
    files = programs_of(run)
    return ran, tuple(ProgramRuns(one.path or "", one.sha256, one.build_id) for one in files)


def _commit() -> str | None:
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def device_facts(choice: DeviceFacts, run: RunFacts) -> DeviceFacts:
    """The device that the first run had. Why it is that one, only who chose it knows."""
    used = run.device or choice
    return replace(
        used,
        asked=choice.asked,
        kind=used.kind or choice.kind,
        reason=choice.reason,
        library=used.library or choice.library,
        obstacle=used.obstacle or choice.obstacle,
    )


def rerun_facts(
    command: Sequence[str],
    seed: int,
    variables: Mapping[str, str],
    options: AuditOptions,
    files: Sequence[FileHash] = (),
) -> RerunFacts:
    """The command line that does exactly this again, and the options it came to.

    `files`: which files a command is, by path and hash.
    """
    words, masked = masked_words(command)
    if "--seed" not in words:
        at = words.index("--") if "--" in words else len(words)
        words[at:at] = ["--seed", str(seed)]
    return RerunFacts(
        command=tuple(words),
        masked=tuple(masked),
        environment={n: v for n, v in _variables(variables).items() if MASK not in v},
        folder=str(Path.cwd()),
        seed=seed,
        files=tuple(files),
        options=replace(options, program=tuple(masked_words(options.program)[0])),
    )
