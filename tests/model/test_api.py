"""What `greta.model` offers."""

from __future__ import annotations

import subprocess
import sys

import greta.model


def test_all_is_sorted_and_there() -> None:
    names = greta.model.__all__
    # Constants, classes, functions: as ruff sorts them.
    assert names == sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert all(hasattr(greta.model, name) for name in names)


def test_opening_a_model_does_not_load_hip(environment: dict[str, str]) -> None:
    source = "import sys, greta.model; print({'rocm', 'greta.hip'} & set(sys.modules))"
    command = [sys.executable, "-c", source]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
