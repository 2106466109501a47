"""The tiny model with something changed, as if the file said so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from greta.model import Model, Tensor
from greta.model.header import Metadata


def variant(
    model: Model,
    metadata: dict[str, Any] | None = None,
    tensors: dict[str, Tensor] | None = None,
    without: Iterable[str] = (),
    path: Path | None = None,
) -> Model:
    """A model with these keys and tensors instead, and without some."""
    gone = set(without)
    keys = {**model.metadata, **(metadata or {})}
    weights = {**model.tensors, **(tensors or {})}
    return Model(
        path or model.path,
        Metadata(str(model.path), {name: keys[name] for name in keys if name not in gone}),
        {name: weights[name] for name in weights if name not in gone},
    )
