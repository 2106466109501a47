"""The decoder against LLVM's."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.isa import objdump
from tests.isa.engine import Engine

SAMPLE = Path(__file__).parent / "data" / "decoded.txt"
# How many random instructions LLVM is asked about.
COUNT = int(os.environ.get("GRETA_TEST_DECODES", "8000"))


def test_kept_instructions_have_the_text_that_llvm_gave(engine: Engine) -> None:
    lines = [line.split(" ", 3) for line in SAMPLE.read_text().splitlines()]
    slots = np.full((len(lines), 4), objdump.NOP, np.uint32)
    for row, line in enumerate(lines):
        slots[row, :2] = int(line[0], 16), int(line[1], 16)
    wrong, refused = [], 0
    for line, text in zip(lines, engine.decode(slots), strict=True):
        wanted = (int(line[2]), line[3])
        if text is None:
            refused += 1  # LLVM takes registers that gfx942 has not, and odd pairs
        elif (text[0], objdump.normal(text[1])) != wanted:
            wrong.append((line[0], line[1], wanted, text))
    assert not wrong
    assert len(lines) >= 4000
    assert refused < len(lines) // 20


def verdict(ours: tuple[int, str] | None, llvm: tuple[int, str] | None) -> str:
    if llvm is not None and "/*Invalid immediate*/" in llvm[1]:
        llvm = None
    if llvm is None or ours is None:
        return "one refuses" if llvm or ours else "both refuse"
    same = (ours[0], objdump.normal(ours[1])) == (llvm[0], objdump.normal(llvm[1]))
    return "same" if same else "different"


@pytest.mark.skipif(objdump.TOOL is None, reason="asks llvm-objdump-22")
def test_random_instructions_have_the_text_that_llvm_gives(engine: Engine) -> None:
    r, seen = random.Random(7), Counter[str]()  # noqa: S311
    for start in range(0, COUNT, 20000):
        slots = objdump.random_slots(r, min(20000, COUNT - start))
        llvm = objdump.oracle(slots, "gfx942")
        for row, ours, theirs in zip(slots, engine.decode(slots), llvm, strict=True):
            word = verdict(ours, theirs)
            seen[word] += 1
            assert word != "different", (f"{row[0]:#x} {row[1]:#x}", ours, theirs)
    print(dict(seen))
    assert seen["same"] > COUNT // 5


def test_garbage_is_refused_or_decoded_and_never_crashes(engine: Engine) -> None:
    words = np.random.default_rng(3).integers(0, 1 << 32, (250_000, 4), np.uint32)
    for architecture in ("gfx90a", "gfx942", "gfx950"):
        texts = engine.decode(words, architecture)
        assert len(texts) == len(words)
        assert any(text is None for text in texts)


def test_matrices_lie_in_vector_registers(engine: Engine) -> None:
    """And the nt bit of what invalidates a cache says nothing."""
    scalar, vector = (0xD3D05C6C, 0x20339B45), (0xD3D05C6C, 0x24339B45)
    texts = engine.decode(np.array([(*scalar, 0, 0), (*vector, 0, 0), (0xE0A60000, 0, 0, 0)], "u4"))
    matrix = "v_mfma_i32_32x32x4_2b_i8 v[108:139], v69, v205, v[12:43] cbsz:4 abid:11 blgp:1"
    assert texts == [None, (2, matrix), (2, "buffer_inv")]
