"""What a generation cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Statistics:
    """Counts over all sequences of a batch; times in seconds, from the call of `generate`."""

    prompt_tokens: int
    generated_tokens: int
    decoded_tokens: int  # those of them that decode made; prefill makes each sequence's first
    total_time: float
    time_to_first_token: float
    prefill_time: float
    decode_time: float

    @property
    def tokens_per_second(self) -> float:
        """Generated tokens per second of the whole, prefill included."""
        return _rate(self.generated_tokens, self.total_time)

    @property
    def prefill_tokens_per_second(self) -> float:
        """Prompt tokens per second of prefill."""
        return _rate(self.prompt_tokens, self.prefill_time)

    @property
    def decode_tokens_per_second(self) -> float:
        """Tokens per second once the first ones were there; a batch makes one per sequence."""
        return _rate(self.decoded_tokens, self.decode_time)


def _rate(count: int, seconds: float) -> float:
    return count / seconds if seconds > 0 else 0.0
