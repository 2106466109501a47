"""What to generate, and whether it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from greta.engine.errors import ContextLimitError, EngineError
from greta.engine.sampling import Sampling
from greta.engine.workspace import Capacity
from greta.model import TokenId


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
            _require_prompt_fits(prompt, self.max_tokens, capacity.context, vocabulary)


def _require_prompt_fits(
    prompt: Sequence[TokenId], max_tokens: int, context: int, vocabulary: int
) -> None:
    if not prompt:
        raise EngineError("the prompt has no tokens; give it at least one character")
    if len(prompt) + max_tokens > context:
        raise ContextLimitError(
            f"the prompt has {len(prompt)} tokens and {max_tokens} are to be generated, but the "
            f"context has room for {context}; shorten the prompt, lower --max-tokens, or raise "
            "--context if the model allows it"
        )
    # An embedding row outside the table would be an illegal access on the device.
    if strange := [token for token in prompt if not 0 <= token < vocabulary]:
        raise EngineError(f"token {strange[0]} is not one of the model's {vocabulary} tokens")
