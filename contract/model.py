"""The contract in memory: hip_api.toml and hip_errors.toml, read and checked.

Every emitter works on these classes, so that none of them knows how the files are written.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

# tomllib came with Python 3.11; tomli is the same code for 3.10.
TOML = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

FOLDER = Path(__file__).resolve().parent

SUPPORTED = "supported"
UNSUPPORTED = "unsupported"
CALL_KEYS = frozenset(
    (
        *("node", "node_known", "tier", "returns", "args", "out", "spt"),
        *("sticky_exempt", "keeps_last_error", "mangled", "undeclared"),
    )
)


class ContractError(Exception):
    """The files contradict themselves; the message names the entry."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a call: `type name`, with the default that C++ headers give it."""

    type: str
    name: str
    default: str | None = None

    @staticmethod
    def parse(text: str) -> Parameter:
        """From the spelling in hip_api.toml, such as "unsigned int flags = 0"."""
        match = re.fullmatch(r"(?P<type>.+?)\s*\b(?P<name>\w+)(?: = (?P<default>.+))?", text)
        if match is None:
            raise ContractError(f"cannot read the parameter {text!r}")
        return Parameter(match["type"], match["name"], match["default"])

    @property
    def declaration(self) -> str:
        """Without the default, which only declarations in C++ headers may have."""
        return f"{self.type} {self.name}"


@dataclass(frozen=True)
class Call:
    """One exported function."""

    name: str
    chapter: str
    source: str
    status: str
    node: str
    parameters: tuple[Parameter, ...]
    returns: str = "hipError_t"
    node_known: bool = True
    tier: int = 0
    out: tuple[str, ...] = ()
    sticky_exempt: bool = False
    keeps_last_error: bool = False
    mangled: str | None = None
    undeclared: bool = False
    twin_of: str | None = None

    @property
    def supported(self) -> bool:
        """Whether the simulated device does something for it."""
        return self.status == SUPPORTED

    @property
    def stream(self) -> Parameter | None:
        """The stream to work on, where the call takes one."""
        return next((p for p in self.parameters if p.type == "hipStream_t"), None)

    @property
    def forwards_to(self) -> str:
        """The implementation behind the stub. A twin that takes a stream needs none of its own."""
        return self.twin_of if self.twin_of and self.stream else self.name

    @property
    def implemented_by_hand(self) -> bool:
        """Whether native/simdevice/api/ must define greta::api::NAME."""
        return self.supported and self.forwards_to == self.name

    @property
    def signature(self) -> str:
        """What stands between the parentheses of its definition."""
        return ", ".join(p.declaration for p in self.parameters) or "void"


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

    @property
    def chapters(self) -> tuple[str, ...]:
        """In the order of the file."""
        return tuple(dict.fromkeys(call.chapter for call in self.calls))

    def in_chapter(self, chapter: str) -> tuple[Call, ...]:
        """The supported calls of a chapter, then the others."""
        return tuple(call for call in self.calls if call.chapter == chapter)


def load(folder: Path = FOLDER) -> Contract:
    """Read both files; raises ContractError on the first contradiction."""
    api = _read(folder / "hip_api.toml")
    nodes = tuple(api.pop("nodes"))
    calls = tuple(call for chapter, body in api.items() for call in _calls(chapter, body))
    errors = tuple(
        ErrorCode(row["code"], row["name"], row["text"], tuple(row.get("aliases", ())))
        for row in _read(folder / "hip_errors.toml")["errors"]
    )
    contract = Contract(nodes, calls, errors)
    _check(contract)
    return contract


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content: dict[str, Any] = TOML.load(file)
    return content


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
    fields = {k: v for k, v in entry.items() if k not in ("args", "out", "spt")}
    shared: dict[str, Any] = {
        "chapter": chapter,
        "source": source,
        "status": status,
        "parameters": tuple(Parameter.parse(text) for text in entry["args"]),
        "out": tuple(entry.get("out", ())),
        **fields,
    }
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
