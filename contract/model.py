"""The contract in memory: hip_api.toml and hip_errors.toml, read and checked.

Every emitter works on these classes, so that none of them knows how the files are written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contract.effects import effects_of
from contract.entry import (
    FOLDER,
    SUPPORTED,
    UNSUPPORTED,
    Call,
    ContractError,
    Parameter,
    read_toml,
)

__all__ = ["FOLDER", "Call", "Contract", "ContractError", "ErrorCode", "Parameter", "load"]

CALL_KEYS = frozenset(
    (
        *("node", "node_known", "tier", "returns", "args", "out", "spt"),
        *("sticky_exempt", "keeps_last_error", "mangled", "undeclared", "does"),
    )
)


@dataclass(frozen=True)
class ErrorCode:
    """One value of hipError_t."""

    code: int
    name: str
    text: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contract:
    """All of it. `calls` are in the order of the file, each twin after its call."""

    nodes: tuple[str, ...]
    calls: tuple[Call, ...]
    errors: tuple[ErrorCode, ...]
    own: tuple[Call, ...] = ()
    """What the recorder itself writes."""

    @property
    def chapters(self) -> tuple[str, ...]:
        """In the order of the file."""
        return tuple(dict.fromkeys(call.chapter for call in self.calls))

    def in_chapter(self, chapter: str) -> tuple[Call, ...]:
        """The supported calls of a chapter, then the others."""
        return tuple(call for call in self.calls if call.chapter == chapter)


def load(folder: Path = FOLDER) -> Contract:
    """Read both files; raises ContractError on the first contradiction."""
    api = read_toml(folder / "hip_api.toml")
    nodes = tuple(api.pop("nodes"))
    own = tuple(_own(name, entry) for name, entry in api.pop("own", {}).items())
    calls = tuple(call for chapter, body in api.items() for call in _calls(chapter, body))
    errors = tuple(
        ErrorCode(row["code"], row["name"], row["text"], tuple(row.get("aliases", ())))
        for row in read_toml(folder / "hip_errors.toml")["errors"]
    )
    contract = Contract(nodes, calls, errors, own)
    _check(contract)
    return contract


def _own(name: str, entry: dict[str, Any]) -> Call:
    parameters = tuple(Parameter.parse(text) for text in entry["args"])
    call = Call(name, "own", "", UNSUPPORTED, "", parameters)
    return replace(call, does=effects_of(call, entry["does"]))


def _calls(chapter: str, body: dict[str, Any]) -> list[Call]:
    calls = []
    for status in (SUPPORTED, UNSUPPORTED):
        for name, entry in body.get(status, {}).items():
            calls += _call_and_twin(name, chapter, body["source"], status, entry)
    return calls


def _call_and_twin(
    name: str, chapter: str, source: str, status: str, entry: dict[str, Any]
) -> list[Call]:
    unknown = set(entry) - CALL_KEYS
    if unknown:
        raise ContractError(f"{name}: unknown key {sorted(unknown)[0]}")
    if "does" not in entry:
        raise ContractError(f"{name}: `does` is missing; say what the call does, or why nothing")
    fields = {k: v for k, v in entry.items() if k not in ("args", "out", "spt", "does")}
    shared: dict[str, Any] = {
        "chapter": chapter,
        "source": source,
        "status": status,
        "parameters": tuple(Parameter.parse(text) for text in entry["args"]),
        "out": tuple(entry.get("out", ())),
        **fields,
    }
    call = Call(name=name, **shared)
    shared["does"] = effects_of(call, entry["does"])
    calls = [Call(name=name, **shared)]
    if "spt" in entry:
        twin = {**shared, "node": entry["spt"], "mangled": None}
        calls.append(Call(name=f"{name}_spt", twin_of=name, **twin))
    return calls


def _check(contract: Contract) -> None:
    seen: set[str] = set()
    for call in contract.calls:
        if call.name in seen:
            raise ContractError(f"{call.name} is listed twice")
        seen.add(call.name)
        if call.node not in contract.nodes:
            raise ContractError(f"{call.name}: no node {call.node}; see `nodes`")
        missing = set(call.out) - {p.name for p in call.parameters}
        if missing:
            raise ContractError(f"{call.name}: `out` names {sorted(missing)[0]}, not in `args`")
    codes = [error.code for error in contract.errors]
    if codes != sorted(set(codes)):
        raise ContractError("hip_errors.toml: codes must rise and be unique")
