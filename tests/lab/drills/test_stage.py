"""When a fault is due, and what is said of it."""

from __future__ import annotations

from greta.hip import Buffer
from greta.lab.drills.catalog import StagedBuffer, StagedFault
from greta.lab.drills.stage import Stage


def times(stage: Stage, occasions: int, asked: int) -> list[int]:
    return [number for number in range(asked) if stage.is_time(occasions)]


def test_it_is_time_once_an_iteration() -> None:
    stage = Stage(1.0, lambda _: None)
    for seed in range(20):
        stage.begin(0, seed)
        found = times(stage, 4, 10)
        assert len(found) == 1
        assert found[0] < 4


def test_the_seed_decides_when() -> None:
    stage = Stage(1.0, lambda _: None)
    places = []
    for seed in (1, 2, 3, 4, 5, 6, 7, 8, 1):
        stage.begin(0, seed)
        places.append(times(stage, 4, 4))
    assert places[0] == places[-1]
    assert len({place[0] for place in places}) > 1


def test_it_is_never_time_where_the_fault_is_not_due() -> None:
    stage = Stage(0.0, lambda _: None)
    stage.begin(0, 1)
    assert times(stage, 1, 5) == []


def test_it_is_not_time_before_the_first_iteration() -> None:
    assert times(Stage(1.0, lambda _: None), 1, 3) == []


def test_a_report_names_the_allocation_that_a_view_belongs_to() -> None:
    told: list[StagedFault] = []
    stage = Stage(1.0, told.append)
    stage.begin(7, 1)
    with Buffer(4096) as buffer:
        stage.report("hipMemcpyAsync", buffer=buffer.view(256, 16))
        address = hex(buffer.address)
    assert told[0].buffer == StagedBuffer(address, 4096)
    assert (told[0].iteration, told[0].nth) == (7, 1)
