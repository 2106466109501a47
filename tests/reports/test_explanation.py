"""The reasoning on one hypothesis, in full."""

from __future__ import annotations

import importlib
import pkgutil
import string
from typing import Any

import pytest

from greta.forensics import checks
from greta.forensics.order import REMEDIES
from greta.forensics.verdict import HYPOTHESES, Finding, Verdict
from greta.reports.lang import LANGUAGES, Language, Say
from greta.reports.terminal import UNTOLD, details, explanation_lines
from tests.reports.documents import reported

WORDS = {
    "stream": "0x5e10",
    "other_stream": "default",
    "event_seq": 11,
    "call_seq": 12,
}


def race(remedy: str | None) -> Verdict:
    names = REMEDIES[remedy] if remedy else ()
    data: dict[str, Any] = {"seq": 14, "other": 13, "remedy": remedy}
    data |= {f"remedy_{name}": WORDS[name] for name in names}
    finding = {"code": "transfer_uses_unfinished", "seq": 14, "other": 13, "data": data}
    ruling = {"id": "missing_sync", "verdict": "CONFIRMED", "code": "missing_sync_confirmed"}
    return reported({"hypotheses": [{**ruling, "findings": [finding]}]}).verdict


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("remedy", REMEDIES)
def test_a_race_is_told_with_the_synchronization_that_it_lacks(remedy: str, lang: Language) -> None:
    say = Say(lang)
    last = explanation_lines(race(remedy), "missing_sync", say)[-1].text
    assert all(str(WORDS[name]) in last for name in REMEDIES[remedy])
    assert "#14" in last
    assert "remedy" not in last
    assert "?" not in last


def test_a_finding_without_a_remedy_is_told_without() -> None:
    with_one, without = (
        explanation_lines(race(remedy), "missing_sync", Say("en"))
        for remedy in ("record_and_wait", None)
    )
    assert len(without) == len(with_one) - 1


def found(data: dict[str, Any]) -> Finding:
    return Finding(data["code"], 13, data=data["data"])


FINDING = {
    "code": "kernel_past_end",
    "data": {
        "call": "hipModuleLaunchKernel",
        "kernel": "rope",
        "stream": 0,
        "thread": 0,
        "side": "argument",
        "argument": 1,
        "address": "0x7e81000",
        "bytes": 64,
        "buffer": "0x7e81000",
        "buffer_bytes": 64,
        "allocated_by": 10,
        "freed_by": None,
        "fault_address": "0x7e82000",
        "suspects": 4,
        "reach": 130820,
        "past_end": 4032,
        "seq": 13,
    },
}


def test_beyond_the_sentence_facts_are_told_by_name() -> None:
    assert details(found(FINDING), Say("es")) == [
        "llamada HIP: hipModuleLaunchKernel",
        "búfer reservado por la llamada: #10",
        "operaciones que pudieron hacerlo: 4",
        "bytes que el lanzamiento podría alcanzar, estimados por su rejilla: 130\u202f820",
    ]


def test_threads_are_told_where_there_are_several() -> None:
    race: dict[str, Any] = {"code": "host_uses_unfinished", "data": {"call": "greta_host_touch"}}
    race["data"] |= {"thread": 0, "other_thread": 2}
    assert details(found(race), Say("en")) == ["host thread: 0", "host thread of the other: 2"]


def test_every_fact_that_a_sentence_leaves_out_has_a_name() -> None:
    nameless = {
        name
        for code, fields in finding_codes().items()
        for name in set(fields) - placeholders(LANGUAGES["en"][code]) - UNTOLD
        if not name.startswith("remedy") and f"field_{name}" not in LANGUAGES["en"]
    }
    assert nameless == set()


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def finding_codes() -> dict[str, tuple[str, ...]]:
    modules = pkgutil.iter_modules(checks.__path__)
    every = [
        importlib.import_module(f"{checks.__name__}.{module.name}").CODES for module in modules
    ]
    return {
        code: fields
        for codes in every
        for code, fields in codes.items()
        if not code.startswith(HYPOTHESES)
    }


@pytest.mark.parametrize(
    ("lang", "fact"),
    [
        ("en", "taken for written because the pointer is not const: yes"),
        ("es", "se da por escrito porque el puntero no es const: sí"),
    ],
)
def test_that_a_write_is_only_taken_for_one_is_said_and_not_counted(
    lang: Language, fact: str
) -> None:
    data = {"may_write": 1}
    assert details(found({"code": "host_uses_unfinished", "data": data}), Say(lang)) == [fact]
    data["may_write"] = 0
    assert details(found({"code": "host_uses_unfinished", "data": data}), Say(lang)) == []
