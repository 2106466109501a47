"""What a call returned: whether that is an error of its own, and its name."""

from __future__ import annotations

import re

from greta.recording import ERROR_NAMES

SUCCESS = 0
NOT_READY = 600  # the usual answer of a query

# These return something else than an error: a level, a device, a text.
_RETURNS_NO_ERROR = re.compile(r"roctx\w+|hipGetStreamDeviceId|hip\w*GetError(?:Name|String)")
# What these return is an error, but that of an earlier call.
_TELLS_OF_OTHERS = re.compile(r"hip(?:Ext)?GetLastError|hipPeekAtLastError")


def result_name(call: str, result: int) -> str | None:
    """The result as HIP spells it; None if this call does not return an error code."""
    if _RETURNS_NO_ERROR.fullmatch(call):
        return None
    return ERROR_NAMES.get(result, f"error {result}")


def is_failure(call: str, result: int) -> bool:
    """Whether this call itself went wrong."""
    if result in (SUCCESS, NOT_READY):
        return False
    return not (_RETURNS_NO_ERROR.fullmatch(call) or _TELLS_OF_OTHERS.fullmatch(call))
