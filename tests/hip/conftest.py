"""Everything here talks to the simulated device."""

import pytest

from greta.hip import SimTree


@pytest.fixture(autouse=True)
def _needs_sim_tree(sim_tree: SimTree) -> None:
    pass
