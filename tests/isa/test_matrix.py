"""Products of matrices. The layouts are those of AMD's documents: which lane has which element."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.isa import floats
from tests.isa.engine import ENDPGM, LANES, Engine, Job, WaveState
from tests.isa.floats import F32, F64
from tests.isa.table import gfx942_rows

ROWS = {row.name: row for row in gfx942_rows()}
W = 0xFFFFFFFF
BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8}
DENSE = sorted(name for name in ROWS if name.startswith("v_mfma_"))
SPARSE = sorted(name for name in ROWS if name.startswith("v_smfmac_"))
TESTED = {*DENSE, *SPARSE}
A, B, C, D = 0, 8, 32, 64  # registers
Matrix = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass
class Shape:
    """What a name says."""

    size: int
    depth: int
    blocks: int
    a: str
    b: str

    @classmethod
    def of(cls, name: str) -> Shape:
        found = re.match(r"v_s?mfma(?:c)?_[fi]\d+_(\d+)x\d+x(\d+)(?:_(\d+)b)?_(.+)", name)
        assert found, name
        kinds = found[4].split("_")
        return cls(int(found[1]), int(found[2]), int(found[3] or 1), kinds[0], kinds[-1])

    def input_place(self, i: int, k: int, block: int) -> tuple[int, int]:
        """The lane and the element in it."""
        per_lane = self.depth * self.size * self.blocks // LANES
        return i + self.size * (block + self.blocks * (k // per_lane)), k % per_lane

    def output_place(self, i: int, j: int, block: int) -> tuple[int, int]:
        """The lane and the result in it."""
        if self.a == "f64":
            if self.size == 4:
                return 16 * i + 4 * block + j, 0
            return 16 * (i % 4) + j, i // 4
        if self.size == 4:
            return 4 * block + j, i
        if self.size == 16:
            return 16 * (i // 4) + j, 4 * block + i % 4
        return 32 * (i // 4 % 2) + j, 16 * block + 4 * (i // 8) + i % 4


def encoded(kind: str, value: int) -> int:
    """A small integer in a format."""
    if kind == "i8":
        return value & 255
    if kind in ("fp8", "bf8"):
        fraction, bias = (3, 8) if kind == "fp8" else (2, 16)
        if value == 0:
            return 0
        m, e = abs(value), fraction + bias
        shift = fraction + 1 - m.bit_length()
        sign = 128 if value < 0 else 0
        return (e - shift) << fraction | ((m << shift) - (1 << fraction)) | sign
    if kind == "bf16":
        return floats.from_integer(F32, value) >> 16
    formats = {"f64": F64, "f16": floats.F16}
    return floats.from_integer(formats.get(kind, F32), value)


def put(wave: WaveState, register: int, lane: int, element: int, bits: int, value: int) -> None:
    at = element * bits
    for word in range(max(1, bits // 32)):
        part = (value >> 32 * word & W) << at % 32
        wave.v[register + at // 32 + word][lane] |= np.uint32(part)


def get(wave: WaveState, register: int, lane: int, result: int, wide: bool) -> int:
    if not wide:
        return int(wave.v[register + result][lane])
    low, high = (int(wave.v[register + 2 * result + n][lane]) for n in (0, 1))
    return low | high << 32


def small(r: random.Random, *shape: int) -> Matrix:
    """Integers so small that every order of additions gives the same."""
    return np.array([r.randint(-3, 3) for _ in range(int(np.prod(shape)))]).reshape(shape)


def number_of(name: str) -> Callable[[int], int]:
    if "_i32_" in name:
        return lambda x: x & W
    return lambda x: floats.from_integer(F64 if "_f64_" in name else F32, x)


def instruction(name: str, c: int, cbsz: int = 0, abid: int = 0, blgp: int = 0) -> list[int]:
    low = 0xD3800000 | ROWS[name].number << 16 | abid << 11 | cbsz << 8 | D
    return [low, 256 + A | 256 + B << 9 | c << 18 | blgp << 29]


def run(engine: Engine, code: list[int], wave: WaveState) -> WaveState:
    (outcome,) = engine.run([Job([*code, ENDPGM], [wave])])
    assert outcome.status == "ended", outcome
    return outcome.waves[0]


def b_lane(blgp: int, lane: int) -> int:
    """Which lane's B a lane multiplies with."""
    if blgp in (1, 2):
        return lane % 32 + 32 * (blgp - 1)
    if blgp == 3:
        return (lane + 16) % 64
    return lane if blgp == 0 else lane % 16 + 16 * (blgp - 4)


def modifiers(name: str) -> list[tuple[int, int, int]]:
    """CBSZ, ABID and BLGP that an instruction knows."""
    shape = Shape.of(name)
    found = [(0, 0, 0)]
    if shape.a != "f64":
        found += [(n, abid, 0) for n in range(1, 5) if 1 << n <= shape.blocks
                  for abid in {0, (1 << n) - 1}]  # fmt: skip
    if shape.a in ("f64", "f32", "f16", "bf16") or shape.blocks > 1:
        found += [(0, 0, blgp) for blgp in range(1, 8)]
    return found


@pytest.mark.parametrize("name", DENSE)
def test_a_matrix_product(engine: Engine, name: str) -> None:
    shape, r, number = Shape.of(name), random.Random(name), number_of(name)  # noqa: S311
    n, depth, wide = shape.size, shape.depth, shape.a == "f64"
    a, b = small(r, shape.blocks, n, depth), small(r, shape.blocks, depth, n)
    c = small(r, shape.blocks, n, n) * 9
    wave, b_at = WaveState(128), {}
    for block, i, k in np.ndindex(shape.blocks, n, depth):
        lane, element = shape.input_place(i, k, block)
        put(wave, A, lane, element, BITS[shape.a], encoded(shape.a, int(a[block, i, k])))
        put(wave, B, lane, element, BITS[shape.b], encoded(shape.b, int(b[block, k, i])))
        b_at[lane, element] = int(b[block, k, i])
    for block, i, j in np.ndindex(shape.blocks, n, n):
        lane, result = shape.output_place(i, j, block)
        put(wave, C, lane, result, 64 if wide else 32, number(int(c[block, i, j])))
    for cbsz, abid, blgp in modifiers(name):
        negate = [-1 if wide and blgp >> bit & 1 else 1 for bit in range(3)]
        after = run(engine, instruction(name, 256 + C, cbsz, abid, blgp), wave)
        for block in range(shape.blocks):
            left = a[(block >> cbsz << cbsz) + abid]
            right = np.zeros((depth, n), int)
            for k, j in np.ndindex(depth, n):
                lane, element = shape.input_place(j, k, block)
                right[k, j] = b_at[lane if wide else b_lane(blgp, lane), element]
            wanted = negate[0] * negate[1] * (left @ right) + negate[2] * c[block]
            for i, j in np.ndindex(n, n):
                got = get(after, D, *shape.output_place(i, j, block), wide)
                assert got == number(int(wanted[i, j])), (cbsz, abid, blgp, block, i, j)


def test_a_modifier_that_chooses_among_nothing_is_refused_by_name(engine: Engine) -> None:
    for name, given in {
        "v_mfma_f32_16x16x16_f16": (1, 0, 0),
        "v_mfma_f32_16x16x4_4b_f16": (1, 2, 0),
        "v_mfma_f32_16x16x32_fp8_fp8": (0, 0, 1),
        "v_smfmac_f32_16x16x32_f16": (0, 0, 1),
    }.items():
        code = instruction(name, 256 + C, *given)
        (outcome,) = engine.run([Job([*code, ENDPGM], [WaveState(128)])])
        assert outcome.status == "not loaded"
        assert name in outcome.reason


@pytest.mark.parametrize("name", DENSE)
def test_a_constant_that_a_product_adds_is_as_wide_as_its_results(
    engine: Engine, name: str
) -> None:
    """Not as its factors: 1.0 and -4.0 to halves are those of f32."""
    wide = "_f64_" in name
    for code, value in ((242, 1), (247, -4)):
        after = run(engine, instruction(name, code), WaveState(128))
        assert get(after, D, 5, 0, wide) == floats.from_integer(F64 if wide else F32, value)


@pytest.mark.parametrize("name", SPARSE)
def test_a_sparse_product(engine: Engine, name: str) -> None:
    """Of each four elements of a row of A two are given, and the index says which."""
    shape, r, number = Shape.of(name), random.Random(name), number_of(name)  # noqa: S311
    n, groups = shape.size, LANES // shape.size
    per_lane = shape.depth // groups  # of B; half as many of A
    parts = 16 // (per_lane // 2)
    for cbsz, abid in [(0, 0), (0, parts - 1), (1, parts - 1)]:
        wave = WaveState(128)
        a, b, c = np.zeros((n, shape.depth), int), small(r, shape.depth, n), small(r, n, n) * 9
        wave.v[C] = [r.getrandbits(32) for _ in range(LANES)]
        for lane in range(LANES):
            part = 0 if cbsz else abid
            index = 0
            for pair in range(per_lane // 4):
                for at, which in enumerate(sorted(r.sample(range(4), 2))):
                    element = 2 * pair + at
                    value = r.randint(-3, 3)
                    index |= which << 2 * element
                    a[lane % n, lane // n * per_lane + 4 * pair + which] = value
                    put(wave, A, lane, element, BITS[shape.a], encoded(shape.a, value))
            mask = (1 << per_lane) - 1
            held = int(wave.v[C][lane]) & ~(mask << part * per_lane)
            wave.v[C][lane] = held | index << part * per_lane
            for element in range(per_lane):
                value = int(b[lane // n * per_lane + element, lane % n])
                put(wave, B, lane, element, BITS[shape.b], encoded(shape.b, value))
        for i, j in np.ndindex(n, n):
            put(wave, D, *shape.output_place(i, j, 0), 32, number(int(c[i, j])))
        wanted = a @ b + c
        after = run(engine, instruction(name, 256 + C, cbsz, abid), wave)
        for i, j in np.ndindex(n, n):
            got = get(after, D, *shape.output_place(i, j, 0), False)
            assert got == number(int(wanted[i, j])), (cbsz, abid, i, j)
