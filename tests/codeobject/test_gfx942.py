"""What the code object reader finds in images that a compiler made for GPUs."""

from __future__ import annotations

import ctypes
import json
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from greta.hip import SimTree
from tests.codeobject.images import (
    BUNDLE,
    COMPILER,
    DATA,
    ELF,
    IMAGES,
    ZLIB,
    ZSTD,
    compile_for_gpu,
    make_images,
    with_version_3,
)
from tests.simdevice.hiprtc.code_object import kernels as kernels_of_note
from tests.simdevice.hiprtc.program import compile_program
from tests.simdevice.offload_bundle import bundle

needs_compiler = pytest.mark.skipif(
    shutil.which(COMPILER) is None, reason="compiles for GPUs with clang 19"
)

# The parameters of `mixed` in kernels.hip, where C's rules of alignment put them.
MIXED = [
    (0, 8, "global_buffer"),  # const float* __restrict__ in
    (8, 1, "by_value"),  # signed char
    (16, 8, "by_value"),  # long long
    (24, 16, "by_value"),  # struct { float*; int; }
    (40, 12, "by_value"),  # struct { float x, y, z; }
    (52, 1, "by_value"),  # bool
    (56, 8, "by_value"),  # double
    (64, 2, "by_value"),  # short
    (80, 16, "by_value"),  # a vector of three floats takes the room of four
    (96, 2, "by_value"),  # enum : short
    (104, 8, "global_buffer"),  # float* __restrict__ out
    (112, 8, "global_buffer"),  # a function pointer
]
KINDS = {ELF: "elf", BUNDLE: "bundle", ZSTD: "compressed bundle", ZLIB: "compressed bundle"}
GFX942, GFX1100 = (f"hipv4-amdgcn-amd-amdhsa--{name}" for name in ("gfx942", "gfx1100"))


class Reader:
    """The program greta-codeobject, which lies beside the simulated device's files."""

    def __init__(self, tree: SimTree) -> None:
        self.path = tree.root.parent / "bin" / "greta-codeobject"

    def read(self, image: Path, processor: str = "") -> dict[str, Any]:
        command = [str(self.path), str(image), processor]
        ran = subprocess.run(command, capture_output=True, timeout=60, check=False)
        found: dict[str, Any] = json.loads(ran.stdout)
        assert ran.returncode == (1 if found["problem"] else 0), ran.stderr
        return found


@pytest.fixture(scope="module")
def reader(sim_tree: SimTree) -> Reader:
    return Reader(sim_tree)


@pytest.fixture(scope="module", params=["kept", pytest.param("compiled", marks=needs_compiler)])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The images that are kept with the tests, and the same made here."""
    if request.param == "kept":
        return DATA
    made: Path = tmp_path_factory.mktemp("images")
    make_images(made)
    return made


def needs_library_of(image: str) -> None:
    name = {ZSTD: "libzstd.so.1", ZLIB: "libz.so.1"}.get(image)
    try:
        ctypes.CDLL(name)
    except OSError:
        pytest.skip(f"{name} is not installed")


def explicit(kernel: dict[str, Any]) -> list[tuple[int, int, str]]:
    return [
        (argument["offset"], argument["bytes"], argument["value_kind"])
        for argument in kernel["arguments"]
        if not argument["hidden"]
    ]


def by_name(module: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {kernel["name"]: kernel for kernel in module["kernels"]}


@pytest.mark.parametrize("image", IMAGES)
def test_the_arguments_of_kernels_are_found(reader: Reader, folder: Path, image: str) -> None:
    needs_library_of(image)
    module = reader.read(folder / image, "gfx942")
    assert (module["kind"], module["problem"]) == (KINDS[image], "")
    assert module["bytes"] == (folder / image).stat().st_size
    assert module["target"].endswith("--gfx942")
    kernels = by_name(module)
    assert list(kernels) == ["mixed", "sized", "none", "_Z7genericIfEvPT_S0_"]
    assert explicit(kernels["mixed"]) == MIXED
    assert explicit(kernels["sized"]) == [(0, 8, "global_buffer"), (8, 1, "by_value")]
    assert explicit(kernels["none"]) == []
    assert explicit(kernels["_Z7genericIfEvPT_S0_"]) == [
        (0, 8, "global_buffer"),
        (8, 4, "by_value"),
    ]


@pytest.mark.parametrize("image", IMAGES)
def test_hidden_arguments_follow_and_are_marked(reader: Reader, folder: Path, image: str) -> None:
    needs_library_of(image)
    sized = by_name(reader.read(folder / image))["sized"]
    hidden = [argument for argument in sized["arguments"] if argument["hidden"]]
    assert sized["explicit_bytes"] == 9
    assert hidden[0]["offset"] == 16
    assert "hidden_group_size_x" in {argument["value_kind"] for argument in hidden}
    assert all(argument["value_kind"].startswith("hidden_") for argument in hidden)
    assert sized["kernarg_bytes"] == 272


def test_the_access_is_told_where_the_compiler_proved_it(reader: Reader, folder: Path) -> None:
    mixed = by_name(reader.read(folder / ELF))["mixed"]
    told = [mixed["arguments"][index]["access"] for index in (0, 10, 11)]
    assert told == ["read_only", "write_only", ""]


def test_all_is_as_the_note_says(reader: Reader, folder: Path) -> None:
    note = kernels_of_note((folder / ELF).read_bytes())
    for name, kernel in by_name(reader.read(folder / ELF)).items():
        assert kernel["kernarg_bytes"] == note[name][".kernarg_segment_size"]
        assert [(a["offset"], a["bytes"], a["value_kind"]) for a in kernel["arguments"]] == [
            (a[".offset"], a[".size"], a[".value_kind"]) for a in note[name][".args"]
        ]


def test_the_wanted_processor_is_chosen(reader: Reader, folder: Path) -> None:
    needs_library_of(ZSTD)
    first = reader.read(folder / ZSTD)
    assert first["targets"] == [GFX1100, GFX942]
    assert first["target"] == GFX1100
    assert reader.read(folder / ZSTD, "gfx942:sramecc+:xnack-")["target"] == GFX942
    assert explicit(by_name(first)["mixed"]) == MIXED


def test_the_newer_header_of_compressed_bundles_is_read(
    reader: Reader, folder: Path, tmp_path: Path
) -> None:
    needs_library_of(ZSTD)
    image = tmp_path / "version3"
    image.write_bytes(with_version_3((folder / ZSTD).read_bytes()))
    module = reader.read(image)
    assert (module["problem"], module["bytes"]) == ("", image.stat().st_size)
    assert explicit(by_name(module)["mixed"]) == MIXED


@needs_compiler
def test_names_are_told_where_the_compiler_kept_them(reader: Reader, tmp_path: Path) -> None:
    options = "--offload-arch=gfx942 --no-gpu-bundle-output -fno-discard-value-names"
    image = compile_for_gpu(options, tmp_path / "named")
    arguments = by_name(reader.read(image))["mixed"]["arguments"]
    assert [a["name"] for a in arguments[:3]] == ["in.coerce", "small", "large"]


@needs_compiler
@pytest.mark.parametrize("version", [4, 5, 6])
def test_every_version_of_code_objects_is_read(
    reader: Reader, tmp_path: Path, version: int
) -> None:
    options = f"--offload-arch=gfx942 --no-gpu-bundle-output -mcode-object-version={version}"
    module = reader.read(compile_for_gpu(options, tmp_path / "image"))
    assert explicit(by_name(module)["mixed"]) == MIXED


def test_code_of_the_simulated_device_is_read_alike(reader: Reader, tmp_path: Path) -> None:
    source = (DATA / "kernels.hip").read_text()
    mixed = source[source.index("struct Pair") : source.index("// What it reads")]
    mixed = mixed.replace("__attribute__((ext_vector_type(3)))", "__attribute__((vector_size(16)))")
    code = compile_program(mixed.replace("vector.y", "vector[1]")).code
    image = tmp_path / "simulated"
    for content, kind in ((code, "elf"), (bundle((GFX942, code)), "bundle")):
        image.write_bytes(content)
        module = reader.read(image)
        assert (module["kind"], module["problem"]) == (kind, "")
        arguments = by_name(module)["mixed"]["arguments"]
        assert explicit(by_name(module)["mixed"]) == MIXED
        assert [a["name"] for a in arguments[:3]] == ["in", "small", "large"]
        assert arguments[0]["type_name"] == "const float* __restrict__"


def test_what_cannot_be_read_is_told(reader: Reader, tmp_path: Path) -> None:
    image = tmp_path / "image"
    problems = {
        b"": "it is cut short",
        b"no image at all" * 100: "it is neither an ELF file nor an offload bundle",
        (DATA / ELF).read_bytes()[:-1]: "its ELF headers are corrupt",  # they end the file
        (DATA / BUNDLE).read_bytes()[:40]: "its bundle header is corrupt",
        (DATA / ZSTD).read_bytes()[:-1]: "it is cut short",
        b"CCOB" + struct.pack("<HHIIQ", 9, 1, 99, 99, 0): (
            "it is a compressed bundle of version 9; 2 and 3 can be read"
        ),
    }
    for content, problem in problems.items():
        image.write_bytes(content)
        module = reader.read(image)
        assert (module["problem"], module["kernels"]) == (problem, [])
