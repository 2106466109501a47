"""The reader's idea of the format is that of contract/recording.h."""

from __future__ import annotations

import re
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from greta.recording import _format, events, header

SIZES = {"uint64_t": 8, "int64_t": 8, "uint32_t": 4, "int32_t": 4, "uint16_t": 2, "uint8_t": 1}
STRUCTS = {
    "greta_header": _format.HEADER,
    "greta_lane": _format.LANE,
    "greta_record": _format.RECORD,
    "greta_more": _format.MORE,
    "greta_live_header": _format.LIVE_HEADER,
    "greta_live": _format.LIVE,
}
ENUMS: dict[str, tuple[type[IntEnum] | type[IntFlag], str]] = {
    "greta_end": (_format.End, "GRETA_END_"),
    "greta_header_flags": (_format.HeaderFlags, "GRETA_"),
    "greta_record_flags": (_format.RecordFlags, "GRETA_"),
    "greta_more_kind": (_format.PayloadKind, "GRETA_MORE_"),
    "greta_live_kind": (_format.LiveKind, "GRETA_LIVE_"),
}


@pytest.fixture(scope="module")
def contract(root: Path) -> str:
    text = (root / "contract" / "recording.h").read_text()
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def constant(contract: str, name: str) -> int:
    match = re.search(rf"#define {name} (0x[0-9a-f]+|\d+)u?(?:ll)?", contract)
    assert match, name
    return int(match[1], 0)


def fields_of(contract: str, struct: str) -> list[tuple[str, int, int]]:
    """Name, size of an element and count of each field."""
    body = re.search(rf"struct {struct} {{(.*?)}};", contract, re.DOTALL)
    assert body, struct
    found = re.findall(r"(\w+) (\w+)(?:\[(\w+)\])?;", body[1])
    return [(name, SIZES.get(kind, 1), _count(contract, count)) for kind, name, count in found]


def _count(contract: str, count: str) -> int:
    return 1 if not count else int(count) if count.isdigit() else constant(contract, count)


@pytest.mark.parametrize("struct", STRUCTS)
def test_structs_have_the_fields_of_the_contract(contract: str, struct: str) -> None:
    offset = 0
    expected: dict[str, tuple[int, int]] = {}
    for name, size, count in fields_of(contract, struct):
        assert offset % size == 0, f"{name} is not naturally aligned"
        expected[name] = (offset, size * count)
        offset += size * count
    assert _layout(STRUCTS[struct]) == expected
    assert STRUCTS[struct].itemsize == offset


def _layout(dtype: np.dtype[Any]) -> dict[str, tuple[int, int]]:
    assert dtype.fields is not None
    return {name: (field[1], field[0].itemsize) for name, field in dtype.fields.items()}


@pytest.mark.parametrize("enum", ENUMS)
def test_enumerations_have_the_values_of_the_contract(contract: str, enum: str) -> None:
    body = re.search(rf"enum {enum} {{(.*?)}};", contract, re.DOTALL)
    assert body
    python, prefix = ENUMS[enum]
    expected = {name: int(value) for name, value in re.findall(r"(\w+) =\s*(\d+)", body[1])}
    assert {f"{prefix}{one.name}": one.value for one in python} == expected


def test_constants_have_the_values_of_the_contract(contract: str) -> None:
    names = {
        "GRETA_RECORDING_VERSION": _format.RECORDING_VERSION,
        "GRETA_HEADER_MAGIC": _format.HEADER_MAGIC,
        "GRETA_LANE_MAGIC": _format.LANE_MAGIC,
        "GRETA_LIVE_MAGIC": _format.LIVE_MAGIC,
        "GRETA_RECORD_BYTES": _format.RECORD_BYTES,
        "GRETA_RECORD_WORDS": _format.RECORD_WORDS,
        "GRETA_MORE_BYTES": _format.MORE_BYTES,
        "GRETA_PAGE_BYTES": _format.PAGE_BYTES,
        "GRETA_CALL_MORE": _format.CALL_MORE,
    }
    assert {name: constant(contract, name) for name in names} == names


def test_sizes_are_those_the_contract_promises() -> None:
    assert _format.RECORD.itemsize == _format.MORE.itemsize == _format.RECORD_BYTES
    assert events.RECORD.size == _format.RECORD_BYTES
    pages = (_format.HEADER, _format.LANE, _format.LIVE_HEADER)
    assert {page.itemsize for page in pages} == {_format.PAGE_BYTES}
    assert _layout(_format.HEADER)["end"][0] == header.END_OFFSET
