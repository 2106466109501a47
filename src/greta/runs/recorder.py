"""Where the recorder is, and the environment in which a program loads it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import greta
from greta.errors import UsageError

RECORDER_VARIABLE = "GRETA_RECORDER"
_NAME = "libgreta_recorder.so"
_TREE_VARIABLE = "GRETA_SIM_TREE"
# The loader splits LD_PRELOAD at these, and knows no way to quote them.
_SEPARATORS = frozenset(" :\t\n")


def find_recorder() -> Path:
    """The library that GRETA_RECORDER names, else the one built with the simulated device in use.

    Raises UsageError when there is none.
    """
    named = os.environ.get(RECORDER_VARIABLE)
    if named:
        if Path(named).is_file():
            return Path(named).absolute()
        raise UsageError(f"{RECORDER_VARIABLE}={named} is not a file; unset it or build it")
    found = next((path for path in _candidates() if path.is_file()), None)
    if found is None:
        raise UsageError(
            "the recorder is not installed; run `pip install .` in the source folder, or set "
            f"{RECORDER_VARIABLE} to a built {_NAME}"
        )
    return found.absolute()


def _candidates() -> Iterator[Path]:
    # A tree that is named is a build that is meant: its recorder comes before the installed one.
    if tree := os.environ.get(_TREE_VARIABLE):
        yield Path(tree).absolute().parent / "lib" / _NAME
    for package in greta.__path__:
        yield Path(package) / "_native" / "lib" / _NAME
    checkout = Path(greta.__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        yield checkout / "build" / "lib" / _NAME


def recording_environment(
    base: Mapping[str, str], recorder: Path, recording: Path, ring: int | None
) -> dict[str, str]:
    """`base` with what makes a program, and its children, load the recorder and write there."""
    environment = dict(base)
    others = base.get("LD_PRELOAD", "").replace(":", " ").split()
    words = [str(recorder), *(word for word in others if word != str(recorder))]
    environment["LD_PRELOAD"] = ":".join(words)
    environment["GRETA_RECORD"] = str(recording)
    environment.pop("GRETA_RECORD_RING", None)  # all is kept unless this run says otherwise
    if ring is not None:
        environment["GRETA_RECORD_RING"] = str(ring)
    return environment


@contextlib.contextmanager
def preloadable(recorder: Path) -> Iterator[Path]:
    """A path of the recorder that LD_PRELOAD can hold: its own, or a link for the time of a run."""
    if not _SEPARATORS & set(str(recorder)):
        yield recorder
        return
    with tempfile.TemporaryDirectory(prefix="greta-") as folder:
        link = Path(folder) / _NAME
        link.symlink_to(recorder)
        yield link
