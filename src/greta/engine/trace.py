"""The trace sites: tensors inside the network, copied to the host and described in a file.

    logits      after the output projection
    rmsnorm     input, output and weight of every RMSNorm
    attention   Q, K, V (Q and K turned) and the output of the heads
    mlp         input and output of the feed-forward part
    kv          the cache of a layer, as far as it is written

One line of JSON per tensor. Every copy goes through greta.engine.d2h under the name SITE.TENSOR.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from greta.engine.d2h import Transfers
from greta.engine.errors import EngineError
from greta.engine.trace_selection import NO_LAYER, Site, TraceSelection
from greta.hip import Buffer, Stream

Array = npt.NDArray[Any]
Shape = tuple[int, ...]


@dataclass
class Moment:
    """Where the run is. The scheduler sets it, the probes read it."""

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
        self.moment = Moment()

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
                written = self.moment.lengths[sequence - self.moment.first_sequence]
                self._write("kv", tensor, layer, values[:, :written], sequence)

        return look

    @property
    def in_vain(self) -> list[TraceSelection]:
        """The selections for which nothing has come by so far."""
        return [selection for selection in self._selections if selection not in self._found]

    def _is_due(self, site: Site, layer: int) -> bool:
        step = self.moment.step
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
            step=self.moment.step,
            layer=None if layer == NO_LAYER else layer,
        )
        return arrival.wait()

    def _write(
        self, site: Site, tensor: str, layer: int, values: Array, sequence: int | None = None
    ) -> None:
        moment = self.moment
        record = {
            "site": site,
            "tensor": tensor,
            "layer": layer,
            "phase": moment.phase,
            "step": moment.step,
            "sequence": moment.first_sequence if sequence is None else sequence,
            **describe(values),
        }
        try:
            self._file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise EngineError(f"the trace cannot be written: {error.strerror}") from None


def describe(values: Array) -> dict[str, Any]:
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
