"""Real runs of `greta run`, most with a recorder that records nothing: about the parent."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.hip import SimTree
from greta.runs.recorder import find_recorder
from tests.runs.running import Runner, build_empty_recorder


@pytest.fixture(scope="session")
def empty_recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that can be preloaded and does nothing."""
    return build_empty_recorder(tmp_path_factory.mktemp("recorder"))


@pytest.fixture
def runner(empty_recorder: Path, tmp_path: Path, environment: dict[str, str]) -> Runner:
    """Runs programs under the empty recorder; the run folder is tmp_path/run."""
    return Runner(tmp_path, {**environment, "GRETA_RECORDER": str(empty_recorder)})


@pytest.fixture
def real(tmp_path: Path, environment: dict[str, str], sim_tree: SimTree) -> Runner:
    """Runs programs under the real recorder."""
    try:
        recorder = find_recorder()
    except UsageError as error:
        pytest.fail(f"{error} (in a checkout: make setup, or make native)", pytrace=False)
    return Runner(tmp_path, {**environment, "GRETA_RECORDER": str(recorder)})
