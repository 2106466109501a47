"""A model on the device, ready to generate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from greta.engine.annotations import find_annotations
from greta.engine.d2h import Transfers
from greta.engine.errors import EngineError
from greta.engine.forward import BlockScheduler
from greta.engine.generation import Generation
from greta.engine.memory import require_room
from greta.engine.request import Request
from greta.engine.support import MAX_BATCH
from greta.engine.trace import Tracer
from greta.engine.trace_selection import TraceSelection
from greta.engine.weights import Progress, load_weights, weight_bytes
from greta.engine.workspace import Capacity, Workspace, activation_bytes, kv_bytes
from greta.hip import Stream
from greta.model import Model


class Engine:
    """Weights, workspace and scheduler of a model, on the current device.

    >>> engine = Engine(open_model(path), Capacity(batch=1, context=512))   # doctest: +SKIP
    >>> for piece in engine.generate(Request([ids], max_tokens=32)):        # doctest: +SKIP
    ...     print(piece.text, end="", flush=True)
    """

    def __init__(
        self,
        model: Model,
        capacity: Capacity,
        *,
        progress: Progress | None = None,
        traces: Sequence[TraceSelection] = (),
        trace_file: TextIO | None = None,
    ) -> None:
        self._model = model
        self.capacity = capacity
        config = model.config
        require_room(
            {
                "weights": weight_bytes(model),
                "keys and values": kv_bytes(config, capacity),
                "activations": activation_bytes(config, capacity),
            }
        )
        if capacity.batch > MAX_BATCH:
            raise EngineError(
                f"there are {capacity.batch} sequences, and the kernels take at most {MAX_BATCH}"
            )
        annotations = find_annotations()
        annotations.note(f"model={model.path.resolve()}")  # `greta run` looks for it
        stream = Stream(non_blocking=True)
        transfers = Transfers()
        self.tracer = (
            Tracer(traces, trace_file, transfers, stream) if traces and trace_file else None
        )
        self.scheduler = BlockScheduler(
            config,
            load_weights(model, progress),
            Workspace(config, capacity),
            stream,
            transfers,
            annotations,
            self.tracer,
        )

    def generate(self, request: Request) -> Generation:
        """A generation; it begins when it is iterated over. One at a time."""
        self.require_fits(request)
        return Generation(self.scheduler, self._model.tokenizer, request)

    def require_fits(self, request: Request) -> None:
        """Raises EngineError if the request is too large or names tokens that are none."""
        request.require_fits(self.capacity, self._model.config.vocabulary_size)
