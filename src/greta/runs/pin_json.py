"""pin.json: what `greta pin` found out about a run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from greta.outside import is_there, read_object
from greta.runs.folder import write_whole
from greta.typed_json import JsonField, decode, encode

NAME = "pin.json"
SCHEMA = 1


@dataclass(frozen=True)
class Attempt:
    """One run: `sync` says which operations were waited for (recorder/watch/added_sync.h)."""

    n: int
    sync: str | None
    folder: str
    shows: bool
    ending: str
    operations: int


@dataclass(frozen=True)
class Pin:
    """The result: `seq` is numbered as in the run that was asked about.

    `persists_serialized`: the fault is there when every operation is waited for; then the operation
    is the one that makes it. If not, it is a matter of timing, and the operation is the last one
    that must not be waited for, if the fault is to show.
    """

    pinned: bool
    reason: str
    persists_serialized: bool | None = None
    pid: int | None = None
    seq: int | None = None
    call: str | None = None
    kernel: str | None = None
    operation: int | None = None
    error: int | None = None
    error_name: str | None = None
    exact_mapping: bool = False
    history: tuple[Attempt, ...] = ()

    @property
    def runs(self) -> int:
        """How many there were."""
        return len(self.history)


def write_pin(pin: Pin, run: Path) -> None:
    """Into the folder of the run that was asked about."""
    written = {"schema": SCHEMA, "runs": pin.runs, **encode(pin)}
    write_whole(run / NAME, json.dumps(written, indent=2) + "\n")


def read_pin(run: Path) -> Pin | None:
    """What `greta pin` has found out about a run; None where it was not asked."""
    file = run / NAME
    return decode(Pin, read_object(file), JsonField(file)) if is_there(file) else None
