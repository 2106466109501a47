"""hipRTC is tested without its cache, except where the cache is the subject."""

from __future__ import annotations

import pytest

from greta.hip import SimTree
from tests.simdevice.library import hip_library


@pytest.fixture(autouse=True)
def _compile_every_time(sim_tree: SimTree, monkeypatch: pytest.MonkeyPatch) -> None:
    hip_library()  # as in a HIP program, the runtime is there before a kernel is compiled
    monkeypatch.setenv("GRETA_SIM_CACHE", "0")
    for name in ("GRETA_SIM_ISA", "GRETA_SIM_PLACEMENT", "HIPRTC_COMPILE_OPTIONS_APPEND"):
        monkeypatch.delenv(name, raising=False)
