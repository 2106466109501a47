"""Loads, stores and atomics of every kind of memory, against a model of bytes."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.isa import floats
from tests.isa.engine import ENDPGM, EXEC, LANES, Engine, Job, Outcome, Region, WaveState
from tests.isa.reference import s
from tests.isa.table import Row, gfx942_rows

W = 0xFFFFFFFF
BASE, SIZE = 0x7000_0000_0000 >> 1, 4096
SPACES = ("global", "flat", "scratch", "buffer", "ds")
ROWS = {row.name: row for row in gfx942_rows()}
ADDRESS, DATA, DATA1, RESULT = 2, 4, 8, 12
LDS, SCRATCH = 1024, 256


@dataclass
class Load:
    """What a load does: bytes, sign extension, which half of the register."""

    size: int
    signed: bool = False
    half: int | None = None

    def result(self, raw: bytes, old: list[int]) -> list[int]:
        if self.size >= 4:
            return list(struct.unpack(f"<{self.size // 4}I", raw))
        value = int.from_bytes(raw, "little", signed=self.signed) & W
        if self.half is None:
            return [value]
        shift = 16 * self.half
        return [old[0] & ~(0xFFFF << shift) & W | (value & 0xFFFF) << shift]


LOADS: dict[str, Load] = {}
STORES: dict[str, tuple[int, int]] = {}  # bytes, shift of the register
for _space in ("global", "flat", "scratch", "buffer"):
    for _name, _size in (("dword", 4), ("dwordx2", 8), ("dwordx3", 12), ("dwordx4", 16)):
        LOADS[f"{_space}_load_{_name}"] = Load(_size)
        STORES[f"{_space}_store_{_name}"] = (_size, 0)
    for _sign, _signed in (("u", False), ("s", True)):
        LOADS[f"{_space}_load_{_sign}byte"] = Load(1, _signed)
        LOADS[f"{_space}_load_{_sign}short"] = Load(2, _signed)
        LOADS[f"{_space}_load_{_sign}byte_d16"] = Load(1, _signed, 0)
        LOADS[f"{_space}_load_{_sign}byte_d16_hi"] = Load(1, _signed, 1)
    LOADS[f"{_space}_load_short_d16"] = Load(2, False, 0)
    LOADS[f"{_space}_load_short_d16_hi"] = Load(2, False, 1)
    STORES |= {f"{_space}_store_byte": (1, 0), f"{_space}_store_byte_d16_hi": (1, 16)}
    STORES |= {f"{_space}_store_short": (2, 0), f"{_space}_store_short_d16_hi": (2, 16)}
for _bits in (32, 64, 96, 128):
    LOADS[f"ds_read_b{_bits}"] = Load(_bits // 8)
    STORES[f"ds_write_b{_bits}"] = (_bits // 8, 0)
for _sign, _signed in (("u", False), ("i", True)):
    LOADS[f"ds_read_{_sign}8"], LOADS[f"ds_read_{_sign}16"] = Load(1, _signed), Load(2, _signed)
    LOADS[f"ds_read_{_sign}8_d16"] = Load(1, _signed, 0)
    LOADS[f"ds_read_{_sign}8_d16_hi"] = Load(1, _signed, 1)
LOADS |= {"ds_read_u16_d16": Load(2, False, 0), "ds_read_u16_d16_hi": Load(2, False, 1)}
STORES |= {"ds_write_b8": (1, 0), "ds_write_b16": (2, 0)}
STORES |= {"ds_write_b8_d16_hi": (1, 16), "ds_write_b16_d16_hi": (2, 16)}


def _pk_add(f: floats.Format, old: int, data: int) -> int:
    low = floats.add(f, old & 0xFFFF, data & 0xFFFF)
    return low | floats.add(f, old >> 16, data >> 16) << 16


Atomic = Callable[[int, int, int], int]  # old, data, bits -> new
OPERATIONS: dict[str, Atomic] = {
    "swap": lambda o, d, n: d,
    "add": lambda o, d, n: o + d,
    "sub": lambda o, d, n: o - d,
    "rsub": lambda o, d, n: d - o,
    "smin": lambda o, d, n: min(s(o, n), s(d, n)),
    "smax": lambda o, d, n: max(s(o, n), s(d, n)),
    "umin": lambda o, d, n: min(o, d),
    "umax": lambda o, d, n: max(o, d),
    "and": lambda o, d, n: o & d,
    "or": lambda o, d, n: o | d,
    "xor": lambda o, d, n: o ^ d,
    "inc": lambda o, d, n: 0 if o >= d else o + 1,
    "dec": lambda o, d, n: d if o == 0 or o > d else o - 1,
    "add_f32": lambda o, d, n: floats.add(floats.F32, o, d),
    "add_f64": lambda o, d, n: floats.add(floats.F64, o, d),
    "min_f32": lambda o, d, n: floats.memory_extreme(floats.F32, o, d, False),
    "max_f32": lambda o, d, n: floats.memory_extreme(floats.F32, o, d, True),
    "min_f64": lambda o, d, n: floats.memory_extreme(floats.F64, o, d, False),
    "max_f64": lambda o, d, n: floats.memory_extreme(floats.F64, o, d, True),
    "pk_add_f16": lambda o, d, n: _pk_add(floats.F16, o, d),
    "pk_add_bf16": lambda o, d, n: _pk_add(floats.BF16, o, d),
}
ATOMICS: dict[str, tuple[Atomic, int]] = {}  # operation, bits
for _space in ("global", "flat", "buffer"):
    for _name, _operation in OPERATIONS.items():
        _plain = f"{_space}_atomic_{_name}"
        _bits = 64 if _name.endswith("f64") else 32
        if _plain in ROWS:
            ATOMICS[_plain] = (_operation, _bits)
        if f"{_plain}_x2" in ROWS:
            ATOMICS[f"{_plain}_x2"] = (_operation, 64)
_LDS = {"min_i": "smin", "max_i": "smax", "min_u": "umin", "max_u": "umax", "wrxchg_b": "swap"}
for _name in ROWS:
    if not _name.startswith("ds_"):
        continue
    _short = _name[3:].replace("_rtn", "")
    _bits = 64 if _short.endswith("64") else 32
    _key = _short if _short.endswith(("_f32", "_f64", "f16")) else _short.rsplit("_", 1)[0]
    _key = _LDS.get(_short[:-2], _key)
    if _key in OPERATIONS:
        ATOMICS[_name] = (OPERATIONS[_key], _bits)
SWAPS = {name: (64 if "x2" in name or "64" in name else 32) for name in ROWS
         if ("atomic_cmpswap" in name or "ds_cmpst" in name) and not name.endswith("f32")
         and not name.endswith("f64") and name.split("_")[0] in SPACES}  # fmt: skip


def _anywhere(r: random.Random, limit: int, step: int) -> list[int]:
    return [r.randint(0, limit) * step for _ in range(LANES)]


def _in_eights(r: random.Random, limit: int, step: int) -> list[int]:
    """One after the other, all the same, or neither: the engine looks at eight lanes together."""
    at: list[int] = []
    for eight in range(LANES // 8):
        start = r.randint(0, limit) * step
        kind = r.choice(["dense", "in row", "same", "any"])
        if kind == "in row":
            start = 32 * eight
        stride = 0 if kind == "same" else 4
        eights = [start + stride * i for i in range(8)]
        if kind == "any" or eights[-1] > limit * step or start % step or stride % step:
            eights = [r.randint(0, limit) * step for _ in range(8)]
        at += eights
    return at


class Access:
    """One instruction of one kind of memory, with addresses for all lanes."""

    def __init__(self, r: random.Random, row: Row, size: int, spread: bool, aligned: bool) -> None:
        self.row, self.r = row, r
        self.space = row.name.split("_")[0]
        self.returns = "rtn" in row.properties and r.random() < 0.6
        if self.space == "ds":
            self.returns = "rtn" in row.name
        room = {"ds": LDS, "scratch": SCRATCH}.get(self.space, SIZE)
        step = size if aligned else 1
        self.offset = r.randrange(0, 64) // step * step
        limit = (room - self.offset - size) // step
        patterned = not spread and self.space != "scratch"
        self.at = _in_eights(r, limit, step) if patterned else _anywhere(r, limit, step)
        if self.space == "flat" and r.random() < 0.4:
            self.window = r.choice(["lds", "scratch"])
            room = LDS if self.window == "lds" else SCRATCH
            limit = (room - self.offset - size) // step
            self.at = [r.randint(0, limit) * step for _ in range(LANES)]
        else:
            self.window = {"ds": "lds", "scratch": "scratch"}.get(self.space, "global")
        self.scalar = r.random() < 0.5
        if self.space == "ds" and r.random() < 0.5:
            self.at = [at - self.offset for at in self.at]  # an address has 32 bits

    def prepare(self, wave: WaveState) -> None:
        base = {"global": BASE, "lds": 0x10000 << 32, "scratch": 0x20000 << 32}[self.window]
        if self.space in ("ds", "scratch", "buffer"):
            base = 0
        if self.space == "global" and self.scalar:
            wave.set_pair(20, base)
            base = 0
        if self.space == "buffer":
            wave.set_pair(20, BASE)
            wave.s[22], wave.s[23] = SIZE, 0
        for lane in range(LANES):
            address = (base + self.at[lane]) & (W << 32 | W)
            wave.v[ADDRESS][lane], wave.v[ADDRESS + 1][lane] = address & W, address >> 32

    def words(self) -> list[int]:
        number = self.row.number
        if self.space == "ds":
            low = 0xD8000000 | number << 17 | self.offset
            return [low, RESULT << 24 | DATA1 << 16 | DATA << 8 | ADDRESS]
        if self.space == "buffer":
            low = 0xE0000000 | number << 18 | self.returns << 14 | 1 << 12 | self.offset
            return [low, 128 << 24 | 5 << 16 | DATA << 8 | ADDRESS]
        segment = {"flat": 0, "scratch": 1, "global": 2}[self.space]
        saddr = 20 if self.space == "global" and self.scalar else 127
        vector = 1 << 13 if self.space == "scratch" else 0
        low = 0xDC000000 | number << 18 | self.returns << 16 | segment << 14 | vector | self.offset
        return [
            low,
            RESULT << 24 | (saddr << 16 if self.space != "flat" else 0) | DATA << 8 | ADDRESS,
        ]

    def place(self, lane: int) -> int:
        """Where the lane's bytes lie in the model of its memory."""
        own = lane * SCRATCH if self.window == "scratch" else 0
        return own + self.at[lane] + self.offset

    @property
    def result_row(self) -> int:
        return DATA if self.space == "buffer" else RESULT


def numbers(r: random.Random, name: str) -> int:
    if name.endswith(("_f32", "_f64")) and r.random() < 0.3:  # NaNs, zeros and denormals
        return r.choice([0x7FC00001, 0x7F800001, 0xFFF00001, 0x7FF80000, 0, 1 << 31, 3, 0x80000007])
    if "_f" in name and r.random() < 0.8:
        return r.choice([0x3F800000, 0x40490FDB, 0xC2480000, 0x3C003C00, 0x4248BE00, 0x40080000])
    return r.choice([0, 1, 2, 0x7FFFFFFF, 0x80000000, W, r.getrandbits(32), r.getrandbits(32)])


def run_access(engine: Engine, access: Access, name: str) -> tuple[Job, Outcome, bytearray]:
    r = access.r
    wave = WaveState(20)
    wave.v[:] = [[numbers(r, name) for _ in range(LANES)] for _ in range(20)]
    access.prepare(wave)
    wave.set_pair(EXEC, r.choice([(1 << 64) - 1, r.getrandbits(64)]))
    memory = np.array([numbers(r, name) for _ in range(SIZE // 4)], np.uint32).tobytes()
    lds = memory[:LDS]
    job = Job([*access.words(), ENDPGM], [wave], lds, SCRATCH, [Region(BASE, memory)])
    (outcome,) = engine.run([job])
    assert outcome.status == "ended", (name, outcome, access.words())
    model = {"lds": lds, "global": memory, "scratch": bytes(SCRATCH * LANES)}[access.window]
    return job, outcome, bytearray(model)


def active(job: Job) -> list[int]:
    mask = job.waves[0].pair(EXEC)
    return [lane for lane in range(LANES) if mask >> lane & 1]


def check_memory(access: Access, outcome: Outcome, model: bytearray) -> None:
    if access.window == "lds":
        assert outcome.lds == model
    elif access.window == "global":
        assert outcome.regions[0] == model


def chance(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311


@pytest.mark.parametrize("name", sorted(LOADS))
def test_a_load_brings_the_bytes(engine: Engine, name: str) -> None:
    load, r = LOADS[name], chance(name)
    for turn in range(4):
        access = Access(r, ROWS[name], load.size, spread=turn % 2 == 0, aligned=False)
        job, outcome, model = run_access(engine, access, name)
        wanted, rows = job.waves[0].v.copy(), max(load.size // 4, 1)
        for lane in active(job):
            at = access.place(lane)
            old = [int(wanted[access.result_row + i][lane]) for i in range(rows)]
            for i, word in enumerate(load.result(bytes(model[at : at + load.size]), old)):
                wanted[access.result_row + i][lane] = word
        assert np.array_equal(outcome.waves[0].v, wanted), (name, access.window)
        check_memory(access, outcome, model)


@pytest.mark.parametrize("name", sorted(n for n in STORES if not n.startswith("scratch")))
def test_a_store_writes_the_bytes(engine: Engine, name: str) -> None:
    (size, shift), r = STORES[name], chance(name)
    for turn in range(4):
        access = Access(r, ROWS[name], size, spread=turn % 2 == 0, aligned=False)
        if access.window == "scratch":
            continue  # seen by loading it again, below
        job, outcome, model = run_access(engine, access, name)
        for lane in active(job):
            rows = [int(job.waves[0].v[DATA + i][lane]) for i in range((size + 3) // 4)]
            raw = struct.pack(f"<{len(rows)}I", rows[0] >> shift, *rows[1:])[:size]
            model[access.place(lane) : access.place(lane) + size] = raw
        check_memory(access, outcome, model)


@pytest.mark.parametrize("name", sorted(n for n in STORES if n.startswith("scratch")))
def test_each_lane_has_scratch_of_its_own(engine: Engine, name: str) -> None:
    (size, shift), r = STORES[name], chance(name)
    store = Access(r, ROWS[name], size, spread=True, aligned=False)
    load = Access(r, ROWS["scratch_load_dwordx4"], 16, spread=True, aligned=False)
    wave = WaveState(20)
    wave.v[:] = [[r.getrandbits(32) for _ in range(LANES)] for _ in range(20)]
    store.prepare(wave)
    wave.v[16] = load.at
    words = load.words()
    words[1] = words[1] & ~0xFF | 16
    (outcome,) = engine.run([Job([*store.words(), *words, ENDPGM], [wave], scratch=SCRATCH)])
    for lane in range(LANES):
        own = bytearray(SCRATCH)
        rows = [int(wave.v[DATA + i][lane]) for i in range((size + 3) // 4)]
        at, back = store.at[lane] + store.offset, load.at[lane] + load.offset
        own[at : at + size] = struct.pack(f"<{len(rows)}I", rows[0] >> shift, *rows[1:])[:size]
        got = [int(outcome.waves[0].v[RESULT + i][lane]) for i in range(4)]
        assert got == list(struct.unpack("<4I", own[back : back + 16]))


def joined(wave: WaveState, row: int, lane: int, bits: int) -> int:
    low = int(wave.v[row][lane])
    return low | int(wave.v[row + 1][lane]) << 32 if bits == 64 else low


def check_atomic(
    engine: Engine, name: str, bits: int, new: Callable[[WaveState, int, int], int]
) -> None:
    """`new` of the wave, a lane and the old value; lanes follow one another."""
    r, size = chance(name), bits // 8
    for _ in range(4):
        access = Access(r, ROWS[name], size, spread=True, aligned=True)
        job, outcome, model = run_access(engine, access, name)
        before, wanted = job.waves[0], job.waves[0].v.copy()
        for lane in active(job):
            at = access.place(lane)
            old = int.from_bytes(model[at : at + size], "little")
            model[at : at + size] = (new(before, lane, old) % (1 << bits)).to_bytes(size, "little")
            if access.returns:
                wanted[access.result_row][lane] = old & W
                if bits == 64:
                    wanted[access.result_row + 1][lane] = old >> 32
        check_memory(access, outcome, model)
        assert np.array_equal(outcome.waves[0].v, wanted), (name, access.words())


@pytest.mark.parametrize("name", sorted(ATOMICS))
def test_an_atomic_updates_and_returns_the_old_value(engine: Engine, name: str) -> None:
    operation, bits = ATOMICS[name]
    check_atomic(
        engine, name, bits,
        lambda wave, lane, old: operation(old, joined(wave, DATA, lane, bits), bits),
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(SWAPS))
def test_a_compare_and_swap_writes_where_the_value_is_as_expected(
    engine: Engine, name: str
) -> None:
    bits = SWAPS[name]

    def new(wave: WaveState, lane: int, old: int) -> int:
        first = joined(wave, DATA, lane, bits)
        second = joined(wave, DATA1 if name.startswith("ds") else DATA + bits // 32, lane, bits)
        expected, desired = (first, second) if name.startswith("ds") else (second, first)
        return desired if old == expected else old

    check_atomic(engine, name, bits, new)


# -- two places of LDS -----------------------------------------------------------------------------

TWO = [
    f"ds_{verb}2{stride}_b{bits}"
    for verb in ("read", "write") for stride in ("", "st64") for bits in (32, 64)
]  # fmt: skip


@pytest.mark.parametrize("name", TWO)
def test_two_places_of_lds_at_once(engine: Engine, name: str) -> None:
    r, size = chance(name), 8 if "64" in name[-2:] else 4
    unit = size * (64 if "st64" in name else 1)
    first, second = r.randrange(3), r.randrange(3)
    wave = WaveState(20)
    wave.v[:] = [[r.getrandbits(32) for _ in range(LANES)] for _ in range(20)]
    wave.v[ADDRESS] = [lane * size for lane in range(LANES)]
    lds = bytes(r.getrandbits(8) for _ in range(8192))
    number = ROWS[name].number
    result = ADDRESS  # the result may go where the address was
    words = [0xD8000000 | number << 17 | second << 8 | first,
             result << 24 | DATA1 << 16 | DATA << 8 | ADDRESS]  # fmt: skip
    (outcome,) = engine.run([Job([*words, ENDPGM], [wave], lds)])
    model, wanted = bytearray(lds), wave.v.copy()
    for lane in range(LANES):
        for n, offset in enumerate((first * unit, second * unit)):
            at = lane * size + offset
            if "read" in name:
                parts = struct.unpack(f"<{size // 4}I", lds[at : at + size])
                for i, word in enumerate(parts):
                    wanted[result + n * size // 4 + i][lane] = word
    if "write" in name:
        for n, offset in enumerate((first * unit, second * unit)):
            for lane in range(LANES):
                row = (DATA, DATA1)[n]
                raw = b"".join(
                    int(wave.v[row + i][lane]).to_bytes(4, "little") for i in range(size // 4)
                )
                model[lane * size + offset : lane * size + offset + size] = raw
    assert outcome.lds == model
    assert np.array_equal(outcome.waves[0].v, wanted)


# -- scalar memory ---------------------------------------------------------------------------------


@pytest.mark.parametrize("buffer", ["", "buffer_"])
@pytest.mark.parametrize("words", [1, 2, 4, 8, 16])
def test_scalar_loads(engine: Engine, words: int, buffer: str) -> None:
    name = f"s_{buffer}load_dword" + (f"x{words}" if words > 1 else "")
    memory = np.arange(1, 1 + SIZE // 4, dtype=np.uint32)
    wave = WaveState(1)
    wave.set_pair(32, BASE)
    wave.s[34], wave.s[35], wave.s[48] = SIZE, 0, 64
    row = ROWS[name]
    immediate = [0xC0000000 | row.number << 18 | 1 << 17 | 64 << 6 | 16, 0x20]
    register = [0xC0000000 | row.number << 18 | 64 << 6 | 16, 48]
    both = [0xC0000000 | row.number << 18 | 1 << 17 | 1 << 14 | 64 << 6 | 16, 48 << 25 | 0x20]
    for code, offset in ((immediate, 0x20), (register, 64), (both, 0x60)):
        (outcome,) = engine.run(
            [Job([*code, ENDPGM], [wave], regions=[Region(BASE, memory.tobytes())])]
        )
        assert outcome.status == "ended"
        assert outcome.waves[0].s[64 : 64 + words].tolist() == [
            offset // 4 + i + 1 for i in range(words)
        ]


# s_load_dwordx4 s[64:67], s[32:33], 0
LOAD_FOUR = [0xC0000000 | ROWS["s_load_dwordx4"].number << 18 | 1 << 17 | 64 << 6 | 16, 0]


def moved(to: int, source: int, name: str = "s_mov_b32") -> int:
    return 0xBE800000 | to << 16 | ROWS[name].number << 8 | source


def added(to: int, a: int, b: int) -> int:
    return 0x80000000 | ROWS["s_add_u32"].number << 23 | to << 16 | b << 8 | a


def branched(name: str, words: int) -> int:
    return 0xBF800000 | ROWS[name].number << 16 | words & 0xFFFF


ZERO = 128  # the code of the constant
WIDENED = {
    "not_read": [added(70, 66, 64)],
    "written_first": [moved(67, ZERO), added(70, 67, 66)],
    "copied_with_its_neighbour": [moved(70, 66, "s_mov_b64"), added(72, 70, 64)],
    "read_after_the_end": [branched("s_branch", 1), added(70, 67, 66), added(70, 66, 64)],
    "in_a_loop": [added(65, 66, 64), moved(67, ZERO), branched("s_cbranch_scc1", -3)],
}
PAST_END = {
    "read": [added(70, 67, 66)],
    "read_as_a_pair": [moved(70, 66, "s_mov_b64"), added(72, 71, 70)],
    "read_on_one_way": [branched("s_cbranch_scc1", 1), added(70, 67, 66), added(70, 66, 64)],
    "read_in_the_next_round": [
        branched("s_branch", 1), added(70, 67, 66), added(70, 66, 64),
        branched("s_cbranch_scc1", -3),
    ],
}  # fmt: skip


def load_four(size: int, after: list[int]) -> Job:
    wave = WaveState(1)
    wave.set_pair(32, BASE)
    wave.s[64:68] = 9
    memory = np.arange(1, 1 + size // 4, dtype=np.uint32)
    return Job([*LOAD_FOUR, *after, ENDPGM], [wave], regions=[Region(BASE, memory.tobytes())])


@pytest.mark.parametrize("after", WIDENED.values(), ids=WIDENED)
def test_compilers_load_a_fourth_word_that_nothing_reads(engine: Engine, after: list[int]) -> None:
    """Three words of 16 are loaded so, also where an allocation ends with them."""
    (outcome,) = engine.run([load_four(12, after)])
    assert outcome.status == "ended"
    assert outcome.waves[0].s[66] == 3


@pytest.mark.parametrize("after", PAST_END.values(), ids=PAST_END)
def test_a_fourth_word_that_is_read_is_a_fault(engine: Engine, after: list[int]) -> None:
    (outcome,) = engine.run([load_four(12, after)])
    assert (outcome.status, outcome.fault, outcome.access) == ("faulted", "memory", "read")
    assert (outcome.at, outcome.address, outcome.size) == (0, BASE, 16)
    (outcome,) = engine.run([load_four(16, after)])
    assert outcome.status == "ended"


def test_so_is_a_third_one(engine: Engine) -> None:
    (outcome,) = engine.run([load_four(8, WIDENED["not_read"])])
    assert (outcome.status, outcome.size) == ("faulted", 16)


# -- beyond what is allowed ------------------------------------------------------------------------


def load_at(
    addresses: list[int], size: int = SIZE, writable: bool = True, name: str = "global_load_dword"
) -> Job:
    wave = WaveState(20)
    for lane, address in enumerate(addresses):
        wave.v[ADDRESS][lane], wave.v[ADDRESS + 1][lane] = address & W, address >> 32
    segment = 2 << 14
    words = [
        0xDC000000 | ROWS[name].number << 18 | segment,
        RESULT << 24 | 127 << 16 | DATA << 8 | ADDRESS,
    ]
    return Job([0xBF800000, *words, ENDPGM], [wave], regions=[Region(BASE, bytes(size), writable)])


def test_one_lane_past_the_end_is_named(engine: Engine) -> None:
    (outcome,) = engine.run([load_at([BASE + 4 * lane for lane in range(LANES)], size=252)])
    assert (outcome.status, outcome.fault, outcome.access) == ("faulted", "memory", "read")
    assert (outcome.lane, outcome.lanes, outcome.address) == (63, 1 << 63, BASE + 252)
    assert (outcome.at, outcome.size) == (4, 4)


def test_its_twin_within_the_end_is_not(engine: Engine) -> None:
    (outcome,) = engine.run([load_at([BASE + 4 * lane for lane in range(LANES)], size=256)])
    assert outcome.status == "ended"


def test_a_word_half_outside_is_a_fault(engine: Engine) -> None:
    (outcome,) = engine.run([load_at([BASE + 250] * LANES, size=252)])
    assert (outcome.status, outcome.lanes) == ("faulted", (1 << 64) - 1)


def two_regions(last: int) -> Job:
    """Lanes take turns between two regions that lie far from each other; so they do in a loop."""
    far = BASE + (5 << 32)
    ends = {0: BASE, 1: far}
    job = load_at([ends[lane % 2] + 4 * (lane // 2) for lane in range(LANES)], size=128)
    job.regions[0].data = np.arange(32, dtype=np.uint32).tobytes()
    job.regions.append(Region(far, np.arange(100, 100 + last, dtype=np.uint32).tobytes()))
    return job


def test_lanes_may_take_turns_between_allocations(engine: Engine) -> None:
    (outcome,) = engine.run([two_regions(32)])
    assert outcome.status == "ended"
    assert outcome.waves[0].v[RESULT].tolist() == [
        (100 if lane % 2 else 0) + lane // 2 for lane in range(LANES)
    ]


def test_the_one_that_leaves_its_allocation_is_named(engine: Engine) -> None:
    (outcome,) = engine.run([two_regions(31)])
    assert (outcome.status, outcome.lane, outcome.lanes) == ("faulted", 63, 1 << 63)
    assert outcome.address == BASE + (5 << 32) + 31 * 4


def test_a_negative_address_of_lds_without_an_offset_is_a_fault(engine: Engine) -> None:
    wave = WaveState(20)
    wave.v[ADDRESS] = [4 * lane for lane in range(LANES)]
    wave.v[ADDRESS][7] = W - 3
    code = [0xD8000000 | ROWS["ds_read_b32"].number << 17, RESULT << 24 | ADDRESS, ENDPGM]
    (outcome,) = engine.run([Job(code, [wave], bytes(LDS))])
    assert (outcome.status, outcome.fault, outcome.lane) == ("faulted", "lds", 7)


def test_a_store_to_read_only_memory_is_a_fault(engine: Engine) -> None:
    job = load_at([BASE] * LANES, writable=False, name="global_store_dword")
    (outcome,) = engine.run([job])
    assert (outcome.status, outcome.access) == ("faulted", "write")


def test_a_buffer_reads_zero_beyond_its_size_without_a_fault(engine: Engine) -> None:
    wave = WaveState(20)
    wave.set_pair(20, BASE)
    wave.s[22] = 128
    wave.v[ADDRESS] = [4 * lane for lane in range(LANES)]
    wave.v[DATA] = 7
    low = 0xE0000000 | ROWS["buffer_load_dword"].number << 18 | 1 << 12
    code = [low, 128 << 24 | 5 << 16 | DATA << 8 | ADDRESS, ENDPGM]
    memory = np.arange(100, 164, dtype=np.uint32).tobytes()
    (outcome,) = engine.run([Job(code, [wave], regions=[Region(BASE, memory)])])
    assert outcome.status == "ended"
    assert outcome.waves[0].v[DATA].tolist() == [*range(100, 132), *([0] * 32)]
