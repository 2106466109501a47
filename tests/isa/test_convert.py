"""FP8 as gfx942 has it, against exact fractions: one NaN (0x80), no infinity, no negative zero."""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from tests.isa.engine import ENDPGM, MODE, Engine, Job, WaveState
from tests.isa.table import gfx942_rows

ROWS = {row.name: row for row in gfx942_rows()}
SATURATES = 1 << 23  # MODE.FP16_OVFL
NAN, LARGEST = 0x80, 0x7F
W = 0xFFFFFFFF
LANES = 64


class Fp8(NamedTuple):
    """A format of eight bits."""

    name: str
    fraction: int
    bias: int

    def value(self, code: int) -> Fraction:
        """Also of the code after the largest one, which stands for what is too large."""
        biased, mantissa = code >> self.fraction, code & ((1 << self.fraction) - 1)
        whole = mantissa + (1 << self.fraction if biased else 0)
        return whole * Fraction(2) ** (max(biased, 1) - self.bias - self.fraction)

    def number(self, code: int) -> float:
        return math.nan if code == NAN else float(self.value(code & 127)) * (-1) ** (code >> 7)


FORMATS = [Fp8("fp8", 3, 8), Fp8("bf8", 2, 16)]
TESTED = [
    name
    for f in ("fp8", "bf8")
    for name in (f"v_cvt_pk_{f}_f32", f"v_cvt_sr_{f}_f32", f"v_cvt_pk_f32_{f}")
]


def bits(x: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", x))[0])


def single(x: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", x & W))[0])


def finished(code: int, negative: bool, saturates: bool) -> int:
    """A code of a magnitude with its sign; one too many is too large."""
    if code > LARGEST:
        code = LARGEST if saturates else NAN
    return code | 0x80 * negative if code & LARGEST else code


def nearest(f: Fp8, x: int, saturates: bool) -> int:
    value = single(x)
    if math.isnan(value) or math.isinf(value):
        return NAN
    magnitude = abs(Fraction(value))
    codes = range(LARGEST + 2)
    if magnitude >= f.value(LARGEST + 1):
        code = LARGEST + 1
    else:
        code = min(codes, key=lambda c: (abs(f.value(c) - magnitude), c & 1))
    return finished(code, math.copysign(1, value) < 0, saturates)


def stochastic(f: Fp8, x: int, seed: int, saturates: bool) -> int:
    """The upper bits of the seed are added below the last place, and then what is there is cut."""
    value = single(x)
    if math.isnan(value) or math.isinf(value):
        return NAN
    magnitude = abs(Fraction(value))
    exponent = max(math.frexp(value)[1] - 1, 1 - f.bias) if value else 1 - f.bias
    places = magnitude // Fraction(2) ** (exponent - 23) + (seed >> 9 + f.fraction)
    result = (places >> 23 - f.fraction) * Fraction(2) ** (exponent - f.fraction)
    code = next((c for c in range(LARGEST + 1) if f.value(c) == result), LARGEST + 1)
    return finished(code, math.copysign(1, value) < 0, saturates)


def corners(f: Fp8) -> list[int]:
    """Every number, every middle of two, their neighbours, and what is no number."""
    values = [f.value(c) for c in range(LARGEST + 2)]
    middles = [(a + b) / 2 for a, b in pairwise(values)]
    near = [bits(float(x)) + step for x in [*values, *middles] for step in (-1, 0, 1)]
    odd = [0, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000]
    return [x & 0x7FFFFFFF | sign for x in [*near, *odd] for sign in (0, 1 << 31)]


def waves_of(words: list[int], r: random.Random) -> list[WaveState]:
    """v0: the words; v1: others of them; v2: a seed; v3: what the destination has."""
    waves = []
    for start in range(0, len(words), LANES):
        wave = WaveState(8)
        part = words[start : start + LANES]
        wave.v[0] = [*part, *([0] * (LANES - len(part)))]
        wave.v[1] = [r.choice(words) for _ in range(LANES)]
        wave.v[2] = [r.choice([0, W, r.getrandbits(32)]) for _ in range(LANES)]
        wave.v[3] = [r.getrandbits(32) for _ in range(LANES)]
        wave.set_pair(126, r.choice([(1 << 64) - 1, r.getrandbits(64)]))
        waves.append(wave)
    return waves


def active(wave: WaveState) -> list[int]:
    return [lane for lane in range(LANES) if wave.pair(126) >> lane & 1]


def vop3(name: str, second: int, op_sel: int = 0, neg: int = 0, absolute: int = 0) -> list[int]:
    low = 0xD0000000 | ROWS[name].number << 16 | op_sel << 11 | absolute << 8 | 3
    return [low, 256 | 256 + second << 9 | neg << 29, ENDPGM]


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("mode", [MODE, MODE | SATURATES])
@pytest.mark.parametrize("f", FORMATS, ids=lambda f: f.name)
def test_two_numbers_are_rounded_to_nearest(engine: Engine, f: Fp8, mode: int, lanes: int) -> None:
    r = random.Random(f"{f} {mode}")  # noqa: S311
    jobs, wanted = [], []
    for wave in waves_of(corners(f), r):
        op_sel, neg, absolute = r.choice([0, 8]), r.getrandbits(2), r.getrandbits(2)
        code = vop3(f"v_cvt_pk_{f.name}_f32", 1, op_sel, neg, absolute)
        jobs.append(Job(code, [wave], mode=mode))
        rows = wave.v.copy()
        for lane in active(wave):
            word = 0
            for n in (0, 1):
                x = int(wave.v[n][lane])
                x = (x & 0x7FFFFFFF if absolute >> n & 1 else x) ^ (neg >> n & 1) << 31
                word |= nearest(f, x, mode != MODE) << 8 * n
            shift = 2 * op_sel
            rows[3][lane] = int(rows[3][lane]) & ~(0xFFFF << shift) & W | word << shift
        wanted.append(rows)
    for rows, outcome in zip(wanted, engine.run(jobs, lanes), strict=True):
        assert outcome.status == "ended", outcome.reason
        assert np.array_equal(outcome.waves[0].v, rows)


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("mode", [MODE, MODE | SATURATES])
@pytest.mark.parametrize("f", FORMATS, ids=lambda f: f.name)
def test_a_seed_decides_the_rounding(engine: Engine, f: Fp8, mode: int, lanes: int) -> None:
    r = random.Random(f"{f} {mode}")  # noqa: S311
    jobs, wanted = [], []
    for wave in waves_of(corners(f), r):
        byte, neg = r.randrange(4), r.getrandbits(1)
        jobs.append(Job(vop3(f"v_cvt_sr_{f.name}_f32", 2, byte << 2, neg), [wave], mode=mode))
        rows = wave.v.copy()
        for lane in active(wave):
            x, seed = int(wave.v[0][lane]) ^ neg << 31, int(wave.v[2][lane])
            code = stochastic(f, x, seed, mode != MODE)
            rows[3][lane] = int(rows[3][lane]) & ~(0xFF << 8 * byte) & W | code << 8 * byte
        wanted.append(rows)
    for rows, outcome in zip(wanted, engine.run(jobs, lanes), strict=True):
        assert outcome.status == "ended", outcome.reason
        assert np.array_equal(outcome.waves[0].v, rows)


def test_rounding_by_a_seed_has_no_bias(engine: Engine) -> None:
    """Between two numbers, as often up as the distance says."""
    f, wave = FORMATS[0], WaveState(8)
    low, high = f.value(0x48), f.value(0x49)
    wave.v[0] = [bits(float(low + (high - low) * lane / 64)) for lane in range(LANES)]
    jobs = []
    for i in range(64):
        state = WaveState(8, 0, wave.s.copy(), 0, wave.v.copy())
        state.v[2] = (i << 26) + (1 << 25)
        jobs.append(Job(vop3("v_cvt_sr_fp8_f32", 2), [state]))
    ups = sum((outcome.waves[0].v[3] == 0x49).astype(int) for outcome in engine.run(jobs))
    assert ups.tolist() == list(range(64))


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("f", FORMATS, ids=lambda f: f.name)
def test_two_numbers_come_back(engine: Engine, f: Fp8, lanes: int) -> None:
    """In every form: VOP1, VOP3 with clamp or omod, SDWA with a half, DPP."""
    r, number = random.Random(f.name), ROWS[f"v_cvt_pk_f32_{f.name}"].number  # noqa: S311
    short = 0x7E000000 | 2 << 17 | number << 9
    words = [r.getrandbits(32) for _ in range(512)] + [c | c << 8 | c << 16 for c in range(256)]
    jobs, wanted = [], []
    for wave in waves_of(words, r):
        form = r.choice(["e32", "e64", "sdwa", "dpp"])
        sel, lane_of_row = r.randrange(7), r.randrange(16)
        clamp, omod = (r.getrandbits(1), r.randrange(4)) if form == "e64" else (0, 0)
        code = {
            "e32": [short | 256],
            "e64": [0xD0000000 | 0x140 + number << 16 | clamp << 15 | 2, 256 | omod << 27],
            "sdwa": [short | 249, sel << 16 | 6 << 8],
            "dpp": [short | 250, (0x150 + lane_of_row) << 8 | 0xFF << 24],
        }[form]
        jobs.append(Job([*code, ENDPGM], [wave]))
        rows = wave.v.copy()
        for lane in active(wave):
            source = lane // 16 * 16 + lane_of_row if form == "dpp" else lane
            if not wave.pair(126) >> source & 1:
                continue  # a lane that is switched off gives nothing
            half = int(wave.v[0][source]) >> (16 if form == "sdwa" and sel & 3 == 1 else 0)
            for n in (0, 1):
                x = f.number(half >> 8 * n & 255) * (1, 2, 4, 0.5)[omod]
                if clamp:
                    x = min(max(x, 0.0), 1.0) if x == x else 0.0
                rows[2 + n][lane] = 0x7FC00000 if math.isnan(x) else bits(x)
        wanted.append((form, rows))
    for (form, rows), outcome in zip(wanted, engine.run(jobs, lanes), strict=True):
        assert outcome.status == "ended", outcome.reason
        assert np.array_equal(outcome.waves[0].v, rows), form


def test_halves_that_fp8_does_not_choose_are_refused(engine: Engine) -> None:
    (outcome,) = engine.run([Job(vop3("v_cvt_pk_fp8_f32", 1, op_sel=1), [WaveState(8)])])
    assert (outcome.status, "v_cvt_pk_fp8_f32" in outcome.reason) == ("not loaded", True)
