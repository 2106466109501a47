"""The audit against the recorder: one pair of lines for each copy that HIP saw, and no other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from greta.recording import CallEvent
from tests.engine.d2h.strict_log import pairs, parse_log
from tests.recorder.conftest import Record

PROGRAM = """
import numpy as np
from greta import hip
from greta.engine import d2h
transfers, stream = d2h.Transfers(), hip.Stream(non_blocking=True)
numbers = np.arange(1000, dtype=np.float32)
buffer = hip.Buffer.from_array(numbers)
arrivals = []
for step in range(20):
    arrivals.append(transfers.to_host(buffer, dtype=np.float32, offset=4 * step, shape=step + 1,
                                      stream=stream, tensor="logits", step=step, layer=step % 3))
    try:
        transfers.to_host(buffer, dtype=np.float32, shape=1001, stream=stream, tensor="refused")
    except d2h.D2HError:
        pass
for arrival in arrivals[::-2]:
    assert arrival.wait()[0] == arrival.transfer.step
transfers.read(buffer, dtype=np.float32, tensor="last")
"""

DEVICE_TO_HOST = 2


def is_d2h(event: CallEvent) -> bool:
    return event.call == "hipMemcpyAsync" and event.arguments["kind"] == DEVICE_TO_HOST


@pytest.mark.parametrize("debug", ["0", "1"])
def test_there_is_one_pair_for_each_copy(tmp_path: Path, record: Record, debug: str) -> None:
    log = tmp_path / "audit.log"
    variables = {"GCORE_D2H_AUDIT_LOG": str(log), "GRETA_D2H_DEBUG": debug}
    (process,) = record([sys.executable, "-c", PROGRAM], GCORE_D2H_AUDIT="1", **variables)
    copies = [event.arguments for event in process.events() if is_d2h(event)]
    found = pairs(parse_log(log.read_text()))
    assert len(found) == 21
    assert all(pair.end is not None and pair.end.result == "hipSuccess" for pair in found)
    seen = [(c["dst"], c["src"], c["sizeBytes"], c["stream"]) for c in copies]
    starts = [pair.start for pair in found]
    assert seen == [(s.host_ptr, s.dev_ptr, s.bytes, s.stream) for s in starts]


def test_a_transfer_waits_for_its_event_and_never_for_the_device(record: Record) -> None:
    (process,) = record([sys.executable, "-c", PROGRAM])
    names = process.calls_by_name
    assert "hipDeviceSynchronize" not in names
    assert "hipStreamSynchronize" not in names
    assert "hipPointerGetAttributes" not in names
    assert names["hipEventSynchronize"] == 21
