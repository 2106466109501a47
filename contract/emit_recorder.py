"""The recorder's hooks: one function in front of every HIP call."""

from __future__ import annotations

import json

from contract import watched
from contract.effect_types import WORK, CallKind, Launch
from contract.effects import RESULT
from contract.model import Call, Contract
from contract.recorder_model import Word, hooked, passed_as, words
from contract.structs import pointed_type
from contract.watched import argument

RECORD_WORDS = 10  # GRETA_RECORD_WORDS in recording.h

# The stack of every one is kept; of all others, of those that fail.
KEEP_STACKS = WORK | {
    *(CallKind.ALLOCATE, CallKind.FREE, CallKind.MAP, CallKind.RESET),
    *(CallKind.WAIT_STREAM, CallKind.WAIT_EVENT, CallKind.WAIT_DEVICE),
    *(CallKind.STREAM_CREATE, CallKind.STREAM_DESTROY, CallKind.EVENT_DESTROY),
    *(CallKind.GRAPH, CallKind.GRAPH_NODE, CallKind.CODE),
}

# What guarding() in native/recorder/watch/guards.cpp stands in for, where the run asks for it.
GUARDED = frozenset(
    (
        *("hipMalloc", "hipFree", "hipDeviceReset", "hipMemGetAddressRange", "hipMemPtrGetInfo"),
        *("hipPointerGetAttribute", "hipDrvPointerGetAttributes", "hipIpcGetMemHandle"),
    )
)

HOOKS_TOP = """\
#include "recorder/generated/calls.h"
#include "recorder/hooks/hook.h"
#include "recorder/hooks/launch_parts.h"

namespace greta::recorder {
"""


def call_ids(contract: Contract) -> str:
    """calls.h: the calls by number, which is what records hold."""
    names = [call.name for call in _hooked(contract)]
    lines = [f"  {name} = {number}," for number, name in enumerate(names, start=1)]
    return "\n".join(
        [
            "#pragma once",
            "",
            "#include <cstddef>",
            "#include <cstdint>",
            "",
            "namespace greta::recorder {",
            "",
            "enum class Call : uint32_t {",
            *lines,
            "};",
            "",
            f"constexpr size_t kHipCalls = {len(names)};",
            "",
            "}  // namespace greta::recorder",
            "",
        ]
    )


def hook_table(contract: Contract) -> str:
    """hook_table.cpp: names, second names and hooks by call, and the entries of tables.jsonl."""
    calls = _hooked(contract)
    rows = [_row(call) for call in calls]
    entries = [_entry(number, call) for number, call in enumerate(calls, start=1)]
    return "\n".join(
        [
            '#include "recorder/hooks/hook_table.h"',
            "",
            *(f'extern "C" void {call.name}();' for call in calls),
            "",
            "namespace greta::recorder {",
            "",
            "const HookedCall kHooked[] = {",
            *rows,
            "};",
            "",
            "const char kCallEntries[] =",
            *(f"    {_literal(entry)}" for entry in entries),
            "    ;",
            "",
            "}  // namespace greta::recorder",
            "",
        ]
    )


def hooks(contract: Contract, chapter: str) -> str:
    """hooks_<chapter>.cpp."""
    calls = [call for call in contract.in_chapter(chapter) if hooked(call)]
    aliases = [line for call in calls for line in _mangled(call)]
    return "\n".join(
        [HOOKS_TOP, *(_hook(call) for call in calls), "}  // namespace greta::recorder", *aliases]
    )


def _hooked(contract: Contract) -> list[Call]:
    return [call for call in contract.calls if hooked(call)]


def _row(call: Call) -> str:
    mangled = f'"{call.mangled}"' if call.mangled else "nullptr"
    pointer = "true" if "*" in call.returns else "false"
    return f'    {{"{call.name}", {mangled}, &{call.name}, {pointer}}},'


def _entry(number: int, call: Call) -> str:
    entry = {
        "t": "call",
        "id": number,
        "name": call.name,
        "words": [word.entry for word in _kept_words(call)],
    }
    return json.dumps(entry, separators=(",", ":")) + "\n"


def _literal(text: str) -> str:
    return json.dumps(text)  # the escapes of JSON are those of C


def _mangled(call: Call) -> list[str]:
    if not call.mangled:
        return []
    return [f'asm(".globl {call.mangled}\\n.set {call.mangled}, {call.name}");', ""]


# --- one hook ------------------------------------------------------------------------------------


def _kept_words(call: Call) -> list[Word]:
    """Without the lists of argument addresses: the values themselves are kept."""
    launch = call.does.launch
    lists = {launch.params, launch.extra} if launch else set()
    return [word for word in words(call) if word.parameter.name not in lists]


def _hook(call: Call) -> str:
    parameters = [(passed_as(p.type), argument(p.name)) for p in call.parameters]
    signature = ", ".join(f"{type_} {name}" for type_, name in parameters)
    types = ", ".join(type_ for type_, _ in parameters)
    returns = "void" if call.returns == "void" else passed_as(call.returns)
    arguments = ", ".join(name for _, name in parameters)
    body = [
        f"using Function = {returns} (*)({types});",
        f"const auto real = reinterpret_cast<Function>({_real(call)});",
        *_open(call),
        f"if (!call) return real({arguments});",
        *_words_before(call),
        *_kept_before(call),
        f"call.begin({'true' if call.does.kind in KEEP_STACKS else ''});",
        *_only_if_asked(watched.before(call)),
        f"{'' if returns == 'void' else 'const auto result = '}real({arguments});",
        *_words_after(call),
        f"call.finish({_result(call)});",
        *_after(call),
        *_only_if_asked(watched.after(call)),
        *([] if returns == "void" else ["return result;"]),
    ]
    head = f'extern "C" GRETA_EXPORT {returns} {call.name}({signature}) {{'
    return "\n".join([head, *(f"  {line}" for line in body), "}", ""])


def _real(call: Call) -> str:
    found = f"real_function(Call::{call.name}, GRETA_CALLER, GRETA_STACK)"
    return f"guarded(Call::{call.name}, {found})" if call.name in GUARDED else found


def _open(call: Call) -> list[str]:
    launch = call.does.launch
    parts = _fixed_parts(call)
    arrays = [word for word in _kept_words(call) if word.count]
    for word in arrays:
        parts = f"{parts} + array_parts({argument(word.parameter.name)}, {word.count})"
    if launch:
        return [
            f"const KernelArguments arguments({_kernel(call, launch)});",
            f"RecordedCall call(Call::{call.name}, GRETA_CALLER, {parts} + arguments.parts(), "
            "{GRETA_STACK});",
        ]
    return [f"RecordedCall call(Call::{call.name}, GRETA_CALLER, {parts}, {{GRETA_STACK}});"]


def _kernel(call: Call, launch: Launch) -> str:
    """The kernel that is launched or made a node, and where the values of its arguments are."""
    if launch.node:
        node = [f"node_{part}({launch.node})" for part in ("function", "params", "extra")]
        return f"kernel_of_either({node[0]}), {node[1]}, {node[2]}"
    type_ = next(p.type for p in call.parameters if p.name == launch.function)
    finder = "kernel_of_function" if type_ == "hipFunction_t" else "kernel_of_either"
    return f"{finder}({launch.function}), {launch.params}, {launch.extra or 'nullptr'}"


def _fixed_parts(call: Call) -> str:
    """Continuations of a length that is known here."""
    kept = _kept_words(call)
    count = sum(-(-word.struct_bytes // 112) for word in kept)
    return str(count + (1 if len(kept) > RECORD_WORDS else 0))


def _words_before(call: Call) -> list[str]:
    lines = []
    for index, word in enumerate(_kept_words(call)[:RECORD_WORDS]):
        lines.append(f"call.word({index}) = {'0' if word.filled else _value(word)};")
    return lines


def _value(word: Word) -> str:
    name = argument(word.parameter.name)
    if word.text:
        return f"text_id({name})"
    return f"widened({name}.{word.field})" if word.field else f"widened({name})"


def _kept_before(call: Call) -> list[str]:
    kept = _kept_words(call)
    lines = []
    if len(kept) > RECORD_WORDS:
        values = ", ".join(_value(word) for word in kept[RECORD_WORDS:])
        lines.append(f"call.keep_words({{{values}}});")
    for index, word in enumerate(kept):
        name = argument(word.parameter.name)
        if word.struct_bytes and not word.filled:
            lines.append(f"call.keep_struct({index}, {name}, {word.struct_bytes});")
        if word.count:
            lines.append(f"call.keep_array({index}, {name}, {word.count});")
    if call.does.launch:
        lines.append("call.keep_arguments(arguments);")
    if call.does.destroys:
        lines.append(f"const auto ended = live().end({argument(call.does.destroys.handle)});")
    return lines


def _words_after(call: Call) -> list[str]:
    lines = []
    for index, word in enumerate(_kept_words(call)):
        name = argument(word.parameter.name)
        if word.filled and word.struct_bytes:
            lines.append(f"call.keep_struct({index}, {name}, {word.struct_bytes});")
        elif word.filled and word.field:
            field = f"static_cast<const abi::hipPitchedPtr*>({name})->{word.field}"
            lines.append(f"if ({name}) call.word({index}) = widened({field});")
        elif word.filled:
            lines.append(f"call.word({index}) = filled<{passed_as(word.type)}>({name});")
    return [_guarded(call, line) for line in lines]


def _guarded(call: Call, line: str) -> str:
    """What a call that failed has left where its results go is not looked at."""
    return f"if (result == 0) {line}" if call.returns == "hipError_t" else line


def _result(call: Call) -> str:
    return "result" if call.returns in ("hipError_t", "int", "bool") else "0"


def _after(call: Call) -> list[str]:
    does = call.does
    lines = []
    if made := does.creates:
        words = [[made.handle], list(made.bytes), [made.flags] if made.flags else []]
        values = ", ".join(_product(call, names) for names in words)
        lines.append(f"if (result == 0) live().made(call, GRETA_LIVE_{made.what}, {values});")
    if does.destroys:
        lines.append("live().settle(ended, result == 0);")
    if does.destroys and does.destroys.bytes:
        span = f"{argument(does.destroys.handle)}, {argument(does.destroys.bytes)}"
        lines.append(f"if (result == 0) live().end_within({span});")
    if does.parts:
        lines.append(_parts(call, *does.parts))
    condition = "if (result == 0) " if call.returns == "hipError_t" else ""
    return [*lines, *(f"{condition}{line}" for line in _noted(call))]


def _parts(call: Call, list_: str, count: str) -> str:
    element = next(pointed_type(p.type) for p in call.parameters if p.name == list_)
    given = f"{list_}, static_cast<unsigned>({count})"
    return f"record_parts<abi::{element}>(call.record(), {given}, result, {{GRETA_STACK}});"


def _noted(call: Call) -> list[str]:
    """What the recorder keeps in mind of a call that succeeded."""
    if call.does.kind is CallKind.SET_DEVICE:
        return [f"set_current_device({call.does.device});"]
    if call.does.kind is CallKind.RESET:
        return ["live().reset(current_device());"]
    if not call.does.code:
        return []
    verb, _, rest = call.does.code.partition("(")
    names = rest.removesuffix(")").split(", ")
    if verb == "put_hook_in_place":
        return [f"{verb}({', '.join(names)});"]
    return [f"modules().{verb}({', '.join(_noted_value(call, name) for name in names)});"]


def _noted_value(call: Call, name: str) -> str:
    if name == RESULT:
        return name
    return f"filled({argument(name)})" if name in call.out else argument(name)


def _product(call: Call, factors: list[str]) -> str:
    names = [word.name for word in _kept_words(call)]
    return " * ".join(f"call.word({names.index(factor)})" for factor in factors) or "0"


# --- what is only done when the run asks for it --------------------------------------------------


def _only_if_asked(statements: list[str]) -> list[str]:
    return ["if (g_added_work) {", *(f"  {line}" for line in statements), "}"] if statements else []
