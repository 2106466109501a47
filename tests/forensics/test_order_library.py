"""The library and the Python code mean the same tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.forensics import order, order_library
from greta.trace import trace


def test_the_tables_of_trace_are_those_of_the_header() -> None:
    found = order_library.layout()
    assert found == {
        name: order_library.layout_of(dtype) for name, dtype in order_library.STRUCTS.items()
    }
    assert found["greta_operation"][0] == trace.OPERATION.itemsize


def test_every_field_of_the_header_is_known(root: Path) -> None:
    header = (root / "native" / "order" / "order.h").read_text()
    for name, (_, fields) in order_library.layout().items():
        body = header[: header.index(f"}} {name};")].rpartition("typedef struct {")[2]
        declared = [line.split(";")[0].split()[-1] for line in body.splitlines() if ";" in line]
        assert declared == list(fields)


@pytest.mark.parametrize(
    ("prefix", "enum", "names"),
    [
        ("GRETA_", order.ConflictKind, [kind.name for kind in order.ConflictKind]),
        ("GRETA_", order.How, [how.name for how in order.How]),
        ("GRETA_", order.Sign, [sign.name for sign in order.Sign]),
    ],
)
def test_the_numbers_of_the_header(
    root: Path, prefix: str, enum: type[order.How], names: list[str]
) -> None:
    header = (root / "native" / "order" / "order.h").read_text()
    for name in names:
        assert f"{prefix}{name} = {int(enum[name])}," in header


def test_the_numbers_of_trace(root: Path) -> None:
    """The enumerations of native/order/trace_words.h have the order of greta.trace.trace."""
    words = (root / "native" / "order" / "trace_words.h").read_text()
    for name, enum in (("Kind", trace.Kind), ("StreamKind", trace.StreamKind)):
        body = words.split(f"enum class {name} : uint8_t {{")[1].split("}")[0]
        assert [word.strip() for word in body.split(",") if word.strip()] == [
            member.name.lower() for member in enum
        ]
    assert f"role_freed = {trace.Role.FREED:d}" in words
    assert f"memory_pool = {trace.Memory.POOL:d}" in words


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(order_library.LIBRARY_VARIABLE, "nowhere.so")
    with pytest.raises(UsageError, match=r"nowhere\.so"):
        order_library.find_library()
