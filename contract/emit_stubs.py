"""The exported functions of libamdhip64.so and the declarations of what stands behind them."""

from __future__ import annotations

from contract.model import Call, Contract

# The public header declares the exported functions and reads two of their names as macros for newer
# calls. Here these are names of our own, and a stub without a use for its arguments has none.
TYPES_ONLY = """\
#ifndef HIP_TYPES_ONLY
#define HIP_TYPES_ONLY
#endif
#undef hipChooseDevice
#undef hipGetDeviceProperties
"""

STUBS_TOP = """\
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"
"""


def implementations(contract: Contract) -> str:
    """impl.h: what the hand-written files of native/simdevice/api/ must define."""
    lines = []
    for chapter in contract.chapters:
        calls = [c for c in contract.in_chapter(chapter) if c.implemented_by_hand]
        lines += [f"// {chapter}"] if calls else []
        lines += [f"{c.returns} {c.name}({c.signature});" for c in calls]
    return "\n".join(
        [
            "#pragma once",
            "",
            TYPES_ONLY,
            '#include "hip/hip_types.h"',
            "",
            "#ifndef GRETA_EXPORT",
            '#define GRETA_EXPORT __attribute__((visibility("default")))',
            "#endif",
            "",
            "namespace greta::api {",
            "",
            *lines,
            "",
            "// The exported function of that name, null if there is none (hipGetProcAddress).",
            "void* find_exported(const char* name);",
            "",
            "}  // namespace greta::api",
            "",
        ]
    )


def stubs(contract: Contract, chapter: str) -> str:
    """stubs_<chapter>.cpp."""
    calls = contract.in_chapter(chapter)
    return "\n".join([STUBS_TOP, *(_stub(call) for call in calls)])


def _stub(call: Call) -> str:
    if not call.supported:
        head, body = _head(call, "void"), _unsupported_body(call)
    elif call.returns != "hipError_t" or call.keeps_last_error:
        head, body = _head(call, call.signature), [_return(call, _forward(call))]
    else:
        head, body = _head(call, call.signature), _scoped_body(call)
    return "\n".join([f"{head} {{", *(f"  {line}" for line in body), "}", *_mangled(call)]) + "\n"


def _head(call: Call, signature: str) -> str:
    return f'extern "C" GRETA_EXPORT {call.returns} {call.name}({signature})'


def _unsupported_body(call: Call) -> list[str]:
    """Nothing is known of the arguments, and the C ABI lets a callee ignore them."""
    answer = f"greta::api::not_supported(greta::api::CallId::{call.name})"
    if call.returns == "hipError_t":
        return [f"return {answer};"]
    return [f"{answer};", *([] if call.returns == "void" else ["return {};"])]


def _scoped_body(call: Call) -> list[str]:
    names = ", ".join(p.name for p in call.parameters)
    refused = [] if call.sticky_exempt else ["if (call.refused()) return call.refusal();"]
    return [
        f"greta::api::CallScope call(greta::api::CallId::{call.name});",
        *refused,
        f"if (call.logging()) call.log_arguments({names});",
        f"return call.finish({_forward(call)});",
    ]


def _forward(call: Call) -> str:
    names = [p.name for p in call.parameters]
    if call.forwards_to != call.name and call.stream:
        stream = call.stream.name
        per_thread = f"{stream} != nullptr ? {stream} : hipStreamPerThread"
        names = [per_thread if name == stream else name for name in names]
    return f"greta::api::{call.forwards_to}({', '.join(names)})"


def _return(call: Call, expression: str) -> str:
    return f"{expression};" if call.returns == "void" else f"return {expression};"


def _mangled(call: Call) -> list[str]:
    """The second, C++ name of a call: the same address."""
    if call.mangled is None:
        return []
    signature = call.signature if call.supported else "void"
    return [
        f'extern "C" GRETA_EXPORT {call.returns} {call.mangled}({signature})',
        f'    __attribute__((alias("{call.name}")));',
    ]
