"""Will it fit? Asked before anything is allocated, and answered with what takes how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from greta.engine.errors import DeviceMemoryError
from greta.hip import HipError, memory_info

_OUT_OF_MEMORY = "hipErrorOutOfMemory"
_ADVICE = "use a smaller --context or --batch-size, or a smaller model"


def require_room(needs: Mapping[str, int]) -> None:
    """Raises DeviceMemoryError if the device has not that many bytes free."""
    total, free = sum(needs.values()), memory_info().free
    if total > free:
        parts = ", ".join(f"{what} {size_text(size)}" for what, size in needs.items())
        raise DeviceMemoryError(
            f"the device has {size_text(free)} free and {size_text(total)} are needed "
            f"({parts}); {_ADVICE}"
        )


@contextmanager
def allocating(what: str) -> Iterator[None]:
    """Turns the device's refusal inside the block into a sentence that says what to do."""
    try:
        yield
    except HipError as error:
        if error.name != _OUT_OF_MEMORY:
            raise
        raise DeviceMemoryError(
            f"the device ran out of memory for {what}, with {size_text(memory_info().free)} free; "
            f"{_ADVICE}"
        ) from error


def size_text(count: int) -> str:
    """Bytes for people to read.

    >>> size_text(3 << 29)
    '1.5 GiB'
    """
    size = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"
