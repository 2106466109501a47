"""Branches, calls, hardware registers, and instructions that do nothing here."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.isa.engine import ENDPGM, EXEC, VCC, Engine, Job, WaveState
from tests.isa.table import gfx942_rows

ROWS = {row.name: row for row in gfx942_rows()}


def sopp(name: str, immediate: int = 0) -> int:
    return 0xBF800000 | ROWS[name].number << 16 | immediate & 0xFFFF


def movk(sdst: int, value: int) -> int:
    return 0xB0000000 | sdst << 16 | value


BRANCHES: dict[str, Callable[[WaveState], object]] = {
    "s_branch": lambda wave: True,
    "s_cbranch_scc0": lambda wave: not wave.scc,
    "s_cbranch_scc1": lambda wave: wave.scc,
    "s_cbranch_vccz": lambda wave: wave.pair(VCC) == 0,
    "s_cbranch_vccnz": lambda wave: wave.pair(VCC) != 0,
    "s_cbranch_execz": lambda wave: wave.pair(EXEC) == 0,
    "s_cbranch_execnz": lambda wave: wave.pair(EXEC) != 0,
    # No debugger is there.
    "s_cbranch_cdbgsys": lambda wave: False,
    "s_cbranch_cdbguser": lambda wave: False,
    "s_cbranch_cdbgsys_or_user": lambda wave: False,
    "s_cbranch_cdbgsys_and_user": lambda wave: False,
}
NOTHING = [
    "s_nop", "s_sendmsg", "s_waitcnt", "s_sleep", "s_setprio", "s_wakeup", "s_sethalt",
    "s_icache_inv", "s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol", "s_dcache_wb_vol",
    "buffer_wbl2", "buffer_inv", "v_nop", "ds_nop", "s_incperflevel", "s_decperflevel",
    "s_ttracedata", "s_atc_probe", "s_atc_probe_buffer", "s_dcache_discard",
    "s_dcache_discard_x2", "v_clrexcp",
]  # fmt: skip


@pytest.mark.parametrize("name", sorted(BRANCHES))
@pytest.mark.parametrize("scc", [0, 1])
@pytest.mark.parametrize("mask", [0, 1 << 40])
def test_a_branch_is_taken_when_it_must_be(engine: Engine, name: str, scc: int, mask: int) -> None:
    wave = WaveState(1)
    wave.scc = scc
    wave.set_pair(VCC, mask)
    wave.set_pair(EXEC, mask)
    (outcome,) = engine.run([Job([sopp(name, 1), movk(5, 7), ENDPGM], [wave])])
    assert outcome.waves[0].s[5] == (0 if BRANCHES[name](wave) else 7)


def test_a_loop_counts(engine: Engine) -> None:
    add = 0x80000000 | ROWS["s_add_u32"].number << 23 | 5 << 16 | 129 << 8 | 5
    compare = 0xBF000000 | ROWS["s_cmp_lt_u32"].number << 16 | (128 + 50) << 8 | 5
    (outcome,) = engine.run(
        [Job([add, compare, sopp("s_cbranch_scc1", -3), ENDPGM], [WaveState(1)])]
    )
    assert (outcome.waves[0].s[5], outcome.instructions) == (50, 151)


@pytest.mark.parametrize("name", NOTHING)
def test_an_instruction_that_does_nothing_here(engine: Engine, name: str) -> None:
    row = ROWS[name]
    words = {
        "SOPP": [sopp(name)],
        "SMEM": [0xC0000000 | row.number << 18, 0],
        "MUBUF": [0xE0000000 | row.number << 18, 0],
        "VOP1": [0x7E000000 | row.number << 9],
        "DS": [0xD8000000 | row.number << 17, 0],
    }[row.format]
    wave = WaveState(4)
    wave.v[:] = 3
    (outcome,) = engine.run([Job([*words, ENDPGM], [wave])])
    assert outcome.status == "ended", outcome.reason
    assert (outcome.waves[0].s == wave.s).all()
    assert (outcome.waves[0].v == wave.v).all()


def sop1(name: str, sdst: int, ssrc: int = 0) -> int:
    return 0xBE800000 | sdst << 16 | ROWS[name].number << 8 | ssrc


def test_a_function_is_called_and_returns(engine: Engine) -> None:
    """s_getpc, an addition, s_swappc; the function returns with s_setpc."""
    add = 0x80000000 | ROWS["s_add_u32"].number << 23 | 4 << 16 | 255 << 8 | 4
    code = [
        sop1("s_getpc_b64", 4),  # 4: the address after it
        add, 6 * 4,  # the function is six words on
        sop1("s_swappc_b64", 30, 4),
        movk(6, 1),
        ENDPGM,
        0,  # no instruction lies here
        movk(7, 2),
        sop1("s_setpc_b64", 0, 30),
    ]  # fmt: skip
    (outcome,) = engine.run([Job(code, [WaveState(1)])])
    assert outcome.status == "ended", outcome
    assert outcome.waves[0].s[6:8].tolist() == [1, 2]
    assert outcome.waves[0].pair(30) == 16


def test_s_call_b64(engine: Engine) -> None:
    call = 0xB0000000 | ROWS["s_call_b64"].number << 23 | 30 << 16 | 2
    code = [call, movk(6, 1), ENDPGM, movk(7, 2), sop1("s_setpc_b64", 0, 30)]
    (outcome,) = engine.run([Job(code, [WaveState(1)])])
    assert outcome.waves[0].s[6:8].tolist() == [1, 2]


def test_a_jump_to_no_instruction_is_a_fault(engine: Engine) -> None:
    wave = WaveState(1)
    wave.set_pair(30, 0x123456)
    (outcome,) = engine.run([Job([sop1("s_setpc_b64", 0, 30)], [wave])])
    assert (outcome.status, outcome.fault, outcome.address) == ("faulted", "program", 0x123456)


def test_the_mode_register_is_set_and_read(engine: Engine) -> None:
    def field(name: str, sdst: int, at: int, width: int) -> int:
        return 0xB0000000 | ROWS[name].number << 23 | sdst << 16 | (width - 1) << 11 | at << 6 | 1

    wave = WaveState(1)
    wave.s[5] = 0b1001
    code = [
        field("s_setreg_b32", 5, 0, 4),
        field("s_getreg_b32", 6, 0, 8),
        field("s_setreg_imm32_b32", 0, 4, 2), 1,
        field("s_getreg_b32", 7, 0, 8), ENDPGM,
    ]  # fmt: skip
    (outcome,) = engine.run([Job(code, [wave])])
    assert outcome.waves[0].s[6:8].tolist() == [0xF9, 0xD9]


def test_clocks_go_forward(engine: Engine) -> None:
    def clock(name: str, sdst: int) -> list[int]:
        return [0xC0000000 | ROWS[name].number << 18 | sdst << 6, 0]

    code = [*clock("s_memtime", 4), *clock("s_memrealtime", 6), ENDPGM]
    (outcome,) = engine.run([Job(code, [WaveState(1)])])
    assert 0 < outcome.waves[0].pair(4) < outcome.waves[0].pair(6)


@pytest.mark.parametrize("behind", [[ENDPGM], [sopp("s_nop")] * 3, []])
def test_a_trap_stops_the_wave(engine: Engine, behind: list[int]) -> None:
    code = [sopp("s_nop"), sopp("s_trap", 2), *behind]
    (outcome,) = engine.run([Job(code, [WaveState(1)])])
    assert (outcome.status, outcome.fault, outcome.at) == ("faulted", "trap", 4)


def test_code_that_only_fills_up_has_no_end(engine: Engine) -> None:
    (outcome,) = engine.run([Job([sopp("s_nop")] * 3, [WaveState(1)])])
    assert (outcome.status, outcome.reason) == (
        "not loaded",
        "the code runs past its end (at byte 12)",
    )


@pytest.mark.parametrize("waves", [1, 4])
def test_a_barrier_lets_all_waves_go_on(engine: Engine, waves: int) -> None:
    (outcome,) = engine.run(
        [Job([sopp("s_barrier"), movk(5, 1), ENDPGM], [WaveState(1) for _ in range(waves)])]
    )
    assert outcome.status == "ended"
    assert all(wave.s[5] == 1 for wave in outcome.waves)


TESTED = {
    *BRANCHES, *NOTHING, "s_endpgm", "s_barrier", "s_trap", "s_getpc_b64", "s_setpc_b64",
    "s_swappc_b64", "s_call_b64", "s_memtime", "s_memrealtime", "s_getreg_b32", "s_setreg_b32",
    "s_setreg_imm32_b32", "s_set_gpr_idx_on", "s_set_gpr_idx_off", "s_set_gpr_idx_mode",
    "s_set_gpr_idx_idx",
}  # fmt: skip


def test_registers_are_indexed_between_on_and_off(engine: Engine) -> None:
    """v_mov with an index in its source, in its destination, and in neither once it is off."""
    on = 0xBF000000 | ROWS["s_set_gpr_idx_on"].number << 16
    move = 0x7E000000 | ROWS["v_mov_b32"].number << 9

    def mov(vdst: int, vsrc: int) -> int:
        return move | vdst << 17 | 256 + vsrc

    code = [
        on | 1 << 8 | 4, mov(0, 2), sopp("s_set_gpr_idx_off"),  # v0 = v[2 + s4]
        on | 8 << 8 | 4, mov(6, 1), sopp("s_set_gpr_idx_off"),  # v[6 + s4] = v1
        on | 9 << 8 | 5, mov(9, 1),  # v[9 + s5] = v[1 + s5]
        sopp("s_set_gpr_idx_mode", 1), mov(12, 2),  # v12 = v[2 + s5]
        sop1("s_set_gpr_idx_idx", 0, 4), mov(13, 2), sopp("s_set_gpr_idx_off"),  # v13 = v[2 + s4]
        mov(14, 2),
        ENDPGM,
    ]  # fmt: skip
    wave = WaveState(16)
    wave.v[:] = [[100 + row] * 64 for row in range(16)]
    wave.s[4], wave.s[5] = 3, 1
    (outcome,) = engine.run([Job(code, [wave])])
    assert outcome.status == "ended", outcome.reason
    wanted = list(range(100, 116))
    for row, value in {0: 105, 9: 101, 10: 102, 12: 103, 13: 105, 14: 102}.items():
        wanted[row] = value
    assert [int(row[7]) for row in outcome.waves[0].v] == wanted
