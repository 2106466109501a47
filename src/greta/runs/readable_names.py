"""A verdict's kernels by the names that their source gives them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from greta.forensics.verdict import Verdict
from greta.symbols.sites import Demangler


def with_readable_names(verdict: Verdict) -> Verdict:
    """The same verdict, with `saxpy(float*, int)` in the place of `_Z5saxpyPfi`.

    Done last: until then names are compared with those of logs, which are mangled as a rule.
    """
    renamed = _renamed(verdict, Demangler())
    return renamed if isinstance(renamed, Verdict) else verdict


def _renamed(value: Any, demangler: Demangler) -> Any:
    if isinstance(value, str):
        return demangler.readable(value) if value.startswith("_Z") else value
    if isinstance(value, tuple):
        found = tuple(_renamed(one, demangler) for one in value)
        return (
            found if any(new is not old for new, old in zip(found, value, strict=True)) else value
        )
    if isinstance(value, dict):
        return {name: _renamed(one, demangler) for name, one in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    old = {field.name: getattr(value, field.name) for field in fields(value)}
    new = {name: _renamed(one, demangler) for name, one in old.items()}
    changed = {name: one for name, one in new.items() if one is not old[name]}
    return replace(value, **changed) if changed else value
