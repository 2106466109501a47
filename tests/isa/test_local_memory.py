"""LDS: rarer atomics, counters, and loads that go there without a register; faults and twins."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import numpy as np
import pytest

from tests.isa import floats
from tests.isa.engine import ENDPGM, EXEC, LANES, M0, MODE, Engine, Job, Outcome, Region, WaveState
from tests.isa.table import gfx942_rows

ROWS = {row.name: row for row in gfx942_rows()}
W = 0xFFFFFFFF
LDS, BASE, SIZE = 2048, 0x7000_0000_0000 >> 1, 4096
ADDRESS, DATA, DATA1, RESULT = 2, 4, 8, 12


def ds(name: str, offset: int = 0, vdst: int = RESULT, data: int = DATA) -> list[int]:
    low = 0xD8000000 | ROWS[name].number << 17 | offset
    return [low, vdst << 24 | DATA1 << 16 | data << 8 | ADDRESS, ENDPGM]


def random_wave(r: random.Random, word: Callable[[], int] | None = None) -> WaveState:
    wave = WaveState(20)
    one = word or (lambda: r.choice([0, 1, W, 1 << 31, r.getrandbits(32)]))
    wave.v[:] = [[one() for _ in range(LANES)] for _ in range(20)]
    wave.set_pair(EXEC, r.choice([(1 << 64) - 1, r.getrandbits(64) | 1 << 7]))
    return wave


def active(wave: WaveState) -> list[int]:
    return [lane for lane in range(LANES) if wave.pair(EXEC) >> lane & 1]


def ended(engine: Engine, job: Job, lanes: int = 0) -> Outcome:
    (outcome,) = engine.run([job], lanes)
    assert outcome.status == "ended", (outcome.reason, outcome.fault)
    return outcome


def joined(wave: WaveState, row: int, lane: int, words: int) -> int:
    return sum(int(wave.v[row + i][lane]) << 32 * i for i in range(words))


# -- atomics with two data, and of numbers ---------------------------------------------------------


def _swap(f: floats.Format, old: int, expected: int, new: int) -> int:
    return new if floats.compare(f, old, expected) == 0 else old


Rule = Callable[[int, int, int], int]  # old, first data, second data -> new
TWO_DATA: dict[str, tuple[int, Rule]] = {}  # name -> words, rule
for _rtn in ("", "_rtn"):
    TWO_DATA[f"ds_mskor{_rtn}_b32"] = (1, lambda o, a, b: o & ~a | b)
    TWO_DATA[f"ds_mskor{_rtn}_b64"] = (2, lambda o, a, b: o & ~a | b)
    TWO_DATA[f"ds_cmpst{_rtn}_f32"] = (1, lambda o, a, b: _swap(floats.F32, o, a, b))
    TWO_DATA[f"ds_cmpst{_rtn}_f64"] = (2, lambda o, a, b: _swap(floats.F64, o, a, b))
TWO_DATA["ds_wrap_rtn_b32"] = (1, lambda o, a, b: o - a if o >= a else o + b)


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("name", sorted(TWO_DATA))
def test_an_atomic_of_two_data(engine: Engine, name: str, lanes: int) -> None:
    (words, rule), r = TWO_DATA[name], random.Random(name)  # noqa: S311
    some = [0, 1 << 31, 0x3F800000, 0x7FC00000, 0x7FF80000, 3, 0x40000000, W]
    wave = random_wave(r, lambda: r.choice(some))
    wave.v[ADDRESS] = [r.randrange(LDS // 8 - 8) * 8 for _ in range(LANES)]
    lds = struct.pack(f"<{LDS // 4}I", *(r.choice(some) for _ in range(LDS // 4)))
    outcome = ended(engine, Job(ds(name, 16), [wave], lds), lanes)
    model, wanted, size = bytearray(lds), wave.v.copy(), 4 * words
    for lane in active(wave):
        at = int(wave.v[ADDRESS][lane]) + 16
        old = int.from_bytes(model[at : at + size], "little")
        new = rule(old, joined(wave, DATA, lane, words), joined(wave, DATA1, lane, words))
        model[at : at + size] = (new % (1 << 8 * size)).to_bytes(size, "little")
        for i in range(words if "rtn" in name else 0):
            wanted[RESULT + i][lane] = old >> 32 * i & W
    assert outcome.lds == model
    assert np.array_equal(outcome.waves[0].v, wanted)


@pytest.mark.parametrize("flushes", [False, True])
def test_mode_says_whether_denormals_of_lds_compare_as_zeros(engine: Engine, flushes: bool) -> None:
    """And the number that wins is kept as it is."""
    wave = WaveState(20)
    wave.v[ADDRESS] = [4 * lane for lane in range(LANES)]
    wave.v[DATA] = 5  # a denormal that is larger than the one that is there
    mode = MODE & ~0x10 if flushes else MODE
    lds = struct.pack("<64I", *([3] * 64))
    outcome = ended(engine, Job(ds("ds_max_f32"), [wave], lds, mode=mode))
    assert struct.unpack("<64I", outcome.lds) == (3 if flushes else 5,) * 64


# -- exchanges of two places -----------------------------------------------------------------------

EXCHANGES = [f"ds_wrxchg2{st}_rtn_b{bits}" for st in ("", "st64") for bits in (32, 64)]


@pytest.mark.parametrize("name", EXCHANGES)
def test_two_places_are_exchanged(engine: Engine, name: str) -> None:
    r, words = random.Random(name), 2 if name.endswith("64") else 1  # noqa: S311
    unit, size = 4 * words * (64 if "st64" in name else 1), 4 * words
    first, second = r.sample(range(3), 2)
    wave = random_wave(r)
    wave.v[ADDRESS] = [lane * size for lane in r.sample(range(LANES), LANES)]
    lds = bytes(r.getrandbits(8) for _ in range(LDS))
    result = ADDRESS if words == 1 else RESULT  # the result may go where the address was
    outcome = ended(engine, Job(ds(name, second << 8 | first, result), [wave], lds))
    model, wanted = bytearray(lds), wave.v.copy()
    for lane in active(wave):
        for n, (offset, row) in enumerate(((first, DATA), (second, DATA1))):
            at = int(wave.v[ADDRESS][lane]) + offset * unit
            old = struct.unpack(f"<{words}I", model[at : at + size])
            new = [int(wave.v[row + i][lane]) for i in range(words)]
            model[at : at + size] = struct.pack(f"<{words}I", *new)
            for i in range(words):
                wanted[result + n * words + i][lane] = old[i]
    assert np.array_equal(outcome.waves[0].v, wanted)
    assert outcome.lds == model


def test_words_are_exchanged_where_they_are_marked(engine: Engine) -> None:
    r = random.Random(8)  # noqa: S311
    wave = random_wave(r, lambda: r.getrandbits(32))
    wave.v[ADDRESS] = [
        8 * lane + r.randrange(8) for lane in range(LANES)
    ]  # the low bits say nothing
    lds = bytes(r.getrandbits(8) for _ in range(LDS))
    outcome = ended(engine, Job(ds("ds_condxchg32_rtn_b64", 16), [wave], lds))
    model, wanted = bytearray(lds), wave.v.copy()
    for lane in active(wave):
        for i in range(2):
            at, data = 8 * lane + 16 + 4 * i, int(wave.v[DATA + i][lane])
            wanted[RESULT + i][lane] = int.from_bytes(model[at : at + 4], "little")
            if data >> 31:
                model[at : at + 4] = (data & 0x7FFFFFFF).to_bytes(4, "little")
    assert outcome.lds == model
    assert np.array_equal(outcome.waves[0].v, wanted)


# -- places that M0 gives --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ds_append", "ds_consume"])
@pytest.mark.parametrize("mask", [(1 << 64) - 1, 0x8000_0000_0000_0101, 0])
def test_a_counter_of_the_active_lanes(engine: Engine, name: str, mask: int) -> None:
    wave = WaveState(20)
    wave.v[:] = 9
    wave.s[M0] = 0xABCD0040
    wave.set_pair(EXEC, mask)
    lds = bytearray(LDS)
    lds[0x48:0x4C] = (1000).to_bytes(4, "little")
    outcome = ended(engine, Job(ds(name, 8), [wave], bytes(lds)))
    count = bin(mask).count("1") * (1 if name == "ds_append" else -1)
    lds[0x48:0x4C] = (1000 + count).to_bytes(4, "little")
    assert outcome.lds == lds
    assert outcome.waves[0].v[RESULT].tolist() == [
        1000 if mask >> lane & 1 else 9 for lane in range(LANES)
    ]


def test_a_word_of_each_lane(engine: Engine) -> None:
    r = random.Random(4)  # noqa: S311
    wave = random_wave(r)
    wave.s[M0] = 0x10100
    write, read = ds("ds_write_addtid_b32", 32), ds("ds_read_addtid_b32", 16)
    lds = bytes(r.getrandbits(8) for _ in range(LDS))
    outcome = ended(engine, Job([*write[:2], *read], [wave], lds))
    model, wanted = bytearray(lds), wave.v.copy()
    for lane in active(wave):
        at = 0x100 + 32 + 4 * lane
        model[at : at + 4] = int(wave.v[DATA][lane]).to_bytes(4, "little")
    for lane in active(wave):
        at = 0x100 + 16 + 4 * lane
        wanted[RESULT][lane] = int.from_bytes(model[at : at + 4], "little")
    assert outcome.lds == model
    assert np.array_equal(outcome.waves[0].v, wanted)


@pytest.mark.parametrize("name", ["ds_append", "ds_write_addtid_b32", "ds_read_addtid_b32"])
def test_a_place_of_m0_beyond_lds_is_a_fault(engine: Engine, name: str) -> None:
    last = 4 if name == "ds_append" else 4 * LANES
    for beyond in (0, 4):
        wave = WaveState(20)
        wave.s[M0] = LDS - last + beyond
        (outcome,) = engine.run([Job(ds(name), [wave], bytes(LDS))])
        assert outcome.status == ("faulted" if beyond else "ended")
        if beyond:
            assert (outcome.fault, outcome.size, outcome.address) == ("lds", 4, LDS)


# -- loads to LDS ----------------------------------------------------------------------------------

SIZES = {"ubyte": (1, False), "sbyte": (1, True), "ushort": (2, False), "sshort": (2, True),
         "dword": (4, False)}  # fmt: skip
TO_LDS = [f"{space}_load_lds_{kind}" for space in ("global", "scratch") for kind in SIZES]
FROM_BUFFER = [f"buffer_load_{kind}" for kind in SIZES]
SCRATCH = 128
TESTED = {*TWO_DATA, *EXCHANGES, *TO_LDS, "ds_condxchg32_rtn_b64", "ds_append", "ds_consume",
          "ds_read_addtid_b32", "ds_write_addtid_b32"}  # fmt: skip


def load(name: str, offset: int) -> list[int]:
    if name.startswith("buffer"):
        low = 0xE0000000 | ROWS[name].number << 18 | 1 << 16 | 1 << 12 | offset
        return [low, 128 << 24 | 5 << 16 | ADDRESS, ENDPGM]
    segment = {"scratch": 1 << 14 | 1 << 13, "global": 2 << 14}[name.split("_")[0]]
    low = 0xDC000000 | ROWS[name].number << 18 | segment | offset & 0x1FFF
    return [low, 127 << 16 | ADDRESS, ENDPGM]


def to_lds(name: str, at: list[int], offset: int, m0: int, records: int = SIZE) -> WaveState:
    wave = WaveState(20)
    wave.s[M0] = m0
    wave.set_pair(20, BASE)
    wave.s[22] = records
    base = BASE if name.startswith("global") else 0
    for lane, place in enumerate(at):
        wave.v[ADDRESS][lane] = (base + place) & W
        wave.v[ADDRESS + 1][lane] = (base + place) >> 32
    return wave


@pytest.mark.parametrize("lanes", [0, 1, 2])
@pytest.mark.parametrize("name", [*TO_LDS, *FROM_BUFFER])
def test_a_load_to_lds_puts_a_word_of_each_lane(engine: Engine, name: str, lanes: int) -> None:
    """From where M0 and the instruction's offset say; the offset counts on both sides."""
    (size, signed), r = SIZES[name.rsplit("_", 1)[1]], random.Random(name)  # noqa: S311
    space = name.split("_")[0]
    room = SCRATCH if space == "scratch" else SIZE
    offset, m0 = 36, 0x100 if space == "buffer" else 0x103  # of others M0 counts by words
    at = [r.randrange(room - 64) for _ in range(LANES)]
    records = SIZE // 2 if space == "buffer" else SIZE
    wave = to_lds(name, at, offset, m0, records)
    wave.set_pair(EXEC, r.getrandbits(64))
    memory, lds = r.randbytes(SIZE), r.randbytes(LDS)
    code = load(name, offset)
    if space == "scratch":
        wave.v[DATA] = [r.getrandbits(32) for _ in range(LANES)]
        store = load("scratch_store_dword", offset)
        code = [store[0], store[1] | DATA << 8, *code]
    job = Job(code, [wave], lds, SCRATCH, [Region(BASE, memory)])
    outcome = ended(engine, job, lanes)
    model = bytearray(lds)
    for lane in active(wave):
        start = at[lane] + offset
        raw = memory[start : start + size]
        if space == "scratch":
            raw = int(wave.v[DATA][lane]).to_bytes(4, "little")[:size]
        if start + size > records:
            raw = bytes(size)  # beyond a buffer's size
        word = int.from_bytes(raw, "little", signed=signed) & W
        place = 0x100 + offset + 4 * lane
        model[place : place + 4] = word.to_bytes(4, "little")
    assert outcome.lds == model
    assert np.array_equal(outcome.waves[0].v, wave.v)


def test_both_sides_of_a_load_to_lds_are_checked(engine: Engine) -> None:
    dense = [4 * lane for lane in range(LANES)]
    name, region = "global_load_lds_dword", [Region(BASE, bytes(256))]
    good = Job(load(name, 0), [to_lds(name, dense, 0, LDS - 256)], bytes(LDS), 0, region)
    outside = Job(load(name, 4), [to_lds(name, dense, 4, 0)], bytes(LDS), 0, region)
    beyond = Job(load(name, 0), [to_lds(name, dense, 0, LDS - 252)], bytes(LDS), 0, region)
    first, second, third = engine.run([good, outside, beyond])
    assert first.status == "ended"
    assert (second.fault, second.access, second.size) == ("memory", "read", 4)
    assert (second.lane, second.address) == (63, BASE + 256)
    assert (third.fault, third.access, third.size) == ("lds", "write", 4)
    assert (third.lane, third.address) == (63, LDS)


def test_scratch_beyond_the_frame_is_a_fault_of_a_load_to_lds(engine: Engine) -> None:
    name = "scratch_load_lds_dword"
    for beyond in (0, 1):
        wave = to_lds(name, [SCRATCH - 4 + beyond] * LANES, 0, 0)
        (outcome,) = engine.run([Job(load(name, 0), [wave], bytes(LDS), SCRATCH)])
        assert outcome.fault == ("scratch" if beyond else "none")


def test_a_wide_load_of_a_buffer_to_lds_is_refused(engine: Engine) -> None:
    wave = to_lds("buffer_load_dwordx2", [0] * LANES, 0, 0)
    (outcome,) = engine.run([Job(load("buffer_load_dwordx2", 0), [wave], bytes(LDS))])
    assert outcome.status == "not loaded"
    assert outcome.reason.startswith("buffer_load_dwordx2 to LDS")
