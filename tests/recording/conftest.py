from __future__ import annotations

from pathlib import Path

import pytest

from tests.recording.writer import ProcessWriter


@pytest.fixture
def writer(tmp_path: Path) -> ProcessWriter:
    """A process to be filled and written."""
    return ProcessWriter(tmp_path / "recording" / "4711.1")
