"""Opening a GGUF file: mapped once, read in place, nothing copied."""

from __future__ import annotations

import math
import mmap
import os
import stat
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np

from greta.errors import ModelError
from greta.model.chat import ChatTemplate
from greta.model.config import Layer, ModelConfig, layer_of, read_config
from greta.model.header import Metadata, read_header
from greta.model.tensors import Tensor, tensor_of
from greta.model.tokenizer import Tokenizer, read_tokenizer


class Model:
    """An open GGUF model: its configuration, tensors, tokenizer and chat template.

    The tensors are views of the file's map, which stays open as long as they do. The tokenizer
    is built when it is first asked for.
    """

    def __init__(self, path: Path, metadata: Metadata, tensors: Mapping[str, Tensor]) -> None:
        self.path = path
        self.metadata = metadata
        self.tensors = MappingProxyType(dict(tensors))
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        self.config: ModelConfig = read_config(metadata, shapes)

    @property
    def name(self) -> str:
        """What the file calls itself."""
        return self.metadata.text("general.name", self.path.stem)

    @property
    def parameters(self) -> int:
        """The number of weights."""
        return sum(math.prod(tensor.shape) for tensor in self.tensors.values())

    @property
    def quantization(self) -> str:
        """The type that most of its weights have."""
        sizes: Counter[str] = Counter()
        for tensor in self.tensors.values():
            sizes[tensor.type.name] += math.prod(tensor.shape)
        return sizes.most_common(1)[0][0] if sizes else ""

    def described(self) -> dict[str, str | int]:
        """What people ask of a model first."""
        config = self.config
        return {
            "title": self.name,
            "architecture": config.architecture,
            "layers": config.layers,
            "width": config.hidden_size,
            "heads": config.heads,
            "kv_heads": config.kv_heads,
            "feed_forward": config.feed_forward_size,
            "vocabulary": config.vocabulary_size,
            "parameters": self.parameters,
            "quantization": self.quantization,
        }

    def layer(self, number: int) -> Layer[Tensor]:
        """The tensors of a block, from 0 to config.layers - 1."""
        return layer_of(self.tensors, number, str(self.path))

    @property
    def embedding(self) -> Tensor:
        """The rows that tokens become: (vocabulary, hidden)."""
        return self._tensor("token_embd.weight")

    @property
    def output_norm(self) -> Tensor:
        """The weights of the last RMSNorm: (hidden,)."""
        return self._tensor("output_norm.weight")

    @property
    def output(self) -> Tensor:
        """The projection to logits, (vocabulary, hidden); the embedding if they are tied."""
        return self.tensors.get("output.weight") or self.embedding

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the file describes."""
        return read_tokenizer(self.metadata)

    @cached_property
    def chat(self) -> ChatTemplate:
        """The chat template; ModelError if the model has none."""
        return ChatTemplate.of(self.metadata, self.tokenizer)

    def _tensor(self, name: str) -> Tensor:
        try:
            return self.tensors[name]
        except KeyError:
            raise ModelError(f"{self.path}: {name}: is missing") from None


def open_model(path: str | os.PathLike[str]) -> Model:
    """The model in a GGUF file, or ModelError with the file and the field at fault."""
    return read_model(_mapped(str(path)), Path(path))


def read_model(data: memoryview, path: Path) -> Model:
    """The model in the bytes of a GGUF file."""
    header = read_header(data, str(path))
    whole = np.frombuffer(data, np.uint8)
    tensors = {entry.name: tensor_of(entry, whole) for entry in header.tensors}
    return Model(path, Metadata(str(path), header.metadata), tensors)


def _mapped(file: str) -> memoryview:
    try:
        # Without O_NONBLOCK a named pipe would keep us waiting for a writer.
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ModelError(f"{file}: cannot be opened: {why}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ModelError(f"{file}: is not a file; --model takes a GGUF file, smollm2 or tiny")
        if status.st_size == 0:
            raise ModelError(f"{file}: is empty")
        return memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise ModelError(f"{file}: cannot be mapped: {error.strerror}") from None
    finally:
        os.close(descriptor)
