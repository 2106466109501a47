"""greta/recording/_format.py: the structs and numbers of recording.h in Python."""

from __future__ import annotations

import re

from contract.entry import FOLDER, ContractError

NUMPY_TYPES = {
    "uint64_t": "<u8",
    "int64_t": "<i8",
    "uint32_t": "<u4",
    "int32_t": "<i4",
    "uint16_t": "<u2",
    "uint8_t": "u1",
}
# By enum: the class, its base, and what the names of its members begin with in C.
ENUMS = {
    "greta_end": ("End", "IntEnum", "GRETA_END_"),
    "greta_header_flags": ("HeaderFlags", "IntFlag", "GRETA_"),
    "greta_record_flags": ("RecordFlags", "IntFlag", "GRETA_"),
    "greta_more_kind": ("PayloadKind", "IntEnum", "GRETA_MORE_"),
    "greta_live_kind": ("LiveKind", "IntEnum", "GRETA_LIVE_"),
}
METHODS = {
    "LiveKind": '''
    @property
    def is_memory(self) -> bool:
        """Whether it is an address with a size, and not a handle."""
        return LiveKind.DEVICE_MEMORY <= self <= LiveKind.POOL_MEMORY
'''
}


def format_module() -> str:
    """The whole module."""
    text = (FOLDER / "recording.h").read_text(encoding="utf-8")
    header = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    constants = re.findall(r"#define GRETA_(\w+) (0x[0-9a-f]+|\d+)u?(?:ll)?\s", header)
    enums = re.findall(r"enum (\w+) \{(.*?)\};", header, re.DOTALL)
    structs = re.findall(r"struct greta_(\w+) \{(.*?)\};", header, re.DOTALL)
    return "\n".join(
        [
            '"""contract/recording.h in Python."""',
            "from __future__ import annotations",
            "",
            "from enum import IntEnum, IntFlag",
            "from typing import Final",
            "",
            "import numpy as np",
            "",
            *(f"{name}: Final = {value}" for name, value in constants),
            *(line for name, body in enums for line in _enum(name, body)),
            *(line for name, body in structs for line in _struct(name, body)),
            "",
        ]
    )


def _enum(name: str, body: str) -> list[str]:
    if name not in ENUMS:
        raise ContractError(f"recording.h: the enum {name} has no name in Python")
    python, base, prefix = ENUMS[name]
    members = re.findall(rf"{prefix}(\w+) = (\d+)", body)
    rows = [f"    {member} = {value}" for member, value in members]
    return ["", f"class {python}({base}):", *rows, METHODS.get(python, "")]


def _struct(name: str, body: str) -> list[str]:
    fields = re.findall(r"(\w+) (\w+)(?:\[(\w+)\])?;", body)
    rows = [f"    {_field(*field)}," for field in fields]
    return ["", f"{name.upper()}: Final = np.dtype([", *rows, "])"]


def _field(c_type: str, name: str, count: str) -> str:
    if c_type == "char":
        return f'("{name}", "S{count}")'
    shape = f", ({count.removeprefix('GRETA_')},)" if count else ""
    return f'("{name}", "{NUMPY_TYPES[c_type]}"{shape})'
