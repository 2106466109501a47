"""The generated part of the public C headers."""

from __future__ import annotations

import textwrap

from contract.c_headers import CHeaders
from contract.model import Call, Contract, ErrorCode, Parameter

# Keeps the words of one parameter on one line.
UNBREAKABLE = "\0"

FUNCTIONS_TOP = """\
#ifndef GRETA_HIP_HIP_FUNCTIONS_H
#define GRETA_HIP_HIP_FUNCTIONS_H

#include "hip/hip_types.h"

#ifdef __cplusplus
#define HIP_DEFAULT(value) = value
extern "C" {
#else
#define HIP_DEFAULT(value)
#endif
"""

FUNCTIONS_BOTTOM = """\
#ifdef __cplusplus
}
#endif
#undef HIP_DEFAULT

#endif
"""


def functions(contract: Contract, headers: CHeaders) -> str:
    """Declarations of every call whose types we have. The library exports the others too."""
    parts = [FUNCTIONS_TOP]
    for chapter in contract.chapters:
        calls = [c for c in contract.in_chapter(chapter) if _declarable(c, headers)]
        parts += _group(chapter, [c for c in calls if c.supported])
        parts += _group(
            f"{chapter}: answered with hipErrorNotSupported by the simulated device",
            [c for c in calls if not c.supported],
        )
    return "\n".join([*parts, FUNCTIONS_BOTTOM])


def _declarable(call: Call, headers: CHeaders) -> bool:
    if call.undeclared or call.name.startswith("_Z"):
        return False
    return all(headers.knows(text) for text in (call.returns, *(p.type for p in call.parameters)))


def _group(title: str, calls: list[Call]) -> list[str]:
    if not calls:
        return []
    return [f"/* {title} */", *(_declaration(call) for call in calls), ""]


def _declaration(call: Call) -> str:
    text = f"{call.returns} {call.name}({', '.join(map(_parameter, call.parameters)) or 'void'});"
    lines = textwrap.wrap(text, 100, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines).replace(UNBREAKABLE, " ")


def _parameter(parameter: Parameter) -> str:
    default = f" HIP_DEFAULT({parameter.default})" if parameter.default else ""
    return f"{parameter.declaration}{default}".replace(" ", UNBREAKABLE)


def per_thread_stream(contract: Contract) -> str:
    """The renaming that HIP_API_PER_THREAD_DEFAULT_STREAM asks for."""
    twins = [call for call in contract.calls if call.twin_of]
    lines = [f"#define {call.twin_of} {call.name}" for call in twins]
    return "\n".join(
        [
            "#ifndef GRETA_HIP_HIP_PER_THREAD_STREAM_H",
            "#define GRETA_HIP_HIP_PER_THREAD_STREAM_H",
            "",
            *lines,
            "",
            "#endif",
            "",
        ]
    )


def error_codes(contract: Contract) -> str:
    """hipError_t."""
    rows = [row for error in contract.errors for row in _enumerators(error)]
    return "\n".join(
        [
            "#ifndef GRETA_HIP_HIP_ERROR_CODES_H",
            "#define GRETA_HIP_HIP_ERROR_CODES_H",
            "",
            "typedef enum hipError_t {",
            *rows,
            "} hipError_t;",
            "",
            "#endif",
            "",
        ]
    )


def _enumerators(error: ErrorCode) -> list[str]:
    aliases = [f"  {alias} = {error.name}," for alias in error.aliases]
    return [f"  {error.name} = {error.code},", *aliases]
