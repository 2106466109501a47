"""What is claimed of single instructions: which argument's memory, and how."""

from __future__ import annotations

import pytest

from greta.symbols.kernel_reach import (
    ATOMIC,
    READ,
    WRITE,
    ArgumentSlot,
    Instruction,
    KernelReach,
    kernel_reach,
)

POINTER = "s_load_dwordx2 s[2:3], s[0:1], 0x0"
BUFFER = "s_mov_b64 s[4:5], s[2:3]"


def reach_of(*texts: str) -> KernelReach:
    lines = [POINTER, *texts, "s_endpgm"]
    code = [Instruction(4 * place, 0, text) for place, text in enumerate(lines)]
    return kernel_reach(code, [ArgumentSlot(0, 8, True)], 0)


ACCESSES = {
    "global_load_lds_dword v0, s[2:3] offset:16": READ,
    "buffer_load_dword v0, s[4:7], 0 offen lds": READ,
    "buffer_load_format_xyzw v[8:11], v0, s[4:7], 0 idxen": READ,
    "tbuffer_load_format_xyzw v[8:11], off, s[4:7], 0": READ,
    "tbuffer_store_format_d16_x v8, off, s[4:7], 0": WRITE,
    "buffer_store_format_xyzw v[8:11], v0, s[4:7], 0 idxen": WRITE,
    "s_buffer_load_dwordx4 s[8:11], s[4:7], 0x0": READ,
    "s_buffer_store_dwordx4 s[8:11], s[4:7], 0x0": WRITE,
    "s_buffer_atomic_cmpswap_x2 s[8:11], s[4:7], 0x0 glc": ATOMIC,
    "s_store_dwordx4 s[8:11], s[2:3], 0x0": WRITE,
    "s_scratch_load_dword s8, s[2:3], m0": READ,
    "s_scratch_store_dword s8, s[2:3], m0": WRITE,
    "s_atomic_add s8, s[2:3], 0x0": ATOMIC,
    "global_atomic_pk_add_bf16 v0, v1, s[2:3]": ATOMIC,
}


@pytest.mark.parametrize("text", ACCESSES)
def test_an_access_is_claimed_of_the_argument(text: str) -> None:
    reach = reach_of(BUFFER, text)
    assert reach.arguments == ((ACCESSES[text],),)
    assert reach.other == ()
    assert reach.uses_lds == ("lds" in text)


@pytest.mark.parametrize(
    "text",
    ["s_dcache_discard s[2:3], 0x0", "s_atc_probe 1, s[2:3], 0x0", "s_store_dword s2, s[8:9], 0x0"],
)
def test_a_pointer_is_still_one_after(text: str) -> None:
    assert WRITE in reach_of(text, "global_store_dword v0, v1, s[2:3]").arguments[0]


LOADED = {
    "global_load_lds_dword v0, s[2:3]": "ds_read_b64 v[2:3], v4",
    "buffer_load_dword v0, s[4:7], 0 offen lds": "ds_read_addtid_b32 v2",
}


@pytest.mark.parametrize("load", LOADED)
def test_what_goes_to_lds_comes_back(load: str) -> None:
    """A pointer that is in memory: what it points to is no argument's."""
    reach = reach_of(BUFFER, load, LOADED[load], "global_store_dword v[2:3], v1, off")
    assert (reach.arguments, reach.other) == (((READ,),), (WRITE,))


@pytest.mark.parametrize("text", ["ds_append v2", "ds_condxchg32_rtn_b64 v[2:3], v4, v[6:7]"])
def test_a_counter_is_no_pointer_of_an_argument(text: str) -> None:
    reach = reach_of(
        "v_mov_b32 v2, s2", "v_mov_b32 v3, s3", text, "global_load_ubyte v1, v[2:3], off"
    )
    assert reach.other == (READ,)


def test_an_address_of_lds_is_kept_by_what_gives_nothing_back() -> None:
    reach = reach_of("v_mov_b32 v2, s2", "v_mov_b32 v3, s3", "ds_mskor_b32 v2, v6, v7",
                     "global_load_ubyte v1, v[2:3], off")  # fmt: skip
    assert reach.arguments == ((READ,),)


def test_scratch_to_lds_changes_no_register() -> None:
    reach = reach_of("v_mov_b32 v2, s2", "v_mov_b32 v3, s3", "scratch_load_lds_dword v2, off",
                     "global_load_ubyte v1, v[2:3], off")  # fmt: skip
    assert reach.arguments == ((READ,),)
    assert (reach.uses_lds, reach.uses_scratch) == (True, True)
