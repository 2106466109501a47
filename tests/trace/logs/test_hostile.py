"""Whatever is in a file: no crash, no hang, bounded memory, tables that hold together."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.errors import UsageError
from greta.trace.evidence import Evidence
from greta.trace.trace import Gap
from tests.trace.logs import test_applications, test_faults, test_greta, test_rocprof
from tests.trace.logs.reading import read_log
from tests.trace.logs.test_amd_log import STYLES, program

SAMPLES = (
    test_greta.OLDER,
    test_greta.AUDIT,
    test_faults.DMESG,
    test_faults.QUEUE,
    test_applications.LLAMA,
    test_rocprof.KERNELS,
    test_rocprof.MEMORY,
    *(program(style).text for style in STYLES),
)


def read(data: bytes, folder: Path) -> list[Evidence]:
    path = folder / "log"
    path.write_bytes(data)
    try:
        return read_log(path)
    except UsageError:
        return []


def hold_together(evidence: Evidence) -> None:
    """What everything in forensics relies on."""
    trace = evidence.trace
    operations, accesses = trace.operations, trace.accesses
    assert np.all(np.diff(operations["seq"]) > 0)
    assert np.all(np.diff(operations["first_access"]) >= 0)
    assert np.all(accesses["operation"] < len(operations))
    assert np.all(accesses["allocation"] < len(trace.allocations))
    assert np.all(operations["stream"] < len(trace.streams))
    assert np.all(operations["call"] < len(trace.calls))
    assert np.all(operations["kernel"] < len(trace.kernels))
    for row in range(len(operations)):
        assert np.all(trace.accesses_of(row)["operation"] == row)
        trace.describe(int(operations["seq"][row]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@given(data=st.binary(max_size=2000))
def test_any_bytes(data: bytes, folder: Path) -> None:
    for evidence in read(data, folder):
        hold_together(evidence)


@settings(max_examples=150)
@given(
    sample=st.sampled_from(SAMPLES),
    cuts=st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=12)), max_size=6),
    end=st.integers(0, 3000),
)
def test_samples_with_bytes_put_in_and_cut_off(
    sample: str, cuts: list[tuple[int, bytes]], end: int, folder: Path
) -> None:
    data = sample.encode()
    for at, noise in cuts:
        data = data[:at] + noise + data[at + len(noise) :]
    for evidence in read(data[: len(data) - end % len(data)], folder):
        hold_together(evidence)


@settings(max_examples=100)
@given(lines=st.lists(st.sampled_from([x for s in SAMPLES for x in s.splitlines()]), max_size=40))
def test_lines_of_all_formats_in_any_order(lines: list[str], folder: Path) -> None:
    for evidence in read("\n".join(lines).encode(), folder):
        hold_together(evidence)


@given(sample=st.sampled_from(SAMPLES), end=st.integers(1, 3000))
def test_a_log_that_is_cut_is_never_without_a_gap(sample: str, end: int, folder: Path) -> None:
    data = sample.encode()
    whole = sum(len(one.trace.operations) for one in read(data, folder))
    cut = data[: len(data) - end % len(data)]
    for evidence in read(cut, folder):
        lost = whole - len(evidence.trace.operations)
        if lost and not cut.endswith(b"\n") and len(evidence.trace.operations):
            assert set(evidence.trace.gaps) & {
                Gap.CUT_SHORT,
                Gap.DAMAGED,
                Gap.NO_RECORDING,
                Gap.ONLY_MARKED,
            }


HUGE = "9" * 18
BEYOND = (
    f"[ROPE_DIAG] Q x_ptr=0x{'f' * 16} seq_len={HUGE} num_heads={HUGE} head_dim={HUGE} "
    "pos_ptr=0xffffffffffffffff valid=true\n",
    f"[D2H_CHECK] tensor=t step={HUGE} layer=0 src_ptr=0x{'f' * 16} dst_ptr=0x{'f' * 16} "
    f"offset={HUGE}9 size=18446744073709551615 alloc={HUGE}9\n",
    f"[D2H_AUDIT_START] op_id=1 ts=999999999999.999999 stream=0x{'f' * 16} dev_ptr=0x1 "
    f"host_ptr=0x1 bytes={HUGE}9 tensor=t step=0 layer=0\n",
    f":3:a.cpp :1: {HUGE} us: [pid:1 tid:0xffffffffffffffff]  hipMemcpy2D ( 0x{'f' * 16}, {HUGE}, "
    f"0x{'f' * 16}, {HUGE}, {HUGE}, {HUGE}, hipMemcpyDeviceToHost )\n",
    ":3:a.cpp :1: 5 us: [pid:1 tid:0x1234]  hipMemsetD32 ( 0x10, 0, 18446744073709551615 )\n",
)


def test_numbers_beyond_every_column_are_cut_to_it(folder: Path) -> None:
    for line in BEYOND:
        found = read((line + test_greta.AUDIT).encode(), folder)
        assert sum(len(one.trace.operations) for one in found) >= 1
        for evidence in found:
            hold_together(evidence)


HARD = (
    ":3:a.cpp :1: 1 us: [pid:1 tid:0xabcd]  hipMalloc ( " + "(" * 6000,
    ":3:a.cpp :1: 1 us: [pid:1 tid:0xabcd]  hipFree ( " + ") " * 6000,
    ":3:a.cpp" + " " * 12000 + ":1",
    ":1:" * 5000,
    "Arg0: " + "= " * 6000,
    "[D2H_CHECK] " + "a=" * 6000,
    "[D2H_CHECK] " + "a" * 12000,
    "[D2H" * 4000,
    "[D2H_CHECK]" * 1200,
    " launch failed: " * 800,
    "a" * 8000 + " launch failed: " + "b" * 4000,
    "Memory access fault by GPU node-" + "1" * 12000,
    "HW Exception by GPU node-1" + " reason" * 2000,
    "Memory Fault Error [" + "kernel: ]" * 1500,
    "page fault (src_id:0 " + "process pid " * 1000,
    "ROCm error: " + "x" * 12000,
    "current device: 1, in function " + " at" * 4000,
    "\x1b[" * 6000,
    "[" + ";" * 12000,
    "RuntimeError: CUDA error: " * 500,
    "x" * 12000 + " FAILED:",
    "x" * 12000 + ".cu:1: ROCm error",
)


@pytest.mark.parametrize("line", HARD, ids=range(len(HARD)))
def test_no_line_takes_long(line: str, folder: Path) -> None:
    began = time.process_time()
    read((line + "\n").encode() * 20, folder)
    assert time.process_time() - began < 2.0  # 20 lines of up to 16 KiB


def test_time_grows_with_the_length_and_memory_does_not(folder: Path) -> None:
    def cost(lines: int) -> tuple[float, int]:
        tracemalloc.start()
        began = time.process_time()
        read(b"x" * 5_000 + b"\n" + b"[GRETA_LOAD] of no interest here\n" * lines, folder)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return time.process_time() - began, used

    (short, less), (long, more) = cost(5_000), cost(50_000)
    assert long < 40 * max(short, 0.01)
    assert more < less + (8 << 20)


def test_a_line_of_many_megabytes_is_cut(folder: Path) -> None:
    data = b"[D2H_CHECK] tensor=" + b"a" * (32 << 20) + b"\n" + test_greta.OLDER.encode()
    tracemalloc.start()
    (evidence,) = read(data, folder)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 8 << 20
    assert len(evidence.trace.operations) == 4
    assert Gap.DAMAGED in evidence.trace.gaps
