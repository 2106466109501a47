"""Scalar stores and atomics against a model of bytes; faults and their twins."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from tests.isa.engine import ENDPGM, M0, Engine, Job, Region, WaveState
from tests.isa.table import gfx942_rows
from tests.isa.test_memory import OPERATIONS

ROWS = {row.name: row for row in gfx942_rows()}
BASE, SIZE, W = 0x7000_0000_0000 >> 1, 1024, 0xFFFFFFFF
SBASE, SDATA = 32, 64
COUNTS = {"": 1, "x2": 2, "x4": 4}
STORES = [f"s_{kind}store_dword{n}" for kind in ("", "buffer_", "scratch_") for n in COUNTS]
LOADS = [f"s_scratch_load_dword{n}" for n in COUNTS]
ATOMICS = [
    name for name in ROWS
    if name.startswith(("s_atomic_", "s_buffer_atomic_"))
]  # fmt: skip
TESTED = {*STORES, *LOADS, *ATOMICS}


def smem(name: str, offset: int, register: bool = False, glc: bool = False) -> list[int]:
    low = 0xC0000000 | ROWS[name].number << 18 | glc << 16 | SDATA << 6 | SBASE >> 1
    return [low | (0 if register else 1 << 17), M0 if register else offset, ENDPGM]


def start(r: random.Random, offset: int, records: int = SIZE) -> WaveState:
    wave = WaveState(1)
    wave.s[:] = [r.getrandbits(32) for _ in range(128)]
    wave.set_pair(SBASE, BASE)
    wave.s[SBASE + 2], wave.s[SBASE + 3], wave.s[M0] = records, 0, offset
    return wave


@pytest.mark.parametrize("register", [False, True])
@pytest.mark.parametrize("name", [*STORES, *LOADS])
def test_scalar_words_go_to_memory_and_come_back(engine: Engine, name: str, register: bool) -> None:
    """A register's offset counts by 64 bytes where it is scratch's. The low bits say nothing."""
    r, words = random.Random(name), COUNTS[name.partition("dword")[2]]  # noqa: S311
    offset = 5 if register and "scratch" in name else 0x52
    wave, memory = start(r, offset), r.randbytes(SIZE)
    job = Job(smem(name, offset, register), [wave], regions=[Region(BASE, memory)])
    (outcome,) = engine.run([job])
    assert outcome.status == "ended", outcome.reason
    at = (offset * (64 if "scratch" in name and register else 1)) & ~3
    data, model, wanted = wave.s[SDATA : SDATA + words], bytearray(memory), wave.s.copy()
    if "store" in name:
        model[at : at + 4 * words] = data.tobytes()
    else:
        wanted[SDATA : SDATA + words] = np.frombuffer(memory[at : at + 4 * words], np.uint32)
    assert outcome.regions[0] == model
    assert (outcome.waves[0].s == wanted).all()


@pytest.mark.parametrize("name", sorted(ATOMICS))
def test_a_scalar_atomic_updates_and_returns_the_old_value(engine: Engine, name: str) -> None:
    r = random.Random(name)  # noqa: S311
    bits = 64 if name.endswith("_x2") else 32
    size, key = bits // 8, name.removesuffix("_x2").partition("atomic_")[2]
    for glc in (False, True):
        for old in (0, 5, r.getrandbits(bits), (1 << bits) - 1):
            wave, memory = start(r, 0), bytearray(SIZE)
            memory[0x50 : 0x50 + size] = old.to_bytes(size, "little")
            if key == "cmpswap" and r.random() < 0.6:  # as expected: the second part of the data
                words = struct.unpack(f"<{bits // 32}I", old.to_bytes(size, "little"))
                wave.s[SDATA + bits // 32 : SDATA + bits // 16] = words
            data, expected = (
                int.from_bytes(wave.s[at : at + bits // 32].tobytes(), "little")
                for at in (SDATA, SDATA + bits // 32)
            )
            new = (
                (data if old == expected else old)
                if key == "cmpswap"
                else OPERATIONS[key](old, data, bits)
            )
            code = smem(name, 0x50, glc=glc)
            (outcome,) = engine.run([Job(code, [wave], regions=[Region(BASE, bytes(memory))])])
            assert outcome.status == "ended", outcome.reason
            memory[0x50 : 0x50 + size] = (new % (1 << bits)).to_bytes(size, "little")
            assert outcome.regions[0] == memory
            wanted = wave.s.copy()
            if glc:
                raw = old.to_bytes(size, "little")
                wanted[SDATA : SDATA + bits // 32] = np.frombuffer(raw, np.uint32)
            assert (outcome.waves[0].s == wanted).all()


@pytest.mark.parametrize("name", ["s_store_dwordx2", "s_atomic_add_x2"])
def test_a_scalar_write_beyond_an_allocation_is_a_fault(engine: Engine, name: str) -> None:
    r = random.Random(name)  # noqa: S311
    kind = "write" if "store" in name else "atomic"
    good, bad, locked = (
        Job(smem(name, at), [start(r, 0)], regions=[Region(BASE, bytes(SIZE), writable)])
        for at, writable in ((SIZE - 8, True), (SIZE, True), (SIZE - 8, False))
    )
    first, second, third = engine.run([good, bad, locked])
    assert first.status == "ended"
    assert (second.fault, second.access, second.size) == ("memory", kind, 8)
    assert second.address == BASE + SIZE
    assert (third.fault, third.access, third.address) == ("memory", kind, BASE + SIZE - 8)


def test_a_scalar_buffer_does_not_write_beyond_its_size(engine: Engine) -> None:
    r = random.Random(1)  # noqa: S311
    memory = bytes(SIZE)
    for name, kept in (("s_buffer_store_dwordx4", 2), ("s_buffer_atomic_swap", 0)):
        wave = start(r, 0, records=104)
        offset = 96 if kept else 104
        (outcome,) = engine.run([Job(smem(name, offset), [wave], regions=[Region(BASE, memory)])])
        assert outcome.status == "ended"
        model = bytearray(memory)
        model[96 : 96 + 4 * kept] = wave.s[SDATA : SDATA + kept].tobytes()
        assert outcome.regions[0] == model


def test_a_word_that_is_stored_is_read(engine: Engine) -> None:
    """A load of more words than are there is a fault if one of them is stored, else it is none."""
    load = [0xC0000000 | ROWS["s_load_dwordx4"].number << 18 | 1 << 17 | SDATA << 6 | SBASE >> 1, 0]
    jobs = []
    for name in ("s_store_dwordx2", "s_store_dwordx4"):
        code = [*load, *smem(name, 0)]
        jobs.append(Job(code, [start(random.Random(2), 0)], regions=[Region(BASE, bytes(12))]))  # noqa: S311
    first, second = engine.run(jobs)
    assert first.status == "ended"
    assert (second.status, second.access, second.size) == ("faulted", "read", 16)
