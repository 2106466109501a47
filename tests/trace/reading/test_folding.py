"""Calls that say the same: whether one is looked at, or each, the tables are the same."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import pytest

from greta.trace.reading import folding
from greta.trace.trace import Trace
from tests.recording.writer import KERNARG, Payload
from tests.trace.reading.written import Written

DEVICE, OTHER, PINNED, STREAM, ALIAS = 0x7000_0000, 0x7100_0000, 0x5500_0000, 0x900, 0x6600_0000
GRID: dict[str, Any] = {f"{size}Dim{axis}": 1 for size in ("grid", "block") for axis in "XYZ"}
KERNEL = (
    {"offset": 0, "bytes": 8, "kind": "global_buffer", "type": "const float*"},
    {"offset": 8, "bytes": 8, "kind": "by_value", "type": "Options"},
    {"offset": 16, "bytes": 4, "kind": "by_value", "type": "int"},
)


def _write(folder: Path, seed: int) -> Written:
    """Few calls again and again; what their addresses mean changes between."""
    chance = random.Random(seed)  # noqa: S311 - a test
    written = Written(folder)
    written.writer.line("kernel", id=1, name="k", kernarg_bytes=20, arguments=list(KERNEL))
    written.call("hipHostMalloc", ptr=PINNED, size=4096)
    written.call("hipHostGetDevicePointer", devPtr=ALIAS, hstPtr=PINNED)
    live: dict[int, bool] = {}
    for _ in range(300):
        at = chance.choice((DEVICE, OTHER))
        step = chance.randrange(12)
        if step == 0:
            live[at] = not live.get(at)
            if live[at]:
                written.call("hipMalloc", ptr=at, size=chance.choice((64, 4096)))
            else:
                written.call("hipFree", ptr=at)
        elif step < 4:
            written.call("hipMemsetAsync", dst=at, sizeBytes=64)
        elif step < 8:
            host = chance.choice((PINNED, PINNED + 1 << 20, ALIAS))
            written.call("hipMemcpy", dst=at, src=host, sizeBytes=128, kind=4)
        else:
            values = struct.pack("<QQi", at, chance.choice((DEVICE, ALIAS, 7)), 16)
            kept = values[: chance.choice((20, 20, 12))]
            payloads = [Payload(KERNARG, 0, kept)]
            kernel = chance.choice((0, 1))
            written.call("hipModuleLaunchKernel", **GRID, kernel=kernel, payloads=payloads)
    return written


@pytest.mark.parametrize("seed", range(4))
def test_copies_are_what_each_call_is_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    traces: list[Trace] = []
    folds: list[int] = []
    unfolded = folding._Fold.unfolded

    def counted(*given: Any) -> folding.Looked:
        folds.append(1)
        return unfolded(*given)

    monkeypatch.setattr(folding._Fold, "unfolded", counted)
    monkeypatch.setattr(folding, "_FEWEST", 1)
    for place, repeats in enumerate((1, 1 << 30)):
        monkeypatch.setattr(folding, "_REPEATS", repeats)
        traces.append(_write(tmp_path / str(place), seed).shown().trace)
        assert bool(folds) == (repeats == 1)
        folds.clear()
    one, other = traces
    assert one.operations.tolist() == other.operations.tolist()
    assert one.accesses.tolist() == other.accesses.tolist()
    assert one.gaps == other.gaps
    assert one.different_launches == other.different_launches
