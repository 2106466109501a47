"""The block scheduler: queues prefill and decode, block by block, on one stream.

Prefill takes a prompt in tiles of a few tokens. Decode takes one token of every sequence; its
launches are captured once per batch size as a graph, which is replayed for each token. Positions
and, if the choice is greedy, tokens stay on the device, so nothing in the graph ever changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.engine import kernels
from greta.engine.annotations import RoctxRanges
from greta.engine.d2h import Arrival, Transfers
from greta.engine.launches import LaunchBuilder
from greta.engine.plan import Plan, PlanBuilder, TokenBatch, run_plan
from greta.engine.request import Request, Sampler, require_numbers
from greta.engine.trace import RunPosition, Tracer
from greta.engine.weights import DeviceWeights
from greta.engine.workspace import TILE, Workspace
from greta.hip import Buffer, ExecutableGraph, Graph, PinnedBuffer, Stream
from greta.model import ModelConfig, TokenId

Array = npt.NDArray[Any]

_KEPT_PLANS = 16
_NO_CHOICE = 0  # what argmax also says where every logit is NaN


class BlockScheduler:
    """Runs a model's blocks for the sequences of one request at a time."""

    def __init__(
        self,
        config: ModelConfig,
        weights: DeviceWeights,
        work: Workspace,
        stream: Stream,
        transfers: Transfers,
        annotations: RoctxRanges,
        tracer: Tracer | None = None,
    ) -> None:
        self._config = config
        self._weights = weights
        self._work = work
        self._stream = stream
        self._transfers = transfers
        self._annotations = annotations
        self._tracer = tracer
        self._kernels = kernels.load(weights.types)
        self._plans: dict[tuple[TokenBatch, bool, bool], Plan] = {}
        self._graphs: dict[tuple[int, bool], ExecutableGraph] = {}
        self._tokens = PinnedBuffer(work.capacity.batch, np.int32)  # chosen by the host
        self._uploads: list[PinnedBuffer] = []  # being copied to the device
        self._arrivals: dict[int, Arrival] = {}  # by step: tokens, or logits for the host to choose

    @property
    def can_run_ahead(self) -> bool:
        """Tokens stay on the device; but a trace must not show a step that nobody asked for."""
        return self._is_greedy and self._tracer is None

    def prefill(self, request: Request) -> None:
        """Queues all prompts, and the choice of their first tokens if it is greedy."""
        self._is_greedy = request.is_greedy
        self._samplers = [
            Sampler(request.sampling, number)
            for number in range(len(request.prompts))
            if request.sampling is not None  # else the device chooses
        ]
        self._lengths = [len(prompt) for prompt in request.prompts]
        with self._annotations.range("prefill"):
            for sequence, prompt in enumerate(request.prompts):
                self._prefill_sequence(sequence, prompt)
            self._upload(self._work.positions, self._lengths)
            self._arrivals = {0: self._result(0)}

    def decode(self, step: int) -> None:
        """Queues one more token for every sequence; `step` counts from 1."""
        lengths = tuple(length + step for length in self._lengths)
        self._set_position(RunPosition("decode", step, 0, lengths))
        with self._annotations.range("decode"), self._annotations.range(f"step={step}"):
            if self._tracer is None:
                self._graph().launch(self._stream)
            else:
                run_plan(self._planned(TokenBatch(len(self._lengths)), with_logits=True))
            self._arrivals[step] = self._result(step)

    def choose(self, step: int) -> list[TokenId]:
        """The token of each sequence; if the host chooses, it is on its way to the device."""
        result = self.result(step)
        if self._is_greedy:
            if _NO_CHOICE in result:
                # The logits themselves; a step that is ahead has NaN where this one had.
                for row in self.logits(step).wait():
                    require_numbers(row)
            return [int(token) for token in result]
        chosen = [sampler.draw(row) for sampler, row in zip(self._samplers, result, strict=True)]
        self.put_tokens(chosen)
        return chosen

    def result(self, step: int) -> Array:
        """Waits for a step: the tokens [batch] if greedy, else the logits [batch, vocabulary]."""
        arrival = self._arrivals.pop(step)
        # Of a few tokens a copy is cheaper than an array that keeps its staging.
        return arrival.copy() if self._is_greedy else arrival.wait()

    def put_tokens(self, tokens: Sequence[TokenId]) -> None:
        """Says what each sequence goes on with, once the result of the last step is there."""
        # The last copy from here is done: that result was queued after it.
        target = self._tokens.array[: len(tokens)]
        target[:] = tokens
        self._work.tokens.copy_from(target, stream=self._stream)

    def logits(self, step: int = 0) -> Arrival:
        """The logits after each sequence's last token: float32 [batch, vocabulary]."""
        shape = (len(self._lengths), self._config.vocabulary_size)
        return self._copied(self._work.logits, np.float32, shape, "logits", step)

    def _result(self, step: int) -> Arrival:
        if not self._is_greedy:
            return self.logits(step)
        shape = (len(self._lengths),)
        return self._copied(self._work.tokens, np.int32, shape, "tokens", step)

    def finish(self) -> None:
        """Waits for the device; raises HipError if anything that was queued has failed."""
        self._stream.synchronize()
        self._uploads.clear()
        self._arrivals.clear()

    def _prefill_sequence(self, sequence: int, prompt: Sequence[TokenId]) -> None:
        work, pinned = self._work, self._pinned(prompt)
        work.prompt_position.fill(0, stream=self._stream)
        for start in range(0, len(prompt), TILE):
            tile = pinned.array[start : start + TILE]
            work.prompt.copy_from(tile, stream=self._stream)
            end = start + len(tile)
            self._set_position(RunPosition("prefill", 0, sequence, (end,)))
            rows = TokenBatch(len(tile), is_prefill=True, sequence=sequence)
            run_plan(self._planned(rows, with_logits=end == len(prompt)))

    def _planned(self, rows: TokenBatch, *, with_logits: bool) -> Plan:
        key = (rows, with_logits, self._is_greedy)
        if key not in self._plans:
            if len(self._plans) >= _KEPT_PLANS:
                self._plans.clear()
            self._plans[key] = self._plan(rows, with_logits=with_logits)
        return self._plans[key]

    def _plan(self, rows: TokenBatch, *, with_logits: bool) -> Plan:
        builder = PlanBuilder(
            self._weights,
            self._work,
            self._config,
            self._launches,
            self._annotations,
            self._tracer,
            rows,
        )
        builder.embedding()
        builder.layers()
        if with_logits:
            builder.logits()
        if with_logits and self._is_greedy:
            builder.choice()
        builder.advance()
        return builder.plan

    def _graph(self) -> ExecutableGraph:
        key = (len(self._lengths), self._is_greedy)
        if key not in self._graphs:
            plan = self._plan(TokenBatch(len(self._lengths)), with_logits=True)
            with Graph.capture(self._stream, "thread_local") as graph:
                run_plan(plan)
            self._graphs[key] = graph.instantiate()
        return self._graphs[key]

    def _launches(self, count: int) -> LaunchBuilder:
        context = self._work.capacity.context
        return LaunchBuilder(self._kernels, self._config, context, self._stream, count)

    def _upload(self, target: Buffer, numbers: Sequence[int]) -> None:
        target.copy_from(self._pinned(numbers).array, stream=self._stream)

    def _pinned(self, numbers: Sequence[int]) -> PinnedBuffer:
        pinned = PinnedBuffer(len(numbers), np.int32)
        pinned.array[:] = numbers
        self._uploads.append(pinned)
        return pinned

    def _copied(
        self, buffer: Buffer, dtype: npt.DTypeLike, shape: tuple[int, ...], tensor: str, step: int
    ) -> Arrival:
        return self._transfers.to_host(
            buffer, dtype=dtype, shape=shape, stream=self._stream, tensor=tensor, step=step
        )

    def _set_position(self, position: RunPosition) -> None:
        if self._tracer is not None:
            self._tracer.position = position
