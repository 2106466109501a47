"""The models that a run was given, as the guard rail sees them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from greta.errors import GretaError
from greta.model import Model, Support, check, open_model
from greta.printable import printable
from greta.trace.evidence import ModelFact
from greta.trace.run_facts import ModelFile


def model_facts(models: Sequence[ModelFile]) -> tuple[ModelFact, ...]:
    """For each model that run.json names."""
    return tuple(_fact(one) for one in models if one.path)


def _fact(named: ModelFile) -> ModelFact:
    path = Path(named.path)
    if problem := _not_as_it_was(path, named):
        return ModelFact(str(path), problem=problem)
    try:
        model = open_model(path)
    except (GretaError, OSError) as error:
        return ModelFact(str(path), problem=str(error))
    found = tuple(
        (printable(one.field), printable(str(one.expected)), printable(str(one.found)))
        for one in check(model, _of_any_program(model))
        if one.fatal
    )
    name, counted = printable(model.name), (model.parameters,)
    return ModelFact(str(path), dimensions_of(model), found, name=name, parameters=counted)


def _not_as_it_was(path: Path, named: ModelFile) -> str | None:
    try:
        size = path.stat().st_size
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not path.is_file():
        return "is no file"
    if named.bytes is not None and size != named.bytes:
        return f"has {size} bytes now and had {named.bytes} when it was used"
    return None


def _of_any_program(model: Model) -> Support:
    """A model that fits itself; which types and keys it knows is the program's own affair."""
    types = frozenset(tensor.type.name for tensor in model.tensors.values())
    return Support(types=types, norm_types=types, heeds_every_key=True)


def dimensions_of(model: Model) -> dict[str, int]:
    """By the names that forensics uses."""
    config = model.config
    return {
        "heads": config.heads,
        "kv_heads": config.kv_heads,
        "head_dim": config.head_dim,
        "hidden": config.hidden_size,
        "feed_forward": config.feed_forward_size,
        "layers": config.layers,
        "vocabulary": config.vocabulary_size,
        "context": config.context_length,
    }
