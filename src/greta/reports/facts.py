"""Names of facts about a run, such as environment.python or half of the audit, in words."""

from __future__ import annotations

import re
from typing import Final

from greta.reports.lang import Say

_NOT_IN_A_CODE: Final = re.compile(r"[^a-z0-9]+")
_NAMED: Final = ("variable", "library")
_PARTS: Final = ("model", "program", "programs")
"""The name of a fact of these says nothing without them; those of the environment do."""


def fact_name(name: str, say: Say) -> str:
    """As a person would call it; a name that has no words is shown as it is."""
    for kind in _NAMED:
        if name.startswith(f"{kind} "):
            return say(f"fact_named_{kind}", name=name.partition(" ")[2])
    part, _, leaf = name.partition(".")
    if part == "environment":
        part, _, leaf = leaf.partition(".")
    if part == "variables" and leaf:
        return say("fact_named_variable", name=leaf)
    if part in _PARTS and leaf:
        return say("fact_of_part", part=say(f"part_{part}"), name=_one(leaf, say))
    return _one(leaf or part, say)


def fact_value(value: str, say: Say) -> str:
    """Values are data, but for a few that are words."""
    code = f"fact_value_{_code(value)}"
    return say(code) if say.has(code) else value


def _one(name: str, say: Say) -> str:
    code = f"fact_{_code(name)}"
    return say(code) if say.has(code) else name


def _code(text: str) -> str:
    return _NOT_IN_A_CODE.sub("_", text.lower()).strip("_")
