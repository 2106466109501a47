"""Scalar instructions against a reference of their own."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.isa.engine import ENDPGM, EXEC, Engine, Job, WaveState
from tests.isa.reference import D, W, _leading, _reverse, _sign_run, s
from tests.isa.table import Row, gfx942_rows
from tests.isa.vector_case import CONSTANTS, INTEGERS, LITERAL, SINGLES, WIDES

Pair = tuple[int, int]
# (a, b, scc) -> result, scc. A result of None leaves the destination.
TWO: dict[str, Callable[..., Pair]] = {}
ONE: dict[str, Callable[..., tuple[int | None, int]]] = {}  # (a, scc, old)


def _overflow(x: int) -> int:
    return int(not -(1 << 31) <= x < 1 << 31)


TWO |= {
    "s_add_u32": lambda a, b, c: ((a + b) & W, a + b >> 32),
    "s_addc_u32": lambda a, b, c: ((a + b + c) & W, a + b + c >> 32),
    "s_sub_u32": lambda a, b, c: ((a - b) & W, int(a < b)),
    "s_subb_u32": lambda a, b, c: ((a - b - c) & W, int(a < b + c)),
    "s_add_i32": lambda a, b, c: ((a + b) & W, _overflow(s(a) + s(b))),
    "s_sub_i32": lambda a, b, c: ((a - b) & W, _overflow(s(a) - s(b))),
    "s_min_i32": lambda a, b, c: (min(s(a), s(b)) & W, int(s(a) < s(b))),
    "s_max_i32": lambda a, b, c: (max(s(a), s(b)) & W, int(s(a) > s(b))),
    "s_min_u32": lambda a, b, c: (min(a, b), int(a < b)),
    "s_max_u32": lambda a, b, c: (max(a, b), int(a > b)),
    "s_cselect_b32": lambda a, b, c: (a if c else b, c),
    "s_cselect_b64": lambda a, b, c: (a if c else b, c),
    "s_bfm_b32": lambda a, b, c: (((1 << a % 32) - 1) << b % 32 & W, c),
    "s_bfm_b64": lambda a, b, c: (((1 << a % 64) - 1) << b % 64 & D, c),
    "s_mul_i32": lambda a, b, c: (a * b & W, c),
    "s_mul_hi_u32": lambda a, b, c: (a * b >> 32, c),
    "s_mul_hi_i32": lambda a, b, c: (s(a) * s(b) >> 32 & W, c),
    "s_pack_ll_b32_b16": lambda a, b, c: (a & 65535 | (b & 65535) << 16, c),
    "s_pack_lh_b32_b16": lambda a, b, c: (a & 65535 | b >> 16 << 16, c),
    "s_pack_hh_b32_b16": lambda a, b, c: (a >> 16 | b >> 16 << 16, c),
}
for _n in range(1, 5):
    TWO[f"s_lshl{_n}_add_u32"] = lambda a, b, c, n=_n: (
        (a << n) + b & W, int((a << n) + b > W)
    )  # fmt: skip


def _nonzero(result: int) -> Pair:
    return result, int(result != 0)


def _field(a: int, b: int, size: int, signed: bool) -> int:
    offset, width = b & (size - 1), b >> 16 & 127
    value = (s(a, size) if signed else a) >> offset
    if width == 0:
        return 0
    if width < size:
        value = s(value, width) if signed else value & ((1 << width) - 1)
    return value & ((1 << size) - 1)


for _bits, _all in ((32, W), (64, D)):
    for _name, _function in {
        "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
        "andn2": lambda a, b: a & ~b, "orn2": lambda a, b: a | ~b, "nand": lambda a, b: ~(a & b),
        "nor": lambda a, b: ~(a | b), "xnor": lambda a, b: ~(a ^ b),
    }.items():  # fmt: skip
        TWO[f"s_{_name}_b{_bits}"] = lambda a, b, c, f=_function, m=_all: _nonzero(f(a, b) & m)
    TWO[f"s_lshl_b{_bits}"] = lambda a, b, c, n=_bits, m=_all: _nonzero(a << b % n & m)
    TWO[f"s_lshr_b{_bits}"] = lambda a, b, c, n=_bits: _nonzero(a >> b % n)
    TWO[f"s_ashr_i{_bits}"] = lambda a, b, c, n=_bits, m=_all: _nonzero(s(a, n) >> b % n & m)
    TWO[f"s_bfe_u{_bits}"] = lambda a, b, c, n=_bits: _nonzero(_field(a, b, n, False))
    TWO[f"s_bfe_i{_bits}"] = lambda a, b, c, n=_bits: _nonzero(_field(a, b, n, True))
TWO["s_absdiff_i32"] = lambda a, b, c: _nonzero(abs(s(a) - s(b)) & W)


def _quads(a: int, bits: int, whole: bool) -> int:
    groups = [i for i in range(bits // 4) if a >> 4 * i & 15]
    return sum(15 << 4 * i if whole else 1 << i for i in groups)


for _bits, _all in ((32, W), (64, D)):
    _b = f"b{_bits}"
    _both: dict[str, Callable[..., tuple[int | None, int]]] = {
        f"s_mov_{_b}": lambda a, c, old: (a, c),
        f"s_cmov_{_b}": lambda a, c, old: (a if c else None, c),
        f"s_not_{_b}": lambda a, c, old, m=_all: _nonzero(a ^ m),
        f"s_wqm_{_b}": lambda a, c, old, n=_bits: _nonzero(_quads(a, n, True)),
        f"s_quadmask_{_b}": lambda a, c, old, n=_bits: _nonzero(_quads(a, n, False)),
        f"s_brev_{_b}": lambda a, c, old, n=_bits: (_reverse(a, n), c),
        f"s_bcnt0_i32_{_b}": lambda a, c, old, n=_bits: _nonzero(n - bin(a).count("1")),
        f"s_bcnt1_i32_{_b}": lambda a, c, old: _nonzero(bin(a).count("1")),
        f"s_ff0_i32_{_b}": lambda a, c, old, m=_all: (
            ((~a & m) & -(~a & m)).bit_length() - 1 & W,
            c,
        ),
        f"s_ff1_i32_{_b}": lambda a, c, old: ((a & -a).bit_length() - 1 & W, c),
        f"s_flbit_i32_{_b}": lambda a, c, old, n=_bits: (_leading(a, n), c),
        f"s_bitset0_{_b}": lambda a, c, old, n=_bits: (old & ~(1 << a % n), c),
        f"s_bitset1_{_b}": lambda a, c, old, n=_bits: (old | 1 << a % n, c),
    }
    ONE |= _both
ONE |= {
    "s_flbit_i32": lambda a, c, old: (_sign_run(a, 32), c),
    "s_flbit_i32_i64": lambda a, c, old: (_sign_run(a, 64), c),
    "s_sext_i32_i8": lambda a, c, old: (s(a, 8) & W, c),
    "s_sext_i32_i16": lambda a, c, old: (s(a, 16) & W, c),
    "s_abs_i32": lambda a, c, old: _nonzero(abs(s(a)) & W),
    "s_bitreplicate_b64_b32": lambda a, c, old: (
        sum(3 << 2 * i for i in range(32) if a >> i & 1), c
    ),
}  # fmt: skip
SAVE: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, e: a & e, "or": lambda a, e: a | e, "xor": lambda a, e: a ^ e,
    "andn2": lambda a, e: a & ~e, "orn2": lambda a, e: a | ~e, "nand": lambda a, e: ~(a & e),
    "nor": lambda a, e: ~(a | e), "xnor": lambda a, e: ~(a ^ e), "andn1": lambda a, e: ~a & e,
    "orn1": lambda a, e: ~a | e,
}  # fmt: skip
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "lg": lambda a, b: a != b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
}  # fmt: skip
COMPARES: dict[str, Callable[..., bool]] = {}
for _name, _relation in RELATIONS.items():
    COMPARES[f"s_cmp_{_name}_u32"] = _relation
    COMPARES[f"s_cmp_{_name}_i32"] = lambda a, b, f=_relation: f(s(a), s(b))
    if _name in ("eq", "lg"):
        COMPARES[f"s_cmp_{_name}_u64"] = _relation
for _bits in (32, 64):
    for _value in (0, 1):
        COMPARES[f"s_bitcmp{_value}_b{_bits}"] = lambda a, b, n=_bits, v=_value: a >> b % n & 1 == v

ROWS = {row.name: row for row in gfx942_rows()}
SDST = 20
TESTED = {*TWO, *ONE, *COMPARES, *(f"s_{name}_saveexec_b64" for name in SAVE)}
TESTED |= {"s_andn1_wrexec_b64", "s_andn2_wrexec_b64"}


class Operands:
    """Random scalar sources of one instruction."""

    def __init__(self, r: random.Random, row: Row, wave: WaveState) -> None:
        self.codes: list[int] = []
        self.values: list[int] = []
        self.literal = r.choice(INTEGERS)
        for role, width in row.operands:
            if role.startswith("ssrc"):
                self._add(r, wave, width)

    def _add(self, r: random.Random, wave: WaveState, width: int) -> None:
        roll = r.random()
        if roll < 0.7:
            code = r.randrange(0, 16, width)
            value = wave.pair(code) if width == 2 else int(wave.s[code])
        elif roll < 0.8:
            code, value = LITERAL, self.literal
        else:
            code = r.choice(CONSTANTS)
            value = code - 128 if code <= 192 else (192 - code) & (D if width == 2 else W)
            if code >= 240:
                value = (WIDES if width == 2 else SINGLES)[code - 240]
        self.codes.append(code)
        self.values.append(value)

    def tail(self) -> list[int]:
        return [self.literal] if LITERAL in self.codes else []


def random_wave(r: random.Random) -> WaveState:
    wave = WaveState(1)
    for code in range(32):
        wave.s[code] = r.choice(INTEGERS) if r.random() < 0.5 else r.getrandbits(32)
    wave.set_pair(EXEC, r.getrandbits(64))
    wave.scc = r.getrandbits(1)
    return wave


def encode(row: Row, codes: list[int]) -> int:
    if row.format == "SOP2":
        return 0x80000000 | row.number << 23 | SDST << 16 | codes[1] << 8 | codes[0]
    if row.format == "SOP1":
        return 0xBE800000 | SDST << 16 | row.number << 8 | codes[0]
    return 0xBF000000 | row.number << 16 | codes[1] << 8 | codes[0]


def expected(row: Row, values: list[int], before: WaveState) -> tuple[int | None, int, int]:
    """The destination, SCC and EXEC."""
    name, old_exec = row.name, before.pair(EXEC)
    if name in TWO:
        return (*TWO[name](values[0], values[1], before.scc), old_exec)
    if name in COMPARES:
        return None, int(COMPARES[name](values[0], values[1])), old_exec
    if "exec" in name:
        rule = SAVE[name.split("_")[1]]
        after = rule(values[0], old_exec) & D
        return after if "wrexec" in name else old_exec, int(after != 0), after
    old = before.pair(SDST) if row.width("sdst") == 2 else int(before.s[SDST])
    return (*ONE[name](values[0], before.scc, old), old_exec)


@pytest.mark.parametrize("name", sorted(TESTED))
def test_a_scalar_opcode_does_what_the_reference_says(engine: Engine, name: str) -> None:
    r, row, jobs, wanted = random.Random(name), ROWS[name], [], []  # noqa: S311
    for _ in range(200):
        wave = random_wave(r)
        operands = Operands(r, row, wave)
        jobs.append(Job([encode(row, operands.codes), *operands.tail(), ENDPGM], [wave]))
        wanted.append((operands, expected(row, operands.values, wave)))
    for job, (operands, (result, scc, after)), outcome in zip(
        jobs, wanted, engine.run(jobs), strict=True
    ):
        assert outcome.status == "ended", outcome.reason
        before, got = job.waves[0], outcome.waves[0]
        state = WaveState(1, 0, before.s.copy(), scc, before.v)
        state.set_pair(EXEC, after)
        if result is not None and row.width("sdst") == 2:
            state.set_pair(SDST, result)
        elif result is not None:
            state.s[SDST] = result
        text = f"{name} {[hex(x) for x in operands.values]} scc {before.scc}"
        assert (got.s == state.s).all(), (text, hex(got.pair(SDST)), result)
        assert got.scc == scc, text


IMMEDIATE_COMPARES = [
    f"s_cmpk_{relation}_{kind}" for relation in RELATIONS for kind in ("i32", "u32")
]
IMMEDIATE = [*IMMEDIATE_COMPARES, "s_movk_i32", "s_cmovk_i32", "s_addk_i32", "s_mulk_i32"]


@pytest.mark.parametrize("name", IMMEDIATE)
def test_a_scalar_opcode_with_an_immediate(engine: Engine, name: str) -> None:
    r, row, jobs = random.Random(name), ROWS[name], []  # noqa: S311
    for _ in range(200):
        wave = random_wave(r)
        value = r.choice([0, 1, 0x7FFF, 0x8000, 0xFFFF, r.getrandbits(16)])
        if r.random() < 0.3:
            wave.s[SDST] = s(value, 16) & W if r.random() < 0.5 else value
        jobs.append(Job([0xB0000000 | row.number << 23 | SDST << 16 | value, ENDPGM], [wave]))
    for job, outcome in zip(jobs, engine.run(jobs), strict=True):
        before, got = job.waves[0], outcome.waves[0]
        value, old = int(job.code[0]) & 0xFFFF, int(before.s[SDST])
        result, scc = old, before.scc
        if name in IMMEDIATE_COMPARES:
            rule = RELATIONS[name.split("_")[2]]
            signed = name.endswith("i32")
            scc = int(rule(s(old), s(value, 16)) if signed else rule(old, value))
        elif name == "s_movk_i32" or (name == "s_cmovk_i32" and scc):
            result = s(value, 16) & W
        elif name == "s_addk_i32":
            result, scc = (old + s(value, 16)) & W, _overflow(s(old) + s(value, 16))
        elif name == "s_mulk_i32":
            result = old * s(value, 16) & W
        assert (int(got.s[SDST]), got.scc) == (result, scc), (name, hex(old), hex(value))


MOVES = ["s_movrels_b32", "s_movrels_b64", "s_movreld_b32", "s_movreld_b64"]


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("index", [0, 4, 6, 200])
def test_a_register_that_m0_names(engine: Engine, name: str, index: int) -> None:
    """One that does not exist is read as the first, and not written."""
    wave, words = random_wave(random.Random(name)), 2 if "b64" in name else 1  # noqa: S311
    wave.s[124] = index
    code = 0xBE800000 | SDST << 16 | ROWS[name].number << 8 | 8
    (outcome,) = engine.run([Job([code, ENDPGM], [wave])])
    assert outcome.status == "ended", outcome.reason
    wanted = wave.s.copy()
    source, target = (8 + index, SDST) if "rels" in name else (8, SDST + index)
    source = 0 if source > 101 else source
    if target <= 101:
        wanted[target : target + words] = wave.s[source : source + words]
    assert (outcome.waves[0].s == wanted).all()
