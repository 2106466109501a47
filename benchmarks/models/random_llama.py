"""A Llama-shaped model of 1.1 billion parameters in Q4_0, with random weights: 620 MB in the cache.

Prints its path, so that a benchmark can be told:

    MODEL=$(python benchmarks/models/random_llama.py)
    python benchmarks/infer_against_llama_cpp.py --model "$MODEL"

The weights are random bytes laid out as Q4_0, scaled so that activations stay alive; the text means
nothing. Dimensions are those of TinyLlama.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from gguf import GGUFWriter
from gguf.constants import GGMLQuantizationType

from greta.model import ModelConfig, Rope, cache_folder
from greta.model.config import expected_shapes
from greta.model.find import new_file
from greta.model.tiny import SPECIALS, tiny_words

FILE = "Random-Llama-1.1B-Q4_0.gguf"
MERGES = 253
CONFIG = ModelConfig(
    architecture="llama",
    hidden_size=2048,
    feed_forward_size=5632,
    layers=22,
    heads=32,
    kv_heads=4,
    head_dim=64,
    head_dim_is_stated=False,
    vocabulary_size=32000,
    context_length=2048,
    rms_eps=1e-5,
    rope=Rope(base=10000.0, dimensions=64, scaling="none", factor=1.0),
    tied_embeddings=False,
)


def write_random_llama(path: Path, config: ModelConfig = CONFIG, seed: int = 0) -> None:
    writer = GGUFWriter(path, "llama", use_temp_file=True)  # the weights do not gather in memory
    _write_config(writer, config)
    _write_tokenizer(writer, config.vocabulary_size)
    random = np.random.default_rng(seed)
    for name, shape in expected_shapes(config):
        if len(shape) == 1:
            writer.add_tensor(name, np.ones(shape, np.float32))
        else:
            blocks = _random_q4_0(random, *shape)
            writer.add_tensor(name, blocks, raw_dtype=GGMLQuantizationType.Q4_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _random_q4_0(random: np.random.Generator, rows: int, cols: int) -> npt.NDArray[np.uint8]:
    """Blocks of a float16 scale and 32 numbers of 4 bits, -8 to 7: uint8 [rows, cols / 32 * 18]."""
    blocks = random.integers(0, 256, (rows, cols // 32, 18), np.uint8)
    scale = np.float16(np.sqrt(2 / cols) / 4.6)  # 4.6: the root mean square of -8 to 7
    blocks[:, :, :2] = np.frombuffer(scale.tobytes(), np.uint8)
    return blocks.reshape(rows, -1)


def _write_config(writer: GGUFWriter, config: ModelConfig) -> None:
    writer.add_name("Random Llama 1.1B")
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.feed_forward_size)
    writer.add_block_count(config.layers)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.kv_heads)
    writer.add_vocab_size(config.vocabulary_size)
    writer.add_context_length(config.context_length)
    writer.add_layer_norm_rms_eps(config.rms_eps)
    writer.add_rope_freq_base(config.rope.base)
    writer.add_rope_dimension_count(config.rope.dimensions)


def _write_tokenizer(writer: GGUFWriter, size: int) -> None:
    words, merges = tiny_words(MERGES)
    fillers = [f"<filler {number}>" for number in range(len(words), size)]
    types = [3 if word in SPECIALS else 1 for word in words] + [5] * len(fillers)  # 5: unused
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list([*words, *fillers])
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(False)


def main() -> None:
    path = cache_folder() / FILE
    if not path.is_file():
        with new_file(path) as temporary:
            write_random_llama(temporary)
    print(path)


if __name__ == "__main__":
    main()
