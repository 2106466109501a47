"""Every opcode that runs has a differential test, and every opcode of the table decodes."""

from __future__ import annotations

import re
from pathlib import Path

from tests.isa import (
    reference,
    test_control,
    test_convert,
    test_cross_lane,
    test_local_memory,
    test_matrix,
    test_memory,
    test_packed,
    test_scalar,
    test_scalar_memory,
    test_typed_memory,
)
from tests.isa.engine import Engine
from tests.isa.table import gfx942_rows

TESTED = {
    *reference.LANE, *reference.COMPARE, *reference.CARRY, "v_cndmask_b32",
    *test_scalar.TESTED, *test_scalar.IMMEDIATE, *test_scalar.MOVES,
    *test_local_memory.TESTED, *test_scalar_memory.TESTED,
    *test_typed_memory.TESTED,
    *test_packed.TESTED, *test_cross_lane.TESTED, *test_matrix.TESTED,
    *test_control.TESTED, *test_convert.TESTED, "v_mqsad_u32_u8",
    *test_memory.LOADS, *test_memory.STORES, *test_memory.ATOMICS, *test_memory.SWAPS,
    *test_memory.TWO,
    "ds_gws_init", "ds_gws_barrier",  # cooperative launches: tests/isa/test_hostcall.py
    *(f"s_load_dword{n}" for n in ("", "x2", "x4", "x8", "x16")),
    *(f"s_buffer_load_dword{n}" for n in ("", "x2", "x4", "x8", "x16")),
}  # fmt: skip
GFX942 = 2


def test_no_opcode_runs_without_a_differential_test(engine: Engine) -> None:
    running = {name for name, (mask, runs, _) in engine.opcodes().items() if runs and mask & GFX942}
    untested = running - TESTED
    print(f"{len(running)} opcodes of gfx942 run, {len(running & TESTED)} are tested")
    assert not untested


def test_what_compilers_were_seen_to_use_runs_and_is_tested(engine: Engine) -> None:
    """An opcode that is dropped together with its test would not be missed."""
    lines = (Path(__file__).parent / "data" / "seen_opcodes.txt").read_text().splitlines()
    seen = {name for line in lines[1:] for name in line.split()}
    opcodes = engine.opcodes()
    assert len(seen) > 350
    assert not {name for name in seen if not (name in opcodes and opcodes[name][1])}
    assert seen <= TESTED


def test_the_page_says_which_opcodes_do_not_run(engine: Engine) -> None:
    known = {name: runs for name, (mask, runs, _) in engine.opcodes().items() if mask & GFX942}
    text = (Path(__file__).parents[2] / "docs" / "simulated-device.md").read_text()
    line = next(part for part in text.split("\n- ") if "instructions of gfx942" in part)
    numbers = [int(word.replace(",", "")) for word in re.findall(r"\b\d[\d,]*\b", line)[:2]]
    assert numbers == [len(known), sum(known.values())]
    named = {word for word in re.findall(r"`(\w+)`", line) if word in known}
    assert named == {name for name, runs in known.items() if not runs}


def test_no_test_is_of_an_opcode_that_does_not_run(engine: Engine) -> None:
    """A test that is never run would hide that its opcode is missing."""
    opcodes = engine.opcodes()
    tested = {name for name in TESTED if name in opcodes and opcodes[name][0] & GFX942}
    assert not {name for name in tested if not opcodes[name][1]}


def test_no_sign_is_changed_without_a_reference() -> None:
    """A reference that ignores neg and abs agrees with an engine that does so too."""
    changed = {row.name for row in gfx942_rows() if row.mask("neg")}
    assert changed & {*reference.LANE, *reference.COMPARE} <= {*reference.SOURCE_FORMAT}
