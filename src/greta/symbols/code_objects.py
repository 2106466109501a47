"""Which code for GPUs a file holds, and the instructions of a kernel.

Files may be anything, so our own programs read them, in processes of their own: greta-codeobject
finds the code objects in a program, library or bundle; greta-isa decodes the instructions.
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from greta.errors import UsageError
from greta.native_library import find_native_program
from greta.outside import open_outside
from greta.printable import printable
from greta.symbols.dwarf_lines import DwarfLines
from greta.symbols.elf_file import ElfFile
from greta.symbols.kernel_reach import ArgumentSlot, Instruction, KernelReach, kernel_reach
from greta.symbols.sites import Demangler
from greta.typed_json import JsonField, decode

DECODED = ("gfx942", "gfx950", "gfx90a")
"""What greta-isa knows; where a file has several, the first of them is shown."""
_SECONDS = 120
_MOST_CODE = 16 << 20
_MOST_FOLLOWED = 1 << 20
"""Bytes of code whose use of memory is told; following it takes about a second for each 50,000."""


@dataclass(frozen=True)
class GpuArgument:
    """An argument of a kernel; `value_kind` is AMD's word, such as global_buffer."""

    offset: int = 0
    bytes: int = 0
    value_kind: str = ""
    hidden: bool = False
    name: str = ""
    type_name: str = ""
    access: str = ""


@dataclass(frozen=True)
class GpuKernel:
    """What the metadata of a code object says of a kernel; None where it is not known."""

    name: str = ""
    demangled: str = ""
    kernarg_bytes: int = 0
    shared_bytes: int | None = None
    scratch_bytes: int | None = None
    max_block_threads: int | None = None
    wave_threads: int | None = None
    vector_registers: int | None = None
    accumulation_registers: int | None = None
    scalar_registers: int | None = None
    vector_spills: int | None = None
    scalar_spills: int | None = None
    arguments: tuple[GpuArgument, ...] = ()
    reach: KernelReach | None = None

    def is_called(self, name: str) -> bool:
        """By its mangled name, its readable one, or the latter without arguments."""
        plain = re.sub(r"^void ", "", self.demangled)
        return name in (self.name, self.demangled, plain, re.split(r"[<(]", plain)[0])


@dataclass(frozen=True)
class GpuCodeObject:
    """The code for one architecture; `problem` says why it cannot be read."""

    target: str = ""
    bytes: int = 0
    problem: str = ""
    kernels: tuple[GpuKernel, ...] = ()

    @property
    def architecture(self) -> str:
        """`gfx942` of `hipv4-amdgcn-amd-amdhsa--gfx942:xnack-`."""
        found = re.search(r"gfx[0-9a-z]+(-[0-9a-z]+)*", self.target)
        return found[0] if found else printable(self.target) or "?"


@dataclass(frozen=True)
class FileCode:
    kind: str = ""
    problem: str = ""
    objects: tuple[GpuCodeObject, ...] = ()


@dataclass(frozen=True)
class CodeLine:
    address: int
    words: str
    text: str
    source: tuple[str, int] | None


def read_file_code(path: Path) -> FileCode:
    open_outside(path).close()  # a regular file
    try:
        found = json.loads(_output("greta-codeobject", "--all", str(path.absolute())))
    except ValueError:
        raise UsageError(f"{printable(str(path))} cannot be read") from None
    code = decode(FileCode, found, JsonField(path))
    if not code.objects:
        raise UsageError(f"{printable(str(path))}: {code.problem}; there are no kernels to show")
    return code


def with_readable_names(kernels: tuple[GpuKernel, ...], demangler: Demangler) -> list[GpuKernel]:
    return [replace(kernel, demangled=demangler.readable(kernel.name)) for kernel in kernels]


def disassembled(path: Path, place: int, target: GpuCodeObject, kernel: str) -> Iterator[CodeLine]:
    """The instructions of a kernel of the code object at that place among those of the file."""
    architecture = target.architecture
    if architecture not in DECODED:
        raise UsageError(
            f"{printable(kernel)} is for {architecture}, and only {', '.join(DECODED)} are "
            "disassembled here; llvm-objdump, of the package llvm, knows the others"
        )
    image = _output("greta-codeobject", "--extract", str(path.absolute()), str(place))
    with tempfile.NamedTemporaryFile(suffix=".co") as file:
        file.write(image)
        file.flush()
        address, code, lines = _code_of(Path(file.name), kernel)
    for line in _output("greta-isa", "disassemble", architecture, given=code).splitlines():
        offset, words, text = line.decode("ascii", "replace").split(" ", 2)
        at = address + int(offset)
        yield CodeLine(at, words, text, _line(lines, at))


def with_reach(
    path: Path, place: int, target: GpuCodeObject, most: int = _MOST_FOLLOWED
) -> GpuCodeObject:
    """With what the code of its kernels can do with memory, of those that can be followed."""
    known = target.architecture in DECODED
    reaches = _reach_of_kernels(path, place, target, most) if known else {}
    kernels = (replace(one, reach=reaches.get(one.name)) for one in target.kernels)
    return replace(target, kernels=tuple(kernels))


def _reach_of_kernels(
    path: Path, place: int, target: GpuCodeObject, most: int
) -> dict[str, KernelReach]:
    image = _output("greta-codeobject", "--extract", str(path.absolute()), str(place))
    with tempfile.NamedTemporaryFile(suffix=".co") as file:
        file.write(image)
        file.flush()
        try:
            with closing(ElfFile(Path(file.name))) as elf:
                return dict(_reaches(elf, target, most))
        except Exception:  # what damaged files make the parsers raise is anything
            return {}


def _reaches(elf: ElfFile, target: GpuCodeObject, left: int) -> Iterator[tuple[str, KernelReach]]:
    for kernel in target.kernels:
        address, size = elf.symbols.place(kernel.name) or (0, 0)
        left -= size
        descriptor = elf.symbols.place(f"{kernel.name}.kd")
        if descriptor is None or not size or left < 0:
            continue
        given = elf.loaded(address, size)
        lines = _output("greta-isa", "disassemble", target.architecture, given=given).splitlines()
        code = [
            Instruction(int(offset), int(words.split(",")[0], 16), text)
            for offset, words, text in (
                line.decode("ascii", "replace").split(" ", 2) for line in lines
            )
        ]
        arguments = [
            ArgumentSlot(one.offset, one.bytes, one.value_kind == "global_buffer", one.hidden)
            for one in kernel.arguments
        ]
        register = _kernarg_register(elf.loaded(descriptor[0], 64))
        yield kernel.name, kernel_reach(code, arguments, register)


def _kernarg_register(descriptor: bytes) -> int | None:
    """The SGPR with the address of the arguments: behind what else a kernel asks for."""
    (asked,) = struct.unpack_from("<H", descriptor, 56)
    before = sum(words for bit, words in ((0, 4), (1, 2), (2, 2)) if asked >> bit & 1)
    return before if asked >> 3 & 1 else None


def _code_of(file: Path, kernel: str) -> tuple[int, bytes, DwarfLines | None]:
    try:
        with closing(ElfFile(file)) as elf:
            address, size = elf.symbols.place(kernel) or (0, 0)
            code = elf.loaded(address, min(size, _MOST_CODE))
            if not code:
                raise UsageError(f"the code of {printable(kernel)} is not where its symbol says")
            return address, code, _lines(elf)
    except UsageError:
        raise
    except Exception:  # what damaged files make the parsers raise is anything
        raise UsageError(f"the code object of {printable(kernel)} is damaged") from None


def _lines(elf: ElfFile) -> DwarfLines | None:
    try:
        return DwarfLines(elf)
    except Exception:  # instructions without lines are worth having
        return None


def _line(lines: DwarfLines | None, address: int) -> tuple[str, int] | None:
    try:
        return lines.find(address) if lines else None
    except Exception:
        return None


def _output(program: str, *arguments: str, given: bytes = b"") -> bytes:
    found = find_native_program(program)
    if found is None:
        raise UsageError(f"{program} is not installed; run `pip install .` in the source folder")
    try:
        done = subprocess.run(
            [str(found), *arguments],
            input=given,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"the file takes longer than {_SECONDS} s to read") from None
    if done.returncode and not done.stdout:
        raise UsageError(f"{program} cannot read it")
    return done.stdout
