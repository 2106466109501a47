"""Damage: the error where nothing can be read, and the list of what else could not be."""

from __future__ import annotations

from greta.errors import ExitCode, GretaError


class RecordingError(GretaError):
    """Nothing can be read here: not a recording, or one of another version."""

    exit_code = ExitCode.BAD_USAGE


# A file of noise has a problem in every line; a person reads the first few.
LIMIT = 100


class Problems:
    """Sentences in the order they were found, bounded in number."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._left_out = 0

    def add(self, file: str, offset: int | None, what: str) -> None:
        """Note that `what` is wrong with a file, at a byte offset if there is one place."""
        if len(self._sentences) >= LIMIT:
            self._left_out += 1
            return
        place = file if offset is None else f"{file}, byte {offset}"
        self._sentences.append(f"{place}: {what}")

    def sentences(self) -> list[str]:
        """All of them; the last one counts those past the limit."""
        if not self._left_out:
            return list(self._sentences)
        return [*self._sentences, f"and {self._left_out} more"]
