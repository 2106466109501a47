"""The keys of a GGUF file, asked for by type."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.errors import ModelError
from greta.model.header import Strings


class Metadata(Mapping[str, object]):
    """The keys and values; what is missing or of another type is told with file and key."""

    def __init__(self, file: str, values: Mapping[str, object]) -> None:
        self.file = file
        self._values = values

    def __getitem__(self, key: str) -> object:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def wrong(self, key: str, why: str) -> ModelError:
        """The error that says what is wrong with a key."""
        return ModelError(f"{self.file}: {key}: {why}")

    def text(self, key: str, default: str | None = None) -> str:
        """A string."""
        return str(self._typed(key, default, str, "text"))

    def flag(self, key: str, default: bool) -> bool:
        """A truth value."""
        return bool(self._typed(key, default, bool, "true or false"))

    def whole(self, key: str, default: int | None = None, *, least: int, most: int) -> int:
        """An integer within bounds."""
        value = self._typed(key, default, int, "one whole number")
        if isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, f"is {value}, and must be from {least} to {most}")
        return int(value)

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number above zero; all of a model's are."""
        value = float(self._typed(key, default, (int, float), "a number"))
        if not (math.isfinite(value) and value > 0):
            raise self.wrong(key, f"is {value}, and must be above zero")
        return value

    def strings(self, key: str) -> Strings:
        """A list of strings."""
        value: Strings = self._typed(key, None, Strings, "a list of strings")
        return value

    def numbers(self, key: str, count: int) -> npt.NDArray[Any]:
        """An array of `count` numbers or more."""
        value = self._typed(key, None, np.ndarray, "a list of numbers")
        if len(value) < count:
            raise self.wrong(key, f"has {len(value)} entries, and must have {count}")
        return np.asarray(value)[:count]

    def _typed(self, key: str, default: Any, kind: Any, words: str) -> Any:
        value = self._values.get(key, default)
        if value is None:
            raise self.wrong(key, "is missing")
        if not isinstance(value, kind):
            raise self.wrong(key, f"must be {words}")
        return value
