"""Text to tokens and back; what llama.cpp makes of the same texts is in test_llama_cpp.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greta.model import Model, ModelError, Tokenizer
from greta.model.header import Metadata
from greta.model.tokenizer import read_tokenizer
from greta.model.tokenizer.vocabulary import as_bytes, as_text, code_points
from tests.model.gguf_bytes import strings_in_a_file
from tests.model.texts import LACKING_PIECES, TEXTS
from tests.model.variants import variant
from tests.model.vocabularies import (
    PRE_TOKENIZERS,
    metadata_of,
    tokenizer_of,
    write_byte_pairs,
    write_lacking_pairs,
    write_sentence_pieces,
)


@pytest.fixture(scope="module")
def byte_pairs(tmp_path_factory: pytest.TempPathFactory) -> list[Tokenizer]:
    folder = tmp_path_factory.mktemp("byte_pairs")
    for pre in PRE_TOKENIZERS:
        write_byte_pairs(folder / pre, pre)
    return [tokenizer_of(folder / pre) for pre in PRE_TOKENIZERS]


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    path = tmp_path_factory.mktemp("pieces") / "v.gguf"
    write_sentence_pieces(path)
    return tokenizer_of(path)


@given(st.text(max_size=60))
@settings(max_examples=150)
def test_byte_pairs_come_back(byte_pairs: list[Tokenizer], text: str) -> None:
    for tokenizer in byte_pairs:
        assert tokenizer.decode(tokenizer.encode(text)) == text


@given(st.text(max_size=60).filter(lambda text: "\u2581" not in text))
@settings(max_examples=150)
def test_sentence_partscome_back(pieces: Tokenizer, text: str) -> None:
    assert pieces.decode(pieces.encode(text)) == text


@given(st.binary(max_size=40))
@settings(max_examples=150)
def test_any_bytes_have_tokens(byte_pairs: list[Tokenizer], pieces: Tokenizer, data: bytes) -> None:
    for tokenizer in (*byte_pairs, pieces):
        assert all(0 <= token < len(tokenizer) for token in tokenizer.encode(data))


@given(st.text(max_size=40))
@settings(max_examples=150)
def test_a_stream_gives_whole_characters(byte_pairs: list[Tokenizer], text: str) -> None:
    tokenizer = byte_pairs[0]
    stream = tokenizer.stream()
    shown = ""
    for token in tokenizer.encode(text):
        shown += stream.push(token)
        assert text.startswith(shown)
    assert shown + stream.finish() == text


def test_a_stream_ends_an_unfinished_character(byte_pairs: list[Tokenizer]) -> None:
    tokenizer = byte_pairs[0]
    token = tokenizer.vocabulary.words()["ð"]  # byte 0xF0, which begins four
    stream = tokenizer.stream()
    assert stream.push(token) == ""
    assert stream.finish() == "\ufffd"


def test_control_tokens_come_only_when_asked_for(tiny: Model) -> None:
    text = "<|im_start|>user\nHi<|im_end|>"
    plain = tiny.tokenizer.encode(text)
    assert not set(plain) & {0, 1, 2}
    assert tiny.tokenizer.decode(plain) == text
    special = tiny.tokenizer.encode(text, special=True)
    assert (special[0], special[-1]) == (1, 2)
    assert tiny.tokenizer.decode(special) == "user\nHi"
    assert tiny.tokenizer.decode(special, special=True) == text


def test_a_word_that_is_a_control_token_is_spelled(tmp_path: Path) -> None:
    """Whole words are tokens in Llama 3's way; a control token must not be had like that."""
    write_byte_pairs(tmp_path / "v.gguf", "llama-bpe")
    tokenizer = tokenizer_of(tmp_path / "v.gguf")
    number = tokenizer.vocabulary.words()["Ġboxes"]
    assert number in tokenizer.encode("a boxes")
    metadata = metadata_of(tmp_path / "v.gguf")
    kinds = np.array(metadata["tokenizer.ggml.token_type"])
    kinds[number] = 3
    values = {**metadata, "tokenizer.ggml.token_type": kinds}
    safe = read_tokenizer(Metadata("v.gguf", values))
    assert number not in safe.encode("a boxes")
    assert safe.decode(safe.encode("a boxes")) == "a boxes"


def test_the_beginning_is_marked_as_the_model_wants(pieces: Tokenizer, tiny: Model) -> None:
    assert pieces.encode("x")[0] == 1
    assert pieces.encode("x", bos=False)[0] != 1
    assert pieces.encode("") == [1]
    assert tiny.tokenizer.encode("") == []
    assert tiny.tokenizer.encode("", bos=True) == [1]


def test_a_space_goes_before_the_first_piece_and_after_special_ones(pieces: Tokenizer) -> None:
    space = pieces.encode("", bos=False) + pieces.encode(" ", bos=False)
    assert pieces.decode(space) == " "
    ids = pieces.encode("a</s>a", special=True, bos=False)
    at = ids.index(2)
    assert ids[:at] == ids[at + 1 :]


def test_stop_tokens(tiny: Model) -> None:
    assert tiny.tokenizer.stops == {0, 2}


def test_ids_that_are_no_tokens_are_nothing(tiny: Model) -> None:
    assert tiny.tokenizer.decode([-1, 512, 1 << 40]) == ""


@pytest.mark.parametrize("text", TEXTS)
def test_escaped_text_keeps_its_bytes(text: bytes) -> None:
    assert as_bytes(as_text(text)) == text
    assert as_text(as_text(text)) == as_text(text)


def test_lone_surrogates_as_from_json_have_tokens(tiny: Model) -> None:
    assert tiny.tokenizer.encode("a\ud83db") == tiny.tokenizer.encode(b"a\xed\xa0\xbdb")


@given(st.text(max_size=30))
def test_code_points_of_sound_text(text: str) -> None:
    assert [chr(point) for point in code_points(text.encode())] == list(text)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another kind": ({"tokenizer.ggml.model": "bert"}, 'model: is "bert"'),
    "another splitting": ({"tokenizer.ggml.pre": "tekken"}, 'pre: is "tekken", and greta knows'),
    "no tokens": ({"tokenizer.ggml.tokens": strings_in_a_file([])}, "tokens: is empty"),
    "a token twice": (
        {"tokenizer.ggml.tokens": strings_in_a_file([b"a"] * 2)},
        "the same token twice",
    ),
    "few kinds": ({"tokenizer.ggml.token_type": np.zeros(3, np.int32)}, "has 3 entries"),
    "kinds in fractions": (
        {"tokenizer.ggml.token_type": np.full(512, np.nan)},
        "must be a list of whole numbers",
    ),
    "half a merge": (
        {"tokenizer.ggml.merges": strings_in_a_file([b"ab"])},
        "merges: has an entry that is not two",
    ),
    "no merges": ({"tokenizer.ggml.merges": 7}, "merges: must be a list of strings"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_tokenizer_that_cannot_be_built_is_told(name: str, tiny: Model) -> None:
    metadata, words = REFUSED[name]
    with pytest.raises(ModelError) as caught:
        variant(tiny, metadata).tokenizer.encode("x")
    assert words in str(caught.value)


def test_merges_that_make_no_token_are_left_out(tiny: Model) -> None:
    merges = [*tiny.metadata.strings("tokenizer.ggml.merges"), "z q", "zz a", "z " + "q" * 5000]
    written = strings_in_a_file([merge.encode() for merge in merges])
    changed = variant(tiny, {"tokenizer.ggml.merges": written})
    assert changed.tokenizer.encode("The zqzza") == tiny.tokenizer.encode("The zqzza")


@pytest.mark.parametrize("pre", PRE_TOKENIZERS)
def test_the_first_text_is_encoded_as_all_others_are(pre: str, tmp_path: Path) -> None:
    """The first has a model of its own, the second the whole one."""
    write_byte_pairs(tmp_path / "v.gguf", pre)
    whole = tokenizer_of(tmp_path / "v.gguf")
    whole.encode("")
    for text in (*TEXTS, b"<user> the 123 boxes <user>"):
        assert tokenizer_of(tmp_path / "v.gguf").encode(text) == whole.encode(text), text


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> list[Metadata]:
    folder = tmp_path_factory.mktemp("lacking")
    for pre in PRE_TOKENIZERS:
        write_lacking_pairs(folder / pre, pre)
    return [metadata_of(folder / pre) for pre in PRE_TOKENIZERS]


@given(st.lists(st.sampled_from(LACKING_PIECES) | st.binary(max_size=3), max_size=10))
@settings(max_examples=150)
def test_the_first_text_is_as_all_others_where_tokens_lack(
    lacking: list[Metadata], parts: list[bytes]
) -> None:
    text = b"".join(parts)
    for metadata in lacking:
        first, second = read_tokenizer(metadata), read_tokenizer(metadata)
        second.encode("")
        assert first.encode(text) == second.encode(text)


def test_what_was_released_is_made_again(tiny: Model, pieces: Tokenizer) -> None:
    for tokenizer in (tiny.tokenizer, pieces):
        for _ in range(3):
            before = tokenizer.encode("The boxes, ñ")
            tokenizer.release()
            assert tokenizer.encode("The boxes, ñ") == before
            assert tokenizer.decode(before) == "The boxes, ñ"


def test_a_word_too_long_for_a_model_of_its_own(tiny: Model) -> None:
    fresh = variant(tiny).tokenizer
    assert fresh.encode("a" * 2000) == tiny.tokenizer.encode("a" * 2000)


def test_roles_outside_the_vocabulary_are_none(tiny: Model) -> None:
    changed = variant(tiny, {"tokenizer.ggml.eos_token_id": 0xFFFFFFFF})
    assert changed.tokenizer.vocabulary.eos is None


@pytest.mark.slow
def test_smollm2_splits_digits_and_knows_its_words(smollm2: Model) -> None:
    tokenizer = smollm2.tokenizer
    assert len(tokenizer.encode("12345")) == 5
    assert tokenizer.encode("The capital of France is") == [504, 3575, 282, 4649, 314]
    assert {0, 2} <= tokenizer.stops
    for text in TEXTS[:32]:
        assert tokenizer.decode(tokenizer.encode(text)).encode() == text
