"""Where the native libraries of this package are: installed with it, or in a build folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import greta
from greta.errors import UsageError

_TREE_VARIABLE = "GRETA_SIM_TREE"


def find_native_library(name: str, variable: str) -> Path:
    """The library that `variable` names, else the one built with the simulated device in use.

    Raises UsageError when there is none.
    """
    named = os.environ.get(variable)
    if named:
        if Path(named).is_file():
            return Path(named).absolute()
        raise UsageError(f"{variable}={named} is not a file; unset it or build it")
    found = next((path for path in _candidates(name) if path.is_file()), None)
    if found is None:
        raise UsageError(
            f"{name} is not installed; run `pip install .` in the source folder, or set "
            f"{variable} to a built one"
        )
    return found.absolute()


def _candidates(name: str) -> Iterator[Path]:
    # A tree that is named is a build that is meant: what belongs to it comes before the installed.
    if tree := os.environ.get(_TREE_VARIABLE):
        yield Path(tree).absolute().parent / "lib" / name
    for package in greta.__path__:
        yield Path(package) / "_native" / "lib" / name
    checkout = Path(greta.__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        yield checkout / "build" / "lib" / name
