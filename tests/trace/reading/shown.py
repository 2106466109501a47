"""A trace in the words of a test: operations and accesses by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from greta.trace.trace import NONE, Kind, Memory, Mode, Role, Space, StreamKind, Trace, Waits


@dataclass(frozen=True)
class Touched:
    """An access. `where` is the number of the allocation and the offset in it."""

    role: Role
    mode: Mode
    space: Space
    where: tuple[int, int] | None
    bytes: int
    at_call: bool
    row: np.void


@dataclass(frozen=True)
class Operation:
    """An operation."""

    number: int
    call: str
    kind: Kind
    waits: Waits
    stream: StreamKind | None
    touched: tuple[Touched, ...]
    row: np.void

    def side(self, role: Role) -> Touched:
        (found,) = (one for one in self.touched if one.role is role)
        return found


class Shown:
    """All of it."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.operations = [self._operation(row) for row in range(len(trace.operations))]
        _check_form(trace)

    def calls(self, name: str) -> list[Operation]:
        return [one for one in self.operations if one.call == name]

    def call(self, name: str) -> Operation:
        (found,) = self.calls(name)
        return found

    def memory(self, touched: Touched) -> Memory:
        assert touched.where is not None
        return Memory(self.trace.allocations["memory"][touched.where[0]])

    def _operation(self, number: int) -> Operation:
        row = self.trace.operations[number]
        stream = int(row["stream"])
        return Operation(
            number=number,
            call=self.trace.calls[row["call"]],
            kind=Kind(row["kind"]),
            waits=Waits(row["waits"]),
            stream=None if stream == NONE else StreamKind(self.trace.streams["kind"][stream]),
            touched=tuple(self._touched(one) for one in self.trace.accesses_of(number)),
            row=row,
        )

    def _touched(self, row: np.void) -> Touched:
        which = int(row["allocation"])
        where = None
        if which != NONE:
            where = (which, int(row["address"]) - int(self.trace.allocations["address"][which]))
        return Touched(
            role=Role(row["role"]),
            mode=Mode(row["mode"]),
            space=Space(row["space"]),
            where=where,
            bytes=int(row["bytes"]),
            at_call=bool(row["at_call"]),
            row=row,
        )


def _check_form(trace: Trace) -> None:
    """What the tables promise of each other, whatever was recorded."""
    operations, accesses = trace.operations, trace.accesses
    assert (np.diff(operations["seq"]) > 0).all()
    assert (np.diff(operations["first_access"]) >= 0).all()
    for number in range(len(operations)):
        assert (trace.accesses_of(number)["operation"] == number).all()
    if len(operations):
        assert operations["first_access"][0] == 0
    _refers(accesses["allocation"], trace.allocations)
    _refers(operations["allocation"], trace.allocations)
    _refers(operations["stream"], trace.streams)
    _refers(trace.allocations["free_stream"], trace.streams)
    for name in ("made_at", "freed_at"):
        _refers(trace.allocations[name], operations)


def _refers(column: Any, table: Any) -> None:
    assert ((column >= NONE) & (column < len(table))).all()
