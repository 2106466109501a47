"""The runs of a test file's programs, recorded side by side while the first ones are judged."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from greta.hip import SimTree
from tests.cases.recording import Run, be_quiet, compile_header, record, write_models
from tests.cases.truth import Case

Runs = dict[str, "Future[Run]"]
WORKERS = min(4, os.cpu_count() or 1)


def selected(request: pytest.FixtureRequest) -> list[Case]:
    """The cases of the file's tests that will run, each once.

    Not those of all files: where tests are spread over processes, each process has one of them.
    """
    found = (
        item.callspec.params.get("case")
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.path == request.path
        and hasattr(item, "callspec")
    )
    return list({case.name: case for case in found if isinstance(case, Case)}.values())


@pytest.fixture(scope="module")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, sim_tree: SimTree
) -> Iterator[Runs]:
    """By the names of the cases."""
    folder = tmp_path_factory.mktemp("cases")
    write_models(folder)
    compile_header(folder)
    # Fresh processes: this one has opened the simulated device itself.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, fresh, be_quiet) as pool:
        yield {case.name: pool.submit(record, case, folder) for case in selected(request)}
        pool.shutdown(cancel_futures=True)
