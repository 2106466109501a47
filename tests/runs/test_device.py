"""What is known of the device before a program runs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.runs import device
from greta.runs.device import choose_run_device
from tests.conftest import Run

ASK = """
from greta import hip
one = hip.device_properties()
print(one.name, one.total_memory, sep="|")
"""


@pytest.mark.parametrize("vram", ["", "512m", "1k", "a lot"])
def test_the_simulated_device_is_known_by_name_and_memory(
    run_script: Run, monkeypatch: pytest.MonkeyPatch, vram: str
) -> None:
    """As HIP itself tells them."""
    monkeypatch.setenv("GRETA_SIM_VRAM", vram)
    facts = choose_run_device("sim", {}).facts
    told = run_script(ASK, GRETA_SIM_VRAM=vram).stdout.strip()
    assert f"{facts.name}|{facts.memory_bytes}" == told


def test_a_gpu_is_known_by_what_its_driver_tells(tmp_path: Path) -> None:
    for card, files in {
        "card0": {},  # a display
        "card1": {"mem_info_vram_total": "206141652992\n", "product_name": "AMD Instinct MI300X\n"},
    }.items():
        folder = tmp_path / card / "device"
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text)
    assert device._driven_gpu(tmp_path) == ("AMD Instinct MI300X", 206141652992)
    assert device._driven_gpu(tmp_path / "card0") == (None, None)
