"""Buffers with a format, of the instruction or of the resource, against exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from tests.isa import floats
from tests.isa.engine import ENDPGM, EXEC, LANES, Engine, Job, Region, WaveState
from tests.isa.floats import F16, F32, Format
from tests.isa.reference import s
from tests.isa.table import gfx942_rows

ROWS = {row.name: row for row in gfx942_rows()}
W = 0xFFFFFFFF
BASE, SIZE, STRIDE = 0x7000_0000_0000 >> 1, 4096, 32
ADDRESS, DATA = 2, 4
# DFMT: the bits of the components from the lowest on. AMD's names count from the highest.
ELEMENTS = {
    1: [8], 2: [16], 3: [8, 8], 4: [32], 5: [16, 16], 6: [11, 11, 10], 7: [10, 11, 11],
    8: [2, 10, 10, 10], 9: [10, 10, 10, 2], 10: [8, 8, 8, 8], 11: [32, 32], 12: [16, 16, 16, 16],
    13: [32, 32, 32], 14: [32, 32, 32, 32],
}  # fmt: skip
UNORM, SNORM, USCALED, SSCALED, UINT, SINT, RESERVED, FLOAT = range(8)
SMALL = {10: Format(5, 5), 11: Format(6, 5), 16: F16}
IDENTITY = (4, 5, 6, 7)
NAMES = [
    f"{prefix}_{verb}_format_{which}"
    for prefix in ("buffer", "tbuffer") for verb in ("load", "store")
    for which in ("x", "xy", "xyz", "xyzw", "d16_x", "d16_xy", "d16_xyz", "d16_xyzw")
]  # fmt: skip
TESTED = [*NAMES, "buffer_load_format_d16_hi_x", "buffer_store_format_d16_hi_x"]


def formats() -> list[tuple[int, int]]:
    """Those that there are."""
    return [
        (data, number)
        for data, bits in ELEMENTS.items() for number in range(8)
        if number != RESERVED
        and (number != FLOAT or (bits[0] >= 10 and 2 not in bits))
    ]  # fmt: skip


def single(x: Fraction) -> int:
    return floats.pack(F32, x.numerator, 0) if x.denominator == 1 else _quotient(x)


def _quotient(x: Fraction) -> int:
    """Rounded once: as many bits as are needed, and whether more follow."""
    digits = (abs(x.numerator) << 80) // x.denominator
    rest = (abs(x.numerator) << 80) % x.denominator != 0
    return floats.pack(F32, (-1 if x < 0 else 1) * (digits << 1 | rest), -81)


def value(f: Format, x: int) -> Fraction:
    m, e = floats.unpack(f, x)
    return m * Fraction(2) ** e


def loaded(raw: int, bits: int, number: int) -> int:
    if bits == 32:
        return raw
    if number == FLOAT:
        f = SMALL[bits]
        # Small floats have no sign: a sign bit above them is never set.
        return floats.convert(F32, f, raw)
    signed, half = s(raw, bits), (1 << bits - 1) - 1
    return {
        UNORM: lambda: single(Fraction(raw, (1 << bits) - 1)),
        SNORM: lambda: single(max(Fraction(signed, half), Fraction(-1))),
        USCALED: lambda: single(Fraction(raw)),
        SSCALED: lambda: single(Fraction(signed)),
        UINT: lambda: raw,
        SINT: lambda: signed & W,
    }[number]()


def stored(word: int, bits: int, number: int) -> int:
    if bits == 32:
        return word
    most, half = (1 << bits) - 1, (1 << bits - 1) - 1
    if number == UINT:
        return min(word, most)
    if number == SINT:
        return max(min(s(word), half), -half - 1) & most
    if number == FLOAT:
        if bits == 16:
            return floats.convert(F16, F32, word)
        small = floats.convert(SMALL[bits], F32, word, floats.ZERO)
        if F32.is_nan(word):
            return small & most
        return 0 if F32.sign(word) else small
    x = Fraction(0)
    if F32.is_infinite(word):
        x = Fraction(-(1 << 40) if F32.sign(word) else 1 << 40)
    elif not F32.is_nan(word):
        x = value(F32, word)
    whole = int(x)  # towards zero
    return {
        UNORM: lambda: round(min(max(x * most, Fraction(0)), Fraction(most))),
        SNORM: lambda: round(min(max(x * half, Fraction(-half)), Fraction(half))) & most,
        USCALED: lambda: min(max(whole, 0), most),
        SSCALED: lambda: min(max(whole, -half - 1), half) & most,
    }[number]()


def narrowed(word: int, number: int) -> int:
    """A register of 16 bits."""
    if number == UINT:
        return min(word, 0xFFFF)
    if number == SINT:
        return max(min(s(word), 0x7FFF), -0x8000) & 0xFFFF
    return floats.convert(F16, F32, word)


def widened(half: int, number: int) -> int:
    if number in (UINT, SINT):
        return half if number == UINT else s(half, 16) & W
    wide = floats.convert(F32, F16, half)
    return wide ^ F32.quiet if F16.is_signaling(half) else wide


class Typed:
    """One instruction: its format, what it selects, and where its lanes are."""

    def __init__(self, r: random.Random, name: str, data: int, number: int) -> None:
        self.name, self.data, self.number, self.bits = name, data, number, ELEMENTS[data]
        self.size, self.halves = sum(self.bits) // 8, "d16" in name
        self.count = 1 if name.endswith("hi_x") else len(name.rsplit("_", 1)[1])
        self.select = IDENTITY
        if name.startswith("buffer") and r.random() < 0.5:
            self.select = tuple(r.sample([4, 5, 6, 7], 4))  # type: ignore[assignment]
            if "load" in name:
                self.select = tuple(r.choice([0, 1, 4, 5, 6, 7]) for _ in range(4))  # type: ignore[assignment]
        self.index = [r.randrange(-1, SIZE // STRIDE) % (1 << 32) for _ in range(LANES)]

    def words(self) -> list[int]:
        number = ROWS[self.name].number
        if self.name.startswith("tbuffer"):
            low = 0xE8000000 | (self.number << 4 | self.data) << 19 | number << 15 | 1 << 13 | 4
        else:
            low = 0xE0000000 | number << 18 | 1 << 13 | 4
        return [low, 128 << 24 | 5 << 16 | DATA << 8 | ADDRESS, ENDPGM]

    def prepare(self, wave: WaveState) -> None:
        wave.set_pair(20, BASE | STRIDE << 48)
        wave.s[22] = SIZE // STRIDE
        select = sum(x << 3 * n for n, x in enumerate(self.select))
        typed = self.name.startswith("tbuffer")
        wave.s[23] = select if typed else select | self.number << 12 | self.data << 15
        wave.v[ADDRESS] = self.index

    def place(self, lane: int) -> int | None:
        index = self.index[lane]
        return None if index >= SIZE // STRIDE else index * STRIDE + 4

    def parts(self, raw: int) -> list[int]:
        found, at = [], 0
        for bits in self.bits:
            found.append(raw >> at & ((1 << bits) - 1))
            at += bits
        return found

    def shift(self, n: int) -> int:
        return 16 if n % 2 or "_hi_" in self.name else 0


def random_word(r: random.Random) -> int:
    some = [0, 1 << 31, 0x3F800000, 0xBF800000, 0x7F800000, 0xFFC00000, 0x437F0000, 0x3F000000,
            0x3C003C00, 0xC2FE1234, W, 127, 0x80000001]  # fmt: skip
    if r.random() < 0.4:
        return floats.pack(F32, r.randrange(-(1 << 20), 1 << 20), -r.randrange(10, 22))
    return r.choice([*some, r.getrandbits(32)])


@pytest.mark.parametrize("name", TESTED)
def test_a_typed_access_converts_as_its_format_says(engine: Engine, name: str) -> None:
    r, jobs, checks = random.Random(name), [], []  # noqa: S311
    for data, number in formats():
        typed, wave = Typed(r, name, data, number), WaveState(12)
        wave.v[:] = [[random_word(r) for _ in range(LANES)] for _ in range(12)]
        typed.prepare(wave)
        wave.set_pair(EXEC, r.choice([(1 << 64) - 1, r.getrandbits(64)]))
        memory = r.randbytes(SIZE)
        jobs.append(Job(typed.words(), [wave], regions=[Region(BASE, memory)]))
        checks.append((typed, wave, memory))
    for lanes in (0, 1, 2):
        outcomes = engine.run(jobs, lanes)
        for (typed, wave, memory), outcome in zip(checks, outcomes, strict=True):
            assert outcome.status == "ended", outcome.reason
            model, rows = bytearray(memory), wave.v.copy()
            for lane in range(LANES):
                if wave.pair(EXEC) >> lane & 1:
                    (load_lane if "load" in name else store_lane)(typed, wave, lane, model, rows)
            assert outcome.regions[0] == model, vars(typed)
            assert np.array_equal(outcome.waves[0].v, rows), vars(typed)


def load_lane(
    typed: Typed, wave: WaveState, lane: int, model: bytearray, rows: np.ndarray[tuple[int, int]]
) -> None:
    at, parts = typed.place(lane), [0, 0, 0, 0]
    if at is not None:
        raw = int.from_bytes(model[at : at + typed.size], "little")
        for n, (part, bits) in enumerate(zip(typed.parts(raw), typed.bits, strict=True)):
            parts[n] = loaded(part, bits, typed.number)
    for n in range(typed.count):
        select = typed.select[n]
        one = 1 if typed.number in (UINT, SINT) else 0x3F800000
        word = parts[select - 4] if select >= 4 else one * select
        row = DATA + (n // 2 if typed.halves else n)
        if typed.halves:
            half, shift = narrowed(word, typed.number), typed.shift(n)
            word = int(rows[row][lane]) & ~(0xFFFF << shift) & W | half << shift
        rows[row][lane] = word


def store_lane(
    typed: Typed, wave: WaveState, lane: int, model: bytearray, rows: np.ndarray[tuple[int, int]]
) -> None:
    at = typed.place(lane)
    if at is None:
        return
    raw, position = 0, 0
    for component, bits in enumerate(typed.bits):
        word = 0
        for n in range(typed.count):
            if typed.select[n] == 4 + component:
                word = int(wave.v[DATA + (n // 2 if typed.halves else n)][lane])
                if typed.halves:
                    word = widened(word >> typed.shift(n) & 0xFFFF, typed.number)
        raw |= stored(word, bits, typed.number) << position
        position += bits
    model[at : at + typed.size] = raw.to_bytes(typed.size, "little")


@pytest.mark.parametrize(("data", "number"), [(0, UINT), (15, UINT), (10, RESERVED), (10, FLOAT)])
def test_a_format_that_there_is_not_gives_zeros_and_stores_nothing(
    engine: Engine, data: int, number: int
) -> None:
    r = random.Random(3)  # noqa: S311
    for name in ("tbuffer_load_format_xyzw", "tbuffer_store_format_xyzw"):
        typed, wave = Typed(r, name, 10, UINT), WaveState(12)
        typed.data, typed.number = data, number
        wave.v[:] = 7
        typed.prepare(wave)
        job = Job(typed.words(), [wave], regions=[Region(BASE, bytes(SIZE))])
        (outcome,) = engine.run([job])
        assert outcome.regions[0] == bytes(SIZE)
        assert (outcome.waves[0].v[DATA : DATA + 4] == (0 if "load" in name else 7)).all()


def test_an_element_beyond_the_allocation_is_a_fault(engine: Engine) -> None:
    """Within the resource's size, but not within the memory; its twin is one byte longer."""
    r = random.Random(3)  # noqa: S311
    for size in (8, 7):
        typed, wave = Typed(r, "tbuffer_load_format_xyzw", 10, UINT), WaveState(12)
        typed.prepare(wave)
        wave.v[ADDRESS] = 0
        (outcome,) = engine.run([Job(typed.words(), [wave], regions=[Region(BASE, bytes(size))])])
        assert outcome.status == ("ended" if size == 8 else "faulted")
        if size == 7:
            assert (outcome.fault, outcome.size, outcome.address) == ("memory", 4, BASE + 4)
