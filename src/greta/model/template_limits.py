"""Jinja for templates that come with a model, which may be anyone's.

Jinja's immutable sandbox keeps a template from Python's internals. What is added here keeps it from
taking for ever or all memory: its lines run against a clock and a budget of memory, operations that
make something large from something small are refused, and only the filters that chat templates use
are there.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

SECONDS = 2.0
GROWTH_KIB = 256 << 10  # of the process while a template renders
LARGEST_STEP = 1 << 24  # characters or elements that one operation may make

_FILTERS = (
    *("abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float"),
    *("indent", "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min"),
    *(
        "reject",
        "rejectattr",
        "replace",
        "reverse",
        "round",
        "safe",
        "select",
        "selectattr",
        "sort",
    ),
    *("string", "sum", "title", "trim", "unique", "upper", "tojson"),
)


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox with limits; render within `limits()`."""

    intercepted_binops = frozenset(["*", "**", "%"])

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        replace = self.filters["replace"]
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.filters["replace"] = _limited_replace(replace)
        self.globals = {name: self.globals[name] for name in ("range", "dict", "namespace")}

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """The operators that can make something large."""
        number = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if operator == "**" or (operator == "%" and not number):
            raise SecurityError(f"{operator} may not be used here")
        _require_modest(left, right)
        return super().call_binop(context, operator, left, right)

    def call(self, context: Any, function: Any, /, *words: Any, **named: Any) -> Any:
        """Methods of strings can make something large too: "x".ljust(10 ** 9)."""
        owner = getattr(function, "__self__", None)
        if isinstance(owner, (str, list, tuple)):
            _require_modest(owner, *words, *named.values())
        return super().call(context, function, *words, **named)


def _limited_replace(replace: Callable[..., Any]) -> Callable[..., Any]:
    def limited(eval_context: Any, text: str, old: str, new: str, count: int | None = None) -> Any:
        _require_modest(str(text), str(new))
        return replace(eval_context, text, old, new, count)

    limited.jinja_pass_arg = replace.jinja_pass_arg  # type: ignore[attr-defined]
    return limited


def _require_modest(*values: Any) -> None:
    """What these multiply to, strings and lists by their length, numbers by their size."""
    product = 1
    for value in values:
        sized = isinstance(value, (str, list, tuple))
        product *= (len(value) + 1) if sized else int(abs(value)) + 1 if _is_number(value) else 1
    if product > LARGEST_STEP:
        raise SecurityError("an operation would make something too large")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and abs(value) < float("inf")


@contextmanager
def limits(seconds: float = SECONDS) -> Iterator[None]:
    """Stops what runs here when it has run for too long or taken too much memory."""
    end = time.monotonic() + seconds
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + GROWTH_KIB
    before = sys.gettrace()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001
        if time.monotonic() > end:
            raise SecurityError(f"took more than {seconds:g} s")
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > most:
            raise SecurityError("took too much memory")
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
