"""Of every call of the contract the reading of a trace has what the call's entry says."""

from __future__ import annotations

import re

import pytest

from contract.model import Call, load
from contract.recorder_model import words
from contract.structs import STRUCTS
from greta.trace.reading.calls import IN_STRUCT
from greta.trace.reading.meanings import Meaning, meaning_of

CONTRACT = load()
BY_NAME = {call.name: call for call in (*CONTRACT.calls, *CONTRACT.own)}
MEANINGS: dict[str, Meaning] = {
    name: meaning for name in BY_NAME if (meaning := meaning_of(name)) is not None
}


@pytest.mark.parametrize("name", sorted(MEANINGS))
def test_a_meaning_uses_words_that_its_call_has(name: str) -> None:
    for word in MEANINGS[name].names:
        assert_has_word(BY_NAME[name], word)


def assert_has_word(call: Call, name: str) -> None:
    place = IN_STRUCT.fullmatch(name)
    kept = {word.name: word for word in words(call)}
    if place is None:
        assert name in kept
        return
    pointed = re.sub(r"const |\*", "", kept[place["word"]].type).strip()
    assert int(place["offset"]) + int(place["bytes"] or 8) <= STRUCTS[pointed].bytes
