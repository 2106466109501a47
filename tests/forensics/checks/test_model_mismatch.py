"""A model that does not fit itself or its kernels; a name that could mean more does not count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import model_mismatch
from greta.forensics.checks.model_mismatch import CODES
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import Evidence, Message, ModelFact
from greta.trace.trace import Gap
from tests.forensics.checks.launches import LLAMA, launched


def examine(evidence: Evidence) -> Ruling:
    return model_mismatch.examine(Case(evidence))


FITS = {"head_dim": 128, "n_kv_heads": 8}


@pytest.mark.parametrize(
    ("name", "value", "dimension"),
    [
        ("head_dim", 64, "head_dim"),
        ("headDim", 256, "head_dim"),
        ("num_heads", 40, "heads"),
        ("n_kv_heads", 32, "kv_heads"),
        ("num_key_value_heads", 7, "kv_heads"),
        ("hidden_size", 14336, "hidden"),
        ("intermediate_size", 4096, "feed_forward"),
        ("ffn_dim", 11008, "feed_forward"),
        ("vocab_size", 32000, "vocabulary"),
        ("n_layers", 33, "layers"),
        ("seq_len", 8193, "context"),
        ("hidden", 5120, "hidden"),
    ],
)
def test_another_dimension_than_the_models_fires(name: str, value: int, dimension: str) -> None:
    ruling = examine(launched(("rope", FITS), ("rope", {**FITS, name: value})))
    assert ruling.outcome is Outcome.CONFIRMED
    (finding,) = ruling.findings
    assert (finding.code, finding.seq) == ("other_dimension", 2)
    assert finding.data["dimension"] == dimension
    assert finding.data["argument"] == name
    assert finding.data["value"] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("head_dim", 128),
        ("num_heads", 32),
        ("num_heads", 8),  # a kernel that turns the keys
        ("hidden_size", 4096),
        ("hidden", 14336),  # some call the feed-forward part so
        ("hidden", 4096),
        ("intermediate_size", 14336),
        ("vocab_size", 128512),  # padded
        ("seq_len", 13),
        ("dim", 77),
        ("n", 77),
        ("size", 77),
        ("rows", 77),
        ("heads_per_group", 4),
        ("rope_dim", 64),
    ],
)
def test_the_models_own_dimension_or_an_unclear_name_does_not_fire(name: str, value: int) -> None:
    ruling = examine(launched(("rope", {**FITS, name: value})))
    assert ruling.outcome is Outcome.REFUTED


def test_hidden_and_feed_forward_size_are_different_things() -> None:
    (finding,) = examine(launched(("mlp", {"hidden_size": 14336}))).findings
    assert finding.data["is_the"] == "feed_forward"
    assert finding.strength == 2


def test_parts_of_dimensions_may_be_a_split_model() -> None:
    ruling = examine(launched(("attention", {"num_q_heads": 16, "n_kv_heads": 4})))
    assert ruling.outcome is Outcome.INCONCLUSIVE
    assert "split_model" in ruling.missing


def test_parts_that_do_not_fit_together_are_no_split_model() -> None:
    ruling = examine(launched(("attention", {"num_q_heads": 16, "n_kv_heads": 2})))
    assert ruling.outcome is Outcome.CONFIRMED
    assert {finding.strength for finding in ruling.findings} == {1}


def test_one_of_two_models_is_enough() -> None:
    small = ModelFact("draft.gguf", {**LLAMA, "head_dim": 64})
    models = (ModelFact("llama.gguf", LLAMA), small)
    assert examine(launched(("rope", {"head_dim": 64}), models=models)).outcome is Outcome.REFUTED
    ruling = examine(launched(("rope", {"head_dim": 80}), models=models))
    assert ruling.outcome is Outcome.CONFIRMED


def test_what_the_guard_rail_refuses_is_confirmed() -> None:
    wrong = ModelFact("m.gguf", LLAMA, (("heads", "a multiple of the 5 key heads", "32"),))
    ruling = examine(launched(("rope", FITS), models=(wrong,)))
    assert ruling.outcome is Outcome.CONFIRMED
    assert ruling.findings[0].code == "guard_rail_refuses"


@pytest.mark.parametrize("tag", ["GUARD_RAIL_ERROR", "GUARD_RAIL_FATAL"])
def test_the_guard_rails_own_lines_count(tag: str) -> None:
    message = Message("guard_rail", f"[{tag}] head_dim 128 expected 64", line=7)
    ruling = examine(launched(("rope", FITS), messages=(message,), models=()))
    assert ruling.outcome is Outcome.CONFIRMED
    assert ruling.findings[0].data["line"] == 7


def test_a_model_that_was_refused_in_time_was_given_to_no_kernel() -> None:
    message = Message("guard_rail", "[GUARD_RAIL_FATAL] head_dim 128 expected 64", line=7)
    assert examine(launched(messages=(message,), models=())).outcome is Outcome.NOT_EXERCISED


def test_a_guard_rail_that_is_switched_off_is_no_mismatch() -> None:
    message = Message("guard_rail", "[GUARD_RAIL] WARNING: Guard rail DISABLED", line=7)
    assert examine(launched(("rope", FITS), messages=(message,))).outcome is Outcome.REFUTED


def test_without_a_model_it_was_not_exercised() -> None:
    assert examine(launched(("rope", {"head_dim": 5}), models=())).outcome is Outcome.NOT_EXERCISED


@pytest.mark.parametrize(
    ("evidence", "missing"),
    [
        (launched(("k", {"n": 4})), "named_dimensions"),
        (launched(("k", FITS), models=(ModelFact("m", problem="gone"),)), "model_file"),
        (launched(("k", FITS), gaps={Gap.UNKNOWN_KERNELS: "1"}), "UNKNOWN_KERNELS"),
        (launched(("k", FITS), gaps={Gap.CUT_SHORT: "killed"}), "CUT_SHORT"),
    ],
)
def test_what_was_not_seen_is_not_refuted(evidence: Evidence, missing: str) -> None:
    ruling = examine(evidence)
    assert ruling.outcome is Outcome.INCONCLUSIVE
    assert missing in ruling.missing


def test_findings_have_the_data_that_their_sentences_need() -> None:
    message = Message("guard_rail", "[GUARD_RAIL_FATAL] x")
    wrong = ModelFact("m.gguf", LLAMA, (("heads", "1", "2"),))
    wrong = replace(wrong, parameters=(8_000_000_000,))
    printed = ModelFact("the log", {"head_dim": 96}, parameters=(6_738_000_000,))
    evidence = launched(("k", {"head_dim": 1}), models=(wrong,), messages=(message,))
    ruling = examine(replace(evidence, printed=(printed,)))
    assert {finding.code for finding in ruling.findings} == set(CODES) - {
        code for code in CODES if code.startswith("model_mismatch_")
    }
    for finding in ruling.findings:
        assert set(finding.data) == set(CODES[finding.code])
    assert set(ruling.data) == set(CODES[ruling.code])


FILE = ModelFact("m.gguf", LLAMA, name="Llama 3 8B", parameters=(8_030_000_000,))


def with_printed(printed: ModelFact) -> Evidence:
    return replace(launched(("rope", FITS), models=(FILE,)), printed=(printed,))


@pytest.mark.parametrize(
    ("printed", "code"),
    [
        (ModelFact("the log", {"vocabulary": 32000}), "printed_dimension"),
        (ModelFact("the log", {"feed_forward": 11008, "layers": 32}), "printed_dimension"),
        (ModelFact("the log", parameters=(6_738_150_000,)), "printed_parameters"),
    ],
)
def test_what_the_program_printed_against_the_file_fires(printed: ModelFact, code: str) -> None:
    ruling = examine(with_printed(printed))
    assert ruling.outcome is Outcome.CONFIRMED
    assert [finding.code for finding in ruling.findings] == [code]


@pytest.mark.parametrize(
    "printed",
    [
        ModelFact("the log", LLAMA, name="Llama-3-8B", parameters=(8_835_300_000,)),
        ModelFact("the log", {"vocabulary": 128512 - 1}),  # padded
        ModelFact("the log", {"experts": 8}),
        ModelFact("the log", name="my-finetune"),
    ],
)
def test_what_the_program_printed_and_the_file_has_does_not(printed: ModelFact) -> None:
    assert examine(with_printed(printed)).outcome is Outcome.REFUTED


def test_another_name_than_the_files_leaves_it_open() -> None:
    ruling = examine(with_printed(ModelFact("the log", name="Llama-2-7B")))
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("printed_model",))
