"""Names for spans of work, as roctx ranges: phase, step, layer, tensor.

The recorder puts the open ranges beside every call, and ROCm's profilers draw them. They nest:

    decode > step=3 > layer=2 > tensor=attn_q

Nothing is loaded or called unless someone listens.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

VARIABLE = "GRETA_ANNOTATE"
_RECORDER = "libgreta_recorder"
_LIBRARY = "libroctx64.so"

Action = Callable[[], object]


class RoctxRanges:
    """Opens and closes ranges."""

    def __init__(self, push: Callable[[bytes], object], pop: Action) -> None:
        self._push = push
        self.close: Action = pop

    def opening(self, name: str) -> Action:
        """A ready call that opens a range, to be made many times."""
        text = name.encode()
        return lambda: self._push(text)

    def note(self, name: str) -> None:
        """A range around nothing: a recording keeps its name, and no call is inside it."""
        self._push(name.encode(errors="surrogateescape"))
        self.close()

    def range(self, name: str) -> AbstractContextManager[None]:
        """A range around a block."""
        return self._range(name.encode())

    @contextmanager
    def _range(self, text: bytes) -> Iterator[None]:
        self._push(text)
        try:
            yield
        finally:
            self.close()


class NoRanges(RoctxRanges):
    """Nobody listens."""

    def __init__(self) -> None:
        super().__init__(lambda _: None, lambda: None)
        self._nothing = nullcontext()

    def range(self, name: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """Nothing around a block."""
        return self._nothing


def find_annotations(environment: Mapping[str, str] = os.environ) -> RoctxRanges:
    """roctx, if the recorder is loaded or GRETA_ANNOTATE=1 asks for it and the library is there."""
    asked = environment.get(VARIABLE)
    if asked == "0" or not (asked or _RECORDER in environment.get("LD_PRELOAD", "")):
        return NoRanges()
    root = environment.get("ROCM_PATH")
    # The chosen device's own first: ROCM_PATH points at its tree.
    for name in (*((str(Path(root) / "lib" / _LIBRARY),) if root else ()), _LIBRARY):
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            return RoctxRanges(library.roctxRangePushA, library.roctxRangePop)
    return NoRanges()
