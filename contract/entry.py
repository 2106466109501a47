"""One entry of the contract: a call and its parameters."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from contract.effect_types import CallKind, Effects

# tomllib came with Python 3.11; tomli is the same code for 3.10.
TOML = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

FOLDER = Path(__file__).resolve().parent

SUPPORTED = "supported"
UNSUPPORTED = "unsupported"
NOTHING = Effects(CallKind.QUERY)
_NARROW = {
    "unsigned char": 1,
    "unsigned short": 2,
    "dim3": 12,
    "hipExtent": 24,
    "hipPitchedPtr": 32,
    "uint32_t": 4,
    "int32_t": 4,
    "hipDevice_t": 4,
    "hipMemLocation": 8,
    "hipIpcMemHandle_t": 64,
    "unsigned long long": 8,
    "unsigned long": 8,
    "long long": 8,
    "double": 8,
}


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

    @property
    def bytes(self) -> int:
        """As C passes it on x86-64; handles are pointers, and what is left are ints and enums."""
        plain = self.type.removeprefix("const ").removeprefix("enum ").removeprefix("struct ")
        is_word = "*" in plain or (plain.endswith("_t") and plain not in _NARROW)
        return 8 if is_word else _NARROW.get(plain, 4)


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
    does: Effects = NOTHING

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


def read_toml(path: Path) -> dict[str, Any]:
    """A file of the contract."""
    with path.open("rb") as file:
        content: dict[str, Any] = TOML.load(file)
    return content
