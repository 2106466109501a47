"""The vocabulary of the tiny model: all bytes, and the pairs most frequent in a few sentences."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from greta.model.tokenizer.byte_level import LETTERS, spelled

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

_TEXT = """
The capital of France is Paris, and the capital of Spain is Madrid. The device copies the result
to the host when the stream has finished the kernel that writes it. A copy that does not wait for
the kernel reads what was there before. The error appears later, at the next call, and names the
wrong operation. What is the capital of Italy? What was the address of the buffer, how many bytes
did the transfer have, and which stream did it use? The program stops with an illegal memory access.
El dispositivo copia el resultado a la memoria del programa cuando termina. La copia que no espera
lee lo que estaba antes. system user assistant You are a helpful assistant. Hello, how are you?
def main(argument): return argument + 1  # 0123456789
"""


def tiny_words(merges: int, text: str = _TEXT) -> tuple[list[str], list[str]]:
    """The tokens and the merges, by GPT-2's training rule; equal counts go by the alphabet."""
    words = Counter(re.findall(r" ?\w+| ?[^\s\w]+|\s+", text))
    spellings = {word: tuple(spelled(word.encode())) for word in words}
    tokens, made = [*SPECIALS, *LETTERS.values()], []
    for _ in range(merges):
        pair = _best_pair(words, spellings, set(tokens))
        tokens.append("".join(pair))
        made.append(" ".join(pair))
        spellings = {word: _merged(letters, pair) for word, letters in spellings.items()}
    return tokens, made


def _best_pair(
    words: Counter[str], spellings: dict[str, tuple[str, ...]], taken: set[str]
) -> tuple[str, str]:
    counts: Counter[tuple[str, str]] = Counter()
    for word, letters in spellings.items():
        for pair in pairwise(letters):
            counts[pair] += words[word]
    fresh = (pair for pair in counts if "".join(pair) not in taken)
    return min(fresh, key=lambda pair: (-counts[pair], pair))


def _merged(letters: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    result: list[str] = []
    for letter in letters:
        if result and (result[-1], letter) == pair:
            result[-1] += letter
        else:
            result.append(letter)
    return tuple(result)
