"""A GGUF file as a model: configuration, weights, tokenizer, chat template; and the guard rail.

    model = open_model(find_model("smollm2"))
    enforce(model, Support())                       # before anything is allocated
    ids = model.tokenizer.encode("The capital of France is")
    weights = dequantize(model.layer(0).attn_q)     # float32 [rows, cols]

Nothing here knows of HIP.
"""

from greta.errors import ModelError, ModelUnavailableError
from greta.model.chat import ChatTemplate, Message
from greta.model.config import Layer, ModelConfig, Rope
from greta.model.file import Model, open_model
from greta.model.find import DefaultModel, Progress, cache_folder, default_model, find_model
from greta.model.guard_rail import GuardRailError, Mismatch, Support, check, enforce
from greta.model.tensors import WEIGHT_TYPES, Blocks, Tensor, TensorType
from greta.model.tokenizer import TextStream, TokenId, Tokenizer, Vocabulary
from greta.model.weights import dequantize, quantize

__all__ = [
    "WEIGHT_TYPES",
    "Blocks",
    "ChatTemplate",
    "DefaultModel",
    "GuardRailError",
    "Layer",
    "Message",
    "Mismatch",
    "Model",
    "ModelConfig",
    "ModelError",
    "ModelUnavailableError",
    "Progress",
    "Rope",
    "Support",
    "Tensor",
    "TensorType",
    "TextStream",
    "TokenId",
    "Tokenizer",
    "Vocabulary",
    "cache_folder",
    "check",
    "default_model",
    "dequantize",
    "enforce",
    "find_model",
    "open_model",
    "quantize",
]
