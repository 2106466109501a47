"""Instructions between lanes, between register files, on matrices, and for division."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.isa import floats
from tests.isa.engine import ENDPGM, EXEC, LANES, VCC, Engine, Job, WaveState
from tests.isa.floats import F32, F64, Format
from tests.isa.table import gfx942_rows
from tests.isa.vector_case import corners

ROWS = {row.name: row for row in gfx942_rows()}
W = 0xFFFFFFFF


def chance(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311


def wave_of(r: random.Random, vgprs: int = 16, accs: int = 0, partly: bool = True) -> WaveState:
    wave = WaveState(vgprs, accs)
    wave.v[:] = [[r.getrandbits(32) for _ in range(LANES)] for _ in range(vgprs + accs)]
    if partly:
        wave.set_pair(EXEC, r.getrandbits(64))
    return wave


def run(engine: Engine, code: list[int], wave: WaveState, lds: bytes = b"") -> WaveState:
    (outcome,) = engine.run([Job([*code, ENDPGM], [wave], lds)])
    assert outcome.status == "ended", outcome
    return outcome.waves[0]


def vop1(name: str, vdst: int, src0: int) -> int:
    return 0x7E000000 | vdst << 17 | ROWS[name].number << 9 | src0


def vop3(name: str, vdst: int, *sources: int) -> list[int]:
    codes = [*sources, 0, 0, 0]
    low = 0xD0000000 | ROWS[name].number << 16 | vdst
    return [low, codes[0] | codes[1] << 9 | codes[2] << 18]


def active(wave: WaveState) -> list[int]:
    return [lane for lane in range(LANES) if wave.pair(EXEC) >> lane & 1]


def test_v_readfirstlane_b32(engine: Engine) -> None:
    for mask in (1 << 63, 6, 0, (1 << 64) - 1):
        wave = wave_of(chance("first"))
        wave.set_pair(EXEC, mask)
        first = active(wave)[0] if mask else 0
        assert run(engine, [vop1("v_readfirstlane_b32", 5, 256 + 3)], wave).s[5] == wave.v[3][first]


def test_v_readlane_b32_and_v_writelane_b32(engine: Engine) -> None:
    wave = wave_of(chance("lane"))
    wave.s[7], wave.s[8] = 64 + 41, 1234
    after = run(
        engine, [*vop3("v_readlane_b32", 5, 256 + 3, 7), *vop3("v_writelane_b32", 4, 8, 7)], wave
    )
    assert after.s[5] == wave.v[3][41]
    wanted = wave.v.copy()
    wanted[4][41] = 1234
    assert np.array_equal(after.v, wanted)


def test_v_mbcnt_counts_the_bits_below_each_lane(engine: Engine) -> None:
    wave = wave_of(chance("mbcnt"))
    wave.set_pair(10, 0xDEADBEEF_12345678)
    code = [
        *vop3("v_mbcnt_lo_u32_b32", 4, 10, 256 + 3),
        *vop3("v_mbcnt_hi_u32_b32", 5, 11, 256 + 4),
    ]
    after = run(engine, code, wave)
    for lane in active(wave):
        below = wave.pair(10) & ((1 << lane) - 1)
        low = bin(below & W).count("1") + int(wave.v[3][lane])
        assert after.v[4][lane] == low & W
        assert after.v[5][lane] == low + bin(below >> 32).count("1") & W


def test_v_swap_b32(engine: Engine) -> None:
    wave = wave_of(chance("swap"))
    after = run(engine, [vop1("v_swap_b32", 4, 256 + 5)], wave)
    for lane in range(LANES):
        pair = [int(wave.v[row][lane]) for row in (4, 5)]
        expected = pair[::-1] if lane in active(wave) else pair
        assert [int(after.v[row][lane]) for row in (4, 5)] == expected


def test_accumulation_registers(engine: Engine) -> None:
    wave = wave_of(chance("acc"), 16, 8)
    code = [
        0xD3800000 | ROWS["v_accvgpr_write_b32"].number << 16 | 2, 256 + 3,
        vop1("v_accvgpr_mov_b32", 4, 256 + 2),
        0xD3800000 | ROWS["v_accvgpr_read_b32"].number << 16 | 7, 256 + 4 | 1 << 27,
    ]  # fmt: skip
    after, wanted = run(engine, code, wave), wave.v.copy()
    for lane in active(wave):
        wanted[16 + 2][lane] = wanted[16 + 4][lane] = wanted[7][lane] = wave.v[3][lane]
    assert np.array_equal(after.v, wanted)


def ds(name: str, vdst: int, data: int, addr: int, offset: int = 0) -> list[int]:
    return [0xD8000000 | ROWS[name].number << 17 | offset, vdst << 24 | data << 8 | addr]


@pytest.mark.parametrize("offset", [0, 8])
def test_ds_bpermute_b32_and_ds_permute_b32(engine: Engine, offset: int) -> None:
    r = chance("permute")
    wave = wave_of(r)
    wave.v[2] = [4 * r.randrange(LANES) for _ in range(LANES)]
    code = [*ds("ds_bpermute_b32", 5, 3, 2, offset), *ds("ds_permute_b32", 6, 3, 2, offset)]
    after, wanted, sent = run(engine, code, wave), wave.v.copy(), [0] * LANES
    for lane in active(wave):
        at = (int(wave.v[2][lane]) + offset) // 4 % LANES
        wanted[5][lane] = wave.v[3][at] if at in active(wave) else 0
        sent[at] = int(wave.v[3][lane])
    for lane in active(wave):
        wanted[6][lane] = sent[lane]
    assert np.array_equal(after.v, wanted)


@pytest.mark.parametrize("pattern", [0x80E4, 0x801B, 0x041F, 0x401F, 0x0010, 0x7C1F])
def test_ds_swizzle_b32(engine: Engine, pattern: int) -> None:
    wave = wave_of(chance("swizzle"))
    after = run(engine, ds("ds_swizzle_b32", 5, 0, 2, pattern), wave)
    for lane in active(wave):
        if pattern & 0x8000:
            at = lane // 4 * 4 + (pattern >> 2 * (lane % 4) & 3)
        else:
            low = (lane % 32 & pattern & 31 | pattern >> 5 & 31) ^ pattern >> 10 & 31
            at = lane // 32 * 32 + low
        assert after.v[5][lane] == (wave.v[2][at] if at in active(wave) else 0)


# -- multiply and add of 64 bits ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["v_mad_u64_u32", "v_mad_i64_i32"])
def test_multiply_and_add_of_64_bits(engine: Engine, name: str) -> None:
    r = chance(name)
    for _ in range(6):
        wave = wave_of(r)
        for row in range(8):
            wave.v[row] = [
                r.choice([0, 1, W, 0x80000000, 0x7FFFFFFF, r.getrandbits(32)]) for _ in range(LANES)
            ]
        code = vop3(name, 10, 256 + 2, 256 + 3, 256 + 4)
        code[0] |= 20 << 8
        after, carries = run(engine, code, wave), 0
        for lane in active(wave):
            a, b, low, high = (int(wave.v[row][lane]) for row in (2, 3, 4, 5))
            c = low | high << 32
            if "i64" in name:
                a, b = (x - (1 << 32) if x >> 31 else x for x in (a, b))
                c = c - (1 << 64) if c >> 63 else c
                carries |= (not -(1 << 63) <= a * b + c < 1 << 63) << lane
            else:
                carries |= (a * b + c >> 64) << lane
            total = a * b + c & (1 << 64) - 1
            assert int(after.v[10][lane]) | int(after.v[11][lane]) << 32 == total
        assert after.pair(20) == carries


# -- division -------------------------------------------------------------------------------------


def division(f: Format) -> list[int]:
    """The instructions that compilers make of a division: v[6:7] = v[2:3] / v[4:5]."""
    t, n, d = "f32" if f is F32 else "f64", 256 + 2, 256 + 4
    negate = 1 << 29

    def fma(to: int, a: int, b: int, c: int, neg: int = 0) -> list[int]:
        low, high = vop3(f"v_fma_{t}", to, 256 + a, c if a < 0 else 256 + b, c)
        return [low, high | (negate if neg else 0)]

    def scale(to: int, which: int, mask: int) -> list[int]:
        low, high = vop3(f"v_div_scale_{t}", to, which, d, n)
        return [low | mask << 8, high]

    one = 242
    code = [*scale(8, d, 30), *scale(10, n, VCC), vop1(f"v_rcp_{t}", 12, 256 + 8)]
    rounds = 1 if f is F32 else 2
    for _ in range(rounds):
        code += fma(14, 8, 12, one, neg=1)  # e = 1 - d r
        code += fma(12, 14, 12, 256 + 12)  # r += e r
    code += vop3(f"v_mul_{t}", 16, 256 + 10, 256 + 12) if f is F64 else [
        ROWS["v_mul_f32"].number << 25 | 16 << 17 | 12 << 9 | 256 + 10]  # fmt: skip
    if f is F32:
        code += fma(14, 8, 16, 256 + 10, neg=1)
        code += fma(16, 14, 12, 256 + 16)
    code += fma(14, 8, 16, 256 + 10, neg=1)
    code += vop3(f"v_div_fmas_{t}", 18, 256 + 14, 256 + 12, 256 + 16)
    return code + vop3(f"v_div_fixup_{t}", 6, 256 + 18, d, n)


def _apart(f: Format, a: int, b: int) -> tuple[int, int]:
    """The same mantissas, or none, with exponents whose quotient is at the edge of zero."""
    digits = 23 if f is F32 else 52
    few = (1 << digits) - 1 if a & 1 else 3 << (digits - 2)
    low, high = (1, 150) if f is F32 else (1, 1075)
    return (a & few) | low << digits, (b & few) | (low + high - 1 + (a >> 1 & 1)) << digits


@pytest.mark.parametrize("f", [F32, F64], ids=["f32", "f64"])
def test_a_division_is_rounded_correctly(engine: Engine, f: Format) -> None:
    """v_div_scale and v_div_fmas have no other purpose, and no other reference."""
    r = chance(f"divide {f.bits}")
    numbers = corners(f)
    for turn in range(40):
        wave = WaveState(20)
        pairs = []
        for lane in range(LANES):
            a, b = (
                r.choice(numbers) if r.random() < 0.3 else r.getrandbits(f.bits) for _ in (0, 1)
            )
            if turn % 8 == 0:  # about half of the smallest number: a tie, or nearly one
                a, b = _apart(f, a, b)
            pairs.append((a, b))
            for row, value in ((2, a), (4, b)):
                wave.v[row][lane], wave.v[row + 1][lane] = value & W, value >> 32
        after = run(engine, division(f), wave)
        for lane, (a, b) in enumerate(pairs):
            got = int(after.v[6][lane]) | (int(after.v[7][lane]) << 32 if f is F64 else 0)
            wanted = floats.divide(f, a, b)
            invalid = wanted == f.nan and f.magnitude(got) == f.nan
            assert got == wanted or invalid, (turn, lane, hex(a), hex(b), hex(got))


TESTED = {
    "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32", "v_mbcnt_lo_u32_b32",
    "v_mbcnt_hi_u32_b32", "v_swap_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32",
    "v_accvgpr_mov_b32", "ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32", "v_mad_u64_u32",
    "v_mad_i64_i32", "v_div_scale_f32", "v_div_scale_f64", "v_div_fmas_f32", "v_div_fmas_f64",
}  # fmt: skip
