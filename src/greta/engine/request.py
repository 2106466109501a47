"""What to generate, whether it fits, and how the host chooses tokens from logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from greta.engine.workspace import Capacity
from greta.errors import ContextLimitError, EngineError, NotANumberError
from greta.model import TokenId

Logits = npt.NDArray[np.float32]  # [vocabulary]
_Candidates = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Sampling:
    """How to choose: among the `top_k` likeliest that together have `top_p` of the probability."""

    temperature: float = 0.8
    top_k: int = 40  # 0: all
    top_p: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.temperature > 0 or not np.isfinite(self.temperature):
            raise EngineError(
                f"the temperature must be a number above 0, not {self.temperature}; "
                "for the likeliest token, ask for greedy"
            )
        if self.top_k < 0:
            raise EngineError(f"top-k must be 0 (all tokens) or more, not {self.top_k}")
        if not 0 < self.top_p <= 1:
            raise EngineError(f"top-p must be above 0 and at most 1, not {self.top_p}")
        if self.seed < 0:
            raise EngineError(f"the seed must be 0 or more, not {self.seed}")


def require_numbers(logits: Logits) -> None:
    """Raises NotANumberError where no token is likelier than the others, or all are."""
    if not np.isfinite(logits.max()):  # that of a row with a NaN is NaN
        raise NotANumberError


class Sampler:
    """Draws the tokens of one sequence; the same seed and logits give the same tokens."""

    def __init__(self, sampling: Sampling, sequence: int = 0) -> None:
        self._sampling = sampling
        # Copies of a prompt in one batch must not all draw the same; each draws as it does alone
        # with a seed of its own.
        self._random = np.random.Generator(np.random.PCG64([sampling.seed + sequence, 0]))

    def draw(self, logits: Logits) -> TokenId:
        """The next token."""
        require_numbers(logits)
        tokens = _likeliest(logits, self._sampling.top_k)
        chances = _chances(logits[tokens], self._sampling.temperature)
        # How many of the likeliest it takes to reach the share.
        kept = min(int(np.searchsorted(np.cumsum(chances), self._sampling.top_p)) + 1, len(chances))
        at = np.searchsorted(
            np.cumsum(chances[:kept]), self._random.random() * chances[:kept].sum()
        )
        return int(tokens[min(int(at), kept - 1)])


def _likeliest(logits: Logits, count: int) -> _Candidates:
    """The tokens with the highest logits, highest first; among equals the lower id first."""
    if not 0 < count < len(logits):
        return np.argsort(-logits, kind="stable")
    least = np.partition(logits, -count)[-count]
    above = np.flatnonzero(logits >= least)  # in order of ids, with all that equal the last
    return above[np.argsort(-logits[above], kind="stable")][:count]


def _chances(logits: Logits, temperature: float) -> npt.NDArray[np.float64]:
    below = logits.astype(np.float64) - logits[0]  # the first is the highest
    with np.errstate(over="ignore", under="ignore"):  # at low temperatures all but one are 0
        weights = np.exp(below / temperature)
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True)
class Request:
    """Prompts that are continued side by side."""

    prompts: Sequence[Sequence[TokenId]]
    max_tokens: int
    sampling: Sampling | None = None  # None: always the likeliest token
    stops: frozenset[TokenId] = frozenset()

    @property
    def is_greedy(self) -> bool:
        """The device itself chooses the tokens."""
        return self.sampling is None

    def require_fits(self, capacity: Capacity, vocabulary: int) -> None:
        """Raises EngineError with what does not fit and what to do."""
        if self.max_tokens < 1:
            raise EngineError(f"the tokens to generate must be 1 or more, not {self.max_tokens}")
        if not 1 <= len(self.prompts) <= capacity.batch:
            raise EngineError(
                f"there are {len(self.prompts)} prompts, and this engine takes 1 to "
                f"{capacity.batch} at a time"
            )
        for prompt in self.prompts:
            if not prompt:
                raise EngineError("the prompt has no tokens; give it at least one character")
            if len(prompt) + self.max_tokens > capacity.context:
                raise ContextLimitError(
                    f"the prompt has {len(prompt)} tokens and {self.max_tokens} are to be "
                    f"generated, but the context has room for {capacity.context}; shorten the "
                    "prompt, lower --max-tokens, or raise --context if the model allows it"
                )
            # An embedding row outside the table would be an illegal access on the device.
            if strange := [token for token in prompt if not 0 <= token < vocabulary]:
                raise EngineError(
                    f"token {strange[0]} is not one of the model's {vocabulary} tokens"
                )
