"""The public names of greta.hip."""

import inspect

from greta import hip


def test_public_names_are_sorted_and_there() -> None:
    assert hip.__all__ == sorted(hip.__all__)
    assert all(hasattr(hip, name) for name in hip.__all__)


def test_every_public_class_and_function_says_what_it_is() -> None:
    undocumented = [
        name
        for name in hip.__all__
        if callable(getattr(hip, name)) and not inspect.getdoc(getattr(hip, name))
    ]
    assert undocumented == []
