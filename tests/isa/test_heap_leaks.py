"""What kernels allocate by malloc and new and nobody frees: leakcheck, with twins that free it."""

from __future__ import annotations

import json
import lzma
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from greta.cli.main import main
from tests.isa.data.keep_kernels import KEPT, build
from tests.isa.test_hostcall import HAS_LIBRARY

HERE = Path(__file__).parent
SOURCE = (HERE / "compiled" / "heap.hip").read_text()
PROGRAM = """
import ctypes
import sys
import numpy as np
from greta.hip import Buffer, Module, synchronize

code, *kernels = sys.argv[1:]
module = Module.load(code)
with Buffer(1024) as out, Buffer.from_array(np.arange(256, dtype=np.uint32)) as words:
    out.fill(0)
    for kernel in kernels:
        if kernel == "reset":
            assert ctypes.CDLL("libamdhip64.so.7").hipDeviceReset() == 0
            sys.exit()
        module.kernel(kernel)(4, 64, out, words, np.uint32(256))
        synchronize()
"""
SYMBOLS = 2
"""SHT_SYMTAB."""

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture(scope="module", params=["kept", "compiled", "unoptimized"])
def code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("code") / "heap.co"
    if request.param == "kept":
        path.write_bytes(lzma.decompress((HERE / "data" / "heap.co.xz").read_bytes()))
    elif not HAS_LIBRARY:
        pytest.skip("compiles with clang and rocm-device-libs")
    else:
        source, *options = KEPT["heap"]
        options = ["-O0", "-g"] if request.param == "unoptimized" else options
        build(source, path, *options)
    return path


def found_in(code: Path, folder: Path, *kernels: str) -> dict[str, Any]:
    program, found = folder / "program.py", folder / "found.json"
    program.write_text(PROGRAM)
    words = ["check", "--out", str(folder / "run"), "--json", str(found), "--tools"]
    main([*words, "leakcheck", "--", sys.executable, str(program), str(code), *kernels])
    told: dict[str, Any] = json.loads(found.read_text())
    assert told["exit_code"] == 0
    return told


def left_line(kernel: str) -> int:
    lines = SOURCE[: SOURCE.index("// LEFT", SOURCE.index(kernel))]
    return 1 + lines.count("\n")


@pytest.mark.parametrize(
    ("kernels", "left"),
    [
        (["build", "take_one"], [("build", 512, 8192, "KERNEL(build)")]),
        (["build", "take_one", "take_one", "take_one"], []),
        (["build", "build", *["take_one"] * 5], [("build", 256, 4096, "KERNEL(build)")]),
        (["keeps"], [("keeps", 64, 32 * 40 + 32 * 8000 + 4 * 3968, "u32* get(")]),
        (["keeps_none", "keeps_none"], []),
        (["one_of_two"], [("one_of_two", 256, 256 * 48, "KERNEL(one_of_two)")]),
        (["one_of_two", "frees_second"], []),
        (["none"], []),
        (["build", "keeps", "reset"], []),
    ],
    ids=lambda value: "-".join(value) if value and isinstance(value[0], str) else "",
)
def test_what_kernels_leave_is_told_with_its_line(
    code: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    kernels: list[str],
    left: list[tuple[str, int, int, str]],
) -> None:
    found = found_in(code, tmp_path, *kernels)
    assert found["limits"] == []
    assert len(found["findings"]) == len(left)
    for one, (kernel, blocks, size, place) in zip(found["findings"], left, strict=True):
        assert (one["tool"], one["code"], one["kernel"]) == ("leakcheck", "heap_leak", kernel)
        assert one["count"] == blocks
        assert f"{size}" in one["text"].replace("\u202f", "")
        assert one["lines"][0].endswith(f"heap.hip:{left_line(place)}")
    assert capfd.readouterr().err.count("by malloc or new in the kernel") == len(left)


def test_of_several_launches_the_one_that_left_something_is_named(
    code: Path, tmp_path: Path
) -> None:
    freed = ["build", *["take_one"] * 3]
    calls = []
    for launches in (["build"], [*freed, "build"], [*freed, *freed, "build"]):
        folder = tmp_path / str(len(launches))
        folder.mkdir()
        (one,) = found_in(code, folder, *launches)["findings"]
        calls.append(one["call"])
    assert calls[0] < calls[1] < calls[2]


def test_code_without_symbols_is_a_limit_that_is_named(tmp_path: Path) -> None:
    """It does not say which of its functions allocate."""
    image = bytearray(lzma.decompress((HERE / "data" / "heap.co.xz").read_bytes()))
    sections, count = (
        struct.unpack_from(kind, image, at)[0] for kind, at in (("<Q", 40), ("<H", 60))
    )
    for at in range(sections, sections + 64 * count, 64):
        if struct.unpack_from("<I", image, at + 4)[0] == SYMBOLS:
            struct.pack_into("<I", image, at + 4, 0)
    stripped = tmp_path / "stripped.co"
    stripped.write_bytes(image)
    found = found_in(stripped, tmp_path, "keeps")
    assert found["findings"] == []
    (limit,) = found["limits"]
    assert limit["tool"] == "leakcheck"
    assert limit["text"].startswith("keeps allocated memory")
