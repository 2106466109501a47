"""Stress comes from outside the engine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from greta.engine.workload import __main__ as workload
from greta.engine.workload.__main__ import OPERATIONS, Delays


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(workload, "time", SimpleNamespace(sleep=found.append))
    return found


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """HIP functions, as they are after stress has put itself before them."""
    made: dict[str, Any] = {}

    def replace_call(name: str, make: Any) -> None:
        made[name] = make(lambda *arguments: (0, *arguments))

    monkeypatch.setattr("greta.hip.replace_call", replace_call)
    return made


def naps_of(
    calls: dict[str, Any], naps: list[float], delays: Delays, seed: int | None
) -> list[float]:
    naps.clear()
    delays.switch(seed)
    for _ in range(400):
        assert calls["hipMemcpyAsync"](7) == (0, 7)
    return list(naps)


def test_pauses_come_from_the_seed(calls: dict[str, Any], naps: list[float]) -> None:
    delays = Delays()
    delays.install()
    assert set(calls) == set(OPERATIONS)
    assert naps_of(calls, naps, delays, None) == []
    first = naps_of(calls, naps, delays, 1)
    assert 5 < len(first) < 50
    assert max(first) < 0.01
    assert naps_of(calls, naps, delays, 2) != first
    assert naps_of(calls, naps, delays, 1) == first
    assert naps_of(calls, naps, delays, None) == []
