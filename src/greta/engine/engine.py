"""A model on the device, ready to generate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

import numpy as np

from greta.engine.annotations import find_annotations
from greta.engine.d2h import Transfers
from greta.engine.forward import BlockScheduler
from greta.engine.generation import Generation
from greta.engine.request import Request, Sampling
from greta.engine.trace import Tracer, TraceSelection
from greta.engine.weights import load_weights, weight_bytes
from greta.engine.workspace import (
    GROUP,
    Capacity,
    Workspace,
    activation_bytes,
    kv_bytes,
    require_room,
)
from greta.errors import EngineError
from greta.hip import Stream
from greta.model import Model, Support, TokenId

# Every kernel reads and writes activations in whole groups, and attention keeps a head's output in
# them and its query in registers (kernels/README.md). Heads are blocks of a grid's second
# dimension, of which HIP promises 65535. The other limits keep every index that a kernel computes
# inside 32 bits.
MAX_BATCH = 1 << 14
SUPPORT = Support(
    head_dims=frozenset(range(GROUP, 257, GROUP)),
    size_multiple=GROUP,
    max_hidden_size=1 << 16,
    max_feed_forward_size=1 << 18,
    max_vocabulary_size=1 << 20,
    max_context_length=1 << 20,
    max_heads=65535,
)


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
            load_weights(model),
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


def log_probabilities(
    engine: Engine, prompt: Sequence[TokenId], continuation: Sequence[TokenId]
) -> list[float]:
    """The natural logarithm of each token's probability, given all that stand before it."""
    if not continuation:
        return []
    # A request that is not greedy: the host says what comes next.
    request = Request([prompt], len(continuation), Sampling())
    engine.require_fits(request)
    steps = engine.scheduler
    steps.prefill(request)
    found = []
    for step, token in enumerate(continuation):
        wide = steps.result(step)[0].astype(np.float64)
        found.append(float(wide[token] - wide.max() - np.log(np.exp(wide - wide.max()).sum())))
        if step + 1 < len(continuation):
            steps.put_tokens([token])
            steps.decode(step + 1)
    steps.finish()
    return found
