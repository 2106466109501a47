from __future__ import annotations

import pytest

from greta.hip import SimTree
from tests.isa.engine import Engine


@pytest.fixture(scope="session")
def engine(sim_tree: SimTree) -> Engine:
    return Engine(sim_tree)
