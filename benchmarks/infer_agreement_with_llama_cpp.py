"""Does greta say what llama.cpp says? Greedy, 20 prompts, 32 tokens each, on the same GGUF file.

Two things must hold. The tokens are the same, except that a text may part from a position on where
llama.cpp's own two best log-probabilities are closer than 0.3. And on llama.cpp's continuations the
log-probabilities of the chosen tokens differ by less than 0.05 on average.

    python benchmarks/infer_agreement_with_llama_cpp.py [--model smollm2 | FILE] [--check]

Both round activations to 8 bits, so neither is exact, and they part where their errors do.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from greta import hip
from greta.engine import Capacity, Engine, Request, log_probabilities
from greta.model import find_model, open_model

TOKENS = 32
CONTEXT = 512
CLOSE = 0.3
PROMPTS = [
    "The capital of France is",
    "Once upon a time, in a village by the sea,",
    "La capital de España es",
    "Había una vez un dragón que",
    "Die Hauptstadt von Deutschland ist",
    "La tour Eiffel se trouve à",
    "A capital do Brasil é",
    "中国的首都是",
    "日本で一番高い山は",
    "Столица России",
    "def fibonacci(n):\n    ",
    "#include <stdio.h>\nint main(void) {\n",
    "SELECT name, age FROM users WHERE",
    '{"name": "Ada", "born": 1815, "field":',
    "1, 2, 3, 4, 5, 6,",
    "Q: What is 17 + 25?\nA:",
    "Water boils at a temperature of",
    "The three laws of motion are",
    "Dear Sir or Madam,\n\nI am writing to",
    "# Shopping list\n- apples\n-",
]


@dataclass(frozen=True)
class Continuation:
    """llama.cpp's tokens, their log-probabilities, and how far the second best was behind."""

    tokens: list[int]
    log_probabilities: list[float]
    gaps: list[float]


class LlamaCpp:
    """llama.cpp on a file."""

    def __init__(self, path: Path) -> None:
        from llama_cpp import Llama

        self._llama = Llama(str(path), n_ctx=CONTEXT, verbose=False)

    def continuation(self, prompt: list[int]) -> Continuation:
        self._llama.reset()
        self._llama.eval(prompt)
        tokens, chosen, gaps = [], [], []
        for _ in range(TOKENS):
            found = self._log_probabilities()
            second, best = np.partition(found, -2)[-2:]
            tokens.append(int(found.argmax()))
            chosen.append(float(best))
            gaps.append(float(best - second))
            self._llama.eval(tokens[-1:])
        return Continuation(tokens, chosen, gaps)

    def _log_probabilities(self) -> np.ndarray:
        pointer = self._llama._ctx.get_logits_ith(-1)
        logits = np.ctypeslib.as_array(pointer, (self._llama.n_vocab(),)).astype(np.float64)
        logits -= logits.max()
        return np.asarray(logits - np.log(np.exp(logits).sum()))


def parted_at(ours: list[int], theirs: Continuation) -> int | None:
    """The position from which the tokens differ."""
    pairs = enumerate(zip(ours, theirs.tokens, strict=True))
    return next((i for i, (a, b) in pairs if a != b), None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--check", action="store_true", help="exit with 1 unless both hold")
    options = parser.parse_args()
    path = find_model(options.model)
    if not importlib.util.find_spec("llama_cpp"):
        print("llama-cpp-python is not installed, so there is nothing to compare with")
        return 0
    hip.choose_device("sim")
    model = open_model(path)
    engine, peer = Engine(model, Capacity(1, CONTEXT)), LlamaCpp(path)
    wrong, differences = 0, []
    for text in PROMPTS:
        prompt = model.tokenizer.encode(text)
        theirs = peer.continuation(prompt)
        ours = engine.generate(Request([prompt], TOKENS)).run().tokens[0]
        at = parted_at(ours, theirs)
        is_wrong = at is not None and theirs.gaps[at] >= CLOSE
        wrong += is_wrong
        scored = log_probabilities(engine, prompt, theirs.tokens)
        difference = np.abs(np.subtract(scored, theirs.log_probabilities))
        differences.append(difference)
        parting = "same" if at is None else f"parts at {at} (gap {theirs.gaps[at]:.3f})"
        print(f"{parting:28} log-probabilities differ by {difference.mean():.4f}  {text!r}")
    mean = float(np.mean(differences))
    print(f"{len(PROMPTS) - wrong} of {len(PROMPTS)} texts agree; mean difference {mean:.4f}")
    return 1 if options.check and (wrong or mean >= 0.05) else 0


if __name__ == "__main__":
    sys.exit(main())
