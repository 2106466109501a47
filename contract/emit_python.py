"""src/greta/hip/_constants.py: the contract as Python sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from contract.c_headers import CHeaders
from contract.model import Contract

TOP = '''\
"""Names and numbers of the HIP ABI: errors, flags, and the calls the simulated device exports."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final
'''


def constants(contract: Contract, headers: CHeaders) -> str:
    """The whole module."""
    enums = {
        "CaptureMode": _enum("hipStreamCaptureMode", headers),
        "MemcpyKind": _enum("hipMemcpyKind", headers, prefix="hipMemcpy"),
    }
    flags = {
        "EventFlags": _flags(("hipEvent",), headers, without=("Record", "Wait")),
        "HostFlags": _flags(("hipHostMalloc",), headers),
        "StreamFlags": _flags(("hipStream",), headers, without=("WaitValue",)),
    }
    tables = {
        "ERROR_NAMES": ("dict[int, str]", [f'{e.code}: "{e.name}"' for e in contract.errors]),
        "ERROR_TEXTS": ("dict[int, str]", [f'{e.code}: "{e.text}"' for e in contract.errors]),
        "SUPPORTED_CALLS": ("dict[str, str]", _nodes_of_calls(contract, supported=True)),
        "UNSUPPORTED_CALLS": ("dict[str, str]", _nodes_of_calls(contract, supported=False)),
    }
    return "\n".join(
        [
            TOP,
            *_all((*tables, *enums, *flags)),
            "",
            *_classes("IntEnum", enums),
            *_classes("IntFlag", flags),
            *_tables(tables),
        ]
    )


def _enum(enum: str, headers: CHeaders, prefix: str | None = None) -> dict[str, int]:
    values = headers.enumerators(enum)
    return {_python_name(name, prefix or enum): value for name, value in values.items()}


def _flags(
    prefixes: Iterable[str], headers: CHeaders, without: tuple[str, ...] = ()
) -> dict[str, int]:
    return {
        _python_name(name, prefix): value
        for prefix in prefixes
        for name, value in headers.macros(prefix).items()
        if not name.removeprefix(prefix).startswith(without or ("\0",))
    }


def _python_name(name: str, prefix: str) -> str:
    """hipMemcpyHostToDevice without its prefix, as HOST_TO_DEVICE."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name.removeprefix(prefix))
    return "_".join(word.upper() for word in words)


def _nodes_of_calls(contract: Contract, *, supported: bool) -> list[str]:
    calls = sorted(
        (c for c in contract.calls if c.supported == supported), key=lambda call: call.name
    )
    return [f'"{call.name}": "hip_{call.node}"' for call in calls]


def _all(names: Iterable[str]) -> list[str]:
    return ["__all__ = [", *(f'    "{name}",' for name in sorted(names)), "]", ""]


def _classes(base: str, classes: Mapping[str, Mapping[str, int]]) -> list[str]:
    lines = []
    for name, values in classes.items():
        lines += [f"class {name}({base}):"]
        lines += [f"    {member} = {_number(value)}" for member, value in values.items()]
        lines += ["", ""]
    return lines


def _number(value: int) -> str:
    return hex(value) if value > 0xFFFF else str(value)


def _tables(tables: Mapping[str, tuple[str, list[str]]]) -> list[str]:
    lines = []
    for name, (kind, rows) in tables.items():
        lines += [f"{name}: Final[{kind}] = {{", *(f"    {row}," for row in rows), "}", ""]
    return lines
