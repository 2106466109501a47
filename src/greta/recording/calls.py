"""What a HIP call does, by the entry of the contract, and what it means that it returned."""

from __future__ import annotations

from typing import Final

from greta.recording._contract import EFFECTS, ERROR_NAMES, RETURNS_NO_ERROR, Effects

OWN_STREAM: Final = "_spt"
"""How a call ends whose default stream is that of the calling thread."""


def effects_of(call: str) -> Effects | None:
    """The entry; None of a call that the contract does not know."""
    return EFFECTS.get(call.removesuffix(OWN_STREAM))


def on_own_stream(call: str) -> bool:
    """Whether its default stream is that of the calling thread."""
    return call.endswith(OWN_STREAM)


SUCCESS = 0
NOT_READY = 600  # the usual answer of a query
ORDINARY = (SUCCESS, NOT_READY)

# What these return is an error, but that of an earlier call.
_TELLS_OF_OTHERS = frozenset(("hipGetLastError", "hipPeekAtLastError", "hipExtGetLastError"))


def returns_error(call: str) -> bool:
    """Whether its result is an error code, rather than a level, a device or a text."""
    return call not in RETURNS_NO_ERROR and not call.startswith("roctx")


def can_fail(call: str) -> bool:
    """Whether a result of this call may be an error of its own."""
    return returns_error(call) and call not in _TELLS_OF_OTHERS


def is_failure(call: str, result: int) -> bool:
    """Whether this call itself went wrong; that work is not ready is an ordinary answer."""
    return result not in ORDINARY and can_fail(call)


def result_name(call: str, result: int) -> str | None:
    """The result as HIP spells it; None if this call does not return an error code."""
    return ERROR_NAMES.get(result, f"error {result}") if returns_error(call) else None
