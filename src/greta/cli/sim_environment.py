"""The environment in which a HIP program finds the simulated device."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path

from greta.hip import SimTree


def sim_environment(tree: SimTree, base: Mapping[str, str]) -> dict[str, str]:
    """`base` with the variables by which HIP clients look for their library set to `tree`.

    ROCM_PATH and HIP_PATH serve AMD's bindings and build tools, LD_LIBRARY_PATH everything that
    was linked with -lamdhip64 or opens it by its bare name, GRETA_* our own programs.
    """
    environment = dict(base)
    environment["ROCM_PATH"] = environment["HIP_PATH"] = str(tree.root)
    environment["GRETA_SIM_TREE"] = str(tree.root)
    environment["GRETA_DEVICE"] = "sim"
    _put_first(environment, "LD_LIBRARY_PATH", tree.lib)
    if importlib.util.find_spec("rocm_sdk") is not None:
        _put_first(environment, "PYTHONPATH", Path(__file__).parent / "without_rocm_sdk")
    return environment


def _put_first(environment: dict[str, str], variable: str, folder: Path) -> None:
    entries = environment.get(variable, "").split(os.pathsep)
    others = [entry for entry in entries if entry and entry != str(folder)]
    environment[variable] = os.pathsep.join([str(folder), *others])
