"""Does a model's name fit its dimensions? "Llama-2-7B" on a Llama 3 8B file has misled people.

Names are given by hand, so this only ever warns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from greta.model.file import Model
from greta.model.mismatch import Mismatch

_SIZE = re.compile(r"(?<![\d.xX])(\d+(?:\.(\d+))?)\s?([BbMm])(?![A-Za-z0-9])")
_UNITS = {"b": 1e9, "m": 1e6}
_TOLERANCE = 0.12  # "30B" for 32.5 billion is usual, "7B" for 8.03 is wrong

# The vocabularies that tell the Llamas apart; models made from them add a few tokens.
_FAMILIES = {r"llama[-_ ]?2(?![\d.])": 32000, r"llama[-_ ]?3(?!\d)": 128256}

_ADVICE = "check that this is the file you mean"


def name_mismatches(model: Model) -> Iterator[Mismatch]:
    """Warnings for each name that says another size or another family than the weights do."""
    for source, name in _names(model):
        sizes = list(_sizes(name))
        if sizes and not any(_fits(size, slack, model.parameters) for size, slack in sizes):
            found = f"{model.parameters / 1e9:.3g}B parameters"
            yield Mismatch(source, f'a model as "{name}" says', found, _ADVICE, fatal=False)
        yield from _family(source, name, model.config.vocabulary_size)


def _names(model: Model) -> Iterator[tuple[str, str]]:
    for key in ("general.name", "general.size_label"):
        if isinstance(name := model.metadata.get(key), str):
            yield key, name
    yield "file name", model.path.stem


def _sizes(name: str) -> Iterator[tuple[float, float]]:
    """The sizes in a name, and half of what their last digit is worth."""
    for digits, decimals, unit in _SIZE.findall(name):
        worth = _UNITS[unit.lower()]
        yield float(digits) * worth, worth * 10 ** -len(decimals) / 2


def _fits(size: float, slack: float, parameters: int) -> bool:
    return abs(size - parameters) <= max(slack, _TOLERANCE * parameters)


def _family(source: str, name: str, vocabulary: int) -> Iterator[Mismatch]:
    for pattern, usual in _FAMILIES.items():
        named = re.search(pattern, name, re.IGNORECASE)
        if named and not usual / 2 < vocabulary < usual * 2:
            expected = f'a vocabulary of about {usual}, as "{name}" says'
            yield Mismatch(source, expected, vocabulary, _ADVICE, fatal=False)
