"""Whatever the bytes, the answer is a model or one clear sentence: no crash, no hang, no growth."""

from __future__ import annotations

import os
import random
import resource

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.hostile import examine, header_size, mutated

MUTATIONS = int(os.environ.get("GRETA_TEST_MUTATIONS", "120"))
AT_ONCE = 10000


def test_the_unchanged_file_is_a_model(tiny_bytes: bytes) -> None:
    assert examine(tiny_bytes) == ""


@pytest.mark.parametrize("first", range(0, MUTATIONS, AT_ONCE))
def test_mutations_of_the_header(tiny_bytes: bytes, first: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    chance = random.Random(first)  # noqa: S311
    tried = min(AT_ONCE, MUTATIONS - first)
    refused = sum(bool(examine(mutated(tiny_bytes, chance))) for _ in range(tried))
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert refused > tried // 10
    assert growth < 256 << 10  # KiB


@pytest.mark.parametrize("part", [0.0, 0.001, 0.3, 0.9, 0.999])
def test_files_cut_short(part: float, tiny_bytes: bytes) -> None:
    assert examine(tiny_bytes[: int(len(tiny_bytes) * part)])


def test_every_cut_within_the_header(tiny_bytes: bytes) -> None:
    for end in range(1, header_size(tiny_bytes) - 8192, 37):
        assert examine(tiny_bytes[:end])


@given(st.binary(max_size=300))
@settings(max_examples=200)
def test_random_bytes(data: bytes) -> None:
    assert examine(data)


@given(st.binary(max_size=300))
@settings(max_examples=200)
def test_random_bytes_after_a_sound_beginning(data: bytes) -> None:
    assert examine(b"GGUF\3\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0" + data)
