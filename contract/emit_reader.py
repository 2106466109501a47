"""src/greta/recording/_contract.py: the part of the contract that a reader of recordings needs."""

from __future__ import annotations

from contract.model import Call, Contract
from contract.recorder_actions import ENDED, MADE, enqueues

TOP = '''\
"""What calls make, end, enqueue and return, and the names and texts of errors."""

from __future__ import annotations

from typing import Final

__all__ = ["ENDED", "ENQUEUING", "ERROR_NAMES", "ERROR_TEXTS", "MADE", "RETURNS_NO_ERROR"]
'''

# Which kind of thing a call ends follows from the type of the parameter that names it.
KINDS = {
    "void*": "DEVICE_MEMORY",
    "hipEvent_t": "EVENT",
    "hipGraphExec_t": "GRAPH_EXEC",
    "hipGraph_t": "GRAPH",
    "hipMemPool_t": "POOL",
    "hipModule_t": "MODULE",
    "hipStream_t": "STREAM",
}


def tables(contract: Contract) -> str:
    """The whole module."""
    calls = {call.name: call for call in contract.calls}
    errors = [f'{error.code}: "{error.name}"' for error in contract.errors]
    texts = [f'{error.code}: "{error.text}"' for error in contract.errors]
    return "\n".join(
        [
            TOP,
            *_table("ERROR_NAMES", "dict[int, str]", errors),
            *_table("ERROR_TEXTS", "dict[int, str]", texts),
            "# What these return is something else than a hipError_t.",
            *_set("RETURNS_NO_ERROR", _without_error(contract)),
            "# These put work on a stream; the recorder numbers them, and can wait for each.",
            *_set("ENQUEUING", _enqueuing(contract)),
            "# The kind, and the words that hold the handle, factors of the bytes, and the flags.",
            *_table("MADE", "dict[str, tuple[str, str, tuple[str, ...], str]]", _made()),
            "# The kind (DEVICE_MEMORY stands for all memory), and the word that holds the handle.",
            *_table("ENDED", "dict[str, tuple[str, str]]", _ended(calls))[:-1],
            "",
        ]
    )


def _without_error(contract: Contract) -> list[str]:
    return sorted(f'"{call.name}"' for call in contract.calls if call.returns != "hipError_t")


def _enqueuing(contract: Contract) -> list[str]:
    return sorted(f'"{c.name}"' for c in contract.calls if enqueues(c.twin_of or c.name))


def _made() -> list[str]:
    rows = []
    for name, made in MADE.items():
        factors = [] if made.bytes == "0" else made.bytes.split(" * ")
        flags = "" if made.flags == "0" else made.flags
        product = ", ".join(f'"{factor}"' for factor in factors) + "," * (len(factors) == 1)
        rows.append(_row(name, f'"{made.kind}"', f'"{made.handle}"', f"({product})", f'"{flags}"'))
    return rows


def _ended(calls: dict[str, Call]) -> list[str]:
    rows = []
    for name, word in ENDED.items():
        parameter = next(p for p in calls[name].parameters if p.name == word)
        rows.append(_row(name, f'"{KINDS[parameter.type]}"', f'"{word}"'))
    return rows


def _row(name: str, *values: str) -> str:
    row = f'"{name}": ({", ".join(values)})'
    if len(row) < 95:  # with its indent and comma, within 100
        return row
    return "\n".join([f'"{name}": (', *(f"        {value}," for value in values), "    )"])


def _table(name: str, kind: str, rows: list[str]) -> list[str]:
    return [f"{name}: Final[{kind}] = {{", *(f"    {row}," for row in rows), "}", ""]


def _set(name: str, values: list[str]) -> list[str]:
    head = f"{name}: Final[frozenset[str]] = frozenset("
    return [head, "    {", *(f"        {value}," for value in values), "    }", ")", ""]
