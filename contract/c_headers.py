"""Facts read from the hand-written C headers: which types exist, what a constant's value is.

The headers are the source of truth for types, so nothing about types is repeated in the contract.
"""

from __future__ import annotations

import re
from pathlib import Path

BUILTIN_TYPES = frozenset(
    (
        *("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned"),
        *("size_t", "uint32_t", "uint64_t"),
        "hipError_t",  # in a header that is generated itself
    )
)
QUALIFIERS = frozenset(("const", "struct", "enum", "union"))


class CHeaders:
    """The text of every header in a folder, without comments."""

    def __init__(self, paths: list[Path]) -> None:
        text = "\n".join(path.read_text() for path in sorted(paths))
        self.text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        self.types = BUILTIN_TYPES | self._declared_types()

    def _declared_types(self) -> frozenset[str]:
        closing = re.findall(r"^}[^;\n]*?(\w+);", self.text, flags=re.M)
        opening = re.findall(r"typedef (?:struct|union|enum) (\w+) \{", self.text)
        simple = re.findall(r"typedef [^;{}()]*?(\w+);", self.text)
        callbacks = re.findall(r"typedef [^;{}]*\(\*(\w+)\)", self.text)
        return frozenset((*closing, *opening, *simple, *callbacks))

    def knows(self, type_text: str) -> bool:
        """Whether every name in the spelling of a type is declared."""
        names = set(re.findall(r"\w+", type_text)) - QUALIFIERS
        return names <= self.types

    def enums(self) -> list[str]:
        """The names of all enums."""
        return re.findall(r"typedef enum (\w+) \{", self.text)

    def structs(self) -> list[str]:
        """The names of all structures and unions that are defined, by their typedef."""
        return re.findall(r"^typedef (?:struct|union) .*?^} (\w+);", self.text, flags=re.M | re.S)

    def enumerators(self, enum: str) -> dict[str, int]:
        """The values of an enum, in order."""
        body = re.search(rf"typedef enum {enum} \{{(.*?)\}}", self.text, flags=re.S)
        if body is None:
            raise KeyError(enum)
        values: dict[str, int] = {}
        following = 0
        for name, value in re.findall(r"(\w+)(?: = (\w+))?,", body[1]):
            number = values[value] if value in values else int(value, 0) if value else following
            values[name] = number
            following = number + 1
        return values

    def macros(self, prefix: str) -> dict[str, int]:
        """The numeric macros whose names begin with a prefix and a capital letter."""
        pattern = rf"#define ({prefix}[A-Z]\w*) (0x[0-9a-fA-F]+|\d+)\b"
        return {name: int(value, 0) for name, value in re.findall(pattern, self.text)}
