"""Logs in a folder of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.logs.reading import Logs


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path)
