"""Stress from outside the engine: pauses between its operations, and memory that comes and goes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, Final

from greta import hip

OPERATIONS: Final = (
    "hipModuleLaunchKernel",
    "hipGraphLaunch",
    "hipMemcpyAsync",
    "hipEventRecord",
    "hipEventSynchronize",
    "hipStreamSynchronize",
)
_SHARE: Final = 0.05
_LONGEST_SECONDS: Final = 0.002
_MOST_HELD: Final = 4
_LARGEST: Final = 4 << 20


class Delays:
    """Pauses before some of the calls that a device is given. Off until a seed switches them on."""

    def __init__(self) -> None:
        self._draw: random.Random | None = None

    def install(self) -> None:
        """Must come before the engine is made: it keeps the calls that it makes often."""
        for name in OPERATIONS:
            hip.replace_call(name, self._slowed)

    def switch(self, seed: int | None) -> None:
        """On, drawing from `seed`; None: off."""
        self._draw = None if seed is None else random.Random(seed)  # noqa: S311  not a secret

    def _slowed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def slowed(*arguments: Any, **named: Any) -> Any:
            draw = self._draw
            if draw is not None and draw.random() < _SHARE:
                time.sleep(draw.random() * _LONGEST_SECONDS)
            return call(*arguments, **named)

        return slowed


class Pressure:
    """Allocates and frees device memory, a step at a time."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311  not a secret
        self._held: list[hip.Buffer] = []

    def step(self) -> None:
        """One allocation, and one that goes when there are enough."""
        if len(self._held) >= _MOST_HELD:
            self._held.pop(self._draw.randrange(len(self._held))).free()
        self._held.append(hip.Buffer(self._draw.randint(1, _LARGEST)))

    def release(self) -> None:
        """All of it goes."""
        while self._held:
            self._held.pop().free()
