"""The model in NumPy: float32, one token after another, nothing clever. What kernels are held to.

    x += attention(rms_norm(x))     q, k, v heads; RoPE on neighbours; keys of a group shared
    x += mlp(rms_norm(x))           down(silu(gate(x)) * up(x))
    logits = output(rms_norm(x))

Memory: every weight as float32, once. This is for tests on small models.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from greta.model.config import Layer, ModelConfig
from greta.model.file import Model
from greta.model.tensors import Tensor
from greta.model.tokenizer import TokenId
from greta.model.weights import Floats, dequantize, turn_divisors


@dataclass(frozen=True)
class _Weights:
    """A block's weights as numbers, named and shaped as in `Layer`."""

    attn_norm: Floats
    attn_q: Floats
    attn_k: Floats
    attn_v: Floats
    attn_output: Floats
    ffn_norm: Floats
    ffn_gate: Floats
    ffn_up: Floats
    ffn_down: Floats


class Reference:
    """A model with its weights as numbers and the keys and values of the tokens so far."""

    def __init__(self, model: Model) -> None:
        self.config: ModelConfig = model.config
        self._embedding = dequantize(model.embedding)  # [vocabulary, hidden]
        tied = model.config.tied_embeddings
        self._output = self._embedding if tied else dequantize(model.output)
        self._output_norm = dequantize(model.output_norm)  # [hidden]
        self._layers = [_numbers(model.layer(i)) for i in range(model.config.layers)]
        self._frequencies = frequencies(model)  # [rope / 2]
        self.forget()

    def forget(self) -> None:
        """Begins a new text."""
        empty = np.zeros((0, self.config.kv_heads, self.config.head_dim), np.float32)
        self._keys = [empty] * self.config.layers  # each [seen, kv_heads, head_dim]
        self._values = [empty] * self.config.layers

    @property
    def seen(self) -> int:
        """The tokens so far."""
        return int(self._keys[0].shape[0])

    def logits(self, tokens: list[TokenId]) -> Floats:
        """Appends tokens; the logits after each: [tokens, vocabulary]."""
        x = self._embedding[tokens]  # [n, hidden]
        turn = self._turn(self.seen, len(tokens))
        for number, weights in enumerate(self._layers):
            x = x + self._attention(self._norm(x, weights.attn_norm), weights, number, turn)
            x = x + _mlp(self._norm(x, weights.ffn_norm), weights)
        return np.asarray(self._norm(x, self._output_norm) @ self._output.T, np.float32)

    def greedy(self, tokens: list[TokenId], count: int, stops: frozenset[int]) -> list[TokenId]:
        """The likeliest next tokens, up to `count` or a stop token."""
        made: list[TokenId] = []
        while len(made) < count:
            best = int(self.logits(tokens)[-1].argmax())
            if best in stops:
                break
            made.append(best)
            tokens = [best]
        return made

    def _norm(self, x: Floats, weight: Floats) -> Floats:
        mean_square = np.mean(x * x, axis=-1, keepdims=True)
        return np.asarray(x / np.sqrt(mean_square + self.config.rms_eps) * weight, np.float32)

    def _turn(self, start: int, count: int) -> Floats:
        """Angles by position and pair: [n, 1, rope / 2]."""
        positions = np.arange(start, start + count, dtype=np.float32)
        return (positions[:, None] * self._frequencies)[:, None, :]

    def _attention(self, x: Floats, weights: _Weights, number: int, turn: Floats) -> Floats:
        c, n = self.config, len(x)
        q = rotated((x @ weights.attn_q.T).reshape(n, c.heads, c.head_dim), turn)
        k = rotated((x @ weights.attn_k.T).reshape(n, c.kv_heads, c.head_dim), turn)
        v = (x @ weights.attn_v.T).reshape(n, c.kv_heads, c.head_dim)
        self._keys[number] = np.concatenate([self._keys[number], k])
        self._values[number] = np.concatenate([self._values[number], v])
        mixed = attention(q, self._keys[number], self._values[number])  # [n, heads, head_dim]
        return np.asarray(mixed.reshape(n, c.query_size) @ weights.attn_output.T, np.float32)


def logits(model: Model, tokens: list[TokenId]) -> Floats:
    """The logits after each token of a text: float32 [tokens, vocabulary]."""
    return Reference(model).logits(tokens)


def frequencies(model: Model) -> Floats:
    """How far each pair of a head turns per position: [rope / 2]; see `config`."""
    rope = model.config.rope
    turns = rope.ratio ** np.arange(rope.dimensions // 2, dtype=np.float64)
    return np.asarray(turns / turn_divisors(model), np.float32)


def rotated(heads: Floats, turn: Floats) -> Floats:
    """Pairs of neighbours turned: heads [n, heads, head_dim], turn [n, 1, rope / 2]."""
    end = 2 * turn.shape[-1]
    even, odd = heads[..., 0:end:2], heads[..., 1:end:2]
    result: Floats = heads.copy()
    result[..., 0:end:2] = even * np.cos(turn) - odd * np.sin(turn)
    result[..., 1:end:2] = even * np.sin(turn) + odd * np.cos(turn)
    return result


def attention(q: Floats, k: Floats, v: Floats) -> Floats:
    """Causal attention of the last n positions: q [n, heads, d], k and v [seen, kv_heads, d]."""
    n, heads, d = q.shape
    group = heads // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)  # [seen, heads, d]
    scores = np.matmul(q.transpose(1, 0, 2), k.transpose(1, 2, 0)) / np.sqrt(np.float32(d))
    seen = len(k)
    future = np.arange(seen) > np.arange(seen - n, seen)[:, None]  # [n, seen]
    scores = np.where(future, -np.inf, scores)  # [heads, n, seen]
    mixed = np.matmul(softmax(scores), v.transpose(1, 0, 2))  # [heads, n, d]
    return np.asarray(mixed.transpose(1, 0, 2), np.float32)


def softmax(scores: Floats) -> Floats:
    """Weights that add up to 1, in the last dimension."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True), np.float32)


def _mlp(x: Floats, weights: _Weights) -> Floats:
    gate = x @ weights.ffn_gate.T  # [n, feed_forward]
    with np.errstate(over="ignore"):  # exp of a very negative gate: silu is 0 there, as it should
        wide = gate / (1 + np.exp(-gate)) * (x @ weights.ffn_up.T)
    return np.asarray(wide @ weights.ffn_down.T, np.float32)


def _numbers(layer: Layer[Tensor]) -> _Weights:
    return _Weights(**{f.name: dequantize(getattr(layer, f.name)) for f in fields(Layer)})
