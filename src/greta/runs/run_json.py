"""run.json: the one place that reads and writes it. What it says is greta.trace.run_facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from greta.errors import NotJsonError, OutsideError, UsageError
from greta.outside import is_there, read_object
from greta.runs.whole_file import write_whole
from greta.trace.run_facts import RunFacts
from greta.typed_json import JsonField, decode

NAME = "run.json"


def read_run(folder: Path) -> RunFacts | None:
    """None where there is none; raises UsageError for what is no run.json."""
    file = folder / NAME
    if not is_there(file):
        return None
    try:
        return _decoded(read_object(file), file)
    except OutsideError as error:
        raise UsageError(f"the facts of the run cannot be read: {error}") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None


def read_run_if_whole(folder: Path) -> RunFacts:
    """Nothing is known where there is none, or half of one; raises OutsideError for another."""
    file = folder / NAME
    try:
        return _decoded(read_object(file), file)
    except (OSError, NotJsonError):
        return RunFacts()


def write_run(facts: RunFacts, file: Path) -> None:
    """Writes it so that a reader finds the old one or the new one, nothing between."""
    # dumps gives ASCII, so that bytes of a name that are no UTF-8 stay what they were: "\\udcff"
    # is 0xff.
    write_whole(file, json.dumps(to_json(facts), indent=2) + "\n")


def to_json(value: Any) -> Any:
    """Facts as JSON has them; what is written only if it says something is left out otherwise."""
    if is_dataclass(value):
        own = ((one, getattr(value, one.name)) for one in fields(value))
        shown = ((one, found) for one, found in own if found is not None or not _if_any(one))
        return {one.name: to_json(found) for one, found in shown}
    if isinstance(value, tuple | list):
        return [to_json(one) for one in value]
    if isinstance(value, Mapping):
        return {name: to_json(one) for name, one in value.items()}
    return value


def _if_any(field: Any) -> bool:
    return bool(field.metadata.get("if_any"))


def _decoded(found: dict[str, Any], file: Path) -> RunFacts:
    facts = decode(RunFacts, found, JsonField(file))
    if len(facts.command) != len(found.get("command") or ()):
        # A command with a word less is another command.
        raise OutsideError(f"{file}: the field command has no text in it")
    return facts
