"""Real runs of `greta run` with a recorder that records nothing: here it is about the parent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs.running import Runner, build_empty_recorder


@pytest.fixture(scope="session")
def empty_recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that can be preloaded and does nothing."""
    return build_empty_recorder(tmp_path_factory.mktemp("recorder"))


@pytest.fixture
def runner(empty_recorder: Path, tmp_path: Path, environment: dict[str, str]) -> Runner:
    """Runs programs under the empty recorder; the run folder is tmp_path/run."""
    return Runner(tmp_path, {**environment, "GRETA_RECORDER": str(empty_recorder)})
