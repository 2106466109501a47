"""How likely a given continuation is: the log-probability of each of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.engine.engine import Engine
from greta.engine.request import Request
from greta.engine.sampling import Sampling
from greta.model import TokenId


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
        found.append(_log_probability(steps.result(step)[0], token))
        if step + 1 < len(continuation):
            steps.put_tokens([token])
            steps.decode(step + 1)
    steps.finish()
    return found


def _log_probability(logits: npt.NDArray[Any], token: TokenId) -> float:
    wide = logits.astype(np.float64)
    return float(wide[token] - wide.max() - np.log(np.exp(wide - wide.max()).sum()))
