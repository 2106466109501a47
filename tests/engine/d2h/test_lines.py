"""The lines: what is written, where to, whole, and in the spelling that the parser holds fast."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from greta.engine.d2h import D2HError, Settings, Transfers
from greta.errors import UsageError
from greta.hip import Buffer, Stream
from tests.conftest import Run
from tests.engine.d2h.strict_log import (
    AuditEnd,
    AuditStart,
    Bounds,
    Check,
    CopySucceeded,
    Engaged,
    Failed,
    TraceAfter,
    TraceBefore,
    pairs,
    parse_log,
)


def copy_with(settings: Settings, stream: Stream) -> tuple[Buffer, int]:
    """One transfer of bytes 8 to 24 of 64; gives the buffer and the host's address."""
    buffer = Buffer(64)
    with Transfers(settings=settings) as transfers:
        arrival = transfers.to_host(
            buffer, dtype=np.float32, offset=8, shape=4, stream=stream, tensor="q", step=3, layer=1
        )
        arrival.wait()
    return buffer, arrival.transfer.target


def test_audit_lines_go_to_the_log(tmp_path: Path, stream: Stream) -> None:
    log = tmp_path / "audit.log"
    buffer, target = copy_with(Settings(audit=True, audit_log=log), stream)
    start, end = parse_log(log.read_text())
    assert isinstance(start, AuditStart)
    assert isinstance(end, AuditEnd)
    assert start[3:] == (stream.handle, buffer.address + 8, target, 16, "q", 3, 1)
    assert end == (2, start.op_id, end.ts, stream.handle, "hipSuccess", "q")
    assert start.ts <= end.ts


def test_audit_lines_go_to_stderr_unless_told_otherwise(
    capfd: pytest.CaptureFixture[str], stream: Stream
) -> None:
    copy_with(Settings(audit=True), stream)
    assert len(pairs(parse_log(capfd.readouterr().err))) == 1


def test_debug_lines(capfd: pytest.CaptureFixture[str], stream: Stream) -> None:
    buffer, target = copy_with(Settings(debug=True), stream)
    assert parse_log(capfd.readouterr().err) == [
        Engaged(1, "q"),
        Check(2, "q", 3, 1, buffer.address + 8, target, 8, 16, 64),
        CopySucceeded(3, "hipSuccess"),
    ]


def test_trace_lines(capfd: pytest.CaptureFixture[str], stream: Stream) -> None:
    buffer, target = copy_with(Settings(trace=True), stream)
    assert parse_log(capfd.readouterr().err) == [
        TraceBefore(1, "q", buffer.address + 8, 16, stream.handle),
        TraceAfter(5, "q", target, 16),
    ]


def test_all_of_them_together(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], stream: Stream
) -> None:
    log = tmp_path / "audit.log"
    copy_with(Settings(audit=True, audit_log=log, debug=True, trace=True), stream)
    assert len(pairs(parse_log(log.read_text()))) == 1
    kinds = [type(record) for record in parse_log(capfd.readouterr().err)]
    assert kinds == [Engaged, Check, TraceBefore, CopySucceeded, TraceAfter]


def test_with_nothing_asked_for_nothing_is_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], stream: Stream
) -> None:
    log = tmp_path / "audit.log"
    copy_with(Settings(audit_log=log), stream)
    assert not log.exists()
    assert capfd.readouterr().err == ""


def test_debug_mode_writes_down_what_it_refuses(
    capfd: pytest.CaptureFixture[str], stream: Stream
) -> None:
    transfers = Transfers(settings=Settings(debug=True))
    with Buffer(64) as buffer, pytest.raises(D2HError) as caught:
        transfers.to_host(buffer, dtype=np.uint8, nbytes=65, stream=stream, tensor="q")
    assert parse_log(capfd.readouterr().err) == [
        Bounds(1, "q", 0, 65, 64),
        Failed(2, str(caught.value)),
    ]


def test_debug_mode_asks_hip_about_the_source(
    capfd: pytest.CaptureFixture[str], stream: Stream
) -> None:
    transfers = Transfers(settings=Settings(debug=True))
    with Buffer(64) as buffer:
        too_long = Buffer._borrowed(buffer.address, 1 << 20)
        with pytest.raises(D2HError, match="has 64 bytes, and the transfer would read up to byte"):
            transfers.to_host(too_long, dtype=np.uint8, stream=stream, tensor="q")
    assert isinstance(parse_log(capfd.readouterr().err)[-1], Failed)


def test_each_transfer_has_its_own_op_id_whatever_transfers_it_is_of(
    tmp_path: Path, stream: Stream
) -> None:
    log = tmp_path / "audit.log"
    for _ in range(3):
        copy_with(Settings(audit=True, audit_log=log), stream)
    assert len({pair.start.op_id for pair in pairs(parse_log(log.read_text()))}) == 3


def test_overlapping_transfers_are_paired_by_op_id(tmp_path: Path, stream: Stream) -> None:
    log = tmp_path / "audit.log"
    settings = Settings(audit=True, audit_log=log)
    with Transfers(settings=settings) as transfers, Buffer(64) as buffer:
        arrivals = [
            transfers.to_host(buffer, dtype=np.uint8, stream=stream, tensor=f"t{number}")
            for number in range(4)
        ]
        for arrival in reversed(arrivals):
            arrival.wait()
    found = pairs(parse_log(log.read_text()))
    assert [pair.start.tensor for pair in found] == ["t0", "t1", "t2", "t3"]
    assert [pair.end and pair.end.line for pair in found] == [8, 7, 6, 5]


def test_a_transfer_that_nobody_awaits_ends_too(run_script: Run) -> None:
    done = run_script(
        "import numpy as np\n"
        "from greta import hip\nfrom greta.engine import d2h\n"
        "transfers, buffer = d2h.Transfers(), hip.Buffer(64)\n"
        "transfers.to_host(buffer, dtype=np.uint8, tensor='dropped')\n"
        "kept = transfers.to_host(buffer, dtype=np.uint8, tensor='kept')\n",
        GCORE_D2H_AUDIT="1",
    )
    found = pairs(parse_log(done.stderr))
    assert [pair.start.tensor for pair in found] == ["dropped", "kept"]
    assert all(pair.end is not None for pair in found)


def test_several_threads_write_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "audit.log"
    with Transfers(settings=Settings(audit=True, audit_log=log)) as transfers, Buffer(64) as buffer:

        def work(name: str) -> None:
            with Stream(non_blocking=True) as stream:
                for step in range(100):
                    transfers.read(buffer, dtype=np.uint8, stream=stream, tensor=name, step=step)

        threads = [threading.Thread(target=work, args=(f"thread{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = pairs(parse_log(log.read_text()))
    assert len(found) == 400
    assert {pair.start.step for pair in found if pair.start.tensor == "thread3"} == set(range(100))


ENDLESS = """
import threading
import numpy as np
from greta import hip
from greta.engine import d2h
transfers, buffer = d2h.Transfers(), hip.Buffer(64)

def work():
    with hip.Stream(non_blocking=True) as stream:
        while True:
            transfers.read(buffer, dtype=np.uint8, stream=stream, tensor="x")

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
"""


@pytest.mark.parametrize("end", ["os.abort()", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_a_process_that_dies_leaves_whole_lines(run_script: Run, tmp_path: Path, end: str) -> None:
    log = tmp_path / "audit.log"
    die = f"import os, signal, time\ntime.sleep(0.3)\n{end}\n"
    done = run_script(ENDLESS + die, GCORE_D2H_AUDIT="1", GCORE_D2H_AUDIT_LOG=str(log))
    assert done.returncode in (-6, -9)
    found = pairs(parse_log(log.read_text()))
    assert len(found) > 10
    assert sum(pair.end is None for pair in found) <= 3


def test_a_log_that_cannot_be_opened_is_a_usage_error(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "such" / "folder.log"
    with pytest.raises(UsageError, match=r"GCORE_D2H_AUDIT_LOG=.* cannot be opened"):
        Transfers(settings=Settings(audit=True, audit_log=missing))


def test_a_log_that_is_full_is_said_once_and_transfers_go_on(
    capfd: pytest.CaptureFixture[str], stream: Stream
) -> None:
    copy_with(Settings(audit=True, audit_log=Path("/dev/full")), stream)
    said = "greta: the D2H log /dev/full cannot be written (No space left on device)"
    assert capfd.readouterr().err == f"{said}; lines are lost from here on\n"
