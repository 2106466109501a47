"""The tiny model as a file in which some keys and tensors are others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader, GGUFValueType, GGUFWriter

from greta.model import TensorType
from greta.model.tiny import write_tiny

_KINDS = {str: GGUFValueType.STRING, bool: GGUFValueType.BOOL, float: GGUFValueType.FLOAT32}


def write_other_tiny(
    path: Path,
    keys: Mapping[str, Any] | None = None,
    tensors: Mapping[str, np.ndarray | None] | None = None,
) -> Path:
    """Writes it; a tensor that is None is left out. Returns the path."""
    sound = path.with_suffix(".sound")
    write_tiny(sound, TensorType.F32)
    writer = GGUFWriter(path, "llama")
    reader = GGUFReader(sound)
    _add_keys(writer, reader, keys or {})
    changed = tensors or {}
    for tensor in reader.tensors:
        numbers = changed.get(tensor.name, tensor.data)
        if numbers is not None:
            writer.add_tensor(tensor.name, numbers)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_keys(writer: GGUFWriter, reader: GGUFReader, changed: Mapping[str, Any]) -> None:
    for name, field in reader.fields.items():
        if not name.startswith("GGUF.") and name not in (*changed, "general.architecture"):
            writer.add_key_value(name, field.contents(), field.types[0], field.types[-1])
    for name, value in changed.items():
        if isinstance(value, list):
            writer.add_array(name, value)
        else:
            writer.add_key_value(name, value, _KINDS.get(type(value), GGUFValueType.UINT32))
