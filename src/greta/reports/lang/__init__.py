"""Words per language. Codes and data come from forensics and lab; sentences are only here.

A new sentence is a line in en.py and one in es.py; a test compares their keys and placeholders.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from greta.forensics.saying import Saying
from greta.reports.lang import en, es
from greta.symbols.sites import short_name

Language: TypeAlias = Literal["en", "es"]
LANGUAGES: Final[dict[Language, dict[str, str]]] = {"en": en.WORDS, "es": es.WORDS}

_SMALLEST_CHANCE: Final = 0.0001
_SPACES: Final = re.compile(" {2,}")
_MICROSECONDS: Final = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(?=[+Z-]|$)")
"""Behind a time, which nobody reads so closely."""
_CODES: Final = {"gaps": "word_missing", "problem": "problem"}
"""Data whose values have the words of something else; for others it is word_NAME."""
_KERNELS: Final = ("kernel", "other_kernel", "kernels", "awaited")
_CALLS: Final = ("call", "other_call")
_DIGESTS: Final = ("sha256", "build_id")
_DEEPEST: Final = 3
"""The access of a side, in a doubt, in a reason."""
_SHORT_DIGEST: Final = 16
"""Letters that tell files apart in a sentence; the document has them whole."""
_SPACE: Final = "\u202f"
"""Between thousands. With the decimal point it is what both languages accept, so that a number
looks the same in both."""


class Say:
    def __init__(self, lang: Language) -> None:
        self.lang = lang
        self._words = LANGUAGES[lang]

    def __call__(self, code: str, /, **data: Any) -> str:
        """The sentence of a code. A code that has none is shown as it is: nothing is lost."""
        sentence = self._words.get(code)
        if sentence is None:
            return _raw(code, data)
        named = {name: self._value(name, value) for name, value in data.items()}
        named |= self._derived(data)
        if named.get("kernel") == named.get("other_kernel"):  # they may differ in their types alone
            named |= {name: data[name] for name in _KERNELS[:2] if name in data}
        return _SPACES.sub(" ", sentence.format_map(_Shown(named))).replace(" )", ")")

    def _derived(self, data: Mapping[str, Any]) -> dict[str, str]:
        up_to = self._words["word_up_to"] if data.get("shared_estimated") else ""
        return {**self._argument(data), "up_to": up_to}

    def _argument(self, data: Mapping[str, Any]) -> dict[str, str]:
        """A kernel's argument as its author knows it: by its name; else by its place, from 1."""
        place, name = data.get("argument"), data.get("parameter")
        if not isinstance(place, int):
            return {}
        if name:
            return {"argument": f"'{name}'"}  # names such as y and in are words, too
        return {"argument": self._words["argument_counted"].format(place=place + 1)}

    def argument(self, data: Mapping[str, Any]) -> str:
        return self._argument(data).get("argument", "")

    def _value(self, name: str, value: Any) -> Any:
        """Values that are words themselves, such as side=source, have words of their own."""
        if isinstance(value, (tuple, list)):
            return [self._value(name, one) for one in value]
        if isinstance(value, Saying):
            return self._saying(value)
        if name == "p" and isinstance(value, float):
            return p_value(value)
        if name in _DIGESTS and isinstance(value, str):
            return value[:_SHORT_DIGEST]
        if name in _KERNELS and isinstance(value, str):
            return short_name(value)
        if isinstance(value, str):
            kind = _CODES.get(name, f"word_{name}")
            return self._words.get(f"{kind}_{value.lower()}", value)
        return value

    def _saying(self, value: Saying, depth: int = 0) -> str:
        """A sentence within a sentence, with data of its own; what is from outside may be deep."""
        sentence = self._words.get(value.code)
        if sentence is None:
            return _raw(value.code, value.data)
        calls = {name: self._value(name, one) for name, one in value.data.items() if name in _CALLS}
        own = self._derived(value.data)
        inner = {
            name: self._saying(one, depth + 1)
            for name, one in value.data.items()
            if isinstance(one, Saying) and depth < _DEEPEST
        }
        return sentence.format_map(_Shown({**value.data, **calls, **own, **inner}))

    def saying(self, saying: Saying) -> str:
        """In words: by the code; as a file says it where that has no sentence."""
        if saying.text and not self.has(saying.code):
            return saying.text
        return self.of(saying.code, saying.data)

    def of(self, code: str, data: Mapping[str, object]) -> str:
        return self(code, **data)

    def counted(self, code: str, count: int) -> str:
        """One has words of its own."""
        return self(f"{code}_1" if count == 1 else code, count=count)

    def has(self, code: str) -> bool:
        return code in self._words


Saying.said_by = Say("en").saying


class _Shown(dict[str, str]):
    def __init__(self, data: Mapping[str, object]) -> None:
        super().__init__({name: shown(value) for name, value in data.items()})

    def __missing__(self, name: str) -> str:
        return "?"


def _raw(code: str, data: Mapping[str, object]) -> str:
    details = ", ".join(f"{name}={shown(value)}" for name, value in data.items())
    return f"{code} ({details})" if details else code


def shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        if isinstance(value, (tuple, list)):
            return ", ".join(map(shown, value))
        return _MICROSECONDS.sub(r"\1", str(value))
    return grouped(value) if isinstance(value, int) else figures(value)


def grouped(value: int) -> str:
    """12 345, but 1234."""
    text = str(value)
    return f"{value:,}".replace(",", _SPACE) if len(text.lstrip("-")) > 4 else text


def figures(value: float, digits: int = 3) -> str:
    if not math.isfinite(value):
        return "?"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(places, 12)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    whole, point, rest = text.partition(".")
    return grouped(int(whole)) + point + rest if len(whole.lstrip("-")) > 4 else text


def chance(value: float) -> str:
    """A probability; of very small ones only that they are."""
    return figures(value, 2) if value >= _SMALLEST_CHANCE else f"< {_SMALLEST_CHANCE:.4f}"


def p_value(value: float) -> str:
    """p = 0.031, or p < 0.0001."""
    text = chance(value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def percent(value: float) -> str:
    """0.0149 is 1.49 %."""
    return f"{figures(value * 100)}{_SPACE}%"


def sized(count: int) -> str:
    """Bytes, such as 4.0 MiB; exact where it is small."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{grouped(count)} B" if unit == "B" else f"{figures(size)} {unit}"
        size /= 1024
    return f"{figures(size)} TiB"
