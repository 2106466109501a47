"""What an audit and its workload say to each other: JSON, one object a line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from greta.errors import GretaError
from greta.lab.outcomes import WorkloadAnswer
from greta.lab.plan import Iteration
from greta.typed_json import Json, JsonField, decode, require_object


@dataclass(frozen=True)
class StagedBuffer:
    """The buffer that a fault was staged with."""

    address: str
    bytes: int


@dataclass(frozen=True)
class StagedFault:
    """What a drill says that it has done; the detectors never see it."""

    call: str | None = None
    """None of what is no call."""
    nth: int | None = None
    """Of the calls of that name."""
    kernel: str | None = None
    iteration: int | None = None
    buffer: StagedBuffer | None = None


def order_line(iteration: Iteration, max_tokens: int) -> bytes:
    """One iteration to run."""
    test = iteration.test
    order = {
        "iteration": iteration.number,
        "text": iteration.prompt.text,
        "seed": iteration.seed,
        "max_tokens": max_tokens,
        "streams": test.streams,
        "delays": test.delays,
        "pressure": test.pressure,
    }
    return json.dumps(order).encode() + b"\n"


def parse_line(line: bytes) -> WorkloadAnswer | StagedFault | None:
    """An answer, or what a drill has staged; None if it is neither."""
    field = JsonField(Path("the workload's answer"))
    try:
        answer = require_object(json.loads(line), field)
        if "staged" in answer:
            return staged_fault(answer["staged"])
        return decode(WorkloadAnswer, answer, field)
    except (ValueError, GretaError):
        return None


def staged_fault(truth: Json) -> StagedFault:
    """As a drill tells it, or its file."""
    return decode(StagedFault, truth, JsonField(Path("the drill")))
