"""Facts about what ran, written as run.json has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from greta.trace.run_facts import BinaryFacts, RunFacts
from greta.typed_json import JsonField, decode

T = TypeVar("T")


def run_facts(**fields: Any) -> RunFacts:
    return of_json(RunFacts, fields)


def binary_facts(**fields: Any) -> BinaryFacts:
    return of_json(BinaryFacts, fields)


def of_json(kind: type[T], fields: dict[str, Any]) -> T:
    return decode(kind, fields, JsonField(Path("run.json")))
