"""The trace sites: tensors inside the network, copied to the host and described in a file.

    logits      after the output projection
    rmsnorm     input, output and weight of every RMSNorm
    attention   Q, K, V (Q and K turned) and the output of the heads
    wo          the attention's output projection, before it is added to the residual stream
    mlp         input and output of the feed-forward part
    kv          the cache of a layer, as far as it is written

One line of JSON per tensor. Every copy goes through greta.engine.d2h under the name SITE.TENSOR.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TextIO, get_args

import numpy as np
import numpy.typing as npt

from greta.engine.d2h import Transfers
from greta.errors import EngineError, UsageError
from greta.hip import Buffer, Stream

Site = Literal["logits", "rmsnorm", "attention", "wo", "mlp", "kv"]
SITES: tuple[Site, ...] = get_args(Site)

NO_LAYER = -1  # of tensors that belong to no block, such as logits

_SPAN = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True)
class Spans:
    """Numbers such as 0,2-4; none at all stands for every number.

    >>> 3 in Spans(((0, 0), (2, 4)))
    True
    """

    spans: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        return not self.spans or any(first <= number <= last for first, last in self.spans)

    def __str__(self) -> str:
        return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in self.spans) or "*"


@dataclass(frozen=True)
class TraceSelection:
    """One site, in some layers and at some steps. Step 0 is prefill, step n the nth decode."""

    site: Site
    layers: Spans = Spans()
    steps: Spans = Spans()

    def wants(self, site: Site, layer: int) -> bool:
        """This tensor is asked for, at some step."""
        return site == self.site and (layer == NO_LAYER or layer in self.layers)

    def __str__(self) -> str:
        return f"{self.site}:{self.layers}:{self.steps}"


def parse_trace(text: str) -> TraceSelection:
    """The selection that a word of the command line means.

    >>> parse_trace("attention:0,3-5:1").layers
    Spans(spans=((0, 0), (3, 5)))
    """
    name, *parts = text.split(":")
    site = next((site for site in SITES if site == name), None)
    if site is None:
        raise UsageError(f"--trace: there is no site {name!r}; there are {', '.join(SITES)}")
    if len(parts) > 2:
        raise UsageError(f"--trace: {text!r} has too many parts; write SITE[:LAYERS][:STEPS]")
    layers, steps = (*parts, "", "")[:2]
    return TraceSelection(site, _spans(layers, text), _spans(steps, text))


def _spans(text: str, whole: str) -> Spans:
    if text in ("", "*"):
        return Spans()
    found = [_SPAN.fullmatch(word) for word in text.split(",")]
    spans = [(int(m[1]), int(m[2] or m[1])) for m in found if m]
    if len(spans) < len(found) or any(first > last for first, last in spans):
        raise UsageError(
            f"--trace: {text!r} in {whole!r} are no numbers; write them as 3 or 0,2-4, or * for all"
        )
    return Spans(tuple(spans))


Array = npt.NDArray[Any]
Shape = tuple[int, ...]


@dataclass
class RunPosition:
    """Phase, step and lengths of the run; the scheduler sets it, the probes read it."""

    phase: str = "prefill"
    step: int = 0
    first_sequence: int = 0
    lengths: tuple[int, ...] = ()  # tokens of each sequence that the cache will hold


class Tracer:
    """Makes probes for what is selected, and writes what they find."""

    def __init__(
        self,
        selections: Sequence[TraceSelection],
        file: TextIO,
        transfers: Transfers,
        stream: Stream,
    ) -> None:
        self._selections = tuple(selections)
        self._found: set[TraceSelection] = set()
        self._file = file
        self._transfers = transfers
        self._stream = stream
        self.position = RunPosition()

    def wants(self, site: Site, layer: int = NO_LAYER) -> bool:
        """Somebody asked for this site in this layer."""
        return any(selection.wants(site, layer) for selection in self._selections)

    def probe(
        self, site: Site, tensor: str, layer: int, buffer: Buffer, shape: Shape
    ) -> Callable[[], None]:
        """A call that looks at a float32 tensor, to be made where it has just been written."""

        def look() -> None:
            if self._is_due(site, layer):
                name = f"{site}.{tensor}"
                values = self._copied(buffer, np.float32, shape, name, layer)
                self._write(site, tensor, layer, values)

        return look

    def probe_cache(
        self, tensor: str, layer: int, sequence: int, buffer: Buffer, shape: Shape
    ) -> Callable[[], None]:
        """A call that looks at a layer's keys or values of one sequence: float16 `shape`."""

        def look() -> None:
            if self._is_due("kv", layer):
                values = self._copied(buffer, np.float16, shape, f"kv.{tensor}", layer)
                written = self.position.lengths[sequence - self.position.first_sequence]
                self._write("kv", tensor, layer, values[:, :written], sequence)

        return look

    @property
    def unmatched(self) -> list[TraceSelection]:
        """The selections that no tensor has matched so far."""
        return [selection for selection in self._selections if selection not in self._found]

    def _is_due(self, site: Site, layer: int) -> bool:
        step = self.position.step
        due = [s for s in self._selections if s.wants(site, layer) and step in s.steps]
        self._found.update(due)
        return bool(due)

    def _copied(
        self, buffer: Buffer, dtype: npt.DTypeLike, shape: Shape, name: str, layer: int
    ) -> Array:
        arrival = self._transfers.to_host(
            buffer,
            dtype=dtype,
            shape=shape,
            stream=self._stream,
            tensor=name,
            step=self.position.step,
            layer=None if layer == NO_LAYER else layer,
        )
        return arrival.wait()

    def _write(
        self, site: Site, tensor: str, layer: int, values: Array, sequence: int | None = None
    ) -> None:
        position = self.position
        record = {
            "site": site,
            "tensor": tensor,
            "layer": layer,
            "phase": position.phase,
            "step": position.step,
            "sequence": position.first_sequence if sequence is None else sequence,
            **describe(values),
        }
        try:
            self._file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise EngineError(f"the trace cannot be written: {error.strerror}") from None


def describe(values: Array) -> dict[str, object]:
    """Shape, extremes and mean of the finite numbers, how many are not, and a hash of the bytes."""
    import hashlib  # here: only a trace has to wait for OpenSSL

    finite = values[np.isfinite(values)]
    some = finite.size > 0
    return {
        "shape": list(values.shape),
        "dtype": values.dtype.name,
        "min": float(finite.min()) if some else None,
        "max": float(finite.max()) if some else None,
        "mean": float(finite.mean(dtype=np.float64)) if some else None,
        "nan": int(np.isnan(values).sum()),
        "inf": int(np.isinf(values).sum()),
        "hash": hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest(),
    }
