"""The recorder's hooks: one function in front of every HIP call."""

from __future__ import annotations

import json
import re

from contract.model import Call, Contract
from contract.recorder_actions import (
    AFTER,
    ENDED,
    IN_FLIGHT,
    LAUNCHES,
    MADE,
    WATCHED_AFTER,
    WATCHED_BEFORE,
    Launch,
    enqueues,
)
from contract.recorder_model import Word, hooked, passed_as, words

RECORD_WORDS = 10  # GRETA_RECORD_WORDS in recording.h

# What a hook itself gives a name to; a parameter must not hide it.
OWN_NAMES = frozenset(("arguments", "call", "ended", "live", "modules", "real", "result"))

HOOKS_TOP = """\
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

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
            '#include "recorder/hook_table.h"',
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


def _plain_name(call: Call) -> str:
    return call.twin_of or call.name


def _launch(call: Call) -> Launch | None:
    return LAUNCHES.get(_plain_name(call))


def _kept_words(call: Call) -> list[Word]:
    """Without the lists of argument addresses: the values themselves are kept."""
    launch = _launch(call)
    lists = {launch.params, launch.extra} if launch else set()
    return [word for word in words(call) if word.parameter.name not in lists]


def _argument(name: str) -> str:
    return f"{name}_" if name in OWN_NAMES else name


def _hook(call: Call) -> str:
    parameters = [(passed_as(p.type), _argument(p.name)) for p in call.parameters]
    signature = ", ".join(f"{type_} {name}" for type_, name in parameters)
    types = ", ".join(type_ for type_, _ in parameters)
    returns = "void" if call.returns == "void" else passed_as(call.returns)
    arguments = ", ".join(name for _, name in parameters)
    body = [
        f"using Function = {returns} (*)({types});",
        f"const auto real = reinterpret_cast<Function>(real_function("
        f"Call::{call.name}, GRETA_CALLER, GRETA_STACK));",
        *_open(call),
        f"if (!call) return real({arguments});",
        *_words_before(call),
        *_kept_before(call),
        "call.begin();",
        *_only_if_asked(_added_before(call)),
        f"{'' if returns == 'void' else 'const auto result = '}real({arguments});",
        *_words_after(call),
        f"call.finish({_result(call)});",
        *_after(call),
        *_only_if_asked(_added_after(call)),
        *([] if returns == "void" else ["return result;"]),
    ]
    head = f'extern "C" GRETA_EXPORT {returns} {call.name}({signature}) {{'
    return "\n".join([head, *(f"  {line}" for line in body), "}", ""])


def _open(call: Call) -> list[str]:
    launch = _launch(call)
    parts = _fixed_parts(call)
    arrays = [word for word in _kept_words(call) if word.count]
    for word in arrays:
        parts = f"{parts} + array_parts({_argument(word.parameter.name)}, {word.count})"
    if launch:
        find = f"{launch.finder}({launch.function})"
        return [
            f"const KernelArguments arguments({find}, {launch.params}, {launch.extra});",
            f"RecordedCall call(Call::{call.name}, GRETA_CALLER, {parts} + arguments.parts());",
        ]
    return [f"RecordedCall call(Call::{call.name}, GRETA_CALLER, {parts});"]


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
    name = _argument(word.parameter.name)
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
        name = _argument(word.parameter.name)
        if word.struct_bytes and not word.filled:
            lines.append(f"call.keep_struct({index}, {name}, {word.struct_bytes});")
        if word.count:
            lines.append(f"call.keep_array({index}, {name}, {word.count});")
    if _launch(call):
        lines.append("call.keep_arguments(arguments);")
    if _plain_name(call) in ENDED:
        lines.append(f"const auto ended = live().end({ENDED[_plain_name(call)]});")
    return lines


def _words_after(call: Call) -> list[str]:
    lines = []
    for index, word in enumerate(_kept_words(call)):
        name = _argument(word.parameter.name)
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
    name = _plain_name(call)
    lines = []
    if name in MADE:
        made = MADE[name]
        lines.append(
            f"if (result == 0) live().made(call, GRETA_LIVE_{made.kind}, "
            f"{_product(call, made.handle)}, {_product(call, made.bytes)}, "
            f"{_product(call, made.flags)});"
        )
    if name in ENDED:
        lines.append("live().settle(ended, result == 0);")
    if name in AFTER:
        condition = "if (result == 0) " if call.returns == "hipError_t" else ""
        lines.append(f"{condition}{AFTER[name]}")
    return lines


def _product(call: Call, text: str) -> str:
    names = [word.name for word in _kept_words(call)]
    return re.sub(r"[A-Za-z_][\w.]*", lambda match: f"call.word({names.index(match[0])})", text)


# --- what is only done when the run asks for it --------------------------------------------------


def _only_if_asked(statements: list[str]) -> list[str]:
    return ["if (g_added_work) {", *(f"  {line}" for line in statements), "}"] if statements else []


def _stream(call: Call) -> str:
    """The stream that the call works on, as C++."""
    name = next((_argument(p.name) for p in call.parameters if p.type == "hipStream_t"), None)
    if name is None and any(p.name == "config" for p in call.parameters):
        name = "config_stream(config)"
    plain = name or "nullptr"
    return f"own_stream({plain})" if call.twin_of else plain


def _added_before(call: Call) -> list[str]:
    name = _plain_name(call)
    lines = []
    if name in IN_FLIGHT:
        lines.append(f"copy_begins(call.record(), {IN_FLIGHT[name]}, {_stream(call)});")
    if name in WATCHED_BEFORE:
        lines.append(WATCHED_BEFORE[name])
    return lines


def _added_after(call: Call) -> list[str]:
    name = _plain_name(call)
    lines = []
    if name in IN_FLIGHT:
        lines.append("copy_was_enqueued(result);")
    if name in WATCHED_AFTER:
        lines.append(_guarded(call, WATCHED_AFTER[name].replace("{stream}", _stream(call))))
    if enqueues(name):
        lines.append(f"work_was_enqueued(call.record(), {_stream(call)}, result);")
    return lines
