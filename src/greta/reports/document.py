"""The JSON that a report shows, read with care: it may come from anywhere and be damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from greta.errors import NotJsonError, UsageError
from greta.folder_files import read_judged_file

_LARGEST_NUMBER = 1e300
T = TypeVar("T")


class DocumentError(UsageError):
    """A file that is no summary and no verdict."""


class Document:
    """A JSON object. What is missing, or is not of the type asked for, is the default."""

    def __init__(self, data: Any) -> None:
        self._data = data if isinstance(data, dict) else {}

    def __bool__(self) -> bool:
        return bool(self._data)

    def __contains__(self, name: str) -> bool:
        return self._data.get(name) is not None

    def text(self, name: str, default: str = "") -> str:
        """A string."""
        value = self._data.get(name)
        return value if isinstance(value, str) else default

    def whole(self, name: str, default: int = 0) -> int:
        """A whole number."""
        value = self._data.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def number(self, name: str) -> float | None:
        """Any number; None if there is none."""
        value = self._data.get(name)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return None
        return float(value) if abs(value) < _LARGEST_NUMBER else None

    def truth(self, name: str, default: bool = False) -> bool:
        """true or false."""
        value = self._data.get(name)
        return value if isinstance(value, bool) else default

    def part(self, name: str) -> Document:
        """An object inside."""
        return Document(self._data.get(name))

    def parts(self, name: str) -> list[Document]:
        """A list of objects."""
        return [Document(one) for one in self._list(name) if isinstance(one, dict)]

    def texts(self, name: str) -> list[str]:
        """A list of strings."""
        return [one for one in self._list(name) if isinstance(one, str)]

    def numbers(self, name: str) -> list[float]:
        """A list of numbers."""
        given = [one for one in self._list(name) if isinstance(one, (int, float))]
        return [float(one) for one in given if abs(one) < _LARGEST_NUMBER]

    def items(self) -> Iterator[tuple[str, Any]]:
        """Everything, by name."""
        return iter(self._data.items())

    def _list(self, name: str) -> list[Any]:
        value = self._data.get(name)
        return value if isinstance(value, list) else []


def read_document(path: Path) -> Document:
    """summary.json or verdict.json."""
    try:
        data = read_judged_file(path)
    except OSError as error:
        raise DocumentError(f"cannot read {path}: {error.strerror}") from None
    except NotJsonError:
        raise DocumentError(f"{path} is not JSON; name a run folder or a summary.json") from None
    document = Document(data)
    if document.whole("schema") != 1 or "verdict" not in document:
        raise DocumentError(
            f"{path} is no summary of schema 1; name what `greta audit` or `greta analyze` wrote"
        )
    return document
