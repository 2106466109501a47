"""Calls that the device does not have: they are exported, say so once, and return 801."""

from __future__ import annotations

from contract import model
from tests.simdevice.child import run_in_child
from tests.simdevice.codes import SUCCESS, Code
from tests.simdevice.library import STRUCTURES, hip_library

TEXTURES = """
hipCreateTextureObject hipDestroyTextureObject hipMemMapArrayAsync
"""


def unsupported() -> list[model.Call]:
    return [
        call for call in model.load().calls if not call.supported and call.returns == "hipError_t"
    ]


def call_each_twice() -> dict[str, list[int]]:
    hip = hip_library()
    codes = {}
    for call in unsupported():
        types = [parameter.type for parameter in call.parameters]
        nothing = [STRUCTURES[name]() if name in STRUCTURES else 0 for name in types]
        codes[call.name] = [getattr(hip, call.name)(*nothing) for _ in range(2)]
    codes["hipGetLastError"] = [hip.hipGetLastError(), hip.hipGetLastError()]
    return codes


def test_a_call_without_support_says_so_once() -> None:
    child = run_in_child(call_each_twice)
    codes = child.answer
    assert codes.pop("hipGetLastError") == [Code.NOT_SUPPORTED, SUCCESS]
    assert codes == dict.fromkeys(codes, [Code.NOT_SUPPORTED] * 2)
    assert set(TEXTURES.split()) <= set(codes)
    said = [line.split()[1] for line in child.stderr.splitlines() if "not supported" in line]
    assert sorted(said) == sorted(codes)
