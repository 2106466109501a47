"""Vector instructions against the reference, in every form, with every modifier."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.isa import reference
from tests.isa.engine import ENDPGM, MODE, Engine, Job, WaveState
from tests.isa.floats import Format
from tests.isa.table import Row, gfx942_rows
from tests.isa.vector_case import Case, random_case, random_wave

KNOWN = {*reference.LANE, *reference.COMPARE, *reference.CARRY, "v_cndmask_b32"}
# Moves of accumulation registers have encodings of their own; see test_cross_lane.
ROWS = [
    row for row in gfx942_rows()
    if row.name in KNOWN and row.format in ("VOP1", "VOP2", "VOPC", "VOP3")
    and "acc" not in row.name
]  # fmt: skip
MODES = [MODE, 0xF1, 0xF4, 0xFE, 0xFB, 0x00, 0x30, 0xC0, 0x5A]


def forms(row: Row) -> list[str]:
    if row.format == "VOP3":
        return ["e64"]
    extra = {"e64": "e64", "sdwa": "sdwa", "dpp": "dpp", "dpp64": "dpp"}
    found = ["e32", *(form for key, form in extra.items() if key in row.properties)]
    # A part of a number that is only nearly right cannot be compared.
    return [form for form in found if form != "sdwa" or row.name not in reference.NEAR]


def places_apart(f: Format, a: int, b: int) -> int:
    def order(x: int) -> int:
        return -f.magnitude(x) if f.sign(x) else f.magnitude(x)

    return 0 if a == b else 1 << 60 if f.is_nan(a) or f.is_nan(b) else abs(order(a) - order(b))


def agree(case: Case, got: WaveState, wanted: WaveState) -> bool:
    if not np.array_equal(got.s, wanted.s) or got.scc != wanted.scc:
        return False
    if np.array_equal(got.v, wanted.v):
        return True
    allowed = reference.NEAR.get(case.row.name)
    if allowed is None:
        return False
    f, at = reference.RESULT_FORMAT[case.row.name], case.vdst
    others = [row for row in range(len(got.v)) if row not in (at, at + case.row.width("vdst") - 1)]
    if not np.array_equal(got.v[others], wanted.v[others]):
        return False
    for lane in range(64):
        a, b = (int(x.v[at][lane]) for x in (got, wanted))
        if case.row.width("vdst") == 2:
            a, b = (y | int(x.v[at + 1][lane]) << 32 for x, y in ((got, a), (wanted, b)))
        if places_apart(f, a, b) > allowed + case.omod:
            return False
    return True


def difference(case: Case, before: WaveState, got: WaveState, wanted: WaveState) -> str:
    text = f"{case}\n{[hex(w) for w in case.words()]}"
    for row, lane in np.argwhere(got.v != wanted.v)[:4]:
        sources = [hex(case._source(before, n, int(lane), MODE)) for n in range(len(case.sources))]
        text += (
            f"\nv{row} lane {lane}: {got.v[row, lane]:#x} is not {wanted.v[row, lane]:#x} {sources}"
        )
    for (code,) in np.argwhere(got.s != wanted.s)[:4]:
        text += f"\ns{code}: {got.s[code]:#x} is not {wanted.s[code]:#x}"
    return text


def check(engine: Engine, cases: list[Case], r: random.Random, mode: int, lanes: int) -> None:
    waves = [random_wave(r, case) for case in cases]
    jobs = [
        Job([*case.words(), ENDPGM], [wave], mode=mode)
        for case, wave in zip(cases, waves, strict=True)
    ]
    for case, before, outcome in zip(cases, waves, engine.run(jobs, lanes), strict=True):
        assert outcome.status == "ended", (case, outcome.reason)
        wanted = case.expected(before, mode)
        got = outcome.waves[0]
        assert agree(case, got, wanted), difference(case, before, got, wanted)


def by_name() -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {}
    for row in ROWS:
        rows.setdefault(row.name, []).append(row)
    return rows


@pytest.mark.parametrize("name", sorted(by_name()))
def test_an_opcode_does_what_the_reference_says(engine: Engine, name: str) -> None:
    r = random.Random(name)  # noqa: S311
    cases = [
        random_case(r, row, form)
        for row in by_name()[name]
        for form in forms(row)
        for _ in range(6)
    ]
    check(engine, cases, r, MODE, 0)


ARITHMETIC = sorted(
    name for name in by_name() if name in reference.SOURCE_FORMAT and name not in reference.NEAR
)


@pytest.mark.parametrize("mode", MODES)
def test_rounding_and_denormals_are_those_of_the_mode(engine: Engine, mode: int) -> None:
    r = random.Random(mode)  # noqa: S311
    rows = [by_name()[name][0] for name in ARITHMETIC if not name.startswith("v_cmp")]
    cases = [random_case(r, row, "e64" if row.format == "VOP3" else "e32") for row in rows]
    check(engine, cases, r, mode, 0)


@pytest.mark.parametrize("lanes", [1, 2])
def test_every_build_of_the_lanes_gives_the_same(engine: Engine, lanes: int) -> None:
    r = random.Random(lanes)  # noqa: S311
    cases = [random_case(r, row, r.choice(forms(row))) for row in ROWS]
    check(engine, cases, r, MODE, lanes)


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("name", reference.SATURATING)
def test_integers_stop_at_the_end_of_their_range(engine: Engine, name: str, lanes: int) -> None:
    r = random.Random(name)  # noqa: S311
    changed = [form for form in forms(by_name()[name][0]) if form in ("e64", "sdwa")]
    cases = [random_case(r, by_name()[name][0], form) for form in changed for _ in range(40)]
    clamped = [case for case in cases if case.clamp]
    assert {case.form for case in clamped} == {*changed}
    check(engine, clamped, r, MODE, lanes)


@pytest.mark.parametrize("lanes", [0, 1, 2])
def test_sums_of_differences_of_32_bits(engine: Engine, lanes: int) -> None:
    """v_mqsad_u32_u8: its addend and its result have four registers."""
    number = next(row.number for row in gfx942_rows() if row.name == "v_mqsad_u32_u8")
    code = [0xD0000000 | number << 16 | 12, 256 | 258 << 9 | 260 << 18, ENDPGM]
    wave = WaveState(16)
    wave.v[:] = np.random.default_rng(5).integers(0, 1 << 32, (16, 64), np.uint32)
    wave.v[2, ::3] &= 0xFF00FF
    (outcome,) = engine.run([Job(code, [wave])], lanes)
    assert outcome.status == "ended", outcome.reason
    for lane in range(64):
        a = int(wave.v[0][lane]) | int(wave.v[1][lane]) << 32
        for n in range(4):
            sad = reference.masked_sad8(a >> 8 * n & 0xFFFFFFFF, int(wave.v[2][lane]))
            assert outcome.waves[0].v[12 + n][lane] == (sad + int(wave.v[4 + n][lane])) % (1 << 32)
