"""Exit codes outlive their readers: `greta analyze RUN | true`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cases.conftest import Runs
from tests.cases.truth import Case

FAULTY = Case("upstream_kernel_fault", "rope_positions.py", label="read by nobody")
CLEAN = Case("upstream_kernel_fault", "rope_positions_all.py", label="read by nobody")


@pytest.mark.parametrize("case", [FAULTY], ids=["case"])
def test_a_reader_that_went_away_does_not_acquit(case: Case, runs: Runs) -> None:
    assert exit_code_of_analyze(runs, case) == 1


@pytest.mark.parametrize("case", [CLEAN], ids=["case"])
def test_nor_does_it_accuse(case: Case, runs: Runs) -> None:
    assert exit_code_of_analyze(runs, case) == 0


def exit_code_of_analyze(runs: Runs, case: Case) -> int:
    """With a pipe as stdout that nobody reads any more."""
    command = [sys.executable, "-m", "greta", "analyze", str(runs[case.name].result().folder)]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}  # so that each line meets the closed pipe
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=unbuffered) as analyze:
        assert analyze.stdout
        analyze.stdout.close()
        return analyze.wait()
