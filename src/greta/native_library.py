"""Where the native parts of this package are: installed with it, or in a build folder."""

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


def find_native_program(name: str) -> Path | None:
    """A program of ours, which other programs are not meant to call; None if it is not built."""
    return next((path.absolute() for path in _candidates(name, "bin") if path.is_file()), None)


def _candidates(name: str, folder: str = "lib") -> Iterator[Path]:
    # A tree that is named is a build that is meant: what belongs to it comes before the installed.
    if tree := os.environ.get(_TREE_VARIABLE):
        yield Path(tree).absolute().parent / folder / name
    for package in greta.__path__:
        yield Path(package) / "_native" / folder / name
    checkout = Path(greta.__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        yield checkout / "build" / folder / name
