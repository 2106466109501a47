"""A tiny Llama model, made on the spot: the same bytes every time, and no network.

It is a whole model in small: grouped-query attention, a byte-pair tokenizer, a chat template. Its
weights are noise, so its text is too.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter

from greta.errors import ModelError
from greta.model.config import ModelConfig, Rope, expected_shapes
from greta.model.tensors import WEIGHT_TYPES, TensorType
from greta.model.tokenizer.byte_pair import LETTERS, spelled
from greta.model.weights import Floats, quantize

TINY_VERSION = 1  # goes up with every change of the bytes
_WORDS, _MERGES = 512, 253

TINY = ModelConfig(
    architecture="llama",
    hidden_size=256,
    feed_forward_size=768,
    layers=2,
    heads=4,
    kv_heads=2,
    head_dim=64,
    head_dim_is_stated=False,
    vocabulary_size=_WORDS,
    context_length=512,
    rms_eps=2.0**-17,  # as exact in float32 as in float64
    rope=Rope(base=10000.0, dimensions=64, scaling="none", factor=1.0),
    tied_embeddings=True,
)


def tiny_type(name: str) -> TensorType:
    """The weight type that `tiny:NAME` asks for."""
    for kind in WEIGHT_TYPES:
        if kind.name.lower() == name.lower():
            return kind
    known = ", ".join(kind.name.lower() for kind in WEIGHT_TYPES)
    raise ModelError(f"tiny:{name}: there is no such type of weights; choose {known}")


def write_tiny(path: Path, kind: TensorType = TensorType.Q8_0, config: ModelConfig = TINY) -> None:
    """Writes a model of these dimensions with matrices of one type."""
    writer = GGUFWriter(path, "llama")
    _write_config(writer, config)
    _write_tokenizer(writer)
    for name, shape in expected_shapes(config):
        numbers = _noise(f"0:{name}", shape)
        if numbers.ndim == 1:  # norms are never quantized
            writer.add_tensor(name, numbers)
        else:
            writer.add_tensor(name, quantize(numbers, kind), raw_dtype=GGMLQuantizationType(kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _write_config(writer: GGUFWriter, config: ModelConfig) -> None:
    writer.add_name("Greta Tiny")
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.feed_forward_size)
    writer.add_block_count(config.layers)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.kv_heads)
    if config.head_dim_is_stated:
        writer.add_key_length(config.head_dim)
        writer.add_value_length(config.head_dim)
    writer.add_vocab_size(config.vocabulary_size)
    writer.add_context_length(config.context_length)
    writer.add_layer_norm_rms_eps(config.rms_eps)
    writer.add_rope_freq_base(config.rope.base)
    writer.add_rope_dimension_count(config.rope.dimensions)
    if config.rope.scaling == "linear":
        writer.add_string("llama.rope.scaling.type", "linear")
        writer.add_rope_scaling_factor(config.rope.factor)


def _write_tokenizer(writer: GGUFWriter) -> None:
    words, merges = tiny_words(_MERGES)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(words)
    writer.add_token_types([3 if word in SPECIALS else 1 for word in words])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


def _noise(name: str, shape: tuple[int, ...]) -> Floats:
    """Uniform noise that no release of any library changes; around 1 for norms and factors."""
    stream = hashlib.shake_256(name.encode()).digest(2 * int(np.prod(shape)))
    noise = np.frombuffer(stream, "<u2").reshape(shape).astype(np.float32) / 32768 - 1
    if len(shape) == 1:
        return np.asarray(1 + noise / 8, np.float32)
    # A variance of 2 / cols keeps activations alive through the layers.
    return np.asarray(noise * np.sqrt(6 / shape[-1]), np.float32)


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
    """All bytes and frequent pairs as tokens, with their merges, by GPT-2's training rule.

    Equal counts go by the alphabet.
    """
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
