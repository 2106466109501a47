from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.export.made import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program to be written down."""
    return Program(tmp_path)
