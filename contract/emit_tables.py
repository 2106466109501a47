"""Tables about the calls: their numbers, addresses and version nodes, and the errors' texts."""

from __future__ import annotations

from contract.emit_stubs import TYPES_ONLY
from contract.model import Call, Contract

CALL_IDS_TOP = """\
#pragma once

#include <cstdint>

namespace greta::api {

enum CallFlag : uint8_t {
  kCallSupported = 1,
  kCallStickyExempt = 2,     // answers in spite of a GPU fault
  kCallKeepsLastError = 4,   // leaves hipGetLastError's answer alone
};

struct CallInfo {
  const char* name;
  const char* source;  // the file AMD's log lines name
  uint8_t flags;
};
"""

PROC_TABLE_BOTTOM = """\
}  // namespace

namespace greta::api {

void* find_exported(const char* name) {
  const Exported* last = std::end(kExported);
  const Exported* found = std::lower_bound(
      std::begin(kExported), last, name,
      [](const Exported& row, const char* wanted) { return std::strcmp(row.name, wanted) < 0; });
  if (found == last || std::strcmp(found->name, name) != 0) return nullptr;
  return reinterpret_cast<void*>(found->address);
}

}  // namespace greta::api
"""


def call_ids(contract: Contract) -> str:
    """call_ids.h."""
    return "\n".join(
        [
            CALL_IDS_TOP.replace("#include <cstdint>\n", f"#include <cstdint>\n\n{TYPES_ONLY}"),
            "enum class CallId : uint16_t {",
            *(f"  {call.name}," for call in contract.calls),
            "};",
            "",
            f"inline constexpr uint16_t kCallCount = {len(contract.calls)};",
            "",
            "// Indexed by CallId.",
            "inline constexpr CallInfo kCalls[kCallCount] = {",
            *(f'    {{"{c.name}", "{c.source}", {_flags(c)}}},' for c in contract.calls),
            "};",
            "",
            "inline const CallInfo& info(CallId id) { return kCalls[static_cast<uint16_t>(id)]; }",
            "",
            "}  // namespace greta::api",
            "",
        ]
    )


def _flags(call: Call) -> str:
    flags = {
        "kCallSupported": call.supported,
        "kCallStickyExempt": call.sticky_exempt,
        "kCallKeepsLastError": call.keeps_last_error,
    }
    return " | ".join(name for name, is_set in flags.items() if is_set) or "0"


def proc_table(contract: Contract) -> str:
    """proc_table.cpp. The declarations carry no types: only the addresses matter here."""
    names = sorted(call.name for call in contract.calls)
    return "\n".join(
        [
            "#include <algorithm>",
            "#include <cstring>",
            "#include <iterator>",
            "",
            'extern "C" {',
            *(f"void {name}();" for name in names),
            "}",
            "",
            "namespace greta::api {",
            "void* find_exported(const char* name);",
            "}",
            "",
            "namespace {",
            "",
            "struct Exported {",
            "  const char* name;",
            "  void (*address)();",
            "};",
            "",
            "constexpr Exported kExported[] = {",
            *(f'    {{"{name}", &{name}}},' for name in names),
            "};",
            "",
            PROC_TABLE_BOTTOM,
        ]
    )


def error_table(contract: Contract) -> str:
    """error_table.inc: rows {code, name, text}, codes rising."""
    rows = [f'{{{e.code}, "{e.name}", "{e.text}"}},' for e in contract.errors]
    return "\n".join([*rows, ""])


def version_script(contract: Contract) -> str:
    """hip.map: every node, each inheriting the one before it, each call in its own."""
    parts = []
    previous = ""
    for node in contract.nodes:
        names = [n for call in contract.calls if call.node == node for n in _exported_names(call)]
        if node == contract.nodes[-1]:
            names.append("gretaSim*")
        parts.append(_node(node, sorted(names), previous))
        previous = f" hip_{node}"
    return "\n".join(parts)


def _exported_names(call: Call) -> list[str]:
    return [call.name, *([call.mangled] if call.mangled else [])]


def _node(node: str, names: list[str], previous: str) -> str:
    """The first node also hides whatever no node exports."""
    lines = ["  global:", *(f"    {name};" for name in names)] if names else []
    hidden = [] if previous else ["  local:", "    *;"]
    return "\n".join([f"hip_{node} {{", *lines, *hidden, f"}}{previous};", ""])


def shim_version_script(contract: Contract) -> str:
    """shim.map: the nodes alone, for libraries that only lead to the real one."""
    parts = []
    previous = ""
    for node in contract.nodes:
        parts.append(_node(node, [], previous))
        previous = f" hip_{node}"
    return "\n".join(parts)
