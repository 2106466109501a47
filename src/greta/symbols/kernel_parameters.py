"""What a kernel's name and code tell of its parameters, where its metadata says nothing.

HIP's compilers leave types out of the metadata; a C++ name has them. What the code of gfx942 can
only read is no output, whatever its type. Code is looked up in the file that it was loaded from, if
that is older than the run; no more than takes about a second to follow.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.errors import GretaError
from greta.recording import KernelEntry, KernelParameter, ModuleEntry, Process
from greta.symbols.code_objects import DECODED, read_file_code, with_reach
from greta.symbols.kernel_reach import ATOMIC, WRITE, KernelReach
from greta.symbols.sites import Demangler

_MOST_KERNELS: Final = 4096
_MOST_FOLLOWED: Final = 1 << 16  # bytes of code
READ_ONLY: Final = "read_only"


def better_known(process: Process) -> dict[int, KernelEntry]:
    """Kernels of which more can be said than their metadata does."""
    tables, demangler = process.tables, Demangler()
    some = itertools.islice(tables.kernels.items(), _MOST_KERNELS)
    found = {id_: _with_types(one, demangler) for id_, one in some}
    if any("StreamCreate" in call.name for call in tables.calls.values()):
        found |= _with_accesses(process, found)
    return {id_: one for id_, one in found.items() if one != tables.kernels[id_]}


# --- types, by name -------------------------------------------------------------------------------


def _with_types(kernel: KernelEntry, demangler: Demangler) -> KernelEntry:
    explicit = [one for one in kernel.arguments if not one.kind.startswith("hidden")]
    if not explicit or any(one.type for one in explicit):
        return kernel
    types = parameter_types(demangler.readable(kernel.name))
    fits = len(types) == len(explicit) and all(
        ("*" in type_) == (one.kind == "global_buffer")
        for type_, one in zip(types, explicit, strict=True)
    )
    if not fits:
        return kernel
    typed = (replace(one, type=type_) for one, type_ in zip(explicit, types, strict=True))
    return replace(kernel, arguments=(*typed, *kernel.arguments[len(explicit) :]))


def parameter_types(name: str) -> list[str]:
    """`const float*` and `int` of `void f<2>(float const*, int)`; none if it says none."""
    if not name.endswith(")"):
        return []
    types: list[str] = []
    depth, end = 0, len(name) - 1
    for place in range(len(name) - 1, -1, -1):
        depth += {")": 1, ">": 1, "(": -1, "<": -1}.get(name[place], 0)
        is_first = name[place] == "(" and depth == 0
        if is_first or (name[place] == "," and depth == 1):
            types.insert(0, _as_written(name[place + 1 : end].strip()))
            end = place
        if is_first:
            return types if types != [""] else []
    return []


def _as_written(type_: str) -> str:
    """`const float*` for `float const*`."""
    pointee, star, rest = type_.rpartition("*")
    if star and pointee.endswith(" const"):
        return f"const {pointee.removesuffix(' const')}*{rest}"
    return type_


# --- accesses, by code ----------------------------------------------------------------------------


def _with_accesses(process: Process, kernels: dict[int, KernelEntry]) -> dict[int, KernelEntry]:
    found: dict[int, KernelEntry] = {}
    for module in process.tables.modules.values():
        own = {id_: one for id_, one in kernels.items() if one.module == module.id}
        if not own or not any(target.split(":")[0].endswith(DECODED) for target in module.targets):
            continue
        reaches = dict(_reaches(process, module, {one.name for one in own.values()}))
        found |= {
            id_: _with_reach(one, reaches[one.name])
            for id_, one in own.items()
            if one.name in reaches
        }
    return found


def _reaches(
    process: Process, module: ModuleEntry, names: set[str]
) -> Iterator[tuple[str, KernelReach]]:
    path = Path(module.file or process.tables.process.executable)
    try:
        if path.stat().st_mtime_ns >= process.header.start_realtime_ns:
            return
        fitting = [
            (place, target)
            for place, target in enumerate(read_file_code(path).objects)
            if target.architecture in DECODED and names <= {one.name for one in target.kernels}
        ]
        if len(fitting) != 1:
            return  # which of them ran is not known
        [(place, target)] = fitting
        wanted = tuple(one for one in target.kernels if one.name in names)
        shown = with_reach(path, place, replace(target, kernels=wanted), _MOST_FOLLOWED)
        yield from ((one.name, one.reach) for one in shown.kernels if one.reach)
    except (OSError, ValueError, GretaError):  # a path from outside may be none
        return


def _with_reach(kernel: KernelEntry, reach: KernelReach) -> KernelEntry:
    if reach.calls or len(reach.arguments) < len(kernel.arguments):
        return kernel
    pairs = zip(kernel.arguments, reach.arguments, strict=False)
    return replace(kernel, arguments=tuple(_narrowed(one, uses) for one, uses in pairs))


def _narrowed(parameter: KernelParameter, uses: tuple[str, ...]) -> KernelParameter:
    if parameter.kind != "global_buffer" or WRITE in uses or ATOMIC in uses:
        return parameter
    return replace(parameter, access=READ_ONLY)
