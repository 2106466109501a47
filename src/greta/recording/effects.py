"""What a HIP call does: the one entry of the contract, by the name of the call."""

from __future__ import annotations

from typing import Final

from greta.recording._contract import EFFECTS, Effects

OWN_STREAM: Final = "_spt"
"""How a call ends whose default stream is that of the calling thread."""


def effects_of(call: str) -> Effects | None:
    """The entry; None of a call that the contract does not know."""
    return EFFECTS.get(call.removesuffix(OWN_STREAM))


def on_own_stream(call: str) -> bool:
    """Whether its default stream is that of the calling thread."""
    return call.endswith(OWN_STREAM)
