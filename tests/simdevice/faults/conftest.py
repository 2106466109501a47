"""Kernels that fault, compiled once for all the processes that stage one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.simdevice.child import answer_of
from tests.simdevice.faults.kernels import SOURCE
from tests.simdevice.library import compile_kernels

if TYPE_CHECKING:
    from greta.hip import SimTree

STRICT = {"GRETA_SIM_PLACEMENT": "strict"}


def compile_to(path: str) -> None:
    Path(path).write_bytes(compile_kernels(SOURCE))


@pytest.fixture(scope="session")
def code_object(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the kernels for the ordinary placement of memory."""
    path = str(tmp_path_factory.mktemp("faults") / "kernels.co")
    compile_to(path)
    return path


@pytest.fixture(scope="session")
def strict_code_object(sim_tree: SimTree, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same for strict placement, where every access is checked."""
    path = str(tmp_path_factory.mktemp("faults") / "strict.co")
    answer_of(compile_to, path, **STRICT)
    return path
