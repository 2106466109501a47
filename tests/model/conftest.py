"""Models for tests: tiny ones, made once; and SmolLM2, if it is in the cache or can be fetched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from greta.model import Model, ModelUnavailableError, find_model, open_model


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with a model cache of its own."""
    return {"GRETA_MODEL_CACHE": str(tmp_path_factory.mktemp("models"))}


@pytest.fixture(scope="session")
def tiny_path(models: dict[str, str]) -> Path:
    return find_model("tiny", environment=models)


@pytest.fixture(scope="session")
def tiny_bytes(tiny_path: Path) -> bytes:
    return tiny_path.read_bytes()


@pytest.fixture
def tiny(tiny_path: Path) -> Model:
    return open_model(tiny_path)


@pytest.fixture(scope="session")
def smollm2() -> Model:
    """From the user's own cache: it is 98 MB."""
    try:
        return open_model(find_model("smollm2", environment=os.environ))
    except ModelUnavailableError as error:
        pytest.skip(str(error))
