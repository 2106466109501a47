"""The plan of a pass through the network: which calls to make, in which order.

A plan is a list of calls made ready. Traces and annotations are calls between the launches; where
nobody asked for them they are not in the list at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from greta.engine.annotations import NoRanges, RoctxRanges
from greta.engine.launches import Activations, CacheView, LaunchBuilder
from greta.engine.trace import NO_LAYER, Site, Tracer
from greta.engine.weights import DeviceLayer, DeviceTensor, DeviceWeights, Form
from greta.engine.workspace import Forms, Workspace
from greta.hip import Buffer
from greta.model import ModelConfig

Call = Callable[[], object]
Plan = list[Call]


@dataclass(frozen=True)
class TokenBatch:
    """The tokens of a pass: `count` of them; in prefill of one sequence, in decode one of each."""

    count: int
    is_prefill: bool = False
    sequence: int = 0  # the first, or in prefill the one


def run_plan(plan: Plan) -> None:
    """Makes the calls."""
    for call in plan:
        call()


class PlanBuilder:
    """Writes the plan of a pass: `embedding`, `layers`, then `logits` if they are wanted."""

    def __init__(
        self,
        weights: DeviceWeights,
        work: Workspace,
        config: ModelConfig,
        launches: Callable[[int], LaunchBuilder],
        annotations: RoctxRanges,
        tracer: Tracer | None,
        rows: TokenBatch,
    ) -> None:
        self._weights = weights
        self._work = work
        self._config = config
        self._launches = launches
        self._launch = launches(rows.count)
        self._annotations = annotations
        self._is_annotated = not isinstance(annotations, NoRanges)
        self._tracer = tracer
        self._rows = rows
        self.plan: Plan = []

    def embedding(self) -> None:
        """tokens -> hidden [m, hidden]."""
        work = self._work
        tokens = work.prompt if self._rows.is_prefill else work.tokens
        launch = self._launch.embed(self._weights.embedding, tokens, work.hidden)
        self._add("token_embd", launch)

    def layers(self) -> None:
        """hidden -> hidden, and the cache of every layer."""
        for number, layer in enumerate(self._weights.layers):
            with self._range(f"layer={number}"):
                self._attention(number, layer)
                self._mlp(number, layer)
                self._probe_cache(number)

    def logits(self) -> None:
        """hidden -> logits: of each sequence in decode, of the tile's last token in prefill."""
        work, c = self._work, self._config
        count = 1 if self._rows.is_prefill else self._rows.count
        launch = self._launches(count)
        row = self._rows.count - count
        hidden = _row(work.hidden, row, c.hidden_size)
        output = self._weights.output
        normed = self._activations(work.normed, output, traced="rmsnorm")
        weight = self._weights.output_norm
        self._add("output_norm", launch.rmsnorm(hidden, weight, normed))
        self._round(launch, normed, c.hidden_size)
        self._probe_norm(NO_LAYER, "output_norm", hidden, weight, count)
        logits = _row(work.logits, self._rows.sequence, c.vocabulary_size)
        self._add("output", launch.matmul(output, normed, logits))
        self._probe("logits", "logits", NO_LAYER, logits, (count, c.vocabulary_size))

    def choice(self) -> None:
        """logits -> the likeliest token of each sequence."""
        work = self._work
        count = 1 if self._rows.is_prefill else self._rows.count
        logits = _row(work.logits, self._rows.sequence, self._config.vocabulary_size)
        tokens = _row(work.tokens, self._rows.sequence, 1)
        self._add("argmax", self._launches(count).argmax(logits, tokens))

    def advance(self) -> None:
        """The positions go on: by the tile in prefill, by one in decode."""
        rows = self._rows
        by = (1, rows.count) if rows.is_prefill else (rows.count, 1)
        self._add("positions", self._launch.advance(self._positions(), *by))

    def _attention(self, number: int, layer: DeviceLayer) -> None:
        work, c, m = self._work, self._config, self._rows.count
        keys, values = self._work.cache.layer(number, self._rows.sequence)
        place = CacheView(self._positions(), keys, values, self._rows.is_prefill)
        normed = self._activations(
            work.normed, layer.attn_q, layer.attn_k, layer.attn_v, layer=number, traced="rmsnorm"
        )
        self._norm(number, "attn_norm", layer.attn_norm, normed)
        self._qkv(layer, normed)
        self._add(
            "rope", self._launch.rope_kv(work.q, work.k, work.v, place, self._weights.turn_divisors)
        )
        mixed = self._activations(work.mixed, layer.attn_output, layer=number, traced="attention")
        self._add("attention", self._launch.attention(work.q, place, mixed))
        self._round(self._launch, mixed, c.query_size)
        self._probe("attention", "q", number, work.q, (m, c.query_size))
        self._probe("attention", "k", number, work.k, (m, c.kv_size))
        self._probe("attention", "v", number, work.v, (m, c.kv_size))
        self._probe("attention", "output", number, work.mixed.floats, (m, c.query_size))
        self._add_product("attn_output", "wo", number, layer.attn_output, mixed)

    def _add_product(
        self, name: str, site: Site, number: int, weight: DeviceTensor, x: Activations
    ) -> None:
        """Adds x @ weight.T to the residual stream; the product alone exists where it is traced."""
        work, width = self._work, self._config.hidden_size
        if not self._is_traced(site, number):
            self._add(name, self._launch.matmul(weight, x, work.hidden, accumulate=True))
            return
        self._add(name, self._launch.matmul(weight, x, work.part))
        self._probe(site, "output", number, work.part, (self._rows.count, width))
        self._add("add", self._launch.add(work.hidden, work.part, width))

    def _qkv(self, layer: DeviceLayer, x: Activations) -> None:
        work = self._work
        weights = (layer.attn_q, layer.attn_k, layer.attn_v)
        outs = (work.q, work.k, work.v)
        if len({w.type for w in weights}) == 1:
            self._add("attn_qkv", self._launch.qkv(weights, x, outs))
            return
        for name, w, out in zip(("attn_q", "attn_k", "attn_v"), weights, outs, strict=True):
            self._add(name, self._launch.matmul(w, x, out))

    def _mlp(self, number: int, layer: DeviceLayer) -> None:
        work, shape = self._work, (self._rows.count, self._config.hidden_size)
        normed = self._activations(
            work.normed, layer.ffn_gate, layer.ffn_up, layer=number, traced=("rmsnorm", "mlp")
        )
        self._norm(number, "ffn_norm", layer.ffn_norm, normed)
        self._probe("mlp", "input", number, work.normed.floats, shape)
        wide = self._activations(work.wide, layer.ffn_down)
        self._gate_up(layer, normed, wide)
        self._round(self._launch, wide, self._config.feed_forward_size)
        self._add_product("ffn_down", "mlp", number, layer.ffn_down, wide)

    def _gate_up(self, layer: DeviceLayer, x: Activations, out: Activations) -> None:
        work = self._work
        if layer.ffn_gate.type == layer.ffn_up.type:
            self._add("ffn_gate_up", self._launch.gate_up(layer.ffn_gate, layer.ffn_up, x, out))
            return
        self._add("ffn_gate", self._launch.matmul(layer.ffn_gate, x, work.gate))
        self._add("ffn_up", self._launch.matmul(layer.ffn_up, x, work.up))
        self._add("silu_mul", self._launch.silu_mul(work.gate, work.up, out))

    def _norm(self, number: int, name: str, weight: DeviceTensor, out: Activations) -> None:
        work = self._work
        self._add(name, self._launch.rmsnorm(work.hidden, weight, out))
        self._round(self._launch, out, weight.cols)
        self._probe_norm(number, name, work.hidden, weight, self._rows.count)

    def _round(self, launch: LaunchBuilder, x: Activations, width: int) -> None:
        """Kernels that make activations cannot make q8_k: its scales reach beyond their blocks."""
        if x.floats is not None and x.q8_k is not None:
            self._add("q8_k", launch.quantize_k(x.floats, x.q8_k, width))

    def _activations(
        self,
        forms: Forms,
        *readers: DeviceTensor,
        layer: int = NO_LAYER,
        traced: Site | tuple[Site, ...] = (),
    ) -> Activations:
        """The forms in which the weights that read them, or a trace, want activations."""
        sites = (traced,) if isinstance(traced, str) else traced
        is_traced = any(self._is_traced(site, layer) for site in sites)
        wanted = {w.form for w in readers}
        wants_floats = is_traced or wanted != {Form.Q8}  # q8_k is made of floats
        return Activations(
            forms.floats if wants_floats else None,
            forms.q8 if Form.Q8 in wanted else None,
            forms.q8_k if Form.Q8_K in wanted else None,
        )

    def _positions(self) -> Buffer:
        return self._work.prompt_position if self._rows.is_prefill else self._work.positions

    def _add(self, tensor: str, call: Call) -> None:
        with self._range(f"tensor={tensor}"):
            self.plan.append(call)

    @contextmanager
    def _range(self, name: str) -> Iterator[None]:
        if self._is_annotated:
            self.plan.append(self._annotations.opening(name))
        yield
        if self._is_annotated:
            self.plan.append(self._annotations.close)

    def _is_traced(self, site: Site, layer: int) -> bool:
        return self._tracer is not None and self._tracer.wants(site, layer)

    def _probe(
        self, site: Site, tensor: str, layer: int, buffer: Buffer, shape: tuple[int, ...]
    ) -> None:
        if self._tracer is not None and self._tracer.wants(site, layer):
            self.plan.append(self._tracer.probe(site, tensor, layer, buffer, shape))

    def _probe_norm(
        self, layer: int, name: str, x: Buffer, weight: DeviceTensor, count: int
    ) -> None:
        shape = (count, weight.cols)
        self._probe("rmsnorm", f"{name}.input", layer, x, shape)
        self._probe("rmsnorm", f"{name}.output", layer, self._work.normed.floats, shape)
        self._probe("rmsnorm", f"{name}.weight", layer, weight.buffer, (weight.cols,))

    def _probe_cache(self, layer: int) -> None:
        if self._tracer is None or not self._tracer.wants("kv", layer):
            return
        cache, first = self._work.cache, self._rows.sequence
        for sequence in range(first, first + (1 if self._rows.is_prefill else self._rows.count)):
            for name, part in zip("kv", cache.sequence(layer, sequence), strict=True):
                self.plan.append(self._tracer.probe_cache(name, layer, sequence, part, cache.shape))


def _row(buffer: Buffer, row: int, width: int) -> Buffer:
    """The buffer from a row of float32 or int32 on."""
    start = 4 * row * width
    return buffer.view(start, buffer.nbytes - start)
