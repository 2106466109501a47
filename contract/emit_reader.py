"""src/greta/recording/_contract.py: the part of the contract that readers of recordings need.

It begins with the classes of effect_types.py, which the table of effects is made of.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from contract.effect_types import CallKind, Effects
from contract.entry import FOLDER
from contract.model import Contract

# Effects that say nothing but their kind are one object each.
PLAIN = {kind: f"_{kind.name}" for kind in CallKind}


def tables(contract: Contract) -> str:
    """The whole module."""
    errors = [f'{error.code}: "{error.name}"' for error in contract.errors]
    texts = [f'{error.code}: "{error.text}"' for error in contract.errors]
    return "\n".join(
        [
            (FOLDER / "effect_types.py").read_text().rstrip(),
            "",
            "",
            *_table("ERROR_NAMES", "dict[int, str]", errors),
            *_table("ERROR_TEXTS", "dict[int, str]", texts),
            "# What these return is something else than a hipError_t.",
            *_set("RETURNS_NO_ERROR", _without_error(contract)),
            *_effects(contract),
        ]
    )


def _without_error(contract: Contract) -> list[str]:
    return sorted(f'"{call.name}"' for call in contract.calls if call.returns != "hipError_t")


def _effects(contract: Contract) -> list[str]:
    """By name; a twin has the effects of its call."""
    calls = [call for call in (*contract.own, *contract.calls) if call.twin_of is None]
    used = dict.fromkeys(call.does.kind for call in calls if call.does == Effects(call.does.kind))
    rows = [f'"{call.name}": {_value(call.does)}' for call in calls]
    return [
        *(f"{PLAIN[kind]}: Final = Effects(CallKind.{kind.name})" for kind in used),
        "",
        "# fmt: off",
        *_table("EFFECTS", "dict[str, Effects]", rows),
        "# fmt: on",
        "",
    ]


def _value(value: Any) -> str:
    """As Python spells it, without what is the default."""
    if isinstance(value, Effects) and value == Effects(value.kind):
        return PLAIN[value.kind]
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_dataclass(value) and not isinstance(value, type):
        given = [(one.name, one.default, getattr(value, one.name)) for one in fields(value)]
        parts = [f"{name}={_value(has)}" for name, default, has in given if has != default]
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple):
        return f"({', '.join(_value(one) for one in value)}{',' * (len(value) == 1)})"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _table(name: str, kind: str, rows: list[str]) -> list[str]:
    return [f"{name}: Final[{kind}] = {{", *(f"    {row}," for row in rows), "}", ""]


def _set(name: str, values: list[str]) -> list[str]:
    head = f"{name}: Final[frozenset[str]] = frozenset("
    return [head, "    {", *(f"        {value}," for value in values), "    }", ")", ""]
