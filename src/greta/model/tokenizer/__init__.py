"""Text to tokens and back, as the metadata of a GGUF file describes it."""

from greta.model.header import Metadata
from greta.model.tokenizer.byte_pair import read_byte_pairs
from greta.model.tokenizer.sentence_piece import read_sentence_pieces
from greta.model.tokenizer.tokenizer import TextStream, Tokenizer
from greta.model.tokenizer.vocabulary import TokenId, Vocabulary

__all__ = ["TextStream", "TokenId", "Tokenizer", "Vocabulary", "read_tokenizer"]


def read_tokenizer(metadata: Metadata) -> Tokenizer:
    """The tokenizer that the metadata describes, or ModelError."""
    key = "tokenizer.ggml.model"
    kind = metadata.text(key)
    if kind == "gpt2":
        return Tokenizer(*read_byte_pairs(metadata))
    if kind == "llama":
        return Tokenizer(*read_sentence_pieces(metadata))
    raise metadata.wrong(key, f'is "{kind}", and greta knows "llama" and "gpt2"')
