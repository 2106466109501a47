"""Two trace files side by side: the first tensor whose numbers part, in the order of computing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from greta.errors import OutsideError
from greta.outside import open_outside
from greta.printable import printable
from greta.typed_json import Json, JsonField, decode, require_object

LARGEST_TRACE: Final = 4 << 30
LONGEST_LINE: Final = 1 << 20
TOLERANCE: Final = 1e-3
"""A share of the larger of two numbers; sums in another order differ by less."""
_OTHER_NAMES: Final = {
    "name": "tensor",
    "layer_idx": "layer",
    "layer_id": "layer",
    "token": "step",
    "step_id": "step",
    "nan_count": "nan",
    "inf_count": "inf",
}
"""How other engines spell the fields."""


@dataclass(frozen=True)
class TracedTensor:
    """A line of a trace: which tensor, and what its numbers were like."""

    tensor: str
    site: str = ""
    layer: int = -1
    phase: str = ""
    step: int = -1
    sequence: int = 0
    shape: tuple[int, ...] = ()
    dtype: str = ""
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    nan: int = 0
    inf: int = 0
    hash: str = ""

    @property
    def key(self) -> tuple[str, str, int, str, int, int]:
        """What it has in common with the same tensor of another run."""
        return (self.site, self.tensor, self.layer, self.phase, self.step, self.sequence)

    @property
    def name(self) -> str:
        """SITE.TENSOR, as its copy is called."""
        return f"{self.site}.{self.tensor}" if self.site else self.tensor


@dataclass(frozen=True)
class NumberChange:
    """A tensor of both traces that is not the same, and what of it."""

    a: TracedTensor
    b: TracedTensor
    field: str
    """nan, inf, shape, dtype, min, max or mean."""


@dataclass(frozen=True)
class TraceDifference:
    compared: int
    identical: int
    """With equal bytes."""
    only_a: int
    only_b: int
    first: NumberChange | None
    """Beyond the tolerance."""
    first_not_finite: NumberChange | None
    """Where a NaN or an infinity first is in one of them alone."""
    first_byte: NumberChange | None
    """The first tensor with other bytes, within the tolerance or not."""
    changed: int
    """How many are beyond it."""


def is_trace_file(path: Path) -> bool:
    """What `greta infer --trace` writes, by its name."""
    return path.suffix == ".jsonl" and path.is_file()


def trace_difference(a: Path, b: Path, tolerance: float = TOLERANCE) -> TraceDifference:
    """Compares the tensors that are in both, in A's order."""
    theirs = {traced.key: traced for traced in read_trace(b)}
    ours = list(read_trace(a))
    pairs = [(one, theirs[one.key]) for one in ours if one.key in theirs]
    changes = [
        NumberChange(one, two, field)
        for one, two in pairs
        if (field := _first_change(one, two, tolerance))
    ]
    unequal = [(one, two) for one, two in pairs if one.hash != two.hash]
    bytewise = [NumberChange(one, two, "hash") for one, two in unequal]
    return TraceDifference(
        compared=len(pairs),
        identical=len(pairs) - len(unequal),
        only_a=len(ours) - len(pairs),
        only_b=len(theirs) - len({one.key for one, _ in pairs}),
        first=changes[0] if changes else None,
        first_not_finite=next((c for c in changes if c.field in ("nan", "inf")), None),
        first_byte=bytewise[0] if bytewise else None,
        changed=len(changes),
    )


def _first_change(a: TracedTensor, b: TracedTensor, tolerance: float) -> str:
    """The field that tells most; nothing if all is within the tolerance."""
    for field in ("nan", "inf", "shape", "dtype"):
        if getattr(a, field) != getattr(b, field):
            return field
    known = [abs(x) for x in (a.min, a.max, b.min, b.max) if x is not None]
    room = tolerance * max(known, default=0.0)
    for field in ("min", "max", "mean"):
        one, two = getattr(a, field), getattr(b, field)
        if (one is None) != (two is None) or (one is not None and abs(one - two) > room):
            return field
    return ""


def read_trace(path: Path) -> Iterator[TracedTensor]:
    """The tensors of a file; raises OutsideError with the line that is none."""
    try:
        file = open_outside(path, LARGEST_TRACE)
    except OSError as error:
        raise OutsideError(f"{printable(str(path))} cannot be read: {error.strerror}") from None
    with file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise _no_tensor(path, number)
            if line.strip():
                yield _tensor(line, path, number)
    if number == 0:
        raise OutsideError(f"{printable(str(path))} is empty; a trace has a tensor a line")


def _tensor(line: bytes, path: Path, number: int) -> TracedTensor:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise _no_tensor(path, number) from None
    if not isinstance(value, dict) or not {"tensor", "name"} & value.keys():
        raise _no_tensor(path, number)
    field = JsonField(path, f"of line {number}")
    return decode(TracedTensor, _our_names(require_object(value, field)), field)


def _our_names(record: Json) -> Json:
    named: Json = {}
    for name, value in record.items():
        own = _OTHER_NAMES.get(name, name)
        if own == name or own not in record:
            named[own] = value
    return named


def _no_tensor(path: Path, number: int) -> OutsideError:
    return OutsideError(
        f"{printable(str(path))}: line {number} is no tensor of a trace; "
        "`greta infer --trace SITE --trace-file FILE` writes such files"
    )
