from __future__ import annotations

import pytest

from greta.hip import SimTree
from tests.isa.engine import Engine


@pytest.fixture(scope="session")
def engine(sim_tree: SimTree) -> Engine:
    engine = Engine(sim_tree)
    if not engine.path.exists():
        pytest.skip("the instruction engine is not built (cmake -DGRETA_ISA=ON)")
    return engine
