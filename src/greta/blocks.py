"""Announce blocks inside allocations to the recorder.

An allocator that carves tensors out of few big allocations hides them from whoever watches HIP.
With two lines in it each block becomes known, with its name, its stream and the line of the call:

    from greta import blocks

    blocks.created(base, size, name="kv_cache.k", stream=stream)
    blocks.destroyed(base, stream=stream)

Under `greta run` each is a record. Anywhere else nothing happens. C and C++ programs include
<greta/blocks.h> instead.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable

__all__ = ["created", "destroyed"]

_Announce = Callable[[int, int, bytes | None, int], None]


def created(base: int, bytes_: int, *, name: str | None = None, stream: int = 0) -> None:
    """A block of `bytes_` bytes begins at the device address `base`; `stream` uses it first."""
    text = None if name is None else name.encode("utf-8", "surrogateescape")
    _function("greta_recorder_block_created")(base, bytes_, text, stream)


def destroyed(base: int, *, stream: int = 0) -> None:
    """The block at `base` is no more, once the work queued on `stream` so far is done."""
    _function("greta_recorder_block_destroyed")(base, 0, None, stream)


@functools.cache
def _function(name: str) -> _Announce:
    """The recorder's function in this process, or one that does nothing."""
    try:
        function = getattr(ctypes.CDLL(None), name)
    except AttributeError:
        return _ignore
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p)
    function.restype = None
    announce: _Announce = function
    return announce


def _ignore(base: int, bytes_: int, name: bytes | None, stream: int) -> None:
    """Nobody records."""
