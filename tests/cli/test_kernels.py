"""`greta kernels`: what a file has for GPUs, whatever kind of file it is."""

from __future__ import annotations

import contextlib
import json
import lzma
import os
import random
import struct
from pathlib import Path

import pytest

from greta.cli.main import main
from greta.errors import UsageError
from greta.hip import SimTree
from greta.symbols.code_objects import read_file_code
from tests.codeobject.images import DATA, ELF, ZLIB
from tests.simdevice.offload_bundle import bundle

pytestmark = pytest.mark.usefixtures("sim_tree")
ISA = Path(__file__).parents[1] / "isa"


def program_with(*images: bytes) -> bytes:
    """A program for the host with fat binaries, as a linker lays them out."""
    fat = b"".join(image + bytes(-len(image) % 4096) for image in images)
    names = b"\0.hip_fatbin\0.shstrtab\0"
    place = 4096
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    table = place + len(fat) + len(names)
    header = struct.pack("<16sHHIQQQIHHHHHH", ident, 3, 62, 1, 0, 0, table, 0, 64, 56, 0, 64, 3, 2)
    sections = bytes(64)
    for name, offset, size in ((1, place, len(fat)), (13, place + len(fat), len(names))):
        sections += struct.pack("<IIQQQQIIQQ", name, 1, 0, 0, offset, size, 0, 0, 1, 0)
    return header.ljust(place, b"\0") + fat + names + sections


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "program"
    code = (DATA / ELF).read_bytes()
    names = ("gfx1100", "gfx942")
    both = bundle(*((f"hipv4-amdgcn-amd-amdhsa--{name}", code) for name in names))
    path.write_bytes(program_with(both, (DATA / ZLIB).read_bytes()))
    return path


def test_a_code_object_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", str(DATA / ELF)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("gfx942")
    assert "kernel     void generic<float>(float*, float)\n" in shown
    assert "arguments  pointer (8), value (4)\n" in shown
    assert "registers  " in shown
    assert "blocks of up to 1024 threads" in shown
    assert main(["kernels", str(DATA / ELF), "--lang", "es"]) == 0
    assert "argumentos  puntero (8), valor (4)\n" in capsys.readouterr().out


def test_all_fat_binaries_of_a_program_are_found(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["kernels", str(program), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["kind"], found["problem"]) == (1, "program", "")
    targets = [each["architecture"] for each in found["objects"]]
    assert targets == ["gfx1100", "gfx942", "gfx942"]
    for each in found["objects"]:
        names = [kernel["name"] for kernel in each["kernels"]]
        assert names == ["mixed", "sized", "none", "_Z7genericIfEvPT_S0_"]
    sized = found["objects"][0]["kernels"][1]
    first = {"offset": 0, "bytes": 8, "value_kind": "global_buffer", "hidden": False}
    assert first.items() <= sized["arguments"][0].items()


def test_one_architecture_is_chosen(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", str(program), "--arch", "gfx1100"]) == 0
    assert "gfx942" not in capsys.readouterr().out
    assert main(["kernels", str(program), "--arch", "gfx90a"]) == 2
    assert capsys.readouterr().err.endswith(
        "has no code for gfx90a; it has code for gfx1100, gfx942\n"
    )


def test_a_kernel_is_disassembled_with_its_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = tmp_path / "faults.co"
    code.write_bytes(lzma.decompress((ISA / "data" / "faults.co.xz").read_bytes()))
    assert main(["kernels", str(code), "--disassemble", "copy_words"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "copy_words  gfx942"
    source = (ISA / "compiled" / "faults.cpp").read_text().splitlines()
    line = 1 + next(at for at, text in enumerate(source) if "out[i] = in[i];" in text)
    (marked,) = [at for at, text in enumerate(lines) if text.endswith(f"faults.cpp:{line}")][-1:]
    assert any("global_store_dword" in text for text in lines[marked:])
    assert any("s_endpgm" in text for text in lines)
    assert not any(".long" in text for text in lines)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--disassemble", "nothing"], "there is no kernel 'nothing'; there are: "),
        (["--disassemble", "sized", "--arch", "gfx1100"], "sized is for gfx1100, and only gfx942"),
    ],
)
def test_what_cannot_be_disassembled_is_said(
    program: Path, words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["kernels", str(program), *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"greta: {why}")
    assert told.count("\n") == 1


def test_other_files_are_refused_in_one_sentence(
    tmp_path: Path, sim_tree: SimTree, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("#!/bin/sh\n")
    (tmp_path / "empty").touch()
    (tmp_path / "cut").write_bytes((DATA / ELF).read_bytes()[:40])
    os.mkfifo(tmp_path / "pipe")
    for name in ("text", "empty", "cut", "pipe", "not-there", ""):
        assert main(["kernels", str(tmp_path / name)]) == 2, name
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["kernels", str(sim_tree.library)]) == 2
    assert "it holds no code for a GPU" in capsys.readouterr().err


def test_damaged_files_are_read_or_refused(program: Path, tmp_path: Path) -> None:
    chance, whole = random.Random(13), program.read_bytes()  # noqa: S311
    damaged = tmp_path / "damaged"
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            near = chance.choice((0, 4096, len(data) - 256, chance.randrange(len(data))))
            data[min(len(data) - 1, near + chance.randrange(256))] = chance.randrange(256)
        damaged.write_bytes(data[: chance.choice((len(data), chance.randrange(len(data))))])
        with contextlib.suppress(UsageError):
            assert read_file_code(damaged).objects
