"""Lists of strings that stay in the file."""

from __future__ import annotations

import pytest

from greta.model import ModelError
from tests.model.gguf_bytes import strings_in_a_file

LISTS = {
    "none": [],
    "words": [b"a", b"bc", b"def"],
    "empty ones": [b"", b"x", b"", b""],
    "long": [b"x" * 70000, b"y"],
    "every width": ["aé世😀".encode(), "😀".encode()],
    "NUL inside": [b"a\0b", b"c"],
    "NUL at the edges": [b"\0a", b"b\0", b"\0"],
    "as many NULs as a length has": [b"a" + bytes(8) + b"b", b"c"],
}


@pytest.mark.parametrize("name", LISTS)
def test_they_are_what_was_written(name: str) -> None:
    expected = [string.decode() for string in LISTS[name]]
    strings = strings_in_a_file(LISTS[name])
    assert strings.to_list() == list(strings) == expected
    assert [strings[number] for number in range(len(strings))] == expected


@pytest.mark.parametrize(
    ("strings", "number"),
    [
        ([b"a", b"\xff", b"b"], 1),
        ([b"\xc3"], 0),
        ([b"a", b"b\xc3", b"\xa9c"], 1),  # whole if the two were one
        ([b"", b"\xe4\xb8\x96", b"", b"\xf0\x9f\x98"], 3),
    ],
)
def test_the_one_that_is_not_text_is_named(strings: list[bytes], number: int) -> None:
    with pytest.raises(ModelError, match=f"w: string {number} is not text in UTF-8"):
        strings_in_a_file(strings)
