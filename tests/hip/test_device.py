"""What the devices say about themselves."""

from __future__ import annotations

import json

import pytest

from greta.hip import (
    Buffer,
    HipError,
    current_device,
    device_count,
    device_properties,
    memory_info,
    runtime_version,
    set_device,
)
from tests.conftest import Run


def test_properties_are_those_of_a_device() -> None:
    properties = device_properties()
    assert properties.ordinal == current_device() == 0
    assert properties.name
    assert properties.arch.startswith("gfx")
    assert properties.warp_size == 64
    assert properties.max_threads_per_block == 1024
    assert properties.total_memory == memory_info().total
    assert properties.pci_bus_id.count(":") == 2


def test_memory_in_use_is_counted() -> None:
    before = memory_info()
    with Buffer(1 << 20):
        assert memory_info().used >= before.used + (1 << 20)
    assert memory_info() == before


def test_the_runtime_has_a_version() -> None:
    assert runtime_version()[0] >= 7


def test_a_device_that_is_not_there_is_an_error() -> None:
    with pytest.raises(HipError) as caught:
        set_device(device_count())
    assert (caught.value.call, caught.value.code) == ("hipSetDevice", 101)
    assert current_device() == 0


def test_several_devices_each_have_their_memory(run_script: Run) -> None:
    done = run_script(
        """
import json
from greta import hip
hip.set_device(1)
buffer = hip.Buffer(1 << 20)
used = []
for ordinal in range(hip.device_count()):
    hip.set_device(ordinal)
    used.append(hip.memory_info().used >= 1 << 20)
print(json.dumps([hip.memory_info().total, used]))
""",
        GRETA_SIM_DEVICES="3",
        GRETA_SIM_VRAM="64M",
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == [64 << 20, [False, True, False]]
