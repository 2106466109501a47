"""Every kernel is tested in every version that this machine can run.

compiled    what hipRTC made from the HIP source
portable, avx2, avx512
            the hand-tuned versions of native/kernels

The simulated device chooses when a code object is loaded, so one process can load them all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from greta.engine import kernels
from greta.hip import SimTree

VERSIONS = ("compiled", "portable", "avx2", "avx512")
_FLAGS = {
    "avx2": {"avx2", "fma", "f16c"},
    "avx512": {"avx512f", "avx512bw", "avx512vl", "avx512_vnni"},
}


@cache
def _cpu_flags() -> frozenset[str]:
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("flags")]
    return frozenset(lines[0].split()) if lines else frozenset()


def runs_here(version: str) -> bool:
    return _FLAGS.get(version, set()) <= _cpu_flags()


@contextmanager
def _variables(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@cache
def loaded(version: str, weight_type: str | None = None) -> kernels.Kernels:
    native = "0" if version == "compiled" else "1"
    isa = "portable" if version == "compiled" else version
    with _variables(GRETA_SIM_NATIVE_KERNELS=native, GRETA_KERNELS_ISA=isa):
        return kernels.load(() if weight_type is None else (weight_type,))


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest, sim_tree: SimTree) -> str:
    """Which version of the kernels to test."""
    name: str = request.param
    if not runs_here(name):
        pytest.skip(f"this CPU does not run {name}")
    return name


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)
