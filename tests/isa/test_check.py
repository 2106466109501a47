"""`greta check` on kernels in machine code: staged faults, and their twins that must be silent."""

from __future__ import annotations

import json
import lzma
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main
from greta.errors import UsageError
from tests.isa.compiled import oracle
from tests.isa.data.keep_kernels import KEPT, build
from tests.reports.ci_schemas import require_junit, require_sarif

HERE = Path(__file__).parent
SOURCE = (HERE / "compiled" / "races.hip").read_text()
RACY = re.findall(r"KERNEL\((\w+_race)\)", SOURCE)
MISSED = re.findall(r"KERNEL\((\w+_miss)\)", SOURCE)
CLEAN = sorted({*re.findall(r"KERNEL\((\w+)\)", SOURCE)} - {*RACY, *MISSED, "name"})
PROGRAM = """
import os, sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

code, faults, *kernels = sys.argv[1:]
module = Module.load(code)
out, words = Buffer(4096), Buffer(4096)
if "unwritten" not in faults:
    words.copy_from(np.arange(1024, dtype=np.uint32))
out.fill(0)
try:
    for kernel in kernels:
        module.kernel(kernel)(5 if "overrun" in faults else 4, 256, out, words, np.uint32(1024))
        synchronize()
except HipError as error:
    sys.exit(str(error))
if "killed" in faults:
    os.kill(os.getpid(), 15)
words.close()
if "leak" not in faults:
    out.close()
"""
REFUSED = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module

with Buffer(4096) as out, Buffer(4096) as words:
    kernel = Module.load(sys.argv[1]).kernel("reverse")
    try:
        kernel(4, 256, out, words, np.uint32(1024), shared_bytes=70000)
    except HipError:
        pass
"""

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("code") / "races.co"
    path.write_bytes(lzma.decompress((HERE / "data" / "races.co.xz").read_bytes()))
    return path


def check(
    folder: Path, code: Path, faults: str, kernels: list[str], *options: str
) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of `greta check` on the program with these faults in it."""
    program, found = folder / "program.py", folder / "found.json"
    program.write_text(PROGRAM)
    words = ["check", "--out", str(folder / "run"), "--json", str(found), *options, "--"]
    done = main([*words, sys.executable, str(program), str(code), faults, *kernels])
    return done, json.loads(found.read_text())


def racing_lines(found: dict[str, Any]) -> dict[str, list[list[str]]]:
    races: dict[str, list[list[str]]] = {}
    for one in found["findings"]:
        assert one["tool"] == "racecheck"
        if one["code"] == "barrier":
            continue
        assert one["code"] == "race"
        lines = sorted(side["line"].rpartition("races.hip:")[2] for side in one["sides"])
        races.setdefault(one["kernel"], []).append(lines)
    return races


def lines_of(kernel: str, *texts: str) -> list[str]:
    begin = SOURCE.index(f"KERNEL({kernel})")
    return sorted(str(1 + SOURCE[: SOURCE.index(text, begin)].count("\n")) for text in texts)


def marked_lines(kernel: str) -> set[str]:
    begin = SOURCE.index(f"KERNEL({kernel})")
    body = SOURCE[begin : SOURCE.index("KERNEL(", begin + 1)]
    first = 1 + SOURCE[:begin].count("\n")
    return {str(first + i) for i, line in enumerate(body.split("\n")) if "// RACE" in line}


@pytest.mark.parametrize(
    "origin",
    [
        "kept",
        pytest.param(
            "compiled", marks=pytest.mark.skipif(not oracle.CLANGS, reason="compiles with clang")
        ),
    ],
)
def test_every_race_is_found_with_both_sides_and_no_twin(
    origin: str, kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if origin == "compiled":
        source, *options = KEPT["races"]
        kept = tmp_path / "fresh.co"
        build(source, kept, *options)
    code, found = check(tmp_path, kept, "", [*RACY, *MISSED, *CLEAN], "--tools", "racecheck")
    assert code == 1
    assert found["limits"] == []
    races = racing_lines(found)
    assert sorted(races) == sorted(RACY)
    told = {kernel: {line for pair in pairs for line in pair} for kernel, pairs in races.items()}
    assert told == {kernel: marked_lines(kernel) for kernel in RACY}
    barriers = [one for one in found["findings"] if one["code"] == "barrier"]
    assert [one["kernel"] for one in barriers] == MISSED
    for one, absent in zip(barriers, ("192", "40"), strict=True):
        assert f"that thread {absent},0,0 does not reach" in one["text"]
        (line,) = lines_of(one["kernel"], "__syncthreads")
        assert any(text.endswith(f"races.hip:{line}") for text in one["lines"])
    printed = capfd.readouterr().err
    assert ": a race at byte 10 of the buffer" in printed.split("overlap_race (#")[1].split("\n")[0]
    assert "racecheck: reverse_race (#" in printed
    assert "by thread 128,0,0 of block 0,0,0" in printed


def verdict_on(run: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capfd.readouterr()
    code = main(["analyze", str(run)])
    return code, capfd.readouterr().out


@pytest.mark.parametrize("kernel", [RACY[0], MISSED[0]])
def test_what_racecheck_found_is_a_doubt_of_the_verdict(
    kernel: str, kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, found = check(tmp_path, kept, "", [kernel], "--tools", "memcheck,racecheck")
    assert code == 1
    done, text = verdict_on(tmp_path / "run", capfd)
    assert done == 3
    assert text.startswith("INCONCLUSIVE")
    assert f"{kernel} (#" in text
    for line in {side["line"] for one in found["findings"] for side in one["sides"]}:
        assert line in text
    assert "Missing synchronization: Nothing was found" in text
    assert "__syncthreads()" in text


def test_a_leak_is_a_doubt_of_the_verdict_where_it_was_looked_for(
    kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, kept, "leak", ["reverse"], "--tools", "leakcheck")[0] == 1
    done, text = verdict_on(tmp_path / "run", capfd)
    assert done == 3
    assert "4096 bytes, allocated by hipMalloc" in " ".join(text.split())
    twin = tmp_path / "twin"
    twin.mkdir()
    assert check(twin, kept, "leak", ["reverse"], "--tools", "racecheck")[0] == 0
    assert "leakcheck" not in verdict_on(twin / "run", capfd)[1]


def test_findings_beyond_the_limit_are_counted(
    kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ("--tools", "racecheck", "--print-limit", "2")
    code, found = check(tmp_path, kept, "", RACY[:4], *options)
    assert (code, len(found["findings"])) == (1, 4)
    told = capfd.readouterr().err
    assert told.count(": a race at ") == 2
    assert "greta: Not shown (--print-limit): 2 more." in told


def test_races_between_the_same_lines_are_one_finding_with_a_count(
    kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernels = ["reverse_race", "reverse", MISSED[0]] * 3
    code, found = check(tmp_path, kept, "", kernels, "--tools", "racecheck", "--print-limit", "1")
    race, barrier = found["findings"]
    assert (code, race["code"], barrier["code"]) == (1, "race", "barrier")
    assert [one["count"] for one in (race, barrier)] == [3, 3]
    assert [len(one["calls"]) for one in (race, barrier)] == [3, 3]
    told = capfd.readouterr().err
    assert "    and 2 more like it, in 3 launches all in all\n" in told
    assert "greta: Not shown (--print-limit): 1 more." in told


def test_a_clean_program_is_silent_to_every_tool(
    kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools = "memcheck,initcheck,racecheck,leakcheck"
    code, found = check(tmp_path, kept, "", ["reverse", "histogram"], "--tools", tools)
    assert (code, found["findings"], found["limits"]) == (0, [], [])
    assert "greta: nothing was found; kept in " in capfd.readouterr().err
    assert "No fault was proven, but" not in verdict_on(tmp_path / "run", capfd)[1]


def test_a_program_that_a_signal_ended_was_not_checked_to_its_end(
    kept: Path, tmp_path: Path
) -> None:
    code, found = check(tmp_path, kept, "killed", ["reverse"], "--tools", "memcheck,leakcheck")
    assert (code, [one["tool"] for one in found["limits"]]) == (143, ["leakcheck", "memcheck"])


def test_an_overrun_ends_the_program_and_goes_to_the_log(kept: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    files = {name: tmp_path / f"found.{name}" for name in ("junit", "sarif")}
    options = ["--error-exitcode", "70", "--log-file", str(log)]
    options += [word for name, path in files.items() for word in (f"--{name}", str(path))]
    code, found = check(tmp_path, kept, "overrun", ["one_value", "reverse"], *options)
    assert code == 70
    assert found["exit_code"] == 1
    (one,) = found["findings"]
    assert (one["tool"], one["kernel"]) == ("memcheck", "reverse")
    read = lines_of("reverse", "tile[threadIdx.x] = in[INDEX]")[0]
    assert "read of 4 bytes by thread 0,0,0 of block 4,0,0" in one["lines"]
    assert any(line.endswith(f"races.hip:{read}") for line in one["lines"])
    assert "0 bytes past the end" in one["text"]
    assert log.read_text().startswith("greta: memcheck: reverse (#")
    require_junit(files["junit"].read_text())
    require_sarif(sarif := json.loads(files["sarif"].read_text()))
    (result,) = sarif["runs"][0]["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"].endswith("races.hip")
    assert str(physical["region"]["startLine"]) == read
    (launch,) = result["relatedLocations"]
    assert launch["physicalLocation"]["artifactLocation"]["uri"].endswith("program.py")


def test_unwritten_memory_and_a_leak_are_found(kept: Path, tmp_path: Path) -> None:
    options = ("--tools", "initcheck,leakcheck")
    code, found = check(tmp_path, kept, "unwritten,leak", ["reverse"], *options)
    assert code == 1
    read, leaked = found["findings"]
    assert (read["tool"], read["code"]) == ("initcheck", "kernel_reads_unwritten")
    assert (leaked["tool"], leaked["code"]) == ("leakcheck", "leak")
    assert leaked["text"].startswith("4096 bytes at 0x")
    assert any("program.py:" in line for line in leaked["lines"])


# Memory that is written wholly, or not: by the host, by copies, by kernels.
UNWRITTEN = """
import sys
import numpy as np
from greta.hip import Buffer, Module, synchronize

module, is_right = Module.load(sys.argv[1]), sys.argv[2] == "right"
numbers = np.arange(1024, dtype=np.uint32)
source = Buffer.from_array(numbers)


def launch(kernel, out, given):
    module.kernel(kernel)(4, 256, out, given, np.uint32(1024))
    synchronize()


def none(given):
    if is_right:
        given.copy_from(numbers)


def all_but(missing):
    def write(given):
        for at in range(0, 1024, 4):
            if is_right or at != missing:
                given.copy_from(numbers[at : at + 4], offset=4 * at)

    return write


def by_kernel(kernel):
    return lambda given: launch(kernel, given, source)


def half(given):
    given.view(0, 4096 if is_right else 2048).fill(7)


for kernel, write in [
    ("words", none),
    ("halves", half),
    ("sum", all_but(1020)),
    ("vectors", all_but(512)),
    ("called", all_but(700)),
    ("even_words_of" if is_right else "odd_words_of", by_kernel("even_words")),
    ("bytes", by_kernel("all_words" if is_right else "most_bytes")),
]:
    with Buffer(4096) as given, Buffer(4096) as out:
        write(given)
        out.fill(0)
        launch(kernel, out, given)
for kernel in ("updated", "byte_updated", "written_then_updated"):
    with Buffer(4096) as out:
        if kernel != "written_then_updated":
            none(out)
        launch(kernel, out, source)
"""


def test_every_read_of_unwritten_memory_is_told_and_no_twin(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """To initcheck every such read is a finding, of all bytes of a buffer or of a few."""
    code, program = tmp_path / "unwritten.co", tmp_path / "program.py"
    code.write_bytes(lzma.decompress((HERE / "data" / "unwritten.co.xz").read_bytes()))
    program.write_text(UNWRITTEN)
    words = ["check", "--out", str(tmp_path / "run"), "--tools", "initcheck", "--"]
    assert main([*words, sys.executable, str(program), str(code), "wrong"]) == 1
    told = re.findall(
        r"initcheck: (\w+) \(#\d+\) reads (\d+) bytes at 0x\w+(\w{3}) that nothing has",
        capfd.readouterr().err,
    )
    assert sorted(told) == sorted(
        [
            ("words", "4096", "000"),
            ("halves", "2048", "800"),
            ("sum", "16", "ff0"),
            ("vectors", "16", "800"),
            ("called", "16", "af0"),
            ("odd_words_of", "4", "004"),
            ("bytes", "1", "205"),
            ("updated", "4096", "000"),
            ("byte_updated", "1", "015"),
        ]
    )
    words[2] = str(tmp_path / "twin")
    assert main([*words, sys.executable, str(program), str(code), "right"]) == 0
    assert "greta: nothing was found; kept in " in capfd.readouterr().err


# The launch runs when its memory is no longer the program's: hipFreeAsync was called before.
STREAM_ORDERED = """
import sys
import time
from ctypes import CDLL, CFUNCTYPE, byref, c_size_t, c_void_p
import numpy as np
from greta.hip import Buffer, Module, synchronize

kernel, hip = Module.load(sys.argv[1]).kernel("updated"), CDLL("libamdhip64.so.7")
wait = CFUNCTYPE(None, c_void_p)(lambda _: time.sleep(0.2))
memory, size = c_void_p(), c_size_t(4096)
with Buffer.from_array(np.arange(1024, dtype=np.uint32)) as source:
    assert hip.hipMallocAsync(byref(memory), size, None) == 0
    if sys.argv[2] == "right":
        assert hip.hipMemsetAsync(memory, 0, size, None) == 0
    assert hip.hipLaunchHostFunc(None, wait, None) == 0
    kernel(4, 256, np.uint64(memory.value), source, np.uint32(1024))
    assert hip.hipFreeAsync(memory, None) == 0
    synchronize()
"""


@pytest.mark.parametrize("way", ["wrong", "right"])
def test_fresh_memory_that_is_freed_in_stream_order_is_told(tmp_path: Path, way: str) -> None:
    code, program = tmp_path / "unwritten.co", tmp_path / "program.py"
    code.write_bytes(lzma.decompress((HERE / "data" / "unwritten.co.xz").read_bytes()))
    program.write_text(STREAM_ORDERED)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(tmp_path / "found.json")]
    words += ["--tools", "initcheck,leakcheck", "--", sys.executable, str(program), str(code), way]
    assert main(words) == (1 if way == "wrong" else 0)
    findings = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert [one["code"] for one in findings] == ["kernel_reads_unwritten"] * (way == "wrong")
    assert all(one["text"].startswith("updated (#") for one in findings)


HIPRTC = """
import sys
import numpy as np
from greta.hip import Buffer, Module, synchronize

SOURCE = r'''
template <class T> __global__ void reverse(T* out, const T* in) {
  __shared__ T tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  BARRIER;
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
'''
module = Module.compile(SOURCE, options=[sys.argv[1]], name_expressions=["reverse<float>"])
out, words = Buffer(1024), Buffer(1024)
words.copy_from(np.arange(256, dtype=np.float32))
module.kernel("reverse<float>")(1, 256, out, words)
synchronize()
got = np.empty(256, np.float32)
out.copy_to(got)
assert got[0] == 255.0 or "sync" not in sys.argv[1]
out.close(), words.close()
"""


@pytest.mark.skipif(not oracle.CLANGS, reason="compiles with clang")
@pytest.mark.parametrize("is_right", [False, True], ids=["race", "twin"])
def test_kernels_of_hiprtc_are_watched_where_clang_is(is_right: bool, tmp_path: Path) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(HIPRTC)
    barrier = "-DBARRIER=" + ("__syncthreads()" if is_right else "")
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found)]
    words += ["--tools", "memcheck,initcheck,racecheck,leakcheck", "--"]
    code = main([*words, sys.executable, str(program), barrier])
    told = json.loads(found.read_text())
    assert told["limits"] == []
    assert code == (0 if is_right else 1), told
    if not is_right:
        (race,) = told["findings"]
        assert race["kernel"] == "void reverse<float>(float*, float const*)"
        assert sorted(side["line"].rpartition(":")[2] for side in race["sides"]) == ["4", "6"]


UNROLLED = """
import sys
import numpy as np
from greta.hip import Buffer, Module, synchronize

SOURCE = r'''
extern "C" __global__ void columns(float* out, const float* in) {
  __shared__ float tile[16][16];
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    tile[threadIdx.y][threadIdx.x] = in[256 * i + 16 * threadIdx.y + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int row = 0; row < 16; ++row) sum += tile[row][threadIdx.x] * tile[row][threadIdx.y];
    BARRIER;
  }
  out[16 * threadIdx.y + threadIdx.x] = sum;
}
'''
module = Module.compile(SOURCE, options=[sys.argv[1]])
with Buffer(1024) as out, Buffer.from_array(np.arange(1024, dtype=np.float32)) as words:
    module.kernel("columns")(1, (16, 16), out, words)
    synchronize()
"""


@pytest.mark.skipif(not oracle.CLANGS, reason="compiles with clang")
@pytest.mark.parametrize("is_right", [False, True], ids=["race", "twin"])
def test_one_missing_barrier_is_one_finding(is_right: bool, tmp_path: Path) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(UNROLLED)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found)]
    words += ["--tools", "racecheck", "--", sys.executable, str(program)]
    code = main([*words, "-DBARRIER=" + ("__syncthreads()" if is_right else "")])
    findings = json.loads(found.read_text())["findings"]
    assert (code, len(findings)) == ((0, 0) if is_right else (1, 1))
    for one in findings:
        assert one["count"] > 8
        assert len(one["calls"]) == 1
        assert f"and {one['count'] - 1} more like it" in one["lines"]
        assert sorted(side["line"].rpartition(":")[2] for side in one["sides"]) == ["6", "9"]


def test_a_tool_that_cannot_work_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing() -> list[str]:
        raise UsageError("there is no clang")

    monkeypatch.setattr("greta.cli.check.kernel_compiler", nothing)
    program = tmp_path / "program.py"
    program.write_text(
        "from greta.hip import Module, synchronize\n"
        'Module.compile(\'extern "C" __global__ void nothing() {}\').kernel("nothing")(1, 1)\n'
        "synchronize()\n"
    )
    words = ["check", "--out", str(tmp_path / "run"), "--tools", "racecheck", "--lang", "es", "--"]
    assert main([*words, sys.executable, str(program)]) == 3
    told = capfd.readouterr().err
    assert (
        "racecheck: los kernels que hipRTC compiló para la CPU no se pueden vigilar (nothing)"
        in told
    )


IGNORING = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module

with Buffer(4096) as out:
    try:
        Module.load(sys.argv[1]).kernel("reverse")(5, 256, out, out, np.uint32(1024))
    except HipError:
        pass
    out.to_array(np.uint32)
"""


def of_another_gpu(kept: Path, folder: Path) -> Path:
    """As it says itself, in the flags of its ELF header and in its metadata."""
    image = bytearray(kept.read_bytes().replace(b"amdhsa--gfx942", b"amdhsa--gfx90a"))
    image[0x30] = 0x3F
    other = folder / "other.co"
    other.write_bytes(image)
    return other


def test_code_for_another_gpu_is_a_limit_that_is_named(
    kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other, tools = of_another_gpu(kept, tmp_path), "memcheck,initcheck,racecheck,leakcheck"
    code, found = check(tmp_path, other, "", ["reverse"], "--tools", tools)
    assert code == 3, "the program's own 1 would pass for a finding"
    assert found["exit_code"] == 1
    assert found["findings"] == []
    assert [one["tool"] for one in found["limits"]] == tools.split(",")
    assert all("brings kernels for gfx90a" in one["text"] for one in found["limits"])
    told = capfd.readouterr().err
    assert "it holds code for gfx90a; the simulated device is a gfx942" in told
    assert "greta: nothing was looked at; kept in " in told


def test_code_for_another_gpu_is_no_fault_of_a_program_that_goes_on(
    kept: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program, run, junit = tmp_path / "program.py", tmp_path / "run", tmp_path / "junit.xml"
    program.write_text(IGNORING)
    other, tools = of_another_gpu(kept, tmp_path), "memcheck,initcheck,racecheck,leakcheck"
    words = ["check", "--tools", tools, "--out", str(run), "--junit", str(junit), "--"]
    assert main([*words, sys.executable, str(program), str(other)]) == 3
    assert "greta: nothing was looked at; kept in " in capfd.readouterr().err
    assert 'skipped="4"' in junit.read_text()
    assert main(["analyze", str(run)]) == 3
    assert "INCONCLUSIVE   The program brings kernels for gfx90a" in capfd.readouterr().out
    # The same program with code for the simulated device answers for what it does.
    words[words.index(str(run))] = str(tmp_path / "twin")
    assert main([*words, sys.executable, str(program), str(kept)]) == 1


def test_a_launch_that_hip_refuses_is_a_finding(kept: Path, tmp_path: Path) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(REFUSED)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found), "--"]
    assert main([*words, sys.executable, str(program), str(kept)]) == 1
    (one,) = json.loads(found.read_text())["findings"]
    assert (one["tool"], one["kernel"]) == ("memcheck", "reverse")
    assert "000 bytes of shared memory for a block" in one["text"]


@pytest.mark.parametrize("words", [["--tools", "memchek"], ["--tools", ""], []])
def test_bad_usage_is_one_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    program = ["--", "true"] if words else []
    assert main(["check", *words, *program]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("kernel", "near"), [("floats", {"v_rcp_f32", "v_sqrt_f32"}), ("switches", set())]
)
def test_what_may_differ_in_the_last_bits_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], kernel: str, near: set[str]
) -> None:
    code = tmp_path / "kernels.co"
    code.write_bytes(lzma.decompress((HERE / "data" / "kernels_o3.co.xz").read_bytes()))
    _, found = check(tmp_path, code, "", [kernel])
    assert set(found["approximate"].get(kernel, ())) >= near
    assert bool(found["approximate"]) == bool(near)
    assert ("the last bits may differ" in capfd.readouterr().err) == bool(near)
    told, analyzed = tmp_path / "verdict.json", ["analyze", str(tmp_path / "run")]
    main([*analyzed, "--json", str(told)])
    coverage = json.loads(told.read_text())["coverage"]
    assert coverage.get("approximate", {}) == found["approximate"]
    assert ("the last bits may differ" in capfd.readouterr().out) == bool(near)


FREED = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

kernel = Module.load(sys.argv[1]).kernel("reverse")
out, words = Buffer(4096), Buffer(4096)
given = [np.uint64(one.address) for one in (out, words)]
out.close()
words.close()
try:
    kernel(4, 256, *given, np.uint32(1024))
    synchronize()
except HipError:
    pass
"""


def test_of_two_freed_buffers_the_access_belongs_to_one(kept: Path, tmp_path: Path) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(FREED)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found), "--"]
    assert main([*words, sys.executable, str(program), str(kept)]) == 1
    findings = json.loads(found.read_text())["findings"]
    assert len(findings) == 2
    accessed = ["argument 2" in one["text"] for one in findings if "read of 4" in one["lines"][0]]
    assert accessed == [True]


UNKNOWN = """
import ctypes
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

mine = ctypes.create_string_buffer(4096)
try:
    with Buffer(4096) as out:
        given = np.uint64(ctypes.addressof(mine))
        Module.load(sys.argv[1]).kernel("reverse")(4, 256, out, given, np.uint32(1024))
        synchronize()
except HipError:
    pass
"""


def test_memory_of_the_host_is_told_with_the_line_that_reads_it(kept: Path, tmp_path: Path) -> None:
    program, found = tmp_path / "program.py", tmp_path / "found.json"
    program.write_text(UNKNOWN)
    words = ["check", "--out", str(tmp_path / "run"), "--json", str(found), "--"]
    assert main([*words, sys.executable, str(program), str(kept)]) == 1
    (one,) = json.loads(found.read_text())["findings"]
    assert (one["code"], one["kernel"]) == ("kernel_given_unknown", "reverse")
    assert one["lines"][0].startswith("read of 4 bytes by thread ")
    (line,) = lines_of("reverse", "tile[threadIdx.x] = in[INDEX]")
    assert one["lines"][1].endswith(f"races.hip:{line}")


# `first` and `second` lie so that what is read of both is one regular pattern.
THROUGH_A_VARIABLE = """
import sys
import numpy as np
from greta.hip import Buffer, HipError, Module, synchronize

module = Module.compile('''
struct Pair { float* first; char between[1048]; float* second; };
__device__ float* first;
__device__ char between[1048];
__device__ float* second;
extern "C" __global__ void store(int n, const float* in, float* unused) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) between[0] = 1;
  if (i < n) first[i] = in[0] + (second ? 1.0f : 0.0f);
}
''')
out, words = Buffer(4096), Buffer(4000)
words.fill(0)
for name in ("first", "second"):
    module.variable(name).copy_from(np.array([out.address], np.uint64))
try:
    module.kernel("store")(5, 256, np.int32(1024 + int(sys.argv[1])), words, words)
    synchronize()
except HipError:
    pass
"""


def test_a_fault_through_a_pointer_in_a_variable_is_told(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(THROUGH_A_VARIABLE)
    for overrun, exit_code in (("1", 1), ("0", 0)):
        found = tmp_path / f"{overrun}.json"
        words = ["check", "--out", str(tmp_path / f"run{overrun}"), "--json", str(found)]
        words += ["--tools", "memcheck,initcheck", "--", sys.executable, str(program), overrun]
        assert main(words) == exit_code
        findings = json.loads(found.read_text())["findings"]
        assert [one["tool"] for one in findings] == ["memcheck"] * exit_code
        assert all("write of 4 bytes" in one["lines"][0] for one in findings)
