"""Every call of the contract that has to do with memory or order is understood, or named as not."""

from __future__ import annotations

import re

import pytest

from contract.model import Call, load
from contract.recorder_model import POINTED_BYTES, words
from greta.trace.reading import allocations, gaps
from greta.trace.reading.call_rows import IN_STRUCT
from greta.trace.reading.meanings import MEANINGS
from greta.trace.reading.no_meaning import WITHOUT_MEANING

CHAPTERS = (
    *("device", "context", "memory", "copy", "symbol", "pool", "vmm", "stream", "event"),
    *("launch", "graph", "array", "ipc", "external"),
)
RECORDERS_OWN = {"greta_host_touch", "greta_added_sync"}
NAMED_GAPS = gaps.ORDER_BY_OTHER_MEANS | gaps.MEMORY_NOT_KEPT | gaps.KERNELS_NOT_KEPT
UNDERSTOOD = {*MEANINGS, *allocations.MADE, *allocations.ENDED, *NAMED_GAPS}

CONTRACT = load()
BY_NAME = {call.name: call for call in CONTRACT.calls}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_call_is_understood_or_named(chapter: str) -> None:
    calls = {call.name.removesuffix("_spt") for call in CONTRACT.in_chapter(chapter)}
    assert sorted(calls - UNDERSTOOD - WITHOUT_MEANING) == []


def test_no_call_is_both_understood_and_without_meaning() -> None:
    assert sorted(WITHOUT_MEANING & UNDERSTOOD) == []


def test_only_calls_of_the_contract_are_named() -> None:
    assert sorted((UNDERSTOOD | WITHOUT_MEANING) - set(BY_NAME) - RECORDERS_OWN) == []


@pytest.mark.parametrize("name", sorted(set(MEANINGS) - RECORDERS_OWN))
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
    assert int(place["offset"]) + int(place["bytes"] or 8) <= POINTED_BYTES[pointed]
