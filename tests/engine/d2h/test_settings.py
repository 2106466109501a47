"""What the environment may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.engine.d2h import Settings, Transfers
from greta.errors import UsageError


def test_nothing_is_asked_for_by_default() -> None:
    assert Settings.from_environment({}) == Settings()
    assert Settings.from_environment({"GCORE_D2H_AUDIT": "0", "GCORE_D2H_AUDIT_LOG": ""}).silent


def test_every_variable() -> None:
    variables = {
        "GCORE_D2H_AUDIT": "1",
        "GCORE_D2H_AUDIT_LOG": "a.log",
        "GRETA_D2H_DEBUG": "1",
        "GRETA_TRACE_MEMCPY": "1",
    }
    asked = Settings.from_environment(variables)
    assert asked == Settings(audit=True, audit_log=Path("a.log"), debug=True, trace=True)
    assert not asked.silent


@pytest.mark.parametrize("name", ["GCORE_D2H_AUDIT", "GRETA_D2H_DEBUG", "GRETA_TRACE_MEMCPY"])
def test_a_value_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} must be 0 or 1, not 'yes'"):
        Settings.from_environment({name: "yes"})


def test_they_are_read_when_transfers_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRETA_D2H_DEBUG", "1")
    transfers = Transfers()
    monkeypatch.setenv("GRETA_D2H_DEBUG", "0")
    assert transfers.settings.debug
