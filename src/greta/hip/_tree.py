"""Where the simulated device's libraries are.

The tree is laid out like a ROCm installation (lib/, include/, simt/), so that ROCM_PATH can point
at it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import greta
from greta.errors import SimTreeMissingError

TREE_VARIABLE = "GRETA_SIM_TREE"


@dataclass(frozen=True)
class SimTree:
    """The simulated device's files, under one root folder.

    >>> tree = find_sim_tree()                                        # doctest: +SKIP
    >>> tree.library                                                  # doctest: +SKIP
    PosixPath('.../greta/_native/rocm/lib/libamdhip64.so')
    """

    root: Path

    @property
    def lib(self) -> Path:
        """The folder of the shared libraries."""
        return self.root / "lib"

    @property
    def include(self) -> Path:
        """The folder of the headers for host programs."""
        return self.root / "include"

    @property
    def library(self) -> Path:
        """The HIP runtime."""
        return self.lib / "libamdhip64.so"

    @property
    def compiler_library(self) -> Path:
        """hipRTC."""
        return self.lib / "libhiprtc.so"

    def is_complete(self) -> bool:
        """Both libraries are there."""
        return self.library.is_file() and self.compiler_library.is_file()


def find_sim_tree() -> SimTree:
    """The tree that GRETA_SIM_TREE names, else the installed one, else a checkout's build folder.

    Raises SimTreeMissingError when there is none.
    """
    named = os.environ.get(TREE_VARIABLE)
    if named:
        tree = SimTree(Path(named).absolute())
        if tree.is_complete():
            return tree
        raise SimTreeMissingError(
            f"{TREE_VARIABLE}={named} has no lib/libamdhip64.so and lib/libhiprtc.so; "
            "unset it or build the tree with `make native`"
        )
    # An editable install has two package folders: the sources and the built files.
    roots = [Path(package) / "_native" / "rocm" for package in greta.__path__]
    checkout = Path(greta.__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        roots.append(checkout / "build" / "rocm")
    for root in roots:
        tree = SimTree(root)
        if tree.is_complete():
            return tree
    raise SimTreeMissingError(
        "the simulated device's libraries are not installed; run `pip install .` in the source "
        f"folder, or set {TREE_VARIABLE} to a built tree"
    )
