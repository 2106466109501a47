"""The device for a program that is run under the recorder.

Decided without loading AMD's library into this process, which has no use for a GPU of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greta.cli.sim_environment import sim_environment
from greta.errors import UsageError
from greta.hip import DeviceKind, amd_library, find_sim_tree, gpu_obstacle

_GPU_NODE = Path("/dev/kfd")
_VARIABLE = "GRETA_DEVICE"
_ASK = "from greta.hip import gpu_obstacle; print(gpu_obstacle() or '')"


@dataclass(frozen=True)
class RunDevice:
    """What a program will run on: the environment in which it does, and what run.json says."""

    environment: dict[str, str]
    facts: dict[str, Any]


def choose_run_device(wanted: str | None, settings: Mapping[str, str]) -> RunDevice:
    """`wanted` is auto, hip, sim or None for GRETA_DEVICE; `settings` are the simulated device's.

    Where a GPU is asked for and cannot be used, the program is run all the same: how it fails is
    what the recording is for.
    """
    asked = _asked(wanted)
    obstacle = None if asked is DeviceKind.SIM else _gpu_obstacle()
    if asked is DeviceKind.SIM or (asked is DeviceKind.AUTO and obstacle):
        return _sim(asked, obstacle or "asked for", settings)
    if settings:
        raise UsageError(
            "--devices, --vram, --strict and --abort-on-fault are for the simulated device; "
            "add --device sim"
        )
    return _gpu(asked, obstacle)


def _asked(wanted: str | None) -> DeviceKind:
    named = wanted or os.environ.get(_VARIABLE) or DeviceKind.AUTO
    try:
        return DeviceKind(named)
    except ValueError:
        raise UsageError(f"{_VARIABLE} must be auto, hip or sim, not {named!r}") from None


def _sim(asked: DeviceKind, reason: str, settings: Mapping[str, str]) -> RunDevice:
    tree = find_sim_tree()
    environment = sim_environment(tree, {**os.environ, **settings})
    return RunDevice(environment, _facts(asked, DeviceKind.SIM, reason, tree.library))


def _gpu(asked: DeviceKind, obstacle: str | None) -> RunDevice:
    reason = "asked for" if asked is DeviceKind.HIP else "a GPU and AMD's library are there"
    if obstacle:
        reason += f", although {obstacle}"
    environment = {**os.environ, _VARIABLE: DeviceKind.HIP.value}
    facts = _facts(asked, DeviceKind.HIP, reason, amd_library())
    return RunDevice(environment, {**facts, "obstacle": obstacle} if obstacle else facts)


def _facts(
    asked: DeviceKind, kind: DeviceKind, reason: str, library: Path | None
) -> dict[str, Any]:
    return {
        "asked": asked.value,
        "kind": kind.value,
        "reason": reason,
        "library": str(library) if library else None,
    }


def _gpu_obstacle() -> str | None:
    if not _GPU_NODE.exists():
        return gpu_obstacle()  # which is all it looks at then
    done = subprocess.run([sys.executable, "-c", _ASK], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"AMD's library could not be tried (exit code {done.returncode})"
    return done.stdout.strip() or None
