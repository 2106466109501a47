"""The opcode table, read from its source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).parents[2] / "native" / "isa" / "opcodes.txt"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    format: str
    number: int
    architectures: str
    operands: tuple[tuple[str, int], ...]
    properties: frozenset[str]

    def mask(self, key: str) -> int:
        """The value of neg= or abs=."""
        found = [p for p in self.properties if p.startswith(key + "=")]
        return int(found[0].partition("=")[2]) if found else 0

    def width(self, role: str) -> int:
        return dict(self.operands).get(role, 0)


def read_table() -> list[Row]:
    rows = []
    for line in TABLE.read_text().splitlines():
        if not line or line[0] == "#":
            continue
        head, operands, properties = (part.split() for part in line.split("|"))
        pairs = (operand.partition(":") for operand in operands)
        roles = tuple((role, int(width or 0)) for role, _, width in pairs)
        name, kind, number, letters = head
        rows.append(Row(name, kind, int(number, 16), letters, roles, frozenset(properties)))
    return rows


def gfx942_rows() -> list[Row]:
    return [row for row in read_table() if row.architectures == "*" or "4" in row.architectures]
