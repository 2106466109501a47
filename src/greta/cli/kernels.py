"""`greta kernels`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from greta.cli.common_options import (
    STDOUT,
    add_json_option,
    add_language_option,
    write_json_output,
)
from greta.errors import ExitCode, UsageError
from greta.printable import printable
from greta.recording import Process, open_recording
from greta.reports.lang import Say
from greta.reports.layout import TitledLine
from greta.reports.terminal import print_lines
from greta.symbols.code_objects import (
    DECODED,
    FileCode,
    GpuArgument,
    GpuCodeObject,
    GpuKernel,
    disassembled,
    read_file_code,
    with_reach,
    with_readable_names,
)
from greta.symbols.kernel_reach import KernelReach
from greta.symbols.sites import Demangler
from greta.typed_json import encode

_KINDS = {
    "global_buffer": "kernels_pointer",
    "by_value": "kernels_value",
    "dynamic_shared_pointer": "kernels_shared_pointer",
}


class KernelsCommand:
    """Show which kernels a program, code object or run has, and what each takes.

    PATH is a program or library built by hipcc or clang, a fat binary (also a compressed one), a
    code object (.co, .hsaco), or a run folder of `greta run`. It need not be able to run here.

    Of each kernel: its arguments in order, with the bytes each takes; vector and scalar registers
    (few of them let more waves run at once), those that were spilled to memory; LDS (__shared__)
    and scratch (local arrays and spilled registers) in bytes; the largest block it was compiled
    for; what its code can do with the memory that each pointer leads to (gfx942, gfx90a, gfx950). A
    run knows names and arguments, of what was loaded.

    --disassemble prints a kernel's instructions, with the source lines where the code was compiled
    with -g. NAME is the kernel's, with or without arguments.

    examples:
      greta kernels ./a.out
      greta kernels kernel.hsaco --json - | jq '.objects[].kernels[].name'
      greta kernels ./a.out --arch gfx90a
      greta kernels ./a.out --disassemble saxpy
      greta kernels greta-runs/20261116-101500-app
    """

    name = "kernels"
    usage = "greta kernels PATH [--arch GFX] [--disassemble NAME] [--json FILE] [--lang es|en]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        option = parser.add_argument
        option("path", metavar="PATH", help="a program, a code object, or a run folder")
        option("--arch", metavar="GFX", help="only code for this architecture, such as gfx942")
        option("--disassemble", metavar="NAME", help="the instructions of this kernel")
        add_json_option(parser)
        add_language_option(parser)

    def run(self, options: argparse.Namespace) -> int:
        path = Path(options.path)
        if not path.exists():
            shown = printable(str(path))
            raise UsageError(
                f"{shown} does not exist; name a program, a code object, or a run folder"
            )
        is_run = path.is_dir()
        code = _code_of_run(path) if is_run else read_file_code(path)
        chosen = _chosen(code, options.arch, path)
        if options.disassemble:
            if is_run:
                raise UsageError("a run keeps no code; give the program's file to --disassemble")
            _print_code(path, chosen, options.disassemble)
            return ExitCode.OK
        if not is_run:
            chosen = [(place, with_reach(path, place, each)) for place, each in chosen]
        if options.json:
            found = {"schema": 1, "file": str(path), "kind": code.kind, "problem": code.problem}
            objects = [{**encode(each), "architecture": each.architecture} for _, each in chosen]
            write_json_output(options.json, {**found, "objects": objects})
        if options.json != STDOUT:
            print_lines(list(_lines([each for _, each in chosen], Say(options.lang))))
        return ExitCode.OK


def _code_of_run(path: Path) -> FileCode:
    recording = open_recording(path)
    objects = [each for process in recording.processes for each in _loaded(process)]
    if not objects:
        raise UsageError(f"{printable(str(path))}: the program of this run loaded no code object")
    return FileCode("run", "", tuple(objects))


def _loaded(process: Process) -> Iterator[GpuCodeObject]:
    tables = process.tables
    for module in tables.modules.values():
        kernels = tuple(
            GpuKernel(
                kernel.name,
                kernarg_bytes=kernel.kernarg_bytes,
                arguments=tuple(
                    GpuArgument(
                        offset=each.offset,
                        bytes=each.bytes,
                        value_kind=each.kind,
                        name=each.name,
                        type_name=each.type,
                        access=each.access,
                    )
                    for each in kernel.arguments
                ),
            )
            for kernel in tables.kernels.values()
            if kernel.module == module.id
        )
        yield GpuCodeObject(" ".join(module.targets), module.bytes, module.problem, kernels)


def _chosen(code: FileCode, arch: str | None, path: Path) -> list[tuple[int, GpuCodeObject]]:
    """Those asked for, with their places, and readable names."""
    demangler = Demangler()
    chosen = [
        (place, each)
        for place, each in enumerate(code.objects)
        if arch is None or arch in (each.architecture, each.target)
    ]
    if not chosen:
        known = ", ".join(sorted({each.architecture for each in code.objects}))
        raise UsageError(f"{printable(str(path))} has no code for {arch}; it has code for {known}")
    return [
        (
            place,
            GpuCodeObject(
                each.target,
                each.bytes,
                each.problem,
                tuple(with_readable_names(each.kernels, demangler)),
            ),
        )
        for place, each in chosen
    ]


def _lines(objects: Sequence[GpuCodeObject], say: Say) -> Iterator[TitledLine]:
    for place, each in enumerate(objects):
        if place:
            yield TitledLine("", "")
        kernels = say.counted("kernels_count", len(each.kernels))
        about = say("kernels_size", kernels=kernels, bytes=each.bytes)
        yield TitledLine(each.architecture, printable(each.problem) or about)
        for kernel in each.kernels:
            yield TitledLine("", "")
            yield from _kernel_lines(kernel, say)


def _kernel_lines(kernel: GpuKernel, say: Say) -> Iterator[TitledLine]:
    yield TitledLine(say("kernels_kernel"), printable(kernel.demangled))
    yield TitledLine(say("kernels_arguments"), _arguments(kernel, say))
    if kernel.vector_registers is None:
        return
    counts = {
        "kernels_vector": kernel.vector_registers - (kernel.accumulation_registers or 0),
        "kernels_accumulation": kernel.accumulation_registers or 0,
        "kernels_scalar": kernel.scalar_registers or 0,
        "kernels_spills": (kernel.vector_spills or 0) + (kernel.scalar_spills or 0),
    }
    registers = ", ".join(say(word, count=count) for word, count in counts.items() if count)
    yield TitledLine(say("kernels_registers"), registers or say("kernels_none"))
    memory = say(
        "kernels_memory_text",
        shared_bytes=kernel.shared_bytes,
        scratch_bytes=kernel.scratch_bytes,
        max_block_threads=kernel.max_block_threads,
    )
    yield TitledLine(say("kernels_memory"), memory)
    if kernel.reach:
        yield TitledLine(say("kernels_reach"), _reach(kernel, kernel.reach, say))


def _reach(kernel: GpuKernel, reach: KernelReach, say: Say) -> str:
    """ "argument 1 written, argument 2 read"."""
    if reach.calls:
        return say("kernels_reach_calls")

    def used(kinds: Sequence[str]) -> str:
        return " + ".join(say(f"kernels_reach_{kind}") for kind in kinds) or say("kernels_reach_no")

    words = [
        say("kernels_reach_argument", number=number, used=used(kinds))
        for number, (one, kinds) in enumerate(
            zip(kernel.arguments, reach.arguments, strict=True), 1
        )
        if one.value_kind == "global_buffer" and not one.hidden
    ]
    if reach.other:
        words.append(say("kernels_reach_other", used=used(reach.other)))
    return ", ".join(words) or say("kernels_none")


def _arguments(kernel: GpuKernel, say: Say) -> str:
    given = [each for each in kernel.arguments if not each.hidden]
    words = [
        " ".join(filter(None, (say(_KINDS.get(each.value_kind, "kernels_other")), each.name)))
        + f" ({each.bytes})"
        for each in given
    ]
    return printable(", ".join(words)) or say("kernels_none")


def _print_code(path: Path, objects: Sequence[tuple[int, GpuCodeObject]], name: str) -> None:
    place, target, kernel = _find(objects, name)
    source = None
    print(f"{printable(kernel.demangled)}  {target.architecture}")
    for line in disassembled(path, place, target, kernel.name):
        if line.source and line.source != source:
            source = line.source
            print(f"; {printable(source[0])}:{source[1]}")
        print(f"{line.address:8x}  {line.text:<56}  // {line.words}")


def _find(
    objects: Sequence[tuple[int, GpuCodeObject]], name: str
) -> tuple[int, GpuCodeObject, GpuKernel]:
    found = [
        (place, target, kernel)
        for place, target in objects
        for kernel in target.kernels
        if kernel.is_called(name)
    ]
    if not found:
        known = sorted({kernel.demangled for _, target in objects for kernel in target.kernels})
        shown = "; ".join(known[:8]) + ("; ..." if len(known) > 8 else "")
        raise UsageError(f"there is no kernel {name!r}; there are: {printable(shown)}")
    if len({kernel.name for _, _, kernel in found}) > 1:
        shown = "; ".join(sorted({kernel.demangled for _, _, kernel in found})[:8])
        raise UsageError(f"{name!r} is the name of several kernels; say which: {printable(shown)}")
    order = {architecture: rank for rank, architecture in enumerate(DECODED)}
    return min(found, key=lambda each: order.get(each[1].architecture, len(order)))
