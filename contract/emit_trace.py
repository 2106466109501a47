"""The tables of a trace (trace.toml), as C++ and as Python declare them.

order/generated/trace_tables.h   the structs, and the numbers of the answers: GRETA_SAME_STREAM
order/generated/trace_enums.h    the numbers in a trace: Kind::copy
greta/trace/_tables.py           enums and NumPy dtypes of a trace: Kind.COPY, OPERATION
greta/forensics/_answers.py      those of the answers: How.SAME_STREAM, CONFLICT
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contract.entry import FOLDER, ContractError, read_toml

C_TYPES = {
    **{f"i{bits}": f"int{bits}_t" for bits in (16, 32, 64)},
    **{f"u{bits}": f"uint{bits}_t" for bits in (8, 16, 32, 64)},
    "bool": "uint8_t",
}
INTERFACES = [FOLDER.parent / "native" / name for name in ("order/order.h", "reading/reading.h")]
NUMPY_TYPES = {
    **{f"i{bits}": f"<i{bits // 8}" for bits in (16, 32, 64)},
    **{f"u{bits}": f"<u{bits // 8}" for bits in (8, 16, 32, 64)},
    "bool": "?",
}


@dataclass(frozen=True)
class Entry:
    """A member of an enum with its number, or a column of a table with its type."""

    name: str
    value: Any
    about: str = ""


@dataclass(frozen=True)
class Group:
    """An enum or a table."""

    name: str
    about: str
    entries: tuple[Entry, ...]
    flags: bool = False
    """Whether the members of an enum are bits that can be combined."""


@dataclass(frozen=True)
class Tables:
    """What one side gives the other."""

    enums: tuple[Group, ...]
    tables: tuple[Group, ...]


@dataclass(frozen=True)
class TraceSchema:
    """All of trace.toml."""

    trace: Tables
    order: Tables
    checksum: int
    """Of the tables and of what the libraries declare: a library and a package that were built
    apart differ in it.
    """


def load_trace(path: Path = FOLDER / "trace.toml") -> TraceSchema:
    """Read and check the file; raises ContractError on the first contradiction."""
    content = read_toml(path)
    trace, order = (_tables(content[name]) for name in ("trace", "order"))
    layout = [
        [group.name, [[one.name, one.value] for one in group.entries]]
        for part in (trace, order)
        for group in (*part.enums, *part.tables)
    ]
    called = [declarations(path.read_text(encoding="utf-8")) for path in INTERFACES]
    return TraceSchema(trace, order, zlib.crc32(json.dumps([layout, called]).encode()))


def declarations(header: str) -> str:
    """What a header declares, without comments and spaces."""
    return " ".join(re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL).split())


def _tables(body: dict[str, Any]) -> Tables:
    enums, flags, tables = (_groups(body.get(key, {}), key) for key in ("enums", "flags", "tables"))
    for enum in (*enums, *flags):
        numbers = [one.value for one in enum.entries]
        if len(set(numbers)) != len(numbers) or not all(0 <= number <= 255 for number in numbers):
            raise ContractError(f"{enum.name}: numbers must be unique and fit a byte")
    for table in tables:
        for column in table.entries:
            if column.value not in C_TYPES:
                raise ContractError(f"{table.name}.{column.name}: no type {column.value!r}")
    return Tables((*enums, *flags), tables)


def _groups(body: dict[str, Any], kind: str) -> tuple[Group, ...]:
    return tuple(
        Group(
            name,
            entries["about"],
            tuple(Entry(key, *row) for key, row in entries.items() if key != "about"),
            flags=kind == "flags",
        )
        for name, entries in body.items()
    )


def structs(schema: TraceSchema) -> str:
    """order/generated/trace_tables.h: plain C."""
    lines = ["#pragma once", "", "#include <stdint.h>", ""]
    lines += [f"#define GRETA_TABLES_CHECKSUM {schema.checksum}u", ""]
    for enum in schema.order.enums:
        lines += [f"/* {enum.about} */", f"enum greta_{_snake(enum.name)} {{"]
        lines += [f"  GRETA_{one.name} = {one.value},{_c_comment(one)}" for one in enum.entries]
        lines += ["};", ""]
    for table in (*schema.trace.tables, *schema.order.tables):
        lines += [f"/* {table.about} */", "typedef struct {"]
        lines += [f"  {C_TYPES[one.value]} {one.name};{_c_comment(one)}" for one in table.entries]
        lines += [f"}} greta_{table.name};", ""]
    return "\n".join(lines)


def words(schema: TraceSchema) -> str:
    """order/generated/trace_enums.h: C++."""
    lines = ["#pragma once", "", "#include <cstdint>", "", "namespace greta::order {", ""]
    for enum in schema.trace.enums:
        lines += [f"// {enum.about}", f"enum class {enum.name} : uint8_t {{"]
        lines += [f"  {one.name.lower()} = {one.value},{_c_comment(one)}" for one in enum.entries]
        lines += ["};", ""]
    return "\n".join([*lines, "}  // namespace greta::order", ""])


def trace_module(schema: TraceSchema) -> str:
    """greta/trace/_tables.py."""
    checksum = [
        f"CHECKSUM: Final = {schema.checksum}",
        '"""Of the tables as Python has them, and of those of the answers."""',
        "",
    ]
    body = _module("The numbers and columns of a trace.", schema.trace)
    return "\n".join([body, *checksum])


def answers_module(schema: TraceSchema) -> str:
    """greta/forensics/_answers.py."""
    return _module("The numbers and columns of what libgreta_order.so answers.", schema.order)


def _module(about: str, part: Tables) -> str:
    lines = [f'"""{about}"""', "", "from __future__ import annotations", ""]
    lines += ["from enum import IntEnum, IntFlag", "from typing import Final", ""]
    lines += ["import numpy as np", ""]
    for enum in part.enums:
        base = "IntFlag" if enum.flags else "IntEnum"
        lines += ["", f"class {enum.name}({base}):", f'    """{enum.about}"""', ""]
        for one in enum.entries:
            lines += [f"    {one.name} = {one.value}", *_docstring(one)]
        lines += [""]
    for table in part.tables:
        lines += ["", f"{table.name.upper()}: Final = np.dtype(", "    ["]
        lines += [
            f'        ("{one.name}", "{NUMPY_TYPES[one.value]}"),{_comment(one)}'
            for one in table.entries
        ]
        lines += ["    ],", "    align=True,", ")", f'"""{table.about}"""', ""]
    return "\n".join(lines)


def _docstring(one: Entry) -> list[str]:
    return [f'    """{one.about}"""'] if one.about else []


def _comment(one: Entry) -> str:
    return f"  # {one.about}" if one.about else ""


def _c_comment(one: Entry) -> str:
    return f" /* {one.about} */" if one.about else ""


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
