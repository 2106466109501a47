"""A generation under way: prefill, then one decode after another, token by token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from greta.engine.forward import BlockScheduler
from greta.engine.request import Request
from greta.model import TextStream, TokenId, Tokenizer


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


Finish = Literal["stop", "length"]


@dataclass(frozen=True)
class Piece:
    """A token and the text that it completes; no token, at the end, for a broken character."""

    sequence: int
    token: TokenId | None
    text: str


class Generation:
    """Iterate over it to get the pieces as they are made; the rest is complete after that."""

    def __init__(self, steps: BlockScheduler, tokenizer: Tokenizer, request: Request) -> None:
        self._steps = steps
        self._request = request
        self._sequences = [_Sequence(i, tokenizer.stream()) for i in range(len(request.prompts))]
        self._statistics: Statistics | None = None

    def __iter__(self) -> Iterator[Piece]:
        started = perf_counter()
        self._steps.prefill(self._request)
        step = queued = 0
        first = 0.0
        while True:
            if self._steps.can_run_ahead and queued < self._request.max_tokens - 1:
                queued = self._queue(queued)  # the device goes on while the host looks
            chosen = self._steps.choose(step)
            first = first or perf_counter()
            # Those that took a token. The others have ended, though the device still computes them.
            open_ones = [s for s in self._sequences if s.finish is None]
            accepted = [s for s in open_ones if s.take(chosen[s.number], self._request)]
            is_over = all(sequence.finish is not None for sequence in self._sequences)
            if not is_over and queued == step:
                queued = self._queue(queued)
            yield from (sequence.piece() for sequence in accepted)
            rests = [sequence.rest() for sequence in self._sequences]
            yield from (rest for rest in rests if rest is not None)
            if is_over:
                break
            step += 1
        ended = perf_counter()
        self._steps.finish()
        self._statistics = self._measured(started, first, ended)

    def _queue(self, queued: int) -> int:
        self._steps.decode(queued + 1)
        return queued + 1

    @property
    def statistics(self) -> Statistics:
        """Counts and times, once it has ended."""
        if self._statistics is None:
            raise RuntimeError("the generation has not ended; iterate over it first")
        return self._statistics

    @property
    def tokens(self) -> list[list[TokenId]]:
        """The tokens so far, by sequence; stop tokens are not among them."""
        return [sequence.tokens for sequence in self._sequences]

    @property
    def texts(self) -> list[str]:
        """The texts so far, by sequence."""
        return [sequence.text for sequence in self._sequences]

    @property
    def finishes(self) -> list[Finish | None]:
        """Why each sequence ended."""
        return [sequence.finish for sequence in self._sequences]

    def run(self) -> Generation:
        """Generates all of it, for those who need no pieces."""
        for _ in self:
            pass
        return self

    def _measured(self, started: float, first: float, ended: float) -> Statistics:
        made = [len(tokens) for tokens in self.tokens]
        return Statistics(
            prompt_tokens=sum(len(prompt) for prompt in self._request.prompts),
            generated_tokens=sum(made),
            decoded_tokens=sum(max(count - 1, 0) for count in made),
            total_time=ended - started,
            time_to_first_token=first - started,
            prefill_time=first - started,
            decode_time=ended - first,
        )


class _Sequence:
    """What has become of one prompt."""

    def __init__(self, number: int, stream: TextStream) -> None:
        self.number = number
        self.tokens: list[TokenId] = []
        self.text = ""
        self.finish: Finish | None = None
        self._stream: TextStream | None = stream

    def take(self, token: TokenId, request: Request) -> bool:
        """Goes on with a token, or ends at it."""
        if token in request.stops:
            self.finish = "stop"
            return False
        self.tokens.append(token)
        if len(self.tokens) == request.max_tokens:
            self.finish = "length"
        return True

    def piece(self) -> Piece:
        """The last token, as text."""
        text = self._stream.push(self.tokens[-1]) if self._stream else ""
        self.text += text
        return Piece(self.number, self.tokens[-1], text)

    def rest(self) -> Piece | None:
        """What was left of a character when the sequence ended; asked for once."""
        if self.finish is None or self._stream is None:
            return None
        text, self._stream = self._stream.finish(), None
        self.text += text
        return Piece(self.number, None, text) if text else None
