"""Python and C++ see the same tables: both sides are written from contract/trace.toml."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

from contract import emit_trace
from contract.entry import FOLDER, ContractError
from greta.forensics import _answers
from greta.trace import _tables

SCHEMA = emit_trace.load_trace()
HEADER = emit_trace.structs(SCHEMA)
WORDS = emit_trace.words(SCHEMA)
C_TYPES = {
    f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}")
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
TABLES = [
    *((table.name, getattr(_tables, table.name.upper())) for table in SCHEMA.trace.tables),
    *((table.name, getattr(_answers, table.name.upper())) for table in SCHEMA.order.tables),
]


def struct_of(name: str) -> type[ctypes.Structure]:
    """What a C compiler makes of the struct in the header."""
    body = re.search(r"typedef struct \{([^}]*)\} greta_" + name + ";", HEADER)
    assert body is not None
    fields = re.findall(r"^  (\w+) (\w+);", body[1], re.MULTILINE)
    declared = [(field, C_TYPES[kind]) for kind, field in fields]
    return type(name, (ctypes.Structure,), {"_fields_": declared})


@pytest.mark.parametrize(("name", "dtype"), TABLES)
def test_numpy_lays_a_table_out_as_c_does(name: str, dtype: np.dtype[np.void]) -> None:
    struct = struct_of(name)
    assert dtype.itemsize == ctypes.sizeof(struct)
    assert dtype.fields is not None
    for field, *_ in struct._fields_:
        place = getattr(struct, field)
        assert (dtype.fields[field][1], dtype.fields[field][0].itemsize) == (
            place.offset,
            place.size,
        )
    assert list(dtype.fields) == [field for field, *_ in struct._fields_]


def test_a_number_means_the_same_on_both_sides() -> None:
    for enum in SCHEMA.trace.enums:
        body = re.search(rf"enum class {enum.name} : uint8_t {{([^}}]*)}}", WORDS)
        assert body is not None
        members = {
            name.upper(): int(number) for name, number in re.findall(r"(\w+) = (\d+),", body[1])
        }
        assert members == {one.name: int(one) for one in getattr(_tables, enum.name)}
    for enum in SCHEMA.order.enums:
        for one in getattr(_answers, enum.name):
            assert f"  GRETA_{one.name} = {int(one)}," in HEADER


def test_the_checksum_changes_with_the_layout_and_not_with_a_comment(tmp_path: Path) -> None:
    text = (FOLDER / "trace.toml").read_text(encoding="utf-8")
    changes = {
        "a comment": ('kernel = ["i32", "LAUNCH: place', 'kernel = ["i32", "LAUNCH: spot', True),
        "a type": ('reach = ["u64"', 'reach = ["u32"', False),
        "a number": ("RESET = [18]", "RESET = [99]", False),
        "a name": ('known_bytes = ["bool"]', 'has_bytes = ["bool"]', False),
    }
    for change, (old, new, is_equal) in changes.items():
        assert text.count(old) == 1, change
        path = tmp_path / "trace.toml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert (emit_trace.load_trace(path).checksum == SCHEMA.checksum) is is_equal, change


def test_the_checksum_changes_with_what_the_libraries_declare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = emit_trace.INTERFACES[0].read_text(encoding="utf-8")
    changes = {
        "a comment": ("/* row of work", "/* the row of work", True),
        "a field": ("  int64_t block_count;\n", "", False),
        "the order of arguments": ("int64_t* firsts, uint8_t* meets", "uint8_t* meets", False),
    }
    for change, (old, new, is_equal) in changes.items():
        assert text.count(old) == 1, change
        path = tmp_path / "order.h"
        path.write_text(text.replace(old, new), encoding="utf-8")
        monkeypatch.setattr(emit_trace, "INTERFACES", [path, emit_trace.INTERFACES[1]])
        assert (emit_trace.load_trace().checksum == SCHEMA.checksum) is is_equal, change


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('reach = ["u64"', 'reach = ["u128"', "access.reach: no type 'u128'"),
        ("RESET = [18]", "RESET = [17]", "Kind: numbers must be unique"),
        ("RESET = [18]", "RESET = [256]", "Kind: numbers must be unique and fit a byte"),
    ],
)
def test_a_contradiction_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    text = (FOLDER / "trace.toml").read_text(encoding="utf-8")
    (tmp_path / "trace.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ContractError, match=re.escape(named)):
        emit_trace.load_trace(tmp_path / "trace.toml")
