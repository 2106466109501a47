"""Everything here talks to the simulated device, with no line asked for by the shell."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from greta.engine.d2h import Settings, Transfers
from greta.hip import SimTree, Stream

# The recorder's fixtures, for the tests that compare the audit with what it saw.
from tests.recorder.conftest import record, recorded_environment, recorder  # noqa: F401

for _name in (
    "GCORE_D2H_AUDIT",
    "GCORE_D2H_AUDIT_LOG",
    "GRETA_D2H_DEBUG",
    "GRETA_TRACE_MEMCPY",
):
    os.environ.pop(_name, None)


@pytest.fixture(autouse=True)
def _needs_sim_tree(sim_tree: SimTree) -> None:
    pass


@pytest.fixture
def stream() -> Iterator[Stream]:
    """One that takes no part in the default stream's ordering, so that order must be made."""
    with Stream(non_blocking=True) as stream:
        yield stream


@pytest.fixture
def transfers() -> Iterator[Transfers]:
    with Transfers(settings=Settings()) as transfers:
        yield transfers
