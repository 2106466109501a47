"""What stands in a model's file cannot speak to the terminal, nor in our name."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.model import Model, ModelError, Support, check, enforce, open_model
from greta.printable import printable, without_controls
from tests.model.gguf_bytes import gguf, key, tensor, text
from tests.model.variants import variant

EVIL = "\x1b]0;x\x07\x1b[2J\r\nSTATUS=OK\n\x7f\x9b\u202e\u2066\u2028\u200b\ufeff\0"
LLAMA = key(b"general.architecture", 8, text(b"llama"))


def is_tame(words: str) -> bool:
    return words.replace(" ", "").isprintable()


def test_each_character_that_cannot_be_seen_is_written_out() -> None:
    assert printable("a\x1b\n\x7f\x9b\u202eé日") == "a\\x1b\\n\\x7f\\x9b\\u202eé日"
    assert is_tame(printable(EVIL))
    assert printable("an ordinary name, señor") == "an ordinary name, señor"


def test_a_name_of_a_megabyte_is_cut_in_the_middle() -> None:
    words = printable("begin " + "x" * (1 << 20) + " end")
    assert len(words) < 3000
    assert words.startswith("begin ")
    assert words.endswith(" end")


def test_a_text_keeps_its_lines_and_its_letters() -> None:
    assert without_controls("a\n\tb\x1b[2J\r\x9b") == "a\n\tb\\x1b[2J\\r\\x9b"
    letters = "नमस्ते \u200d\u200f עברית 👩\u200d💻"
    assert without_controls(letters) == letters


FILES = {
    "the architecture": gguf([key(b"general.architecture", 8, text(EVIL.encode()))]),
    "a key": gguf([LLAMA, key(EVIL.encode(), 99, b"")]),
    "a key that is there twice": gguf([LLAMA, *[key(EVIL.encode(), 0, b"\1")] * 2]),
    "a tensor": gguf([LLAMA], [tensor(EVIL.encode(), (4,), 77)]),
}


@pytest.mark.parametrize("name", FILES)
def test_an_error_is_one_line_that_can_be_seen(name: str, tmp_path: Path) -> None:
    path = tmp_path / "evil.gguf"
    path.write_bytes(FILES[name])
    with pytest.raises(ModelError) as caught:
        open_model(path)
    assert is_tame(str(caught.value))
    assert "STATUS=OK" in str(caught.value)


@pytest.mark.parametrize("path", [Path("evil\x1b[2J\n.gguf")])
def test_the_name_of_the_file_itself(path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(path)
    assert is_tame(str(caught.value))


def test_a_tokenizer_that_is_not_known(tiny: Model) -> None:
    with pytest.raises(ModelError) as caught:
        _ = variant(tiny, {"tokenizer.ggml.pre": EVIL}).tokenizer
    assert is_tame(str(caught.value))


def test_what_the_guard_rail_warns_of(tiny: Model) -> None:
    named = check(variant(tiny, {"general.name": EVIL + " 70B"}), Support())
    assert [is_tame(str(mismatch)) for mismatch in named] == [True]


def test_what_the_guard_rail_refuses(tiny: Model) -> None:
    stranger = variant(tiny, tensors={EVIL: tiny.embedding})
    with pytest.raises(ModelError) as caught:
        enforce(stranger, Support(), {})
    lines = str(caught.value).split("\n")
    assert len(lines) == 3
    assert all(map(is_tame, lines))


def test_what_a_template_says(tiny: Model) -> None:
    model = variant(tiny, {"tokenizer.chat_template": "{{ raise_exception('" + EVIL + "') }}"})
    with pytest.raises(ModelError) as caught:
        model.chat.render([{"role": "user", "content": "Hello"}])
    assert is_tame(str(caught.value))
