"""What an audit and its workload say to each other: JSON, one object a line."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class IterationRequest:
    """One iteration to run."""

    iteration: int
    text: str
    seed: int
    max_tokens: int
    streams: int = 1
    """So many engines at once, each on a stream of its own."""
    delays: bool = False
    """Random pauses between operations, from the seed."""
    pressure: bool = False
    """Device memory comes and goes between tokens."""


@dataclass(frozen=True)
class Answer:
    """The result of one iteration."""

    iteration: int
    tokens: list[list[int]]
    """One list a stream."""
    seconds: float
    tokens_per_second: float | None
    first_token_seconds: float
    error: dict[str, Any] | None = None
    """A HIP error that the engine raised."""


@dataclass(frozen=True)
class Hello:
    """The first line: the workload has started and loaded its model."""

    pid: int


def line(message: IterationRequest | Answer | Hello) -> bytes:
    """A message as one line of JSON."""
    return json.dumps(asdict(message)).encode() + b"\n"


def parse_request(text: bytes) -> IterationRequest:
    """What one line asks for."""
    return IterationRequest(**json.loads(text))
