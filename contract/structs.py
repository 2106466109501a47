"""hip_structs.toml: structs that calls take by their address."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from contract.entry import FOLDER, ContractError, read_toml


@dataclass(frozen=True)
class Struct:
    """Fields are offsets, `152:4` of a 4-byte one; ranges are memory in the words of the fields."""

    bytes: int
    fields: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, str] = field(default_factory=dict)
    arrays: tuple[str, ...] = ()
    """Fields that hold an array."""


def pointed_type(type_name: str) -> str | None:
    """Of a pointer to one struct, the struct."""
    match = re.fullmatch(r"(?:const )?(\w+)\*", type_name)
    return match[1] if match else None


def _load() -> dict[str, Struct]:
    found = {}
    for name, table in read_toml(FOLDER / "hip_structs.toml").items():
        fields = {key: str(offset) for key, offset in table.get("fields", {}).items()}
        for key, offset in fields.items():
            start, _, bytes_ = offset.partition(":")
            if int(start) + int(bytes_ or 8) > table["bytes"]:
                raise ContractError(f"{name}: {key} lies outside the struct")
        found[name] = Struct(
            table["bytes"], fields, table.get("ranges", {}), tuple(table.get("arrays", ()))
        )
    return found


STRUCTS = _load()
