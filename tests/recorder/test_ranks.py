"""What a launcher calls a process, and what its device can reach, are in the recording."""

from __future__ import annotations

import pytest

from greta.trace.reading import trace_of
from tests.recorder.conftest import Build, Record


@pytest.mark.parametrize(
    ("given", "rank"),
    [
        ({"RANK": "3", "LOCAL_RANK": "1"}, 3),
        ({"OMPI_COMM_WORLD_RANK": "12"}, 12),
        ({"SLURM_PROCID": "0"}, 0),
        ({"LOCAL_RANK": "1"}, 1),
        ({"RANK": "first", "RANKING": "7"}, None),
    ],
)
def test_a_rank_names_the_process(
    build: Build, record: Record, given: dict[str, str], rank: int | None
) -> None:
    (process,) = record([build("many"), 1], **given)
    assert process.rank == rank
    assert trace_of(process).rank == rank


@pytest.mark.parametrize(("given", "reaches"), [({"HSA_XNACK": "1"}, True), ({}, False)])
def test_xnack_makes_devices_reach_pageable_memory(
    build: Build, record: Record, given: dict[str, str], reaches: bool
) -> None:
    (process,) = record([build("many"), 1], **given)
    assert trace_of(process).reaches_pageable is reaches
