"""Writes opcodes.inc from opcodes.txt: names for the enum Opcode, rows for the decoder."""

from __future__ import annotations

import sys
from pathlib import Path

ARCHITECTURES = {"a": 1, "4": 2, "5": 4}
FORMS = ("e64", "sdwa", "dpp", "dpp64", "sext", "clamp", "omod", "opsel", "rtn")
MOST_OPERANDS = 5


def row_of(line: str) -> tuple[str, str]:
    """The name of a line of the table, and its row as C++."""
    head, operands, properties = (part.split() for part in line.split("|"))
    name, encoding, number, letters = head
    mask = 7 if letters == "*" else sum(ARCHITECTURES[letter] for letter in letters)
    values = {"neg": "0", "abs": "0"}
    flags = ["0"]
    for item in properties:
        key, _, value = item.partition("=")
        if value:
            values[key] = value
        else:
            flags.append(f"has_{FORMS[FORMS.index(key)]}")
    if len(operands) > MOST_OPERANDS:
        raise ValueError(f"{name} has more than {MOST_OPERANDS} operands")
    fields = []
    for operand in operands:
        role, _, width = operand.partition(":")
        fields.append(f"{{Role::{role}, {width or 0}}}")
    text = (
        f"ROW({name}, {encoding}, {number}, {mask}, ({' | '.join(flags)}), "
        f"{values['neg']}, {values['abs']}, {len(operands)}, {', '.join(fields) or '{}'})"
    )
    return name, text


def main() -> None:
    """generate.py opcodes.txt opcodes.inc"""
    source, target = map(Path, sys.argv[1:])
    lines = [line for line in source.read_text().splitlines() if line and line[0] != "#"]
    rows = [row_of(line) for line in lines]
    names = list(dict.fromkeys(name for name, _ in rows))
    text = ["#ifdef NAME", *(f"NAME({name})" for name in names), "#undef NAME", "#endif"]
    text += ["#ifdef ROW", *(row for _, row in rows), "#undef ROW", "#endif"]
    target.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
