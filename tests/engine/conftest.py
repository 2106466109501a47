"""The tiny model on the simulated device, in each weight type, opened once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from greta.engine import Capacity, Engine
from greta.hip import SimTree
from greta.model import Model, find_model, open_model
from tests.engine.tiny import PROMPT

OpenModel = Callable[[str], Model]
OpenEngine = Callable[..., Engine]


@cache
def _model(weights: str) -> Model:
    return open_model(find_model(f"tiny:{weights}"))


@cache
def _engine(weights: str, batch: int, context: int) -> Engine:
    return Engine(_model(weights), Capacity(batch, context))


@pytest.fixture(scope="session")
def tiny() -> OpenModel:
    """The tiny model with weights of a type."""
    return _model


@pytest.fixture(scope="session")
def engine(sim_tree: SimTree) -> OpenEngine:
    """An engine for the tiny model."""

    def opened(weights: str = "q8_0", batch: int = 1, context: int = 128) -> Engine:
        return _engine(weights, batch, context)

    return opened


@pytest.fixture
def prompt() -> list[int]:
    """Tokens: several tiles of prefill."""
    return list(PROMPT)
