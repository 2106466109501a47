"""One thing looked at on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

State = Literal["ok", "note", "missing"]


@dataclass(frozen=True)
class MachineCheck:
    """What was found, and what to do if it is not what it should be.

    state: "ok" is there; "note" is not there, or is odd, and the product works all the same;
    "missing" must be put right before the product can work.
    """

    id: str
    title: str
    state: State
    found: str
    advice: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
