"""JSON of files as typed objects: the dataclass alone says which fields there are.

A field that is missing or null has its default: not known. Fields that the dataclass does not have
are passed over, so that older and newer files can be read. A field of another type is refused by
its name.
"""

from __future__ import annotations

import math
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from greta.errors import OutsideError
from greta.printable import printable

Json = dict[str, Any]
T = TypeVar("T")

_LARGEST: Final = 1 << 63
_NAMED: Final = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "an object",
    list: "a list",
}
_EMPTY: Final = {str: "", bool: False, int: 0, float: 0.0}
_UNIONS: Final = (types.UnionType, typing.Union)


@dataclass(frozen=True)
class JsonField:
    """A field of a file, for the one sentence that refuses it."""

    file: Path
    name: str = ""

    def at(self, name: str) -> JsonField:
        """A field inside."""
        return JsonField(self.file, f"{self.name}.{name}" if self.name else name)

    def item(self, number: int) -> JsonField:
        """One of a list."""
        return JsonField(self.file, f"{self.name}[{number}]")

    def refusal(self, expected: str) -> OutsideError:
        """To be raised."""
        shown = printable(self.name)[:200] or "(the whole)"
        return OutsideError(f"{printable(str(self.file))}: the field {shown} is not {expected}")


Reader = Callable[[Any, JsonField], Any]
Readers = Mapping[Any, Reader]
Writers = Mapping[type, Callable[[Any], Any]]
_NO_READERS: Final[Readers] = {}
_NO_WRITERS: Final[Writers] = {}


def decode(kind: type[T], value: Any, field: JsonField, readers: Readers = _NO_READERS) -> T:
    """An object of that type; `readers` are for types that a file has in another form."""
    found: T = _decode(kind, value, field, readers)
    return found


def require_object(value: Any, field: JsonField) -> Json:
    """A JSON object; nothing where there is none."""
    found: Json = _require(value if value is not None else {}, dict, field)
    return found


def require_list(value: Any, field: JsonField) -> list[Any]:
    """A JSON list; an empty one where there is none."""
    found: list[Any] = _require(value if value is not None else [], list, field)
    return found


def _decode(kind: Any, value: Any, field: JsonField, readers: Readers) -> Any:
    if kind in readers:
        return readers[kind](value, field)
    if value is None:
        return _nothing(kind, field, readers)
    origin = get_origin(kind)
    if origin in _UNIONS:
        return _one_of(
            [one for one in get_args(kind) if one is not type(None)], value, field, readers
        )
    if origin is tuple:
        return _tuple(get_args(kind), value, field, readers)
    if origin is Literal:
        return _choice(str, list(get_args(kind)), value, field)
    if origin is not None and issubclass(dict, origin):
        return _mapping(get_args(kind)[1], value, field, readers)
    if is_dataclass(kind):
        return _object(kind, value, field, readers)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice(kind, [str(one.value) for one in kind], value, field)
    return _require(value, kind, field)


def _nothing(kind: Any, field: JsonField, readers: Readers) -> Any:
    """What a missing field stands for, where its dataclass has no default."""
    if kind in _EMPTY:
        return _EMPTY[kind]
    origin = get_origin(kind)
    if origin in _UNIONS:
        return None if type(None) in get_args(kind) else _nothing(get_args(kind)[0], field, readers)
    if origin is tuple:
        return ()
    if origin is not None and issubclass(dict, origin):
        return {}
    if is_dataclass(kind):
        return _object(kind, {}, field, readers)
    raise field.refusal("there")


def _object(kind: Any, value: Any, field: JsonField, readers: Readers) -> Any:
    _require(value, dict, field)
    found = {}
    for name, (hint, has_default) in _fields(kind).items():
        if value.get(name) is not None or not has_default:
            found[name] = _decode(hint, value.get(name), field.at(name), readers)
    return kind(**found)


@cache
def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    hints = typing.get_type_hints(kind, vars(sys.modules[kind.__module__]))
    return {
        one.name: (
            hints[one.name],
            one.default is not MISSING or one.default_factory is not MISSING,
        )
        for one in fields(kind)
        if one.init
    }


def _one_of(kinds: list[Any], value: Any, field: JsonField, readers: Readers) -> Any:
    fitting = (kind for kind in kinds[:-1] if _fits(kind, value, field, readers))
    return _decode(next(fitting, kinds[-1]), value, field, readers)


def _fits(kind: Any, value: Any, field: JsonField, readers: Readers) -> bool:
    try:
        _decode(kind, value, field, readers)
    except OutsideError:
        return False
    return True


def _tuple(kinds: tuple[Any, ...], value: Any, field: JsonField, readers: Readers) -> Any:
    _require(value, list, field)
    if kinds[-1] is Ellipsis:
        return tuple(
            _decode(kinds[0], one, field.item(number), readers)
            for number, one in enumerate(value)
            if one is not None
        )
    if len(value) != len(kinds):
        raise field.refusal(f"a list of {len(kinds)}")
    items = enumerate(zip(kinds, value, strict=True))
    return tuple(_decode(kind, one, field.item(n), readers) for n, (kind, one) in items)


def _mapping(kind: Any, value: Any, field: JsonField, readers: Readers) -> Any:
    _require(value, dict, field)
    return {name: _decode(kind, one, field.at(name), readers) for name, one in value.items()}


def _choice(kind: Any, known: list[str], value: Any, field: JsonField) -> Any:
    if value not in known:
        raise field.refusal(f"one of {', '.join(known)}")
    return kind(value)


def _require(value: Any, kind: Any, field: JsonField) -> Any:
    if not _is(value, kind):
        raise field.refusal(_NAMED[kind])
    return float(value) if kind is float else value


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    if kind is int:
        return isinstance(value, int) and abs(value) < _LARGEST
    if kind is float:
        if isinstance(value, int):
            return abs(value) < _LARGEST
        return isinstance(value, float) and math.isfinite(value)
    if kind is str:  # no name of a file and no word of a command has a zero in it
        return isinstance(value, str) and "\0" not in value
    return isinstance(value, kind)


def encode(value: Any, writers: Writers = _NO_WRITERS) -> Any:
    """The same the other way: what json.dumps can write.

    A field whose metadata says `if_any` is left out where it is None.
    """
    if type(value) in writers:
        return writers[type(value)](value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        own = ((one, getattr(value, one.name)) for one in fields(value))
        shown = [one for one in own if one[1] is not None or not one[0].metadata.get("if_any")]
        return {one.name: encode(found, writers) for one, found in shown}
    if isinstance(value, tuple | list):
        return [encode(one, writers) for one in value]
    if isinstance(value, Mapping):
        return {name: encode(one, writers) for name, one in value.items()}
    return value
