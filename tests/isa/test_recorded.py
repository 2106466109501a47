"""What a recording tells of machine code: faults to the byte, and which bytes a launch accesses."""

from __future__ import annotations

import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import greta
from greta.cli.main import main
from greta.recording import Process, open_recording

HERE = Path(__file__).parent
SOURCE = HERE / "compiled" / "faults.cpp"
PROGRAM = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

code, kernel, n, size, *first = sys.argv[1:]
module = Module.load(code)
given = np.arange(1024, dtype=np.uint32)
given[: len(first)] = [int(one) for one in first]
out, words = Buffer(4 * int(size)), Buffer.from_array(given)
out.fill(0)
try:
    module.kernel(kernel)(-(-int(n) // 256), min(int(n), 256), out, words, np.uint32(int(n)))
    synchronize()
except HipError as error:
    sys.exit(str(error))
"""
Recorded = Callable[..., greta.Run]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("code") / "faults.co"
    path.write_bytes(lzma.decompress((HERE / "data" / "faults.co.xz").read_bytes()))
    return path


@pytest.fixture
def recorded(engine: object, code: Path, tmp_path: Path) -> Recorded:
    """Launches a kernel of faults.cpp: its name, threads, words of `out`, first words of `in`."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def run(kernel: str, threads: int, size: int, *first: int) -> greta.Run:
        words = [str(word) for word in (threads, size, *first)]
        command = [sys.executable, str(program), str(code), kernel, *words]
        return greta.run(command, device="sim", out=tmp_path / kernel, footprints=True)

    return run


def process_of(run: greta.Run) -> Process:
    (process,) = open_recording(run.path).processes
    return process


def line_of(text: str) -> int:
    return 1 + SOURCE.read_text().split(text)[0].count("\n")


def test_an_overrun_of_one_word_is_told_in_the_verdict(
    recorded: Recorded, capsys: pytest.CaptureFixture[str]
) -> None:
    run = recorded("copy_words", 1001, 1000)
    verdict = greta.analyze(run.path)
    assert verdict.word.value == "REPRODUCED"
    cause = verdict.cause
    assert cause is not None
    assert (cause.kernel, cause.hypothesis) == ("copy_words", "upstream_kernel_fault")
    assert cause.buffer is not None
    assert cause.buffer.bytes == 4000
    access = cause.access
    assert access is not None
    assert (access.kind, access.bytes) == ("write", 4)
    assert (access.past_end, access.past_end_below) == (0, 1)
    assert (access.block, access.thread) == ((3, 0, 0), (232, 0, 0))
    assert access.line == f"faults.cpp:{line_of('out[i] = in[i];')}"
    (note,) = process_of(run).device_faults()
    assert note.message is not None
    assert "0 bytes past the end of the buffer of 4000 bytes" in note.message
    assert "global_store_dword" in note.message
    assert main(["kernels", str(run.path)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("gfx942")
    assert "kernel     copy_words\narguments  pointer (8), pointer (8), value (4)\n" in shown


def test_its_twin_is_silent(recorded: Recorded) -> None:
    run = recorded("copy_words", 1000, 1000)
    assert run.exit_code == 0
    assert process_of(run).device_faults() == []
    assert greta.analyze(run.path).word.value != "REPRODUCED"


BAD_POINTER = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

code, how = sys.argv[1:]
kernel = Module.load(code).kernel("copy_words")
out, words = Buffer(4096), Buffer.from_array(np.arange(1024, dtype=np.uint32))
place = {"freed": out.address, "null": 0}[how]
if how == "freed":
    out.close()
try:
    kernel(4, 256, np.uint64(place), words, np.uint32(1024))
    synchronize()
except HipError as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize(
    ("how", "code_told"), [("freed", "kernel_given_freed"), ("null", "kernel_given_null")]
)
def test_a_bad_pointer_is_told_with_the_access_that_it_led_to(
    engine: object, code: Path, tmp_path: Path, how: str, code_told: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(BAD_POINTER)
    command = [sys.executable, str(program), str(code), how]
    verdict = greta.analyze(greta.run(command, device="sim", out=tmp_path / "run").path)
    cause = verdict.cause
    assert cause is not None
    assert cause.code == code_told
    access = cause.access
    assert access is not None
    assert (access.kind, access.bytes, access.thread) == ("write", 4, (0, 0, 0))
    assert access.line is not None
    assert access.line.endswith(f"faults.cpp:{line_of('out[i] = in[i]')}")


def test_a_store_beyond_the_shared_memory_names_its_thread(recorded: Recorded) -> None:
    (note,) = process_of(recorded("shared_at", 64, 64, 0, 1, 2, 64)).device_faults()
    assert (note.event, note.kernel, note.thread) == ("illegal_access", "shared_at", (3, 0, 0))
    assert note.message is not None
    assert "byte 256 of the block's shared memory, beyond its end" in note.message


def test_shared_memory_to_its_last_word_is_silent(recorded: Recorded) -> None:
    run = recorded("shared_at", 64, 64)
    assert (run.exit_code, process_of(run).device_faults()) == (0, [])


def test_footprints_are_exact(recorded: Recorded) -> None:
    process = process_of(recorded("every_other", 300, 2000))
    (footprint,) = process.footprints()
    out, given = (one.handle for one in process.allocations())
    assert (footprint.complete, footprint.kernel) == (True, "every_other")
    assert footprint.read.ranges().tolist() == [[given, given + 1200]]
    assert footprint.written.ranges().tolist() == [
        [out + 8 * i, out + 8 * i + 4] for i in range(300)
    ]
    assert footprint.atomic.ranges().tolist() == []


def test_footprints_tell_atomic_updates_and_variables(recorded: Recorded) -> None:
    process = process_of(recorded("histogram", 64, 64))
    (footprint,) = process.footprints()
    out, given = (one.handle for one in process.allocations())
    assert footprint.atomic.ranges().tolist() == [[out, out + 16]]
    assert footprint.read.ranges().tolist() == [[given, given + 4]]
    assert footprint.written.ranges().tolist() == []
    process = process_of(recorded("raise_flags", 64, 64))
    (footprint,) = process.footprints()
    out, given = (one.handle for one in process.allocations())
    assert footprint.atomic.ranges().tolist() == [[out, out + 8]]
    assert footprint.written.ranges().tolist() == [[out + 8, out + 12]]
    assert footprint.read.ranges().tolist() == [[given, given + 4]]
    (counted,) = process_of(recorded("count", 64, 64)).footprints()
    ((begin, end),) = counted.written.ranges().tolist()
    assert end - begin == 4
