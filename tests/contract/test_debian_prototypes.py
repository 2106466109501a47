"""Calls that HIP 5.2.3 had take the same arguments today, seen as a program's registers see them.

AMD renamed parameters and added `const` since, which changes nothing for a compiled program.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from contract import c_headers, generate, model

DEBIAN_HEADER = Path("/usr/include/hip/hip_runtime_api.h")
OURS = c_headers.CHeaders(list(generate.HAND_WRITTEN.glob("*_types.h")))
HANDLES = frozenset(re.findall(r"typedef (?:const )?struct \w+\* (\w+);", OURS.text))
FOUR_BYTES = {
    *("int", "unsigned", "uint32_t", "hipDevice_t", "hipError_t"),
    *OURS.enums(),
    "hipKernelNodeAttrID",  # now hipLaunchAttributeID
}
EIGHT_BYTES = frozenset(("size_t", "uint64_t", "long"))
POINTERS = HANDLES | {
    *("hipDeviceptr_t", "hipStreamCallback_t", "hipHostFn_t"),
    *("hipExternalMemory_t", "hipExternalSemaphore_t"),
}


def register_class(parameter: str) -> str:
    """How one parameter is passed: by its size, as a pointer, or as a structure of that name."""
    if "*" in parameter or "[" in parameter:
        return "pointer"
    words = [w for w in re.findall(r"\w+", parameter) if w not in c_headers.QUALIFIERS]
    if words[0] in POINTERS:
        return "pointer"
    if words[:2] in (["unsigned", "char"], ["unsigned", "short"], ["unsigned", "long"]):
        return words[1] if words[1] != "long" else "8"
    if words[0] in EIGHT_BYTES:
        return "8"
    return "4" if words[0] in FOUR_BYTES else words[0]


def debian_prototypes() -> dict[str, list[str]]:
    text = subprocess.run(
        ["gcc", "-E", "-P", "-D__HIP_PLATFORM_AMD__", "-I/usr/include", "-x", "c", DEBIAN_HEADER],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = re.findall(r"\b(?:hipError_t|char\s*\*|int)\s*(hip\w+)\(([^()]*)\)\s*[;_]", text)
    return {
        name: [p for p in parameters.split(",") if p.strip() not in ("", "void")]
        for name, parameters in found
    }


@pytest.mark.skipif(not DEBIAN_HEADER.exists(), reason="needs Debian's HIP 5.2.3 headers")
def test_old_programs_pass_what_we_expect() -> None:
    theirs = debian_prototypes()
    ours = {call.name: call for call in model.load().calls if call.name in theirs}
    assert len(ours) > 300
    wrong = {
        name: (call.signature, theirs[name])
        for name, call in ours.items()
        if [register_class(p.type) for p in call.parameters]
        != [register_class(p) for p in theirs[name]]
    }
    assert wrong == {}
