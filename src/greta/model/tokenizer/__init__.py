"""Text to tokens and back, as the metadata of a GGUF file describes it."""

from greta.model.tokenizer.kinds import TokenId
from greta.model.tokenizer.reading import read_tokenizer
from greta.model.tokenizer.stream import TextStream
from greta.model.tokenizer.tokenizer import Tokenizer
from greta.model.tokenizer.vocabulary import Vocabulary

__all__ = ["TextStream", "TokenId", "Tokenizer", "Vocabulary", "read_tokenizer"]
