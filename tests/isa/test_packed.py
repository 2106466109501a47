"""VOP3P: halves, pairs of words, mixed precision and dot products, against the reference."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from tests.isa import floats
from tests.isa.engine import ENDPGM, EXEC, LANES, Engine, Job, WaveState
from tests.isa.floats import F16, F32
from tests.isa.reference import s
from tests.isa.table import gfx942_rows
from tests.isa.vector_case import dpp_source, random_ctrl, random_value

ROWS = {row.name: row for row in gfx942_rows()}
W = 0xFFFFFFFF
HALVES: dict[str, Callable[..., int]] = {
    "v_pk_add_u16": lambda a, b: a + b,
    "v_pk_sub_u16": lambda a, b: a - b,
    "v_pk_add_i16": lambda a, b: a + b,
    "v_pk_sub_i16": lambda a, b: a - b,
    "v_pk_mul_lo_u16": lambda a, b: a * b,
    "v_pk_mad_u16": lambda a, b, c: a * b + c,
    "v_pk_mad_i16": lambda a, b, c: a * b + c,
    "v_pk_lshlrev_b16": lambda a, b: b << a % 16,
    "v_pk_lshrrev_b16": lambda a, b: b >> a % 16,
    "v_pk_ashrrev_i16": lambda a, b: s(b, 16) >> a % 16,
    "v_pk_min_u16": min,
    "v_pk_max_u16": max,
    "v_pk_min_i16": lambda a, b: min(s(a, 16), s(b, 16)),
    "v_pk_max_i16": lambda a, b: max(s(a, 16), s(b, 16)),
    "v_pk_add_f16": lambda a, b: floats.add(F16, a, b),
    "v_pk_mul_f16": lambda a, b: floats.multiply(F16, a, b),
    "v_pk_fma_f16": lambda a, b, c: floats.fma(F16, a, b, c),
    "v_pk_min_f16": lambda a, b: floats.minimum(F16, a, b),
    "v_pk_max_f16": lambda a, b: floats.maximum(F16, a, b),
}
PAIRS: dict[str, Callable[..., int]] = {
    "v_pk_add_f32": lambda a, b: floats.add(F32, a, b),
    "v_pk_mul_f32": lambda a, b: floats.multiply(F32, a, b),
    "v_pk_fma_f32": lambda a, b, c: floats.fma(F32, a, b, c),
}
MIXED = ["v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16"]


def _dot(bits: int, signed: bool) -> Callable[[int, int, int], int]:
    def run(a: int, b: int, c: int) -> int:
        for i in range(32 // bits):
            x, y = (z >> i * bits & ((1 << bits) - 1) for z in (a, b))
            c += s(x, bits) * s(y, bits) if signed else x * y
        return c

    return run


def _half_dot(a: int, b: int, c: int) -> int:
    """Small integers, so that the order of the additions does not matter."""
    wide = [floats.convert(F32, F16, x) for x in (a & 65535, b & 65535, a >> 16, b >> 16)]
    low, high = floats.multiply(F32, wide[0], wide[1]), floats.multiply(F32, wide[2], wide[3])
    return floats.add(F32, floats.add(F32, low, high), c)


DOTS = {
    "v_dot2_i32_i16": _dot(16, True),
    "v_dot2_u32_u16": _dot(16, False),
    "v_dot2c_i32_i16": _dot(16, True),
    "v_dot4_i32_i8": _dot(8, True),
    "v_dot4_u32_u8": _dot(8, False),
    "v_dot8_i32_i4": _dot(4, True),
    "v_dot8_u32_u4": _dot(4, False),
    "v_dot4c_i32_i8": _dot(8, True),
    "v_dot8c_i32_i4": _dot(4, True),
    "v_dot2_f32_f16": _half_dot,
    "v_dot2c_f32_f16": _half_dot,
}
# Of these op_sel chooses the halves; of the last it also negates them.
CHOOSING = ("v_dot2_i32_i16", "v_dot2_u32_u16", "v_dot2_f32_f16")
TESTED = {*HALVES, *PAIRS, *MIXED, *DOTS, "v_pk_mov_b32", "v_pk_fmac_f16"}
VDST, SOURCES = 2, (4, 6, 8)


class Packed:
    """A VOP3P instruction with random modifiers."""

    def __init__(self, r: random.Random, name: str) -> None:
        self.row, self.name = ROWS[name], name
        self.count = sum(role.startswith("src") for role, _ in self.row.operands)
        every = (1 << self.count) - 1
        self.op_sel, self.op_sel_hi = r.getrandbits(3) & every, r.getrandbits(3) & every
        negates = name in PAIRS or name in MIXED or (name.endswith("_f16") and name in HALVES)
        self.neg = r.getrandbits(3) & every if negates else 0
        self.neg_hi = r.getrandbits(3) & every if negates else 0
        if name in CHOOSING:
            self.op_sel, self.op_sel_hi = self.op_sel & 3, self.op_sel_hi | 4
            if name == "v_dot2_f32_f16":
                self.neg, self.neg_hi = r.getrandbits(3), r.getrandbits(2)
        elif name in DOTS or name == "v_pk_fmac_f16":
            self.op_sel, self.op_sel_hi = 0, every

    def words(self) -> list[int]:
        if self.row.format == "VOP2":
            return [self.row.number << 25 | VDST << 17 | SOURCES[1] << 9 | 256 + SOURCES[0]]
        low = 0xD3800000 | self.row.number << 16 | VDST | self.op_sel << 11 | self.neg_hi << 8
        high = self.neg << 29 | (self.op_sel_hi & 3) << 27
        for n in range(self.count):
            high |= 256 + SOURCES[n] << 9 * n
        return [low | (self.op_sel_hi >> 2) << 14, high]

    def part(self, n: int, high: bool) -> tuple[int, int]:
        """Which half or word, and whether it is negated."""
        select, negate = (self.op_sel_hi, self.neg_hi) if high else (self.op_sel, self.neg)
        return select >> n & 1, negate >> n & 1


def random_wave(r: random.Random, name: str) -> WaveState:
    wave = WaveState(12)
    for row in range(12):
        for lane in range(LANES):
            f = F16 if "f16" in name else F32 if name in PAIRS else None
            wave.v[row][lane] = random_value(r, f, 1) & W
    if name in ("v_dot2_f32_f16", "v_dot2c_f32_f16"):
        small = [floats.from_integer(F16, n) for n in range(-9, 10)]
        for row in SOURCES[:2]:
            wave.v[row] = [r.choice(small) | r.choice(small) << 16 for _ in range(LANES)]
        for row in (SOURCES[2], VDST):
            wave.v[row] = [floats.from_integer(F32, r.randint(-99, 99)) for _ in range(LANES)]
    elif name in MIXED:
        for row in SOURCES:
            wave.v[row] = [random_value(r, r.choice([F16, F32]), 1) & W for _ in range(LANES)]
    wave.set_pair(EXEC, r.choice([(1 << 64) - 1, r.getrandbits(64)]))
    return wave


def expected(p: Packed, wave: WaveState, lane: int) -> list[int]:
    def word(n: int, index: int = 0) -> int:
        return int(wave.v[SOURCES[n] + index][lane])

    if p.name in DOTS:
        third = int(wave.v[VDST][lane]) if p.row.format == "VOP2" else word(2) ^ p.neg >> 2 << 31
        first, second = (chosen(p, word(n), n) for n in (0, 1))
        return [DOTS[p.name](first, second, third) & W]
    if p.name == "v_pk_fmac_f16":
        words = (word(0), word(1), int(wave.v[VDST][lane]))
        halves = [floats.fma(F16, *(x >> 16 * n & 65535 for x in words)) for n in (0, 1)]
        return [halves[0] | halves[1] << 16]
    if p.name == "v_pk_mov_b32":
        return [word(0, p.op_sel & 1), word(1, p.op_sel >> 1 & 1)]
    results = []
    for high in (False, True):
        parts = [p.part(n, high) for n in range(p.count)]
        if p.name in PAIRS:
            values = [word(n, select) ^ negate << 31 for n, (select, negate) in enumerate(parts)]
            results.append(PAIRS[p.name](*values))
        elif p.name in HALVES:
            values = [
                (word(n) >> 16 * select & 65535) ^ negate << 15
                for n, (select, negate) in enumerate(parts)
            ]
            results.append(HALVES[p.name](*values) & 65535)
    if p.name in HALVES:
        return [results[0] | results[1] << 16]
    return results or [mixed(p, wave, lane)]


def chosen(p: Packed, word: int, n: int) -> int:
    """The two halves of a dot product's source."""
    if p.name not in CHOOSING:
        return word
    halves = [
        word >> 16 * select & 65535 ^ negate << 15
        for select, negate in (p.part(n, False), p.part(n, True))
    ]
    return halves[0] | halves[1] << 16


def mixed(p: Packed, wave: WaveState, lane: int) -> int:
    values = []
    for n in range(3):
        x = int(wave.v[SOURCES[n]][lane])
        if p.op_sel_hi >> n & 1:
            half = x >> 16 * (p.op_sel >> n & 1) & 65535
            x = floats.convert(F32, F16, half)
            if F16.is_signaling(half):
                x ^= F32.quiet  # the conversion is not an operation of its own
        x = x & 0x7FFFFFFF if p.neg_hi >> n & 1 else x
        values.append(x ^ (p.neg >> n & 1) << 31)
    result = floats.fma(F32, *values)
    if p.name == "v_fma_mix_f32":
        return result
    old, half = int(wave.v[VDST][lane]), floats.convert(F16, F32, result)
    return old & 0xFFFF0000 | half if "lo" in p.name else old & 0xFFFF | half << 16


@pytest.mark.parametrize("name", sorted(TESTED))
def test_a_packed_opcode_does_what_the_reference_says(engine: Engine, name: str) -> None:
    r = random.Random(name)  # noqa: S311
    cases = [(Packed(r, name), random_wave(r, name)) for _ in range(12)]
    outcomes = engine.run([Job([*p.words(), ENDPGM], [wave]) for p, wave in cases])
    for (p, wave), outcome in zip(cases, outcomes, strict=True):
        assert outcome.status == "ended", outcome.reason
        wanted = wave.v.copy()
        for lane in range(LANES):
            if wave.pair(EXEC) >> lane & 1:
                for i, word in enumerate(expected(p, wave, lane)):
                    wanted[VDST + i][lane] = word
        for row, lane in np.argwhere(outcome.waves[0].v != wanted)[:3]:
            sources = [[hex(wave.v[x + i][lane]) for i in (0, 1)] for x in SOURCES]
            got = outcome.waves[0].v[row, lane]
            pytest.fail(f"{vars(p)} {sources} {got:#x} is not {wanted[row, lane]:#x}")


SHORT = [name for name in sorted(TESTED) if ROWS[name].format == "VOP2"]


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("name", SHORT)
def test_the_other_forms_of_short_ones(engine: Engine, name: str, lanes: int) -> None:
    """VOP3, and DPP, where a lane reads its first source of another."""
    r = random.Random(name)  # noqa: S311
    jobs, wanted = [], []
    number = ROWS[name].number
    short = number << 25 | VDST << 17 | SOURCES[1] << 9
    long = [0xD1000000 | number << 16 | VDST, 256 + SOURCES[0] | 256 + SOURCES[1] << 9]
    for turn in range(8):
        wave, ctrl, bound = random_wave(r, name), random_ctrl(r, False), r.getrandbits(1)
        word = SOURCES[0] | ctrl << 8 | bound << 19 | 0xFF << 24
        code = long if turn == 0 else [short | 250, word]
        jobs.append(Job([*code, ENDPGM], [wave]))
        rows = wave.v.copy()
        for lane in range(LANES):
            source = lane if turn == 0 else dpp_source(ctrl, lane)
            fed = source is not None and wave.pair(EXEC) >> source & 1
            if not wave.pair(EXEC) >> lane & 1 or not (fed or bound or turn == 0):
                continue
            moved = WaveState(12, 0, wave.s, 0, wave.v.copy())
            moved.v[SOURCES[0]][lane] = wave.v[SOURCES[0]][source] if fed else 0
            rows[VDST][lane] = expected(Packed(r, name), moved, lane)[0]
        wanted.append(rows)
    for rows, outcome in zip(wanted, engine.run(jobs, lanes), strict=True):
        assert outcome.status == "ended", outcome.reason
        assert np.array_equal(outcome.waves[0].v, rows)


Whole = Callable[[int, int, int], int]
SATURATING: dict[str, tuple[Whole, bool]] = {
    "v_pk_add_u16": (lambda a, b, c: a + b, False),
    "v_pk_sub_u16": (lambda a, b, c: a - b, False),
    "v_pk_mad_u16": (lambda a, b, c: a * b + c, False),
    "v_pk_add_i16": (lambda a, b, c: a + b, True),
    "v_pk_sub_i16": (lambda a, b, c: a - b, True),
    "v_pk_mad_i16": (lambda a, b, c: a * b + c, True),
}


@pytest.mark.parametrize("name", [n for n in DOTS if ROWS[n].format == "VOP3P" and "f32" not in n])
def test_integer_dot_products_stop_at_the_ends_of_their_range(engine: Engine, name: str) -> None:
    r = random.Random(name)  # noqa: S311
    packed, wave = Packed(r, name), random_wave(r, name)
    wave.set_pair(EXEC, (1 << 64) - 1)
    ends = (0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFF000, 0x80001000)
    wave.v[SOURCES[2]] = [r.choice(ends) for _ in range(LANES)]
    low, high = packed.words()
    (outcome,) = engine.run([Job([low | 1 << 15, high, ENDPGM], [wave])])
    assert outcome.status == "ended", outcome.reason
    signed = "_i32_" in name
    for lane in range(LANES):
        a, b = (chosen(packed, int(wave.v[SOURCES[n]][lane]), n) for n in (0, 1))
        c = int(wave.v[SOURCES[2]][lane])
        least, most = (-0x80000000, 0x7FFFFFFF) if signed else (0, W)
        wanted = max(least, min(most, DOTS[name](a, b, s(c) if signed else c))) & W
        assert int(outcome.waves[0].v[VDST][lane]) == wanted


@pytest.mark.parametrize("name", SATURATING)
def test_packed_integers_stop_at_the_ends_of_their_range(engine: Engine, name: str) -> None:
    run, signed = SATURATING[name]
    r = random.Random(name)  # noqa: S311
    packed, wave = Packed(r, name), WaveState(12)
    ends = (0, 1, 2, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF)
    for row in SOURCES:
        wave.v[row] = [r.choice(ends) | r.choice(ends) << 16 for _ in range(LANES)]
    low, high = packed.words()
    (outcome,) = engine.run([Job([low | 1 << 15, high, ENDPGM], [wave])])
    assert outcome.status == "ended", outcome.reason

    def half(lane: int, upper: bool) -> int:
        words = []
        for n in range(3):
            word = int(wave.v[SOURCES[n]][lane]) >> 16 * packed.part(n, upper)[0] & 0xFFFF
            words.append(word - 0x10000 if signed and word > 0x7FFF else word)
        least, most = (-0x8000, 0x7FFF) if signed else (0, 0xFFFF)
        return max(least, min(most, run(*words))) & 0xFFFF

    wanted = [half(lane, False) | half(lane, True) << 16 for lane in range(LANES)]
    assert outcome.waves[0].v[VDST].tolist() == wanted
