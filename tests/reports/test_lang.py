"""Spanish and English say the same things."""

from __future__ import annotations

import importlib
import pkgutil
import re
import string

import pytest

from greta.forensics import analysis, checks, next_steps, races, wording
from greta.forensics.checks import model_mismatch, wrong_binary
from greta.forensics.verdict import HYPOTHESES, LIMITS, VerdictWord
from greta.reports.lang import LANGUAGES, Say, figures, grouped, p_value, percent, shown, sized
from greta.reports.sentences import approximate_sentence
from greta.trace.trace import Gap


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_codes() -> None:
    assert LANGUAGES["en"].keys() == LANGUAGES["es"].keys()


def test_both_languages_use_the_same_data() -> None:
    english, spanish = LANGUAGES["en"], LANGUAGES["es"]
    differing = [
        code for code in english if placeholders(english[code]) != placeholders(spanish[code])
    ]
    assert differing == []


def test_sentences_are_translated() -> None:
    english, spanish = LANGUAGES["en"], LANGUAGES["es"]
    same = [
        code
        for code in english
        if english[code] == spanish[code] and len(re.sub(r"{.*?}", "", english[code]).split()) > 3
    ]
    assert same == []


def test_every_fix_addresses_the_reader_in_spanish() -> None:
    infinitives = [
        code
        for code, sentence in LANGUAGES["es"].items()
        if code.startswith("fix_") and re.match(r"\w+[aei]r(l[aeo]s?)?\b", sentence)
    ]
    assert infinitives == []


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_hypothesis_verdict_and_gap_has_words(lang: str) -> None:
    words = LANGUAGES[lang]  # type: ignore[index]
    assert {f"name_{id_}" for id_ in HYPOTHESES} <= words.keys()
    assert {f"verdict_{word.value}" for word in VerdictWord} <= words.keys()
    assert {f"means_{word.value}" for word in VerdictWord} <= words.keys()
    assert {f"gap_{gap.name.lower()}" for gap in Gap} <= words.keys()


def test_a_code_without_words_is_shown_with_its_data() -> None:
    assert Say("en")("some_code", bytes=4096, name="x") == "some_code (bytes=4096, name=x)"


def test_data_that_is_missing_is_a_question_mark() -> None:
    assert Say("en")("reached") == "reached ?"


def test_a_number_of_bytes_that_is_estimated_is_told_so() -> None:
    data = {"seq": 3, "other": 2, "kernel": "scale", "shared": 3076, "buffer": "0x1000"}
    told = {lang: Say(lang)("kernel_uses_unfinished", **data) for lang in LANGUAGES}
    assert ": 3076 bytes of the buffer" in told["en"]
    assert "comparten 3076 bytes" in told["es"]
    told = {lang: Say(lang)("kernel_uses_unfinished", **data, shared_estimated=1) for lang in told}
    assert ": up to 3076 bytes of the buffer" in told["en"]
    assert "comparten hasta 3076 bytes" in told["es"]


def test_numbers() -> None:
    assert grouped(1234) == "1234"
    assert grouped(1234567) == "1\u202f234\u202f567"
    assert figures(0.014867) == "0.0149"
    assert figures(12.0) == "12"
    assert figures(123456.7) == "123\u202f457"
    assert percent(0.0149) == "1.49\u202f%"
    assert sized(512) == "512 B"
    assert sized(3 << 20) == "3 MiB"
    assert shown(("a", 2)) == "a, 2"


def forensic_codes() -> dict[str, tuple[str, ...]]:
    codes = {**analysis.CODES, **next_steps.CODES}
    for module in pkgutil.iter_modules(checks.__path__):
        codes |= importlib.import_module(f"{checks.__name__}.{module.name}").CODES
    return codes


def test_every_code_of_forensics_has_a_sentence() -> None:
    assert [code for code in forensic_codes() if code not in LANGUAGES["en"]] == []


def test_sentences_ask_for_nothing_that_their_code_does_not_bring() -> None:
    always, estimated = {"seq", "other"}, {"up_to"}
    wrong = {
        code: placeholders(LANGUAGES["en"][code])
        - set(fields)
        - always
        - (estimated if "shared_estimated" in fields else set())
        for code, fields in forensic_codes().items()
    }
    assert {code: names for code, names in wrong.items() if names} == {}


def test_everything_that_may_be_missing_has_a_name() -> None:
    names = {*wording.DOUBTS, *races.DOUBTS, *races.LIMITS, *(gap.name.lower() for gap in Gap)}
    names |= {*LIMITS, *wrong_binary.DOUBTS, *model_mismatch.DOUBTS}
    assert {name for name in names if f"word_missing_{name}" not in LANGUAGES["en"]} == set()


def test_times_have_no_microseconds() -> None:
    built, changed = "2026-11-16T06:01:47.968504+00:00", "2026-11-16T06:08:30+00:00"
    data = {"path": "a.1.2", "built": built, "source": "a.cpp", "source_time": changed}
    sentence = Say("en")("source_newer", **data)
    assert "a.1.2 was built 2026-11-16T06:01:47+00:00," in sentence
    assert changed in sentence


def test_a_p_value_is_a_number_or_a_bound() -> None:
    assert (p_value(0.0312), p_value(1e-9)) == ("p = 0.031", "p < 0.0001")


def test_every_kernel_with_approximate_arithmetic_is_named_with_its_instructions() -> None:
    """Also where names have types and templates; instances of one template are one place."""
    kernels = [
        ("void norm<256, true>(float const*, float*, int)", ("v_rsq_f32",)),
        ("void norm<1024, true>(float const*, float*, int)", ("v_rcp_f32", "v_rsq_f32")),
        ("silu(float*)", ("v_exp_f32",)),
    ]
    told = approximate_sentence(kernels, Say("en"))
    assert "in norm (v_rsq_f32, v_rcp_f32); silu (v_exp_f32); all other" in told
    assert "norm (v_rsq_f32, v_rcp_f32); silu (v_exp_f32);" in approximate_sentence(
        kernels, Say("es")
    )
