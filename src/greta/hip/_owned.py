"""What streams, events, buffers, modules and graphs have in common: they must be given back."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any, TypeVar

from greta.hip._bindings import call, hip

Self = TypeVar("Self", bound="OwnedHandle")


class OwnedHandle:
    """A HIP object and the call that gives it back.

    It is given back by `close`, at the end of a `with` block, or when nothing refers to it any
    more; at the end of the process it is left to the runtime.
    """

    def __init__(self, native: Any, destroy: str | None) -> None:
        self._native = native
        self._closed = False
        self._give_back = weakref.finalize(self, _give_back_quietly, native, destroy)
        self._give_back.atexit = False

    @property
    def native(self) -> Any:
        """The object as AMD's bindings take it."""
        if self._closed:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._native

    @property
    def handle(self) -> int:
        """The object as a number; 0 for NULL."""
        native = self.native
        return int(native) if native is not None else 0

    def close(self) -> None:
        """Gives the object back; a second call does nothing."""
        self._closed = True
        if (pending := self._give_back.detach()) is not None:
            native, destroy = pending[2]
            if destroy is not None:
                call(destroy, native)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            # The first error is the one to see; after a fault every later call fails too.
            self._closed = True
            self._give_back()

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"{self.handle:#x}"
        return f"{type(self).__name__}({state})"


def _give_back_quietly(native: Any, destroy: str | None) -> None:
    if destroy is not None:
        getattr(hip(), destroy)(native)
